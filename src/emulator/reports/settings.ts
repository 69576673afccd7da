// Settings of the Reports API. Says what each decides, not how it is carried out.
// customer-and-reports-notes.md, "Reports: semantics to compute and to read".

import type { ChatSettings } from '../chats/settings.ts';
import { featuresIn } from '../engine/api.ts';
import type { SettingDefinitions, SettingsOf } from '../engine/settings.ts';
import { about, choice, flag, limit, nullable, setting, stage } from '../engine/settings.ts';
import { int, timezone } from '../engine/shape.ts';

/** A version as it stands in the URL path, without its `v`. */
export type EmulatedReportsVersion = '3.4' | '3.5' | '3.6' | '3.7';
export const VERSIONS: readonly EmulatedReportsVersion[] = ['3.4', '3.5', '3.6', '3.7'];

/** Which versions have what others have not. today/reports.md, "Which report in which version", "Filters". */
export const FEATURES = {
  surveys: ['3.4'],
  /** The report and the filter that were called surveys. */
  forms: ['3.5', '3.6', '3.7'],
  customerCountries: ['3.5', '3.6', '3.7'],
  chatUsage: ['3.5', '3.6', '3.7'],
  groups: ['3.6', '3.7'],
  queuedVisitors: ['3.6', '3.7'],
  uniqueVisitors: ['3.6', '3.7'],
  abandonedCarts: ['3.7'],
  visitorDomains: ['3.7'],
  /** Replies repeat the request. */
  echo: ['3.7'],
} as const satisfies { readonly [feature: string]: readonly EmulatedReportsVersion[] };

export const has = featuresIn(FEATURES);

