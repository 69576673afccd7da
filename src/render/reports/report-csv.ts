// A report as CSV: a line for each row, numbers as the service has them.

import type { ShownReport } from '../../tasks/reports/schema.ts';
import { csvText } from '../../view/writers/csv.ts';

export function reportCsv({ dimensions, columns, rows }: ShownReport): string {
  const names = columns.map(({ name }) => name);
  return csvText([
    [...dimensions, ...names],
    ...rows.map(({ keys, values }) => [...keys, ...names.map((name) => values[name] ?? '')]),
  ]);
}
