// What is asked of which report for a measure of demand, and what its buckets mean. customer-and-reports-notes.md, "Reports: semantics".

import type { ReportsMessages } from '../../service/reports-messages.ts';
import type { AgentReportRequest, ChatFilters, ChatReportRequest } from '../../service/reports-objects.ts';
import type { Bucket } from './buckets.ts';
import type { AgentFigures, ChatSelection, Measure, Measures, Presence, StaffSelection } from './demand.ts';

export type ReportName = keyof ReportsMessages;

/** Filters without the times. */
type Without<Filters> = Filters extends unknown ? Omit<Filters, 'from' | 'to'> : never;
export type ReportFilters =
  | Without<Extract<NonNullable<ChatReportRequest['filters']>, { readonly from: string }>>
  | Without<NonNullable<AgentReportRequest['filters']>>;

/** One report, of which chats or agents, and what one of its buckets says. */
export interface Question<Content> {
  readonly report: ReportName;
  readonly filters: ReportFilters;
  readonly read: (bucket: Bucket) => Content;
}

/** By which property a rehearsed chat shows, as `<namespace>/<name>`, and the value that it has then. */
interface Mark {
  readonly property: string;
  readonly value: string;
}

interface MeasuredBy<Content> extends Pick<Question<Content>, 'report' | 'read'> {
  readonly filters: Pick<ChatFilters, 'agents' | 'agent_response'>;
}

const MEASURES: { readonly [M in Measure]: MeasuredBy<Measures[M]> } = {
  chats: {
    report: 'chats/duration',
    filters: {},
    read: (bucket) => {
      const chats = numberIn(bucket, 'count');
      return {
        chats,
        seconds: chats * numberIn(bucket, 'duration'),
        agent_seconds: chats * numberIn(bucket, 'agents_chatting_duration'),
      };
    },
  },
  not_taken: {
    report: 'chats/total_chats',
    filters: { agents: { exists: false } },
    read: (bucket) => ({ chats: numberIn(bucket, 'total') }),
  },
  not_answered: {
    report: 'chats/total_chats',
    filters: { agent_response: { exists: false } },
    read: (bucket) => ({ chats: numberIn(bucket, 'total') }),
  },
  first_response: {
    report: 'chats/first_response_time',
    filters: {},
    read: (bucket) => {
      const chats = numberIn(bucket, 'count');
      return { chats, seconds: chats * numberIn(bucket, 'first_response_time') };
    },
  },
  ratings: {
    report: 'chats/ratings',
    filters: {},
    read: (bucket) => ({ good: numberIn(bucket, 'good'), bad: numberIn(bucket, 'bad') }),
  },
};

/** A number of a bucket: zero can be left out. */
export function numberIn(bucket: Bucket, member: string): number {
  const value = bucket[member];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

export function chatQuestion<M extends Measure>(measure: M, of: ChatSelection, mark: Mark): Question<Measures[M]> {
  const { report, filters, read }: MeasuredBy<Measures[M]> = MEASURES[measure];
  return { report, filters: { ...chatFilters(of, mark), ...filters }, read };
}

export function presenceQuestion({ groups, agents = [] }: StaffSelection): Question<Presence> {
  return {
    report: 'agents/availability',
    filters: staffFilters({ groups, agents }),
    read: (bucket) => ({ minutes: numberIn(bucket, 'minutes') }),
  };
}

export function staffFilters({ groups, agents = [] }: StaffSelection) {
  return {
    ...(groups.length === 0 ? {} : { groups: { values: groups } }),
    ...(agents.length === 0 ? {} : { agents: { values: agents } }),
  };
}

function chatFilters({ groups, agents = [], tags = [], synchronous, unrehearsed }: ChatSelection, mark: Mark) {
  const [namespace = '', ...name] = mark.property.split('/');
  const continuous = { routing: { continuous: { exclude_values: [true] as const } } };
  const rehearsed = { [namespace]: { [name.join('/')]: { exclude_values: [mark.value] as const } } };
  const properties = {
    ...(synchronous === true ? continuous : {}),
    ...(unrehearsed === true ? rehearsed : {}),
  };
  return {
    ...staffFilters({ groups, agents }),
    ...(tags.length === 0 ? {} : { tags: { values: tags } }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/** Whether the answer is about single persons, so that it is kept nowhere. */
export function isOfPersons({ report, filters }: Pick<Question<unknown>, 'report' | 'filters'>): boolean {
  return report === 'agents/performance' || report === 'chats/ranking' || namesAgents(filters);
}

function namesAgents({ agents }: ReportFilters): boolean {
  return agents !== undefined && 'values' in agents;
}

/** The figures of one agent in `agents/performance`. */
export function agentFigures(agent: string, record: Bucket): AgentFigures {
  return {
    agent,
    chats: numberIn(record, 'chats_count'),
    good: numberIn(record, 'chats_rated_good'),
    bad: numberIn(record, 'chats_rated_bad'),
    answered: numberIn(record, 'first_response_chats_count'),
    first_response: numberIn(record, 'first_response_time'),
    accepting: numberIn(record, 'accepting_chats_time'),
    not_accepting: numberIn(record, 'not_accepting_chats_time'),
    logged_in: numberIn(record, 'logged_in_time'),
    chatting: numberIn(record, 'chatting_time'),
  };
}
