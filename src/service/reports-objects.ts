// Filters and replies of the reports. Any member of a reply that is a number can be absent where it is zero, and members that are not stated here can
// be there. Specification: "Resources and their fields", "Filter types"; customer-and-reports-notes.md, "Reports: semantics to compute and to read".

import type { Json } from '../base/model.ts';

/** Exactly one of these members. */
type ExactlyOne<Members> = {
  [M in keyof Members]: { readonly [member in M]: Members[M] } & {
    readonly [other in Exclude<keyof Members, M>]?: never;
  };
}[keyof Members];

/** Chats that have an element at all, one of these elements, or none of these. */
type AnyFilter<Value> = ExactlyOne<{ exists: boolean; values: Value; exclude_values: Value }>;

/** Chats that have one of these elements, or none of them. */
type ListFilter<Value> = ExactlyOne<{ values: readonly Value[]; exclude_values: readonly Value[] }>;

/** Only chats that have all of the listed elements. */
interface EveryValue {
  readonly require_every_value?: boolean;
}

export type StringFilter = AnyFilter<readonly string[]> & EveryValue;
export type IntegerFilter = AnyFilter<readonly number[]> & EveryValue;
export type EventTypeFilter = ListFilter<string> & EveryValue;

/** One value only. */
export type PropertyFilter = AnyFilter<readonly [string | number | boolean]>;

/** Of greetings, by their ids. */
type GreetingFilter = ({ readonly [member in 'exists' | 'values' | 'exclude_values']?: never } | GreetingValues) & {
  readonly groups?: IntegerFilter;
};
type GreetingValues = AnyFilter<readonly (string | number | boolean)[]>;

/** Answers are `<field id>:<option id>`. `exists`: only surveys with an id. */
type SurveyFilter = (
  | { readonly [member in 'exists' | 'values' | 'exclude_values']?: never }
  | AnyFilter<readonly string[]>
) & {
  readonly type?: 'pre_chat' | 'post_chat';
  readonly groups?: IntegerFilter;
};

/** RFC 3339, with microseconds where they matter. */
interface Times {
  readonly from: string;
  readonly to: string;
}
type NoTimes = { readonly [time in keyof Times]?: never };

/** Where the times stand: of the chats, of the greetings that started them, or of a survey. Exactly one of the three has a pair. */
type TimesOfChats =
  | (Times & {
      readonly greetings?: GreetingFilter & NoTimes;
      readonly surveys?: readonly (SurveyFilter & NoTimes)[];
    })
  | (NoTimes & {
      readonly greetings: GreetingFilter & Times;
      readonly surveys?: readonly (SurveyFilter & NoTimes)[];
    })
  | (NoTimes & {
      readonly greetings?: GreetingFilter & NoTimes;
      readonly surveys: readonly [SurveyFilter & Times, ...(SurveyFilter & NoTimes)[]];
    });

/** Agents and groups of responses can be asked for only of first responses. */
type ResponseFilter = { readonly exists?: boolean } & (
  | { readonly first?: false; readonly agents?: never; readonly groups?: never }
  | { readonly first: true; readonly agents?: StringFilter; readonly groups?: IntegerFilter }
);

/** Filters of a report of chats. */
export type ChatFilters = TimesOfChats & {
  readonly properties?: { readonly [namespace: string]: { readonly [name: string]: PropertyFilter } };
  /** Ids. `exists: false` are the chats that no agent took. */
  readonly agents?: StringFilter;
  readonly tags?: StringFilter;
  readonly sales?: IntegerFilter;
  readonly goals?: IntegerFilter;
  readonly event_types?: EventTypeFilter;
  /** Ids. */
  readonly groups?: IntegerFilter;
  /** `exists: false` are the chats that no agent answered. */
  readonly agent_response?: ResponseFilter;
};

/** Filters of a report of agents. */
export type AgentFilters = Times & {
  readonly agents?: ListFilter<string> & EveryValue;
  readonly groups?: { readonly values: readonly number[] };
};

/** What a report of chats is asked. Without filters it is about the last seven days. */
export interface ChatReportRequest {
  /** Default `day`. Ranking and surveys ignore it. */
  readonly distribution?: 'hour' | 'day' | 'day-hours' | 'month' | 'year';
  /** IANA name. */
  readonly timezone?: string;
  readonly filters?: ChatFilters;
}

/** What a report of agents is asked. Without filters it is about the last seven days. */
export interface AgentReportRequest {
  /** Default `day`. */
  readonly distribution?: 'hour' | 'day';
  /** IANA name. */
  readonly timezone?: string;
  readonly filters?: AgentFilters;
}

/** What every reply has. */
interface Report {
  /** Such as `duration-report`. */
  readonly name: string;
  /** What was asked; some replies have it. */
  readonly request?: Json;
}

/** By bucket: for days `YYYY-MM-DD`; the keys of the other distributions are not stated. One without data is an empty object. */
export interface Buckets<Member extends string> {
  readonly [bucket: string]: { readonly [member in Member]?: number };
}

/** `total`: chats of the range, unless the report says otherwise. */
interface BucketReport<Member extends string> extends Report {
  readonly total?: number;
  readonly records?: Buckets<Member>;
}

/** `count`: chats of the bucket. The durations are averages in seconds. */
export type DurationReport = BucketReport<'count' | 'agents_chatting_duration' | 'duration'>;

/** By bucket and tag: chats with that tag. */
export type TagsReport = BucketReport<string>;

export type TotalChatsReport = BucketReport<'total' | 'continuous'>;

export type RatingsReport = BucketReport<'chats' | 'bad' | 'good'>;

/** By agent. `total`: rated chats. */
export type RankingReport = BucketReport<'total' | 'good' | 'bad' | 'score'>;

export type EngagementReport = BucketReport<
  'started_by_customer_from_greeting' | 'started_by_customer_without_greeting' | 'started_by_agent'
>;

/** By bucket and greeting, at most 100 of a day. `total`: accepted greetings. */
export interface GreetingsConversionReport extends Report {
  readonly total?: number;
  readonly records?: {
    readonly [bucket: string]: {
      readonly [greeting: string]: { readonly [member in 'accepted' | 'canceled' | 'displayed' | 'goals']?: number };
    };
  };
}

/** One survey. Each other member is a field, with how often each option of it was selected, by its index. */
export interface SurveyAnswers {
  /** Times that it was filled in. */
  readonly count?: number;
  readonly [field: string]: number | { readonly [index: string]: number } | undefined;
}

/** By group and survey. */
export interface SurveysReport extends Report {
  readonly total?: number;
  readonly records?: { readonly [group: string]: { readonly [survey: string]: SurveyAnswers } };
}

/** `count`: chats with a response. `response_time`: average in seconds. */
export type ResponseTimeReport = BucketReport<'count' | 'response_time'>;
export type FirstResponseTimeReport = BucketReport<'count' | 'first_response_time'>;

/** `total`: the time in the range. `hours` of days, `minutes` of hours; of groups, those in which any of their agents was there. */
export type AvailabilityReport = BucketReport<'hours' | 'minutes'>;

type PerformanceMember =
  | 'chats_count'
  | 'chats_rated_good'
  | 'chats_rated_bad'
  | 'first_response_chats_count'
  | 'first_response_time';

/** By agent. All times in seconds; `first_response_time` is an average. */
export interface PerformanceReport extends Report {
  readonly summary?: { readonly [member in PerformanceMember]?: number };
  readonly records?: Buckets<
    PerformanceMember | 'accepting_chats_time' | 'chatting_time' | 'logged_in_time' | 'not_accepting_chats_time'
  >;
}
