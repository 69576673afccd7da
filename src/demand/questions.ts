// What is asked of which report for a measure of demand, and what its buckets mean. customer-and-reports-notes.md, "Reports: semantics".

import { isObject } from '../base/json.ts';
import type { JsonObject } from '../base/model.ts';
import { DAY } from '../base/zone.ts';
import type { AgentFilters, ChatFilters } from '../service/reports-objects.ts';
import type { Bucket } from './buckets.ts';
import type { ReportName } from './forms.ts';
import type { AgentFigures, ChatSelection, Measure, Measures, PresenceTimes, StaffSelection } from './hourly.ts';

/** Filters as they are sent, but for the times. */
type ReportFilters =
  | Pick<ChatFilters, 'groups' | 'agents' | 'agent_response' | 'tags' | 'properties'>
  | Pick<AgentFilters, 'groups' | 'agents'>;

/** One report, of which chats or agents, and what one of its buckets says. */
export interface ReportQuestion<Content> {
  readonly report: ReportName;
  /** Without the times. */
  readonly filters: JsonObject;
  readonly read: (bucket: Bucket) => Content;
  /** Milliseconds, after a chat shows in the reports, in which these numbers can still change. */
  readonly settles: number;
}

/** By which property a rehearsed chat shows, as `<namespace>/<name>`, and the value that it has then. */
interface Mark {
  readonly property: string;
  readonly value: string;
}

/** A chat of the evening can be taken, answered and rated the next day. */
const OUTCOME = DAY;

/** Zero where a bucket leaves it out. */
function numberIn(bucket: Bucket, member: string): number {
  return bucket[member] ?? 0;
}

const MEASURES: { readonly [M in Measure]: ReportQuestion<Measures[M]> } = {
  chats: {
    report: 'chats/duration',
    filters: {},
    settles: 0,
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
    filters: { agents: { exists: false } } satisfies ReportFilters,
    settles: OUTCOME,
    read: (bucket) => ({ chats: numberIn(bucket, 'total') }),
  },
  not_answered: {
    report: 'chats/total_chats',
    filters: { agent_response: { exists: false } } satisfies ReportFilters,
    settles: OUTCOME,
    read: (bucket) => ({ chats: numberIn(bucket, 'total') }),
  },
  first_response: {
    report: 'chats/first_response_time',
    filters: {},
    settles: OUTCOME,
    read: (bucket) => {
      const chats = numberIn(bucket, 'count');
      return { chats, seconds: chats * numberIn(bucket, 'first_response_time') };
    },
  },
  ratings: {
    report: 'chats/ratings',
    filters: {},
    settles: OUTCOME,
    read: (bucket) => ({ good: numberIn(bucket, 'good'), bad: numberIn(bucket, 'bad') }),
  },
  queue: {
    report: 'chats/queued_visitors',
    filters: {},
    settles: OUTCOME,
    read: (bucket) => {
      const [served, left] = [numberIn(bucket, 'queued.count'), numberIn(bucket, 'left_queue.count')];
      return {
        served,
        served_seconds: served * numberIn(bucket, 'queued.avg'),
        left,
        left_seconds: left * numberIn(bucket, 'left_queue.avg'),
      };
    },
  },
};

export function chatQuestion<M extends Measure>(
  measure: M,
  of: ChatSelection,
  mark: Mark,
): ReportQuestion<Measures[M]> {
  const question: ReportQuestion<Measures[M]> = MEASURES[measure];
  return { ...question, filters: { ...chatFilters(of, mark), ...question.filters } };
}

export function presenceQuestion({ groups, agents = [] }: StaffSelection): ReportQuestion<PresenceTimes> {
  return {
    report: 'agents/availability',
    filters: staffFilters({ groups, agents }),
    read: (bucket) => ({ minutes: numberIn(bucket, 'minutes') }),
    settles: 0,
  };
}

export function staffFilters({ groups, agents = [] }: StaffSelection): JsonObject {
  return {
    ...(groups.length === 0 ? {} : { groups: { values: groups } }),
    ...(agents.length === 0 ? {} : { agents: { values: agents } }),
  } satisfies ReportFilters;
}

/** Filters of chats. `mark` is that of rehearsed chats. */
export function chatFilters(of: ChatSelection, mark: Mark): JsonObject {
  const { tags = [], synchronous, unrehearsed } = of;
  const [namespace = '', ...name] = mark.property.split('/');
  const continuous = { routing: { continuous: { exclude_values: [true] as const } } };
  const rehearsed = { [namespace]: { [name.join('/')]: { exclude_values: [mark.value] as const } } };
  const properties = {
    ...(synchronous === true ? continuous : {}),
    ...(unrehearsed === true ? rehearsed : {}),
  };
  return {
    ...staffFilters(of),
    ...({
      ...(tags.length === 0 ? {} : { tags: { values: tags } }),
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
    } satisfies ReportFilters),
  };
}

/** Whether the answer is about single persons, so that it is kept nowhere. */
export function isOfPersons({ report, filters }: Pick<ReportQuestion<unknown>, 'report' | 'filters'>): boolean {
  return report === 'agents/performance' || report === 'chats/ranking' || namesAgents(filters);
}

function namesAgents({ agents }: JsonObject): boolean {
  return isObject(agents) && agents['values'] !== undefined;
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
