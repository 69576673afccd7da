// The forms of all reports: which keys and numbers each one has, in which unit, and how they add up. Loads nothing: the command line lists the names.
// Specification: "Resources and their fields"; customer-and-reports-notes.md, "Reports: semantics".

import type { ReportsMessages } from '../service/reports-messages.ts';

/** The reports that become tables. `queued_visitors_left` has names and addresses of single visitors, so nothing of ours asks for it. */
export type ReportName = Exclude<keyof ReportsMessages, 'chats/queued_visitors_left'>;

export const DISTRIBUTIONS = ['hour', 'day', 'day-hours', 'month', 'year'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

export const UNITS = ['count', 'seconds', 'hours', 'minutes', 'score', 'usd'] as const;
export type Unit = (typeof UNITS)[number];

export interface ReportColumn {
  /** As the service calls it; `queued.count` is the member of a member. */
  readonly name: string;
  readonly unit: Unit;
}

export interface FigureColumn extends ReportColumn {
  /** Of an average, a least or a largest value: the column that says of how many. Without it, the numbers of rows add up, unless `adds` is false. */
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
  /** The numbers are in `summary` of the reply, which has no records. */
  readonly isSummary?: true;
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
/** Visits of the queue with one end. */
const waits = (end: string): readonly FigureColumn[] => [
  count(`${end}.count`),
  average(`${end}.avg`, `${end}.count`),
  ...['min', 'max'].map((name) => ({ ...average(`${end}.${name}`, `${end}.count`), adds: false as const })),
];
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
  'chats/forms': {
    dimensions: ['group', 'form', 'field', 'option'],
    ...always({ ...count('times'), adds: false }),
  },
  // A chat of two groups is in two rows.
  'chats/groups': { dimensions: [TIME, 'group'], isNumber: true, ...always({ ...count('chats'), adds: false }) },
  'chats/queued_visitors': { dimensions: [TIME], ...always(...waits('queued'), ...waits('left_queue')) },
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
  'customers/unique_visitors': {
    dimensions: [],
    isSummary: true,
    ...always(count('unique_visitors'), count('page_views')),
  },
  'tags/chat_usage': { dimensions: ['tag'], isNumber: true, ...always({ ...count('chats'), adds: false }) },
  'sales/abandoned_carts': {
    dimensions: [TIME],
    ...always(count('abandoned_cart_count'), {
      name: 'total_abandoned_value_usd',
      unit: 'usd',
      on: ['abandoned_cart_count'],
    }),
  },
  'stats/visitor_domains': { dimensions: ['domain'], isNumber: true, isSummary: true, ...always(count('page_views')) },
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

/** Whether the rows of a report are filled forms and their answers. */
export function isOfForms(report: ReportName): boolean {
  return report === 'chats/surveys' || report === 'chats/forms';
}

/** What each family of reports can be asked about, and which parameters it has. Specification: "Parameters"; today/reports.md, "Parameters per family". */
const FAMILIES: {
  readonly [resource: string]: {
    readonly filters: readonly ('groups' | 'agents' | 'tags')[];
    readonly parameters: readonly ('distribution' | 'timezone')[];
  };
} = {
  chats: { filters: ['groups', 'agents', 'tags'], parameters: ['distribution', 'timezone'] },
  agents: { filters: ['groups', 'agents'], parameters: ['distribution', 'timezone'] },
  tags: { filters: ['groups'], parameters: ['timezone'] },
  sales: { filters: [], parameters: ['distribution', 'timezone'] },
};

/** The filters and the parameters that a report has, in addition to a time. */
export function familyOf(report: ReportName) {
  return FAMILIES[report.slice(0, report.indexOf('/'))] ?? { filters: [], parameters: [] };
}

/** Which distributions a report has; none where it ignores them. */
export function distributionsOf(report: ReportName): readonly Distribution[] {
  if (!isTimed(report)) return [];
  return report.startsWith('agents/') ? ['hour', 'day'] : DISTRIBUTIONS;
}