export const reportSettings = {
  lifecycle: {
    'reports/3.4': about(
      'The header that says when version 3.4 of the Reports API ends',
      stage({ header: 'Deprecation', date: '2027-12-31' }),
    ),
    'reports/3.5': about('The same for 3.5', stage({ header: 'Legacy', date: '2027-12-31' })),
    'reports/3.6': about('The same for 3.6, the stable version', stage(null)),
    'reports/3.7': about('The same for 3.7, which is a preview', stage(null)),
  },
  limits: {
    reportDays: about('Most days of the range of a report', limit(3660)),
    greetingsPerDay: about(
      'Most greetings of one day in `greetings_conversion`; those shown most often stay',
      limit(100),
    ),
  },
  reportsAuthorization: about(
    'Which credentials the Reports API takes: bearer tokens and personal access tokens, which its pages recommend; or bearer tokens, as the specification says',
    choice(['any', 'bearer']),
  ),
  reportsLag: about('Seconds until a chat, a greeting or a presence counts in reports', setting(0, int(0))),
  reportKeys: {
    hour: about(
      'Keys of the distribution `hour`: with their date, or `HH:00` alone, which adds up the days',
      choice(['date', 'time']),
    ),
    dayHours: about(
      'Records of the distribution `day-hours`: 24 keys `HH:00` that add up the days, or such keys below each date',
      choice(['summed', 'nested']),
    ),
  },
  emptyBuckets: about('Buckets without data are empty objects, or left out', choice(['empty', 'omitted'])),
  zeroMembers: about(
    'Members that are zero are written where the published samples write them (`ranking`, `performance`, `greetings_conversion`, `availability`, `abandoned_carts`); or nowhere, or everywhere, and then `performance` lists every agent',
    choice(['sampled', 'omitted', 'shown']),
  ),
  reportEcho: about(
    'Which replies repeat the request as it was sent: those of 3.7, whose published sample does; all, or none',
    choice(['preview', 'always', 'never']),
  ),
  engagementTotal: about(
    'Whether buckets of `engagement` have a `total`, which a page names and no sample has',
    flag(false),
  ),
  reportDurations: about('Unit of the durations in reports of chats', choice(['seconds', 'milliseconds', 'minutes'])),
  reportDecimals: about(
    'Decimals of averages, durations and hours; `null` rounds nothing',
    nullable<number>(null, int(0, 15)),
  ),
  availabilityTotal: about(
    '`total` of `availability` is in the unit of its records, or in hours also where they are in minutes',
    choice(['as_records', 'hours']),
  ),
  reportChats: about(
    'Which chats count: those that are active also, or those that have ended',
    choice(['all', 'ended']),
  ),
  reportRangeEnd: about(
    'Whether a chat at the very moment of `to` is within the range',
    choice(['exclusive', 'inclusive']),
  ),
  defaultRange: about(
    'The last seven days of a report without `filters`: today and the six days before, or 168 hours',
    choice(['days', 'hours']),
  ),
  requestTimezone: about(
    'Time zone that the service takes from a request without `timezone`, before that of the agent and that of `filters.from`; `null` takes none',
    nullable<string>(null, timezone),
  ),
  reportBots: about(
    'Bots count as agents of chats; or of chats, and with the times at which they accept chats; or not at all',
    choice(['chats', 'chats_and_times', 'none']),
  ),
  transferredChats: about(
    'Groups of a chat that was transferred: all groups that it was in, or those at its end',
    choice(['every_group', 'last_groups']),
  ),
  reportProperties: about(
    'Where `filters.properties` looks: at the properties of the thread, or also at those of its chat',
    choice(['thread', 'thread_and_chat']),
  ),
  unknownFilters: about(
    'Parameters and filters that a report does not have in the version get `validation`, or are ignored',
    choice(['validation', 'ignored']),
  ),
  surveysFilter: about(
    '`filters.surveys` in 3.5 and later, whose pages called `filters.forms` so until 2026: the same as `forms`, or unknown',
    choice(['forms', 'unknown']),
  ),
  queuedTotal: about(
    '`total` of `queued_visitors`: those who left the queue for a chat, those who left without one, or both',
    choice(['entered', 'left', 'both']),
  ),
  queuedHalves: about(
    'Where all or none of the visitors of a bucket left the queue, the other half of `queued_visitors` has zeros, or is left out',
    choice(['zeros', 'omitted']),
  ),
  queuedBucket: about(
    'Whether a visit of the queue counts in the bucket in which it began, or in which it ended',
    choice(['began', 'ended']),
  ),
  queueLeaversAreChats: about(
    'Whether a visitor who left the queue counts as a chat in the other reports of chats: such a visitor has a chat id, and no page says more',
    flag(true),
  ),
  groupsReportCounts: about(
    'Whether `groups` counts a chat in every group that it was in, or in the first one',
    choice(['every', 'first']),
  ),
  queuePage: about('Visitors on a page of `queued_visitors_left`', setting(25, int(1))),
  agentResponseWithoutFirst: about(
    '`agent_response.agents` and `agent_response.groups` without `first: true` have no effect, or get `validation`',
    choice(['ignored', 'validation']),
  ),
  firstResponseFrom: about(
    'First response time begins with the chat, or with the first message of the customer',
    choice(['chat', 'message']),
  ),
  responseTimeMean: about(
    'Response time is the mean over chats of the mean of each, or the mean over all responses',
    choice(['per_chat', 'per_response']),
  ),
  ratingsChats: about(
    '`chats` and `total` of `ratings` count all chats, or those that were rated',
    choice(['all', 'rated']),
  ),
  chattingTime: about(
    '`chatting_time` counts a moment once for each agent, or once for each chat of the agent',
    choice(['union', 'sum']),
  ),
  performanceGroups: about(
    '`filters.groups` of `performance` limits chats to those of the groups, or agents to the members of the groups',
    choice(['chats', 'members']),
  ),
  performanceSummary: about(
    '`summary` of `performance` counts a chat of two agents once, or twice',
    choice(['distinct', 'sum']),
  ),
} satisfies SettingDefinitions;

type ReportSettingValues = ChatSettings & SettingsOf<typeof reportSettings>;
export interface ReportSettings extends ReportSettingValues {}
