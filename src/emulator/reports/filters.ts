// Which threads the filters of a report of chats let through, apart from its time range.
// Specification: "Parameters for chat reports", "Filter types".

import { groupedBy } from '../../base/grouped.ts';
import { chatTable, customerTable, type ThreadRecord, threadTable } from '../chats/records.ts';
import { reachedTable } from '../customer/goals.ts';
import { refuse } from '../engine/refusal.ts';
import type { ReportingContext } from './context.ts';
import { agentsOf, answersOf, groupsAt, groupsOf } from './facts.ts';
import { greetingOf } from './greetings.ts';
import { isWithin, spanOf } from './range.ts';
import type { ChatConditions, SurveyCondition, ValueCondition } from './request.ts';
import type { ReportSettings } from './settings.ts';
import { answerId, type FilledSurvey, surveysOf } from './surveys.ts';

type ThreadTest = (thread: ThreadRecord) => boolean;

/** Whether a filter lets something through that has these values. */
export function passes<T>(filter: ValueCondition<T>, has: readonly T[]): boolean {
  const { exists, values, exclude_values, require_every_value = false } = filter;
  if (exists !== undefined) return has.length > 0 === exists;
  const listed = values ?? exclude_values;
  if (listed === undefined) return true;
  const found = require_every_value
    ? listed.every((one) => has.includes(one))
    : listed.some((one) => has.includes(one));
  return values === undefined ? !found : found;
}

/** A filter of strings, numbers and booleans, by their texts: a query cannot tell `7` from `"7"`. */
export const asTexts = ({ values, exclude_values, ...rest }: ValueCondition<unknown>): ValueCondition<string> => ({
  ...rest,
  ...(values === undefined ? {} : { values: values.map(String) }),
  ...(exclude_values === undefined ? {} : { exclude_values: exclude_values.map(String) }),
});

function testOf<T>(
  filter: ValueCondition<T> | undefined,
  valuesOf: (thread: ThreadRecord) => readonly T[],
): readonly ThreadTest[] {
  const { exists, values, exclude_values } = filter ?? {};
  if (filter === undefined || (exists ?? values ?? exclude_values) === undefined) return [];
  return [(thread) => passes(filter, valuesOf(thread))];
}

function propertyTests(context: ReportingContext, filters: ChatConditions['properties']): readonly ThreadTest[] {
  const { license, settings } = context;
  const valuesOf = (thread: ThreadRecord, namespace: string, name: string): readonly string[] => {
    const own = thread.properties[namespace]?.[name];
    const inChat = settings.reportProperties === 'thread_and_chat';
    const chat = inChat && own === undefined ? chatTable.of(license).get(thread.chat_id)?.properties : undefined;
    const value = own ?? chat?.[namespace]?.[name];
    return value === undefined ? [] : [String(value)];
  };
  return Array.from(filters ?? []).flatMap(([namespace, byName]) =>
    Array.from(byName).flatMap(([name, filter]) =>
      testOf(asTexts(filter), (thread) => valuesOf(thread, namespace, name)),
    ),
  );
}

/** Goals that customers reached during a chat, or after it and before the next one. */
function goalsIn({ license, seenAt }: ReportingContext): (thread: ThreadRecord) => readonly number[] {
  const known = reachedTable
    .of(license)
    .all()
    .filter(({ at }) => at <= seenAt);
  const byCustomer = groupedBy(known, ({ customer_id }) => customer_id);
  return ({ customer_id, created_at, next_thread_id }) => {
    const next = next_thread_id === undefined ? undefined : threadTable.of(license).get(next_thread_id);
    const end = next?.created_at ?? Infinity;
    const reached = byCustomer.get(customer_id) ?? [];
    return reached.filter(({ at }) => created_at <= at && at < end).map(({ goal_id }) => goal_id);
  };
}

/** Whether a survey is of the type of a filter, and of its time where it has one. */
export function askedBy(
  { type, from, to }: SurveyCondition,
  settings: ReportSettings,
): (survey: FilledSurvey) => boolean {
  const span = from === undefined || to === undefined ? undefined : spanOf({ from, to }, settings);
  return (survey) => (type === undefined || survey.type === type) && (span === undefined || isWithin(span, survey.at));
}

