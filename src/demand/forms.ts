// The forms of all reports: which keys and numbers each one has, in which unit, and how they add up. Loads nothing: the command line lists the names.
// Specification: "Resources and their fields"; customer-and-reports-notes.md, "Reports: semantics".

import type { ReportsMessages } from '../service/reports-messages.ts';

export type ReportName = keyof ReportsMessages;

export const DISTRIBUTIONS = ['hour', 'day', 'day-hours', 'month', 'year'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

export const UNITS = ['count', 'seconds', 'hours', 'minutes', 'score'] as const;
export type Unit = (typeof UNITS)[number];

export interface ReportColumn {
  /** As the service calls it. */
  readonly name: string;
  readonly unit: Unit;
}

export interface FigureColumn extends ReportColumn {
  /** Of an average: the column that says of how many. Without it, the numbers of rows add up, unless `adds` is false. */
  readonly of?: string;
  readonly adds?: false;
  /** Columns that together are the chats which a figure stands on; none where another report says it. */
  readonly on: readonly string[];
  /** Columns that it is the sum of. */
  readonly parts?: readonly string[];
}

/** What stands for the buckets of time, as the first dimension. */
export const TIME = 'time';

interface ReportForm {
  /** The keys on the way to the numbers. */
  readonly dimensions: readonly string[];
  readonly columns: (distribution: Distribution) => readonly FigureColumn[];
  /** The last dimension leads to the number itself. */
  readonly isNumber?: true;
  /** Each record is about one agent. */
  readonly isOfPersons?: true;
  /** `sum`: `total` is the sum of the first column. `some`: of none there is no total. Other totals also count chats that are in no record. */
  readonly total?: 'sum' | 'some';
}

const count = (name: string, ...on: readonly string[]): FigureColumn => ({
  name,
  unit: 'count',
  on: on.length === 0 ? [name] : on,
});
const seconds = (name: string, ...on: readonly string[]): FigureColumn => ({ name, unit: 'seconds', on });
const average = (name: string, of: string): FigureColumn => ({ name, unit: 'seconds', of, on: [of] });
const always = (...columns: readonly FigureColumn[]) => ({ columns: () => columns });

const RATED = ['good', 'bad'];
const rated = (all: string): readonly FigureColumn[] => [
  { ...count(all, ...RATED), parts: RATED },
  ...RATED.map((name) => count(name, ...RATED)),
];
const STARTED = ['started_by_customer_without_greeting', 'started_by_customer_from_greeting', 'started_by_agent'];

const FORMS: { readonly [report in ReportName]: ReportForm } = {
  'chats/total_chats': { dimensions: [TIME], ...always(count('total'), count('continuous', 'total')), total: 'sum' },
  'chats/duration': {
    dimensions: [TIME],
    ...always(count('count'), average('duration', 'count'), average('agents_chatting_duration', 'count')),
    total: 'sum',
  },
  'chats/ratings': {
    dimensions: [TIME],
    ...always(...rated('chats')),
    total: 'sum',
  },
  'chats/ranking': {
    dimensions: ['agent'],
    isOfPersons: true,
    ...always(...rated('total'), { name: 'score', unit: 'score', adds: false, on: RATED }),
  },
  'chats/engagement': {
    dimensions: [TIME],
    ...always(...STARTED.map((name) => count(name, ...STARTED))),
    total: 'some',
  },
  'chats/greetings_conversion': {
    dimensions: [TIME, 'greeting'],
    ...always(...['accepted', 'displayed', 'canceled', 'goals'].map((name) => count(name, 'accepted'))),
    total: 'some',
  },
  // A chat with two tags is in two rows, so rows do not add up to chats.
  'chats/tags': {
    dimensions: [TIME, 'tag'],
    isNumber: true,
    ...always({ ...count('chats'), adds: false }),
  },
  'chats/surveys': {
    dimensions: ['group', 'survey', 'field', 'option'],
    ...always({ ...count('times'), adds: false }),
  },
  'chats/response_time': { dimensions: [TIME], ...always(count('count'), average('response_time', 'count')) },
  'chats/first_response_time': {
    dimensions: [TIME],
    ...always(count('count'), average('first_response_time', 'count')),
  },
  'agents/availability': {
    dimensions: [TIME],
    columns: (distribution) => {
      const unit = distribution === 'hour' ? 'minutes' : 'hours';
      return [{ name: unit, unit, on: [] }];
    },
    total: 'some',
  },
  'agents/performance': {
    dimensions: ['agent'],
    isOfPersons: true,
    ...always(
      count('chats_count'),
      count('chats_rated_good', 'chats_rated_good', 'chats_rated_bad'),
      count('chats_rated_bad', 'chats_rated_good', 'chats_rated_bad'),
      count('first_response_chats_count'),
      average('first_response_time', 'first_response_chats_count'),
      seconds('accepting_chats_time', 'chats_count'),
      seconds('chatting_time', 'chats_count'),
      { ...seconds('logged_in_time', 'chats_count'), parts: ['accepting_chats_time', 'not_accepting_chats_time'] },
      seconds('not_accepting_chats_time', 'chats_count'),
    ),
  },
};

export const REPORT_NAMES = Object.keys(FORMS) as readonly ReportName[];

/** As a person may call them: without their resource. */
export const SHORT_NAMES: readonly string[] = REPORT_NAMES.map((report) => report.slice(report.indexOf('/') + 1));

/** The form of a report as one distribution has it. */
export function formOf(report: ReportName, distribution: Distribution) {
  const { columns, ...form } = FORMS[report];
  return { ...form, columns: columns(distribution) };
}

/** Whether the records of a report are buckets of time, so that it has a distribution. */
export function isTimed(report: ReportName): boolean {
  return FORMS[report].dimensions[0] === TIME;
}

/** Whether each record is about one agent. */
export function isByAgent(report: ReportName): boolean {
  return FORMS[report].isOfPersons === true;
}

/** Which distributions a report has; none where it ignores them. */
export function distributionsOf(report: ReportName): readonly Distribution[] {
  if (!isTimed(report)) return [];
  return report.startsWith('agents/') ? ['hour', 'day'] : DISTRIBUTIONS;
}
