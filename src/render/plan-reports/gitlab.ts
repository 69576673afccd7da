// What came of planning in; the two reports that GitLab shows in a merge request out: the counts of Terraform's widget, and code quality.

import { createHash } from 'node:crypto';
import { type Outcome, targetOf } from '../comment/subject.ts';
import { plain } from '../plain.ts';
import type { PathInRepository } from '../repository-path.ts';
import { type Finding, findingsOf, projectPlace } from './findings.ts';

const SEVERITY: { readonly [level in Finding['level']]: string } = {
  error: 'blocker',
  warning: 'major',
  note: 'info',
};

/** For `artifacts: { reports: { terraform: FILE } }`. Without counts the widget says that the report failed, and not that nothing changes. */
export function terraformReport(of: Outcome): string {
  if (of.outcome === 'failed') return '{}\n';
  const { add, change, destroy } = of.plan.summary;
  return `${JSON.stringify({ create: add, update: change, delete: destroy })}\n`;
}

/** For `artifacts: { reports: { codequality: FILE } }`. The same finding has the same fingerprint in every run, and no two have one. */
export function codeQuality(of: Outcome, pathOf: PathInRepository): string {
  const seen = new Map<string, number>();
  const issues = findingsOf(of, pathOf).map(({ rule, level, lines, source }) => {
    const { file: named, line } = source ?? projectPlace(pathOf);
    const file = plain(named);
    const identity = JSON.stringify([targetOf(of), rule, file, lines]);
    const count = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, count);
    return {
      type: 'issue',
      check_name: rule,
      description: lines.join('; '),
      categories: ['Bug Risk'],
      fingerprint: createHash('sha256').update(`${identity} ${count}`).digest('hex'),
      severity: SEVERITY[level],
      location: { path: file, lines: { begin: line } },
    };
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}
