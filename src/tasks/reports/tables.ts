// The reports as tables: which keys and numbers each one has, in which unit, and how they add up. Specification: "Resources and their fields".

import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import { type Bucket, numberIn } from './buckets.ts';
import type { ReportName } from './questions.ts';

export const DISTRIBUTIONS = ['hour', 'day', 'day-hours', 'month', 'year'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

export const UNITS = ['count', 'seconds', 'hours', 'minutes', 'score'] as const;
export type Unit = (typeof UNITS)[number];

export interface ReportColumn {
  /** As the service calls it. */
  readonly name: string;
  readonly unit: Unit;
}

interface Column extends ReportColumn {
  /** Of an average: the column that says of how many. Without it, the numbers of rows add up, unless `adds` is false. */
  readonly of?: string;
  readonly adds?: false;
}

export interface ReportRow {
  /** One for each dimension. */
  readonly keys: readonly string[];
  readonly values: { readonly [column: string]: number };
}

export interface ReportTable {
  readonly dimensions: readonly string[];
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** Of all rows: sums, and averages over all; without the columns that do not add up. */
  readonly sums: { readonly [column: string]: number };
}

/** What stands for the buckets of time, as the first dimension. */
const TIME = 'time';

interface TableForm {
  /** The keys on the way to the numbers. */
  readonly dimensions: readonly string[];
  readonly columns: (distribution: Distribution) => readonly Column[];
  /** The last dimension leads to the number itself. */
  readonly isNumber?: true;
  /** Each record is about one agent. */
  readonly isOfPersons?: true;
}

const count = (name: string): Column => ({ name, unit: 'count' });
const seconds = (name: string): Column => ({ name, unit: 'seconds' });
const average = (name: string, of: string): Column => ({ name, unit: 'seconds', of });
const always = (...columns: readonly Column[]) => ({ columns: () => columns });

const FORMS: { readonly [report in ReportName]: TableForm } = {
  'chats/total_chats': { dimensions: [TIME], ...always(count('total'), count('continuous')) },
  'chats/duration': {
    dimensions: [TIME],
    ...always(count('count'), average('duration', 'count'), average('agents_chatting_duration', 'count')),
  },
  'chats/ratings': { dimensions: [TIME], ...always(count('chats'), count('good'), count('bad')) },
  'chats/ranking': {
    dimensions: ['agent'],
    isOfPersons: true,
    ...always(count('total'), count('good'), count('bad'), { name: 'score', unit: 'score', adds: false }),
  },
  'chats/engagement': {
    dimensions: [TIME],
    ...always(
      count('started_by_customer_without_greeting'),
      count('started_by_customer_from_greeting'),
      count('started_by_agent'),
    ),
  },
  'chats/greetings_conversion': {
    dimensions: [TIME, 'greeting'],
    ...always(count('accepted'), count('displayed'), count('canceled'), count('goals')),
  },
  // A chat with two tags is in two rows, so rows do not add up to chats.
  'chats/tags': {
    dimensions: [TIME, 'tag'],
    isNumber: true,
    ...always({ name: 'chats', unit: 'count', adds: false }),
  },
  'chats/surveys': {
    dimensions: ['group', 'survey', 'field', 'option'],
    ...always({ name: 'times', unit: 'count', adds: false }),
  },
  'chats/response_time': { dimensions: [TIME], ...always(count('count'), average('response_time', 'count')) },
  'chats/first_response_time': {
    dimensions: [TIME],
    ...always(count('count'), average('first_response_time', 'count')),
  },
  'agents/availability': {
    dimensions: [TIME],
    columns: (distribution) => [distribution === 'hour' ? { name: 'minutes', unit: 'minutes' } : hours('hours')],
  },
  'agents/performance': {
    dimensions: ['agent'],
    isOfPersons: true,
    ...always(
      count('chats_count'),
      count('chats_rated_good'),
      count('chats_rated_bad'),
      count('first_response_chats_count'),
      average('first_response_time', 'first_response_chats_count'),
      seconds('accepting_chats_time'),
      seconds('chatting_time'),
      seconds('logged_in_time'),
      seconds('not_accepting_chats_time'),
    ),
  },
};

function hours(name: string): Column {
  return { name, unit: 'hours' };
}

export const REPORT_NAMES = Object.keys(FORMS) as readonly ReportName[];

/** Whether the records of a report are buckets of time, so that it has a distribution. */
export function isTimed(report: ReportName): boolean {
  return FORMS[report].dimensions[0] === TIME;
}

/** Whether each record is about one agent. */
export function isByAgent(report: ReportName): boolean {
  return FORMS[report].isOfPersons === true;
}

/** Whether a row is about one group. */
export function isByGroup(report: ReportName): boolean {
  return FORMS[report].dimensions.includes('group');
}

/** Which distributions a report has; none where it ignores them. */
export function distributionsOf(report: ReportName): readonly Distribution[] {
  if (!isTimed(report)) return [];
  return report.startsWith('agents/') ? ['hour', 'day'] : DISTRIBUTIONS;
}

/** The records of a report as rows, in the order of their keys. */
export function tableOf(report: ReportName, records: JsonObject, distribution: Distribution): ReportTable {
  const { dimensions, columns: columnsFor, isNumber = false } = FORMS[report];
  const columns = columnsFor(distribution);
  const rows =
    report === 'chats/surveys' ? surveyRows(records) : leavesOf(records, dimensions.length, isNumber, columns);
  return {
    dimensions: dimensions.map((dimension) => (dimension === TIME ? distribution : dimension)),
    columns: columns.map(({ name, unit }) => ({ name, unit })),
    rows: rows.toSorted((one, other) => compared(one.keys, other.keys)),
    sums: sumsOf(columns, rows),
  };
}

function compared(one: readonly string[], other: readonly string[]): number {
  const place = one.findIndex((key, index) => key !== other[index]);
  const [a = '', b = ''] = [one[place], other[place]];
  return place === -1 ? 0 : a < b ? -1 : 1;
}

/** Rows of nested records. A service can nest the hours of `day-hours` below their days: then both keys together are the first one. */
function leavesOf(
  records: JsonObject,
  depth: number,
  isNumber: boolean,
  columns: readonly ReportColumn[],
): readonly ReportRow[] {
  const levels = isNumber ? depth - 1 : depth;
  const rows: ReportRow[] = [];
  const walk = (value: Json, keys: readonly string[]): void => {
    if (!isObject(value)) return;
    const members = Object.entries(value);
    if (keys.length < levels || members.some(([, member]) => isObject(member))) {
      for (const [name, member] of members) walk(member, [...keys, name]);
      return;
    }
    const named = joined(keys, levels);
    if (!isNumber) rows.push({ keys: named, values: valuesOf(value, columns) });
    else
      for (const name of Object.keys(value))
        rows.push({ keys: [...named, name], values: { [columns[0]?.name ?? name]: numberIn(value, name) } });
  };
  for (const [key, bucket] of Object.entries(records)) walk(bucket, [key]);
  return rows;
}

function joined(keys: readonly string[], depth: number): readonly string[] {
  const more = keys.length - depth;
  return more <= 0 ? keys : [keys.slice(0, more + 1).join(' '), ...keys.slice(more + 1)];
}

function valuesOf(bucket: Bucket, columns: readonly ReportColumn[]): ReportRow['values'] {
  return Object.fromEntries(columns.map(({ name }) => [name, numberIn(bucket, name)]));
}

/** One row for how often a survey was filled in, and one for each option that was selected. */
function surveyRows(records: JsonObject): readonly ReportRow[] {
  const rows: ReportRow[] = [];
  for (const [group, surveys] of Object.entries(records))
    for (const [survey, answers] of Object.entries(isObject(surveys) ? surveys : {}))
      for (const [field, options] of Object.entries(isObject(answers) ? answers : {}))
        if (isObject(options))
          for (const option of Object.keys(options))
            rows.push({ keys: [group, survey, field, option], values: { times: numberIn(options, option) } });
        else if (field === 'count' && isObject(answers))
          rows.push({ keys: [group, survey, '', ''], values: { times: numberIn(answers, field) } });
  return rows;
}

function sumsOf(columns: readonly Column[], rows: readonly ReportRow[]): ReportTable['sums'] {
  const sum = (weigh: (values: ReportRow['values']) => number): number =>
    rows.reduce((total, { values }) => total + weigh(values), 0);
  return Object.fromEntries(
    columns.flatMap(({ name, of, adds }): readonly (readonly [string, number])[] => {
      if (adds === false) return [];
      const all = sum((values) => (values[name] ?? 0) * (of === undefined ? 1 : (values[of] ?? 0)));
      const weight = of === undefined ? 1 : sum((values) => values[of] ?? 0);
      return [[name, weight === 0 ? 0 : all / weight]];
    }),
  );
}
