// A report as CSV (RFC 4180): a line for each row, numbers as the service has them.

import type { ShownReport } from '../../tasks/reports/schema.ts';
import { plain } from '../plain.ts';

export function reportCsv({ dimensions, columns, rows }: ShownReport): string {
  const names = columns.map(({ name }) => name);
  const lines = [
    [...dimensions, ...names].map(cell),
    ...rows.map(({ keys, values }) => [...keys.map(cell), ...names.map((name) => String(values[name] ?? ''))]),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/** A text that no terminal obeys; one that a spreadsheet would take for a formula gets an apostrophe. Tags come from people. */
function cell(text: string): string {
  const shown = plain(text);
  const inert = /^[=+\-@]/.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
