// Requests of the Reports API: the parameters of both families, and the filters with their exclusions.
// Specification: "Parameters for chat reports", "Parameters for agent reports", "Filter types".

import { propertyValue } from '../configuration/properties.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { has, type ReportSettings } from './settings.ts';

/** One of `exists`, `values` and `exclude_values`, each of which the filter may lack. */
export interface ValueCondition<T> {
  readonly exists?: boolean;
  readonly values?: readonly T[];
  readonly exclude_values?: readonly T[];
  readonly require_every_value?: boolean;
}

function requireOne({ exists, values, exclude_values }: ValueCondition<unknown>, path: string): void {
  const given = Object.entries({ exists, values, exclude_values }).filter(([, value]) => value !== undefined);
  if (given.length > 1)
    refuse('validation', `${s.quoted(path)} may have only one of: ${given.map(([name]) => name).join(', ')}`);
}

const exists = s.optional(s.bool);
const require_every_value = s.optional(s.bool);

function lists<T>(read: s.JsonReader<T>) {
  const items = s.optional(s.list(read, 1));
  return { values: items, exclude_values: items };
}

const textFilter = s.optional(s.checked(s.object({ exists, ...lists(s.text), require_every_value }), requireOne));
const numberFilter = s.optional(s.checked(s.object({ exists, ...lists(s.int(0)), require_every_value }), requireOne));

const propertyFilter = s.checked(s.object({ exists, ...lists(propertyValue) }), (given, path) => {
  requireOne(given, path);
  for (const name of ['values', 'exclude_values'] as const)
    if ((given[name] ?? []).length > 1)
      refuse('validation', `${s.quoted(`${path}.${name}`)} must have one value: a property has only one`);
});

const EVENT_TYPES = ['message', 'file', 'rich_message', 'form', 'filled_form', 'custom', 'system_message'] as const;
const eventTypeFilter = s.optional(
  s.checked(s.object({ ...lists(s.oneOf(EVENT_TYPES)), require_every_value }), requireOne),
);

/** RFC 3339; both or none, and in their order. */
const times = { from: s.optional(s.dateTime), to: s.optional(s.dateTime) };
interface GivenTimes {
  readonly from?: string;
  readonly to?: string;
}

/** Where a pair of time filters stands, and what it counts by. */
export type TimePair = { readonly by: 'chats' | 'greetings' | 'surveys'; readonly from: string; readonly to: string };

function pairOf({ from, to }: GivenTimes, by: TimePair['by'], path: string): readonly TimePair[] {
  if (from === undefined && to === undefined) return [];
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? 'from' : 'to';
    return refuse('validation', `${s.quoted(`${path}.${missing}`)} is required: time filters come in pairs`);
  }
  return [{ by, from, to }];
}

/** All pairs, which must be in one place. Each filter of forms may have its own. */
function requirePairs(pairs: readonly TimePair[], wanted: string): readonly TimePair[] {
  if (new Set(pairs.map(({ by }) => by)).size === 1) return pairs;
  return refuse('validation', `${s.quoted('filters')} must have exactly one pair of time filters: ${wanted}`);
}

const surveyFilter = s.checked(
  s.object({
    type: s.optional(s.oneOf(['pre_chat', 'post_chat'])),
    exists,
    ...lists(s.text),
    ...times,
    groups: numberFilter,
  }),
  requireOne,
);
export type SurveyCondition = ReturnType<typeof surveyFilter>;

const surveys = s.optional(s.list(surveyFilter));
const countries = s.optional(s.checked(s.object({ ...lists(s.text), require_every_value }), requireOne));

const chatFilters = s.object({
  ...times,
  properties: s.optional(s.mapOf(s.mapOf(propertyFilter))),
  agents: textFilter,
  tags: textFilter,
  sales: numberFilter,
  goals: numberFilter,
  surveys,
  forms: surveys,
  customer_countries: countries,
  event_types: eventTypeFilter,
  groups: numberFilter,
  greetings: s.optional(
    s.checked(s.object({ ...times, exists, ...lists(propertyValue), groups: numberFilter }), requireOne),
  ),
  agent_response: s.optional(s.object({ exists, first: s.optional(s.bool), agents: textFilter, groups: numberFilter })),
});
/** Filters of the reports of chats. `surveys` are `forms` where the version calls them so. */
export type ChatConditions = Omit<ReturnType<typeof chatFilters>, 'forms'> & {
  readonly formsCalled?: 'surveys' | 'forms';
};

