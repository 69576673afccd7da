// The view of a report of the service: a row for each bucket, or a line for each day, tag or greeting, with bars.

import { capital } from '../../base/text.ts';
import type { About } from '../../many/operation.ts';
import { requestsText } from '../../many/requests.ts';
import type { Block, Cell, Column, Table, Text, View } from '../../view/blocks.ts';
import { amount } from '../../view/words/amounts.ts';
import type { ShownReport } from './schema.ts';
import { aboutText, columnTitle, REPORT_TITLES, rangeText, type Series, seriesLabel, seriesOf } from './words.ts';

export function reportView(report: ShownReport, { requests }: Pick<About, 'requests'>): View {
  const { target, report: name, notes } = report;
  const about = `${REPORT_TITLES[name]}: ${aboutText(report)} on ${target}, ${rangeText(report)}`;
  return {
    title: [`Report ${name} of `, { text: target, as: 'name' }],
    mark: { sign: '', word: 'read', tone: 'calm' },
    result: [{ text: sumsText(report), tone: 'strong' }, ' ', ...requestsText(requests), '.'],
    about: [],
    body: [
      { type: 'text', text: { text: about, tone: 'strong' } },
      ...numbersBlocks(report),
      ...notes.map((note) => ({ type: 'text', text: { text: note, tone: 'faint' } }) as const),
    ],
  };
}

function sumsText(report: ShownReport): string {
  const { columns, rows, sums, notes } = report;
  const parts = columns.flatMap(({ name, unit }) =>
    sums[name] === undefined ? [] : [`${columnTitle(report, name)} ${amount(sums[name], unit)}`],
  );
  if (parts.length > 0) return `All: ${parts.join(', ')}.`;
  if (rows.length > 0) return `${rows.length === 1 ? '1 row' : `${rows.length} rows`}.`;
  // Rows that are left out have notes.
  return notes.length === 0 ? 'Nothing in this time.' : 'Nothing to show.';
}

function numbersBlocks(report: ShownReport): readonly Block[] {
  const series = seriesOf(report);
  if (series === null) return [rowsTable(report)];
  const { rows } = report;
  if (rows.length === 0) return [];
  const fold = { brief: `${rows.length} rows` };
  return [
    seriesTable(report, series),
    { type: 'section', id: 'numbers', title: 'Numbers', fold, body: [rowsTable(report)] },
  ];
}

/** A line for each series. All of them have one scale, so that they can be compared. */
function seriesTable(report: ShownReport, series: readonly Series[]): Table {
  const [column = { name: '', unit: 'count' }] = report.columns;
  const { name, unit } = column;
  const bucket = seriesLabel(report) === 'month' ? 'day' : (report.dimensions[0] ?? '');
  const most = Math.max(0, ...series.flatMap(({ values }) => values));
  const sum = report.sums[name];
  return {
    type: 'table',
    name: 'Picture',
    columns: [
      { title: capital(seriesLabel(report)) },
      { title: capital(columnTitle(report, name)), isNumber: true },
      { title: `${capital(bucket)} by ${bucket}, up to ${amount(most, unit)}`, dispensable: 1 },
    ],
    rows: [
      ...series.map(({ label, values, total }) => ({ cells: [label, amount(total, unit), { bars: values, most }] })),
      ...(sum === undefined ? [] : [{ cells: ['all', amount(sum, unit), ''] }]),
    ],
  };
}

/** A row for each bucket, tag, agent, greeting or answer, with a bar for its first number. */
function rowsTable(report: ShownReport): Table {
  const { rows, dimensions, columns, sums } = report;
  const first = columns[0]?.name ?? '';
  const most = Math.max(0, ...rows.map(({ values }) => values[first] ?? 0));
  const amounts = (values: { readonly [column: string]: number }): readonly string[] =>
    columns.map(({ name, unit }) => (values[name] === undefined ? '' : amount(values[name], unit)));
  const all = ['all', ...dimensions.slice(1).map(() => ''), ...amounts(sums), ''];
  return {
    type: 'table',
    name: 'Numbers',
    columns: [
      ...dimensions.map((dimension) => ({ title: capital(dimension) })),
      ...columns.map(
        ({ name }, at): Column => ({ title: capital(columnTitle(report, name)), isNumber: true, dispensable: at }),
      ),
      { title: '', dispensable: columns.length },
    ],
    rows: [
      ...rows.map(({ keys, values }) => ({
        cells: [
          ...keys.map((key, place): Cell => keyText(key, place, report, keys)),
          ...amounts(values),
          { bars: [values[first] ?? 0], most },
        ],
      })),
      ...(Object.keys(sums).length === 0 || dimensions.length === 0 ? [] : [{ cells: all }]),
    ],
  };
}

function keyText(key: string, place: number, { dimensions }: ShownReport, keys: readonly string[]): Text {
  if (key === '' && keys[place - 1] !== '') return 'filled in';
  return ['agent', 'group'].includes(dimensions[place] ?? '') ? { text: key, as: 'address' } : key;
}

/** Numbers as the service has them. */
export function reportTable({ dimensions, columns, rows }: ShownReport): Table {
  const names = columns.map(({ name }) => name);
  return {
    type: 'table',
    columns: [...dimensions, ...names].map((title) => ({ title })),
    rows: rows.map(({ keys, values }) => ({ cells: [...keys, ...names.map((name) => values[name] ?? '')] })),
  };
}
