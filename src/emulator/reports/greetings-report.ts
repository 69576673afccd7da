// The report of greetings: how many were shown, accepted and cancelled, and led to goals. Each counts when it was shown.
// Specification: "greetings_conversion", "Limits".

import { groupedBy } from '../../base/grouped.ts';
import { type ThreadRecord, threadTable } from '../chats/records.ts';
import { reachedTable } from '../customer/goals.ts';
import { type ShownGreeting, shownTable } from '../customer/greetings.ts';
import { chatReport, type ReportQuery } from './action.ts';
import { bucketsOf, type ReportRecord, recordsOf, shownRecord } from './buckets.ts';
import { allOf, asTexts, passes, threadTests } from './filters.ts';
import { greetingOf } from './greetings.ts';
import { isWithin } from './range.ts';
import type { ChatConditions } from './request.ts';

type GreetingQuery = ReportQuery<ChatConditions>;

/** Filters that ask about a greeting itself; the others ask about the chat that was started from it. */
const OF_GREETINGS = ['from', 'to', 'groups', 'greetings'];

/** Unique ids of the greetings whose chats pass the filters of chats; undefined without such filters: then a greeting needs no chat. */
function greetingsOfChats({ context, settings, filters }: GreetingQuery): ReadonlySet<string> | undefined {
  const ofChats = Object.entries(filters).filter(([name]) => !OF_GREETINGS.includes(name));
  const tests = threadTests(context, Object.fromEntries(ofChats));
  if (tests.length === 0) return undefined;
  const { license, at } = context;
  const uniqueOf = (thread: ThreadRecord) => greetingOf(license, thread, settings)?.unique_id ?? [];
  return new Set(threadTable.of(license).all(at).filter(allOf(tests)).flatMap(uniqueOf));
}

/** The greetings that were shown in the range, and pass the filters. */
function shownGreetings(query: GreetingQuery): readonly ShownGreeting[] {
  const { context, range, filters } = query;
  const { groups = {}, greetings = {} } = filters;
  const { groups: own = {}, ...ids } = greetings;
  const ofChat = greetingsOfChats(query);
  const named = asTexts(ids);
  return shownTable
    .of(context.license)
    .all(context.at)
    .filter(
      ({ unique_id, greeting_id, group_id, shown_at }) =>
        shown_at <= context.seenAt &&
        isWithin(range, shown_at) &&
        ofChat?.has(unique_id) !== false &&
        [groups, own].every((filter) => passes(filter, [group_id])) &&
        passes(named, [String(greeting_id), unique_id]),
    );
}

/** Of each day, the greetings that were shown most often; of equals, those with the lowest ids. */
function mostShown({ range, settings }: GreetingQuery, shown: readonly ShownGreeting[]): readonly ShownGreeting[] {
  const { greetingsPerDay } = settings.limits;
  if (greetingsPerDay === -1) return shown;
  const days = bucketsOf(range, 'day', settings);
  return Array.from(groupedBy(shown, ({ shown_at }) => days.keyOf(shown_at)).values()).flatMap((ofDay) =>
    Array.from(groupedBy(ofDay, ({ greeting_id }) => String(greeting_id)))
      .toSorted(([id, one], [otherId, other]) => other.length - one.length || Number(id) - Number(otherId))
      .slice(0, greetingsPerDay)
      .flatMap(([, those]) => those),
  );
}

export const greetingsReport = chatReport('chats', 'greetings_conversion', (query) => {
  const { context, settings, buckets } = query;
  const goals = reachedTable.of(context.license).all(context.at);
  const leading = groupedBy(
    goals.filter(({ at }) => at <= context.seenAt),
    ({ greeting = '' }) => greeting,
  );
  const shown = mostShown(query, shownGreetings(query));
  const count = (those: readonly ShownGreeting[], moment: 'accepted_at' | 'cancelled_at'): number =>
    those.filter((one) => (one[moment] ?? Infinity) <= context.seenAt).length;
  const recordOf = (those: readonly ShownGreeting[]): ReportRecord =>
    shownRecord(
      {
        displayed: those.length,
        accepted: count(those, 'accepted_at'),
        canceled: count(those, 'cancelled_at'),
        goals: those.reduce((sum, { unique_id }) => sum + (leading.get(unique_id)?.length ?? 0), 0),
      },
      settings,
      'zeros sampled',
    );
  const found = new Map<string, ReportRecord>();
  for (const [key, inBucket] of groupedBy(shown, ({ shown_at }) => buckets.keyOf(shown_at))) {
    const byGreeting = groupedBy(inBucket, ({ greeting_id }) => String(greeting_id));
    found.set(key, Object.fromEntries(Array.from(byGreeting, ([id, those]) => [id, recordOf(those)])));
  }
  return { total: count(shown, 'accepted_at'), records: recordsOf(buckets, found, settings) };
});
