// The terminal text of a report: a table with a bar for each row, or a line for each day of many hours.

import { sumOf } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { ShownReport } from '../../tasks/reports/schema.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, shortened } from '../../view/plain.ts';
import { actionsText, columnWidths, headedTable, type RequestCounts, totalWidth } from '../../view/terminal/layout.ts';
import { aboutText, amount, columnTitle, REPORT_TITLES, rangeText, type Series, seriesOf } from '../words/report.ts';

/** Characters of a bar, and of a line of a terminal whose width is not known. */
const BAR_WIDTH = 24;
const LINE_WIDTH = 80;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
const HEIGHTS = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** A line of a terminal has no room for more, and `--csv` has them all. */
const MOST_COLUMNS = 7;
const LONGEST_KEY = 40;
const LONGEST_LINE = 60;

export function reportTableText(
  report: ShownReport,
  requests: RequestCounts,
  { quiet }: { readonly quiet: boolean },
  paint: Paint,
): string {
  const title = `${REPORT_TITLES[report.report]}: ${aboutText(report)} on ${plain(report.target)}, ${rangeText(report)}`;
  const series = seriesOf(report);
  const lines = series === null ? rowLines(report, paint) : seriesLines(report, series, paint);
  const notes = report.notes.map((note) => paint('faint', plain(note)));
  const cost = `${counted(sumOf(requests), 'request')}: ${actionsText(requests)}`;
  return [
    ...(quiet ? [] : [paint('strong', title), '']),
    ...lines,
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(quiet ? [] : ['', paint('faint', plain(cost))]),
    '',
  ].join('\n');
}

function rowLines(report: ShownReport, paint: Paint): readonly string[] {
  const { rows, dimensions, sums } = report;
  const columns = report.columns.slice(0, MOST_COLUMNS);
  const first = columns[0]?.name ?? '';
  const most = Math.max(0, ...rows.map(({ values }) => values[first] ?? 0));
  if (rows.length === 0 && Object.keys(sums).length === 0) return nothing(report);
  const cells = (values: { readonly [column: string]: number }): readonly string[] =>
    columns.map(({ name, unit }) => (values[name] === undefined ? '' : amount(values[name], unit)));
  const keysOf = (keys: readonly string[]): readonly string[] =>
    keys.map((key, place) => shortened(plain(key === '' && keys[place - 1] !== '' ? 'filled in' : key), LONGEST_KEY));
  const head = [...dimensions, ...columns.map(({ name }) => columnTitle(report, name))].map((text) =>
    text.toUpperCase(),
  );
  const body = rows.map(({ keys, values }) => [...keysOf(keys), ...cells(values)]);
  const total = ['all', ...dimensions.slice(1).map(() => ''), ...cells(sums)];
  const all = [head, ...body, ...(Object.keys(sums).length === 0 ? [] : [total])];
  const aligned = rightAligned(all, dimensions.length, columns.length);
  const taken = totalWidth([...columnWidths(aligned), 0]);
  const bars = rows.map(({ values }) =>
    bar(values[first] ?? 0, most, Math.min(BAR_WIDTH, (paint.width ?? LINE_WIDTH) - taken)),
  );
  return headedTable(
    aligned.map((row, place) => [...row, bars[place - 1] ?? '']),
    paint,
  );
}

/** A report without a row can have some that are not shown. */
function nothing({ notes }: ShownReport): readonly string[] {
  return [notes.length === 0 ? 'Nothing in this time.' : 'Nothing to show.'];
}

function rightAligned(
  rows: readonly (readonly string[])[],
  from: number,
  count: number,
): readonly (readonly string[])[] {
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(...rows.map((row) => row[from + index]?.length ?? 0)),
  );
  return rows.map((row) =>
    row.map((cell, place) => (place < from || place >= from + count ? cell : cell.padStart(widths[place - from] ?? 0))),
  );
}

/** Nothing where there is no room for one. */
function bar(value: number, most: number, width: number): string {
  if (most === 0 || value === 0 || width < EIGHTHS.length) return '';
  const eighths = Math.max(1, Math.round((value / most) * width * EIGHTHS.length));
  return '█'.repeat(Math.floor(eighths / EIGHTHS.length)) + (EIGHTHS[eighths % EIGHTHS.length] ?? '');
}

/** A line as high as each value; a point for nothing. */
function sparkline(values: readonly number[], most: number): string {
  const highest = HEIGHTS.length - 1;
  return values
    .map((value) => HEIGHTS[value === 0 || most === 0 ? 0 : Math.max(1, Math.round((value / most) * highest))] ?? '')
    .join('');
}

function seriesLines(report: ShownReport, series: readonly Series[], paint: Paint): readonly string[] {
  const { columns, dimensions, sums } = report;
  const [column] = columns;
  if (column === undefined || series.length === 0) return nothing(report);
  const most = Math.max(0, ...series.flatMap(({ values }) => values));
  const isLong = series.some(({ values }) => values.length > LONGEST_LINE);
  const label = dimensions.length === 2 ? (dimensions[1] ?? '') : 'day';
  const unit = (dimensions[0] ?? '').toUpperCase();
  // All lines have one scale, so that they can be compared.
  const span = `${unit} BY ${unit}, ${HEIGHTS.at(-1) ?? ''} = ${amount(most, column.unit)}`;
  const rows = [
    [label.toUpperCase(), columnTitle(report, column.name).toUpperCase(), isLong ? '' : span],
    ...series.map(({ label: key, values, total }) => [
      shortened(plain(key), LONGEST_KEY),
      amount(total, column.unit),
      isLong ? '' : sparkline(values, most),
    ]),
    ...(sums[column.name] === undefined ? [] : [['all', amount(sums[column.name] ?? 0, column.unit), '']]),
  ];
  return headedTable(rightAligned(rows, 1, 1), paint);
}
