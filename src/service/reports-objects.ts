// Filters and replies of the reports. Any member of a reply that is a number can be absent where it is zero, and members that are not stated here can
// be there. Specification: "Resources and their fields", "Filter types"; customer-and-reports-notes.md, "Reports: semantics to compute and to read".

import type { Json, ReportsVersion } from '../base/model.ts';

/** They call filled surveys forms, filter by countries, and count the uses of tags. */
export type ReportsSince35 = Exclude<ReportsVersion, '3.4'>;

/** They measure the queue, and count groups and visitors. */
export type ReportsSince36 = Exclude<ReportsSince35, '3.5'>;

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

/** What a version calls the forms that customers filled in. */
type FormsFilter<V> = V extends ReportsSince35 ? 'forms' : 'surveys';

/** Filters of forms that have no times. */
type Timeless<Name extends string> = { readonly [name in Name]?: readonly (SurveyFilter & NoTimes)[] };

/** Filters of forms, each with times of its own or without; the first has some. */
type Timed<Name extends string> = {
  readonly [name in Name]: readonly [SurveyFilter & Times, ...(SurveyFilter & (Times | NoTimes))[]];
};

/** Where the times stand: of the chats, of the greetings that started them, or of filled forms. Exactly one of the three has any. */
type TimesOfChats<Name extends string> =
  | (Times & Timeless<Name> & { readonly greetings?: GreetingFilter & NoTimes })
  | (NoTimes & Timeless<Name> & { readonly greetings: GreetingFilter & Times })
  | (NoTimes & Timed<Name> & { readonly greetings?: GreetingFilter & NoTimes });

/** Agents and groups of responses can be asked for only of first responses. */
type ResponseFilter = { readonly exists?: boolean } & (
  | { readonly first?: false; readonly agents?: never; readonly groups?: never }
  | { readonly first: true; readonly agents?: StringFilter; readonly groups?: IntegerFilter }
);

/** Filters of a report of chats, by version. */
export type ChatFilters<V extends ReportsVersion = ReportsVersion> = TimesOfChats<FormsFilter<V>> & {
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
} & (V extends ReportsSince35 ? CountriesFilter : unknown);

/** Codes of two letters, ISO 3166-1. */
interface CountriesFilter {
  readonly customer_countries?: ListFilter<string> & EveryValue;
}

/** Filters of a report of agents. */
export type AgentFilters = Times & {
  readonly agents?: ListFilter<string> & EveryValue;
  readonly groups?: { readonly values: readonly number[] };
};

/** What a report of chats is asked. Without filters it is about the last seven days. */
export interface ChatReportRequest<V extends ReportsVersion = ReportsVersion> {
  /** Default `day`. Ranking, surveys and forms ignore it. */
  readonly distribution?: 'hour' | 'day' | 'day-hours' | 'month' | 'year';
  /** IANA name. */
  readonly timezone?: string;
  readonly filters?: ChatFilters<V>;
}

/** What a report of agents is asked. Without filters it is about the last seven days. */
export interface AgentReportRequest {
  /** Default `day`. */
  readonly distribution?: 'hour' | 'day';
  /** IANA name. */
  readonly timezone?: string;
  readonly filters?: AgentFilters;
}

/** What a report of visitors is asked. Without filters it is about the last seven days. */
export interface VisitorReportRequest {
  readonly filters?: Times;
}

/** What the uses of tags are asked. Without filters they are those of the last seven days. */
export interface TagReportRequest {
  /** IANA name. */
  readonly timezone?: string;
  readonly filters?: Times & { readonly groups?: { readonly values: readonly number[] } };
}

/** What the abandoned carts are asked. Without filters they are those of the last seven days. */
export interface CartReportRequest {
  /** Default `day`. */
  readonly distribution?: ChatReportRequest['distribution'];
  /** IANA name. */
  readonly timezone?: string;
  readonly filters?: Times;
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

/** One form in one group. */
export interface FormAnswers {
  readonly form_id: string;
  /** Times that it was filled in. */
  readonly count?: number;
  readonly group_id: number;
  readonly fields?: readonly {
    readonly field_id: string;
    readonly label?: string;
    /** `answer_id`: index of the option. `count`: how often it was selected. */
    readonly answers?: readonly { readonly answer_id: number; readonly label?: string; readonly count?: number }[];
  }[];
}

export interface FormsReport extends Report {
  readonly total?: number;
  readonly records?: readonly FormAnswers[];
}

/** By bucket and group: chats. `total`: over all groups, so a chat of two groups counts twice. */
export type GroupsReport = BucketReport<string>;

/** Waits in seconds. */
export type QueueWaits = { readonly [member in 'count' | 'min' | 'max' | 'avg']?: number };

/** By bucket: visitors who left the queue without a chat, and those who got one from it. What `total` counts is not stated. */
export interface QueuedVisitorsReport extends Report {
  readonly total?: number;
  readonly records?: {
    readonly [bucket: string]: { readonly left_queue?: QueueWaits; readonly queued?: QueueWaits };
  };
}

interface SurveyAnswer {
  readonly key: string;
  readonly value: string;
  readonly id?: string;
  readonly type?: string;
}

/** A visitor who left the queue. It is personal data. */
export interface QueueLeaver {
  readonly prechat_survey?: readonly SurveyAnswer[];
  readonly visitor: {
    readonly id: string;
    readonly name?: string;
    readonly email?: string;
    readonly ip?: string;
    readonly visitor_custom_variables?: readonly { readonly key: string; readonly value: string }[];
  };
  /** `duration` in seconds; `start_date` RFC 3339. */
  readonly queue: {
    readonly duration: number;
    readonly url?: string;
    readonly group: number;
    readonly start_date: string;
  };
  readonly integration_variables?: readonly Json[];
}

/** By chat, page by page. `left_without_details`: those without name and e-mail. */
export interface QueuedVisitorsLeftReport extends Report {
  readonly total?: number;
  readonly summary?: { readonly left_without_details?: number; readonly total_pages?: number };
  readonly records?: { readonly [chat: string]: QueueLeaver };
}

/** No buckets. */
export interface UniqueVisitorsReport extends Report {
  readonly summary?: { readonly unique_visitors?: number; readonly page_views?: number };
}

/** By tag: chats with it. */
export interface TagUsageReport extends Report {
  readonly records?: { readonly [tag: string]: number };
}

/** Values in US dollars. */
export interface AbandonedCartsReport extends Report {
  readonly summary?: { readonly total_abandoned_cart_count?: number; readonly total_abandoned_value_usd?: number };
  readonly records?: Buckets<'abandoned_cart_count' | 'total_abandoned_value_usd'>;
}

/** By domain: page views; at most 100 domains. */
export interface VisitorDomainsReport extends Report {
  readonly summary?: { readonly [domain: string]: number };
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