/** The filters that a version has; of others it knows nothing. */
export function filtersIn(
  version: string,
  filters: ReturnType<typeof chatFilters>,
  { surveysFilter, unknownFilters }: Pick<ReportSettings, 'surveysFilter' | 'unknownFilters'>,
): ChatConditions {
  const { surveys: older, forms: newer, customer_countries, ...rest } = filters;
  const formsCalled = has('forms', version) ? 'forms' : 'surveys';
  const takesOlder = formsCalled === 'surveys' || surveysFilter === 'forms';
  const unknown = [
    ...(older !== undefined && !takesOlder ? ['surveys'] : []),
    ...(newer !== undefined && formsCalled === 'surveys' ? ['forms'] : []),
    ...(customer_countries !== undefined && !has('customerCountries', version) ? ['customer_countries'] : []),
  ];
  if (unknown[0] !== undefined && unknownFilters === 'validation')
    refuse('validation', `${s.quoted(`filters.${unknown[0]}`)} is not known in version ${version}`);
  const asked = formsCalled === 'forms' ? (newer ?? (takesOlder ? older : undefined)) : older;
  return {
    ...rest,
    formsCalled,
    ...(asked === undefined ? {} : { surveys: asked }),
    ...(customer_countries === undefined || unknown.includes('customer_countries') ? {} : { customer_countries }),
  };
}

/** The pairs of time filters; a request without filters has none. today/reports.md, "Rules". */
export function chatTimes(filters: ChatConditions | undefined): readonly TimePair[] {
  if (filters === undefined) return [];
  const { greetings = {}, surveys: filled = [], formsCalled = 'surveys' } = filters;
  return requirePairs(
    [
      ...pairOf(filters, 'chats', 'filters'),
      ...pairOf(greetings, 'greetings', 'filters.greetings'),
      ...filled.flatMap((one, index) => pairOf(one, 'surveys', `filters.${formsCalled}[${index}]`)),
    ],
    `filters.from and to, filters.greetings.from and to, or from and to in filters.${formsCalled}`,
  );
}

const agentFilters = s.object({
  ...times,
  agents: s.optional(s.checked(s.object({ ...lists(s.text), require_every_value }), requireOne)),
  groups: s.optional(s.object({ values: s.optional(s.list(s.int(0), 1)) })),
});
/** Filters of the reports of agents. */
export type AgentConditions = ReturnType<typeof agentFilters>;

/** The pair of filters that have no other times. */
export function ownTimes(filters: GivenTimes | undefined): readonly TimePair[] {
  return filters === undefined ? [] : requirePairs(pairOf(filters, 'chats', 'filters'), 'filters.from and filters.to');
}

export const DISTRIBUTIONS = ['hour', 'day', 'day-hours', 'month', 'year'] as const;
export type ReportDistribution = (typeof DISTRIBUTIONS)[number];

const zone = { timezone: s.optional(s.timezone) };
const distribution = s.optional(s.oneOf(DISTRIBUTIONS));
const chatMembers = { distribution, ...zone, filters: s.optional(chatFilters) };
export const chatRequest = s.object(chatMembers);
export const pagedRequest = s.object({ ...chatMembers, page: s.optional(s.int(0)) });
export const agentRequest = s.object({
  distribution: s.optional(s.oneOf(['hour', 'day'])),
  ...zone,
  filters: s.optional(agentFilters),
});
const tagFilters = s.object({ ...times, groups: s.optional(s.object({ values: s.optional(s.list(s.int(0), 1)) })) });
export type TagConditions = ReturnType<typeof tagFilters>;
export const tagRequest = s.object({ ...zone, filters: s.optional(tagFilters) });
const timeFilters = s.object(times);
export type TimeConditions = ReturnType<typeof timeFilters>;
/** Of visitors and carts. Visitors have neither a distribution nor a zone, and the official client sends both. */
export const timedRequest = s.object({ distribution, ...zone, filters: s.optional(timeFilters) });
