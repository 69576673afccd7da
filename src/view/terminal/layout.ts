// Blocks of terminal text: the target, tables that fit the terminal, titled lists, and counts of requests.

import type { TargetSettings } from '../../project/settings.ts';
import type { Paint } from '../paint.ts';
import { plain } from '../plain.ts';
import { brokenAt, columnsOf, cutTo, ELLIPSIS, longestWord, within } from './narrow.ts';

/** The first line of a text about a target, and an empty line. `snapshot`: the file that stands in for the license and the ledger. */
export function targetLine(
  { name, baseUrl, ledger }: Pick<TargetSettings, 'name' | 'baseUrl' | 'ledger'>,
  paint: Paint,
  snapshot?: string,
): string {
  const { width = Number.POSITIVE_INFINITY } = paint;
  const title = `Target ${plain(name)}`;
  const where = (snapshot === undefined ? [baseUrl, `ledger ${ledger}`] : [`snapshot ${snapshot}`]).map(plain);
  const isFitting = (parts: readonly string[]): boolean => columnsOf([title, ...parts].join(GAP)) <= width;
  // The last part first: a ledger is known by the name of its file, a license by its whole address.
  const texts = [where, [...where.slice(0, -1), ...where.slice(-1).map(withoutFolders)], where.map(withoutFolders)];
  return `${[paint('strong', title), ...(texts.find(isFitting) ?? where)].join(GAP)}\n\n`;
}

/** `ledger …/production.ndjson`: the folders of a file left out; no part of the address of a host. */
function withoutFolders(text: string): string {
  return text.includes('://')
    ? text
    : text.replace(/^((?:ledger |snapshot |emulator:)?).*[/\\](?=[^/\\]+$)/, `$1${ELLIPSIS}/`);
}

/** The same of a ledger alone. */
export function ledgerLine(path: string, paint: Paint): string {
  return `${paint('strong', `Ledger ${plain(path)}`)}\n\n`;
}

export type Rows = readonly (readonly string[])[];

/** Aligned rows: columns as wide as their widest cell, the last one not padded. Where they exceed the width, the widest columns shrink. */
export function table(rows: Rows, width: number | undefined, indent = ''): readonly string[] {
  return linesByRow(rows, width, indent).flat();
}

/** The same: the lines of each row, of which a cell that does not fit its column makes several. */
export function linesByRow(rows: Rows, width: number | undefined, indent = ''): Rows {
  const least = width === undefined ? [] : leastWidths(rows);
  const widths = columnWidths(rows, within(width, indent), (column) => least[column] ?? 0);
  return rows.map((row) => rowLines(row, widths).map((line) => indent + line));
}

/** Whether the table of the rows fits. */
export function fits(rows: Rows, width: number | undefined): boolean {
  return width === undefined || totalWidth(columnWidths(rows)) <= width;
}

/** Columns of a terminal that a column of a table keeps. */
export const LEAST_COLUMN = 12;

/** The rows with the widest columns cut until the table fits, or until each has only its least width. */
export function narrowed(
  rows: Rows,
  width: number | undefined,
  least: (column: number) => number = () => LEAST_COLUMN,
): Rows {
  if (width === undefined) return rows;
  const widths = columnWidths(rows, width, least);
  return rows.map((row) => row.map((cell, column) => cutTo(cell, widths[column] ?? 0)));
}

/** The width of each column. Where all exceed the width of a terminal, the widest shrink to their least width. */
export function columnWidths(
  rows: Rows,
  width?: number,
  least: (column: number) => number = () => 0,
): readonly number[] {
  const widths = (rows[0] ?? []).map((_, column) => greatest(rows, (row) => columnsOf(row[column] ?? '')));
  if (width !== undefined) shrink(widths, least, width);
  return widths;
}

/** Narrows the widest column again and again, as long as one can be narrower. */
function shrink(widths: number[], least: (column: number) => number, width: number): void {
  for (let over = totalWidth(widths) - width; over > 0; over -= 1) {
    const narrowable = widths.map((each, column) => (each > least(column) ? each : 0));
    const widest = narrowable.indexOf(Math.max(...narrowable));
    if ((narrowable[widest] ?? 0) === 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

const GAP = '  ';

/** Of all columns and what is between them. */
export function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP.length * Math.max(0, widths.length - 1));
}

/** Of each column, the longest word. */
function leastWidths(rows: Rows): readonly number[] {
  return (rows[0] ?? []).map((_, column) => greatest(rows, (row) => longestWord(row[column] ?? '')));
}

/** As `Math.max` of all of them; a call cannot have more than about 120,000 arguments. */
function greatest<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((found, item) => Math.max(found, of(item)), 0);
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
export function headedTable(rows: Rows, paint: Paint): readonly string[] {
  const [head = [], ...rest] = linesByRow(rows, paint.width);
  return [...head.map((line) => paint('strong', line)), ...rest.flat()];
}

/** In front of lines below a title. */
export const INDENT = '  ';

/** A line for each of the first items, and how many more there are. */
export function capped(items: readonly string[], most: number): readonly string[] {
  const more = items.length - most;
  const lines = items.slice(0, most);
  return more <= 0 ? lines : [...lines, `and ${more} more`];
}

export type RequestCounts = { readonly [action: string]: number };

/** `2 list_agents`, `1 update_group`, by action. */
export function actionCounts(requests: RequestCounts): readonly string[] {
  const sorted = Object.entries(requests).sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([action, count]) => `${count} ${action}`);
}
