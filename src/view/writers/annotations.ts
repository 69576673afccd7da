// Findings as annotations: commands that the runner of a job shows at lines of files.

import { SEVERITIES, type Severity } from '../../base/model.ts';
import type { SourcePlace } from '../../plan/plan.ts';
import type { Findings, PathInRepository } from '../findings.ts';
import { MOST_ANNOTATIONS } from '../limits.ts';
import { plain } from '../plain.ts';
import { linesOf } from './sarif.ts';

/** A finding that an annotation or an issue shows, with the file as the repository names it. */
export interface PlacedFinding {
  readonly rule: string;
  readonly level: Severity;
  /** Harmless texts. */
  readonly lines: readonly string[];
  readonly place: SourcePlace | null;
  readonly fingerprint: string | null;
}

/** What was found, and why nothing is known, unless that is what was found. No host can show a line of a file beyond the repository, so the text names it. */
export function placedFindings({ failure, findings }: Findings, pathOf: PathInRepository): readonly PlacedFinding[] {
  const shown = findings.filter(({ result }) => result === 'failed' || result === 'reported');
  return [
    ...(failure === null || shown.some(({ result }) => result === 'failed')
      ? []
      : [{ rule: 'failed', level: 'error', lines: [plain(failure)], place: null, fingerprint: null } as const]),
    ...shown.map((finding): PlacedFinding => {
      const { rule, level, place, fingerprint } = finding;
      const lines = linesOf(finding);
      const file = place === null ? null : pathOf(place.file);
      if (place === null || file !== null)
        return { rule, level, lines, fingerprint, place: place && { ...place, file: file ?? '' } };
      return { rule, level, lines: [...lines, plain(`${place.file}:${place.line}`)], fingerprint, place: null };
    }),
  ];
}

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies {
  readonly [level in Severity]: string;
};

/** What several have in common is told once. */
export function annotations(all: readonly Findings[], title: string, pathOf: PathInRepository): readonly string[] {
  const placed = all.flatMap((of) => placedFindings(of, pathOf)).map((each) => [JSON.stringify(each), each] as const);
  const findings = [...new Map(placed).values()];
  return SEVERITIES.flatMap((level) => {
    const those = findings.filter((finding) => finding.level === level);
    const lines = those.slice(0, MOST_ANNOTATIONS).map(({ lines: said, place, rule }) => {
      const at = place === null ? [] : [`file=${property(place.file)}`, `line=${place.line}`, `col=${place.column}`];
      const properties = [...at, `title=${property(`${title}: ${rule}`)}`].join(',');
      return `::${COMMANDS[level]} ${properties}::${value(said.join('\n'))}`;
    });
    const more = those.length - MOST_ANNOTATIONS;
    return more > 0
      ? [...lines.slice(0, -1), `::${COMMANDS[level]} title=${property(title)}::and ${more + 1} more`]
      : lines;
  });
}

/** The line breaks of a text are ours: `plain` has removed those of its parts. */
function value(text: string): string {
  return text.split('\n').map(plain).join('\n').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return value(plain(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
