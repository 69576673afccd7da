// The reports that GitLab shows in a merge request: the counts of its Terraform widget, and code quality.

import { createHash } from 'node:crypto';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { plain } from '../../view/plain.ts';
import { findingsOf, type PathInRepository, type PlanFinding, projectPlace } from './findings.ts';

const SEVERITY: { readonly [level in PlanFinding['level']]: string } = {
  error: 'blocker',
  warning: 'major',
  note: 'info',
};

/** For `artifacts: { reports: { terraform: FILE } }`. Without counts the widget says that the report failed, and not that nothing changes. */
export function terraformReport(of: PlanResult): string {
  if (of.outcome === 'failed') return '{}\n';
  const { add, change, destroy } = of.plan.summary;
  return `${JSON.stringify({ create: add, update: change, delete: destroy })}\n`;
}

/** For `artifacts: { reports: { codequality: FILE } }`. A finding has the same fingerprint in every run, and no two findings share one. */
export function codeQuality(of: PlanResult, pathOf: PathInRepository): string {
  const target = of.outcome === 'failed' ? of.target : of.plan.target;
  const seen = new Map<string, number>();
  const issues = findingsOf(of, pathOf).map(({ rule, level, lines, source }) => {
    const { file: named, line } = source ?? projectPlace(pathOf);
    const file = plain(named);
    const identity = JSON.stringify([target, rule, file, lines]);
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
