// Findings and results in; lines for the runner of GitHub's jobs out: annotations, and outputs of a step. Whatever could end a line or a property, or begin
// another command, is escaped as the runner undoes it.

import { plain } from '../../render/plain.ts';
import type { Finding } from '../../render/plan-reports/findings.ts';

/** GitHub shows ten of a level for each step. */
const MOST = 10;

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

export function annotations(findings: readonly Finding[], title: string): readonly string[] {
  return (['error', 'warning', 'note'] as const).flatMap((level) => {
    const those = findings.filter((finding) => finding.level === level);
    const lines = those.slice(0, MOST).map(({ lines: said, source, rule }) => {
      const place =
        source === null ? [] : [`file=${property(source.file)}`, `line=${source.line}`, `col=${source.column}`];
      const properties = [...place, `title=${property(`${title}: ${rule}`)}`].join(',');
      return `::${COMMANDS[level]} ${properties}::${message(said.join('\n'))}`;
    });
    const more = those.length - MOST;
    return more > 0
      ? [...lines.slice(0, -1), `::${COMMANDS[level]} title=${property(title)}::and ${more + 1} more`]
      : lines;
  });
}

/** What it takes for a line break is one: each part of a text has lost its own before. */
function message(text: string): string {
  return text.split('\n').map(plain).join('\n').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(plain(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Lines for the file of outputs. No value has a line break, so none needs a delimiter that it could contain. */
export function outputLines(outputs: { readonly [name: string]: string | number | boolean | null }): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${plain(String(value ?? ''))}\n`)
    .join('');
}
