// Tables and lists that fit a terminal: columns are cut, and names are never broken. In a pipe both stay whole.

import { shortened } from '../plain.ts';

/** Characters of a line of the terminal; null in a pipe, where nothing is cut. */
export type Width = number | null;

type Rows = readonly (readonly string[])[];

/** Between two columns. */
const GAP = '  ';

/** Characters of each column. */
function widthsOf(rows: Rows): readonly number[] {
  return (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, 0) + Math.max(0, widths.length - 1) * GAP.length;
}

/** Whether the table of the rows fits. */
export function fits(rows: Rows, width: Width): boolean {
  return width === null || totalWidth(widthsOf(rows)) <= width;
}

/** Characters that a column keeps. */
const LEAST = 12;

/** The rows with the widest columns cut until the table fits, or until each has only its least width. */
export function narrowed(rows: Rows, width: Width, least: (column: number) => number = () => LEAST): Rows {
  if (width === null) return rows;
  const widths = [...widthsOf(rows)];
  for (let over = totalWidth(widths) - width; over > 0; over -= 1) {
    const widest = widths.reduce(
      (found, each, column) => (each > least(column) && each > (widths[found] ?? 0) ? column : found),
      -1,
    );
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return rows.map((row) => row.map((cell, column) => cutTo(cell, widths[column] ?? 0)));
}

function cutTo(text: string, most: number): string {
  return text.length <= most ? text : shortened(text, Math.max(0, most - 1));
}

/** Items on lines that fit, none of them cut in two: names with `, ` between them, or words with a space. */
export function wrapped(items: readonly string[], width: Width, glue: ', ' | ' ', indent = ''): readonly string[] {
  const end = glue.trimEnd();
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = `${last}${glue}${item}`;
    if (last !== undefined && (width === null || longer.length + end.length <= width)) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${item}`);
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${line}${end}`));
}
