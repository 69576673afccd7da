// Blocks of terminal text: the target, tables, titled lists, counts of requests, and lines that fit the terminal.

import { stripVTControlCharacters } from 'node:util';
import type { TargetSettings } from '../../project/settings.ts';
import type { Paint } from '../paint.ts';
import { plain } from '../plain.ts';

/** The first line of a text about a target, and an empty line. `snapshot`: the file that stands in for the license and the ledger. */
export function targetLine(
  { name, baseUrl, ledger }: Pick<TargetSettings, 'name' | 'baseUrl' | 'ledger'>,
  paint: Paint,
  snapshot?: string,
): string {
  const where = snapshot === undefined ? [baseUrl, `ledger ${ledger}`] : [`snapshot ${snapshot}`];
  return `${paint('strong', `Target ${plain(name)}`)}  ${where.map(plain).join('  ')}\n\n`;
}

/** The same of a ledger alone; `settings` is null where a file was named. */
export function ledgerLine(
  path: string,
  settings: Pick<TargetSettings, 'name' | 'baseUrl' | 'ledger'> | null,
  paint: Paint,
): string {
  return settings === null ? `${paint('strong', `Ledger ${plain(path)}`)}\n\n` : targetLine(settings, paint);
}

/** Aligned rows: columns as wide as their widest cell, the last one not padded. Where they exceed the width, the widest columns shrink. */
export function table(rows: readonly (readonly string[])[], indent = '', width?: number): readonly string[] {
  const cells = rows.map((row) => row.map(columnsOf));
  const widths = (cells[0] ?? []).map((_, column) => greatest(cells, (row) => row[column] ?? 0));
  const gaps = indent.length + GAP.length * (widths.length - 1);
  if (width !== undefined) shrink(widths, leastWidths(rows), width - gaps);
  return rows.flatMap((row) => rowLines(row, widths).map((line) => indent + line));
}

const GAP = '  ';

/** Of each column, the longest word. */
function leastWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const longest = (cell = ''): number => Math.max(...cell.split(' ').map(columnsOf));
  return (rows[0] ?? []).map((_, column) => greatest(rows, (row) => longest(row[column])));
}

/** As `Math.max` of all of them; a call cannot have more than about 120,000 arguments. */
function greatest<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((found, item) => Math.max(found, of(item)), 0);
}

/** Narrows the widest column again and again, as long as one can be narrower. */
function shrink(widths: number[], least: readonly number[], room: number): void {
  for (let over = widths.reduce((sum, width) => sum + width, -room); over > 0; over -= 1) {
    const narrowable = widths.map((width, column) => (width > (least[column] ?? 0) ? width : 0));
    const widest = narrowable.indexOf(Math.max(...narrowable));
    if ((narrowable[widest] ?? 0) === 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** One line, or several where a cell does not fit its column. */
function rowLines(row: readonly string[], widths: readonly number[]): readonly string[] {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return columnsOf(cell) > width ? brokenAt(cell, width, '') : [cell];
  });
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    cells
      .map((lines, column) => padded(lines[index] ?? '', widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columnsOf(text)));
}

/** A table whose first row is its head. */
export function headedTable(rows: readonly (readonly string[])[], paint: Paint): readonly string[] {
  const [head = '', ...rest] = table(rows, '', paint.width);
  return [paint('strong', head), ...rest];
}

/** Lines that fit a terminal: longer ones go on below, indented, and never break inside a word. As they are without a width. */
export function fitted(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => (columnsOf(line) <= width ? [line] : brokenAt(line, width, ' '.repeat(hangingOf(line, width)))))
    .join('\n');
}

/** Below the text of the line: two columns beyond its beginning, or beyond a sign in front of it. */
function hangingOf(line: string, width: number): number {
  const [opening = ''] = /^ *(?:[-+~^=!?/]{1,3} )?/.exec(stripVTControlCharacters(line)) ?? [];
  return Math.min(opening.length + 2, Math.floor(width / 2));
}

function brokenAt(line: string, width: number, hanging: string): readonly string[] {
  const lines: string[] = [];
  let current = '';
  let isEmpty = true;
  for (const [, space = '', word = ''] of line.matchAll(/( *)([^ ]+)/g)) {
    if (!isEmpty && columnsOf(current) + space.length + columnsOf(word) > width) {
      lines.push(current);
      current = hanging + word;
    } else {
      current += space + word;
    }
    isEmpty = isEmpty && SIGN.test(stripVTControlCharacters(word));
  }
  return [...lines, current];
}

/** The sign in front of a line, which never stands alone. */
const SIGN = /^[-+~^=!?/]{0,3}$/;

/** Columns of a terminal: wide characters take two, combining ones and colours none. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of stripVTControlCharacters(text))
    columns += /\p{M}|\u200d/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Indented lines below a title, and an empty line; nothing without lines. */
export function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
}

/** An empty line, and indented lines below a title; nothing without lines. */
export function section(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : ['', paint('strong', title), ...lines.map((line) => `  ${line}`)];
}

/** A line for each of the first items, and how many more there are. */
export function capped<T>(items: readonly T[], most: number, lineOf: (item: T) => string = String): readonly string[] {
  const more = items.length - most;
  const lines = items.slice(0, most).map(lineOf);
  return more <= 0 ? lines : [...lines, `and ${more} more`];
}

export type RequestCounts = { readonly [action: string]: number };

export function totalOf(requests: RequestCounts): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** `2 list_agents, 1 update_group`, by action. */
export function actionsText(requests: RequestCounts): string {
  const sorted = Object.entries(requests).sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([action, count]) => `${count} ${action}`).join(', ');
}
