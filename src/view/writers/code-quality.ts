// Findings as GitLab's code quality, for `artifacts: { reports: { codequality: FILE } }`.

import { sha256Hex } from '../../base/digest.ts';
import type { Severity } from '../../base/model.ts';
import { jsonPieces } from '../../base/pieces.ts';
import { type Findings, type PathInRepository, PROJECT_FILE } from '../findings.ts';
import { plain } from '../plain.ts';
import type { ReportWriter } from '../report.ts';
import { placedFindings } from './annotations.ts';

const SEVERITY: { readonly [level in Severity]: string } = { error: 'blocker', warning: 'major', info: 'info' };

export const report: ReportWriter = {
  write: ({ findings }, pathOf) => codeQuality(findings, pathOf),
  begins: /^\[(?:\]|\s*\{\s*"type": ?"issue",\s*"check_name": ?"[^"]*",\s*"description")/,
};

/** A finding has the same fingerprint in every run, and no two findings share one. */
export function* codeQuality(all: readonly Findings[], pathOf: PathInRepository): Generator<string> {
  const seen = new Map<string, number>();
  const issues = all.flatMap((of) =>
    placedFindings(of, pathOf).map(({ rule, level, lines, place, fingerprint }) => {
      const file = plain(place?.file ?? pathOf(PROJECT_FILE) ?? PROJECT_FILE);
      const identity = JSON.stringify([
        of.scope[0] ?? null,
        rule,
        ...(fingerprint === null ? [file, lines] : [fingerprint]),
      ]);
      const count = (seen.get(identity) ?? 0) + 1;
      seen.set(identity, count);
      return {
        type: 'issue',
        check_name: rule,
        description: lines.join('; '),
        categories: ['Bug Risk'],
        fingerprint: sha256Hex(`${identity} ${count}`),
        severity: SEVERITY[level],
        location: { path: file, lines: { begin: place?.line ?? 1 } },
      };
    }),
  );
  yield* jsonPieces(issues, '  ');
  yield '\n';
}
