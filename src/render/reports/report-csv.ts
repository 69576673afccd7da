// A report as CSV (RFC 4180): a line for each row, numbers as the service has them.

import type { ShownReport } from '../../tasks/reports/schema.ts';

export function reportCsv({ dimensions, columns, rows }: ShownReport): string {
  const names = columns.map(({ name }) => name);
  const lines = [
    [...dimensions, ...names].map(cell),
    ...rows.map(({ keys, values }) => [...keys.map(cell), ...names.map((name) => String(values[name] ?? 0))]),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would take for a formula gets an apostrophe: tags come from people. */
function cell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
