// The rows of a report as a table, in the order of their keys, and their sums.

import { type Distribution, type FigureColumn, formOf, type ReportColumn, type ReportName, TIME } from './forms.ts';
import type { ReportRow } from './reply.ts';

export interface ReportTable {
  readonly dimensions: readonly string[];
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** Of all rows: sums, and averages over all; without the columns that do not add up. */
  readonly sums: { readonly [column: string]: number };
}

export function tableOf(report: ReportName, rows: readonly ReportRow[], distribution: Distribution): ReportTable {
  const { dimensions, columns } = formOf(report, distribution);
  return {
    dimensions: dimensions.map((dimension) => (dimension === TIME ? distribution : dimension)),
    columns: columns.map(({ name, unit }) => ({ name, unit })),
    rows: rows.map((row) => withoutEmpty(columns, row)).toSorted((one, other) => compared(one.keys, other.keys)),
    sums: sumsOf(columns, rows),
  };
}

function compared(one: readonly string[], other: readonly string[]): number {
  const place = one.findIndex((key, index) => key !== other[index]);
  const [a = '', b = ''] = [one[place], other[place]];
  return place === -1 ? 0 : a < b ? -1 : 1;
}

/** A row without the averages of nothing. */
function withoutEmpty(columns: readonly FigureColumn[], { keys, values }: ReportRow): ReportRow {
  const empty = new Set(columns.flatMap(({ name, of }) => (of !== undefined && (values[of] ?? 0) === 0 ? [name] : [])));
  return empty.size === 0
    ? { keys, values }
    : { keys, values: Object.fromEntries(Object.entries(values).filter(([name]) => !empty.has(name))) };
}

/** What a column adds up to: of averages, the sum of what they are averages of. */
export function addedUp({ name, of }: FigureColumn, rows: readonly Pick<ReportRow, 'values'>[]): number {
  const weigh = ({ values }: Pick<ReportRow, 'values'>): number =>
    (values[name] ?? 0) * (of === undefined ? 1 : (values[of] ?? 0));
  return rows.reduce((sum, row) => sum + weigh(row), 0);
}

function sumsOf(columns: readonly FigureColumn[], rows: readonly ReportRow[]): ReportTable['sums'] {
  return Object.fromEntries(
    columns.flatMap((column): readonly (readonly [string, number])[] => {
      const { name, of, adds } = column;
      if (adds === false) return [];
      const weight = of === undefined ? 1 : rows.reduce((sum, { values }) => sum + (values[of] ?? 0), 0);
      return weight === 0 ? [] : [[name, addedUp(column, rows) / weight]];
    }),
  );
}
