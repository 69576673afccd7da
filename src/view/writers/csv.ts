// CSV (RFC 4180): lines of texts and numbers. Nothing is cut.

import { cellText, plainText, type Table } from '../blocks.ts';
import { plain } from '../plain.ts';

/** A table with its head. */
export function tableCsv({ columns, rows }: Table): string {
  return csvText([
    columns.map(({ title }) => title),
    ...rows.map(({ cells }) => cells.map((each) => (typeof each === 'number' ? each : plainText(cellText(each))))),
  ]);
}

export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A text that no terminal obeys; one that a spreadsheet would take for a formula gets an apostrophe. Names come from people. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const shown = plain(value);
  const inert = /^[=+\-@]/.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