function surveyTests(
  { license, settings }: ReportingContext,
  filters: ChatConditions['surveys'],
): readonly ThreadTest[] {
  const asking = (filters ?? []).filter((filter) => Object.keys(filter).length > 0);
  return asking.map((filter) => {
    const { type, from, groups, exists, values, exclude_values } = filter;
    const isAsked = askedBy(filter, settings);
    return (thread) => {
      const asked = surveysOf(license, thread).filter(isAsked);
      if (from !== undefined && asked.length === 0) return false;
      if (groups !== undefined && !passes(groups, groupsOf(thread, settings))) return false;
      if (exists !== undefined) return asked.some(({ id }) => id !== undefined) === exists;
      const answers = asked.flatMap((survey) => survey.answers.map(answerId));
      if (values !== undefined) return passes({ values }, answers);
      if (exclude_values !== undefined) return passes({ exclude_values }, answers);
      return type === undefined || asked.length > 0;
    };
  });
}

function greetingTests(
  { license, settings }: ReportingContext,
  filter: ChatConditions['greetings'],
): readonly ThreadTest[] {
  if (filter === undefined) return [];
  const { groups, ...ids } = filter;
  return [
    ...testOf(asTexts(ids), (thread) => greetingOf(license, thread, settings)?.ids ?? []),
    ...testOf(groups, (thread) => {
      const group = greetingOf(license, thread, settings)?.group_id;
      return group === undefined ? [] : [group];
    }),
  ];
}

function responseTests(
  { settings }: ReportingContext,
  filter: ChatConditions['agent_response'],
): readonly ThreadTest[] {
  if (filter === undefined) return [];
  const { exists, first = false, agents, groups } = filter;
  const narrowed = agents !== undefined || groups !== undefined;
  if (narrowed && !first && settings.agentResponseWithoutFirst === 'validation')
    refuse('validation', '`filters.agent_response.first` must be true for its `agents` and `groups`');
  const answered = testOf(exists === undefined ? undefined : { exists }, (thread) => answersOf(thread, settings));
  if (!first) return answered;
  const firstOf = (thread: ThreadRecord) => answersOf(thread, settings)[0];
  return [
    ...answered,
    ...testOf(agents, (thread) => {
      const first = firstOf(thread);
      return first === undefined ? [] : [first.member.id];
    }),
    ...testOf(groups, (thread) => {
      const first = firstOf(thread);
      return first === undefined ? [] : groupsAt(thread, first.at);
    }),
  ];
}

/** The country where the customer of a thread is, by its code of two letters. */
function countriesOf({ license }: ReportingContext): (thread: ThreadRecord) => readonly string[] {
  return ({ customer_id }) => {
    const code = customerTable.of(license).get(customer_id)?.geolocation?.country_code;
    return code === undefined ? [] : [code];
  };
}

/** What a thread must pass: all filters but the time filters. */
export function threadTests(context: ReportingContext, filters: ChatConditions): readonly ThreadTest[] {
  const { settings } = context;
  const { goals } = filters;
  return [
    ...testOf(filters.groups, (thread) => groupsOf(thread, settings)),
    ...testOf(filters.tags, ({ tags }) => tags),
    ...testOf(filters.agents, (thread) => agentsOf(thread, settings).map(({ id }) => id)),
    ...testOf(filters.customer_countries, countriesOf(context)),
    ...testOf(filters.sales, ({ sales = [] }) => sales),
    ...testOf(filters.event_types, ({ events }) =>
      events.filter(({ deleted }) => deleted !== true).map(({ type }) => type),
    ),
    ...(goals === undefined ? [] : testOf(goals, goalsIn(context))),
    ...propertyTests(context, filters.properties),
    ...greetingTests(context, filters.greetings),
    ...surveyTests(context, filters.surveys),
    ...responseTests(context, filters.agent_response),
  ];
}

/** A test that is passed by what passes all of these. */
export const allOf =
  (tests: readonly ThreadTest[]): ThreadTest =>
  (thread) =>
    tests.every((test) => test(thread));
