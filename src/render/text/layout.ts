// Blocks of terminal text: tables, titled lists, counts of requests.

import type { Paint } from '../paint.ts';

/** Aligned rows: columns as wide as their widest cell, the last one not padded. */
export function table(rows: readonly (readonly string[])[], indent = ''): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return indent + cells.join('  ').trimEnd();
  });
}

/** A table whose first row is its head. */
export function headedTable(rows: readonly (readonly string[])[], paint: Paint): readonly string[] {
  const [head = '', ...rest] = table(rows);
  return [paint('strong', head), ...rest];
}

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
