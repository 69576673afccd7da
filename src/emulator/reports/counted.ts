// The threads that a report of chats counts, each at the moment that puts it into a bucket. A chat in reports is a thread.

import { type ThreadRecord, threadTable } from '../chats/records.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import type { ReportQuery } from './action.ts';
import type { ReportingContext } from './context.ts';
import { queueWaitOf } from './facts.ts';
import { allOf, askedBy, threadTests } from './filters.ts';
import { greetingOf } from './greetings.ts';
import { type CountedRange, isWithin } from './range.ts';
import type { ChatConditions } from './request.ts';
import { type FilledSurvey, surveysOf } from './surveys.ts';

export interface CountedChat {
  readonly thread: ThreadRecord;
  /** When it began; with time filters of greetings or surveys, when the greeting was shown or the survey was filled. In ms. */
  readonly at: number;
}

/** Threads in the order in which they began, as long as no write has changed them. */
interface OrderedThreads {
  readonly writes: number;
  readonly threads: readonly ThreadRecord[];
}
const orders = new WeakMap<EmulatedLicense, OrderedThreads>();

const inOrder = (threads: readonly ThreadRecord[]): readonly ThreadRecord[] =>
  threads.toSorted((one, other) => one.created_at - other.created_at);

function orderedThreads({ license, at }: ReportingContext): readonly ThreadRecord[] {
  const table = threadTable.of(license);
  // A reading that lags may see older threads than those in order.
  if (at < license.history.wrote) return inOrder(table.all(at));
  const known = orders.get(license);
  if (known?.writes === table.writes()) return known.threads;
  const threads = inOrder(table.all());
  orders.set(license, { writes: table.writes(), threads });
  return threads;
}

/** The number of threads that began before a moment. */
function countBefore(threads: readonly ThreadRecord[], moment: number): number {
  let [low, high] = [0, threads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((threads[middle]?.created_at ?? moment) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The threads that reports know of by now; those that began from `from` on and before `to`. */
export function knownThreads(context: ReportingContext, from = -Infinity, to = Infinity): readonly ThreadRecord[] {
  const { settings, seenAt } = context;
  const threads = orderedThreads(context);
  const begun = threads.slice(countBefore(threads, from), countBefore(threads, Math.min(to, seenAt + 1)));
  return settings.reportChats === 'all' ? begun : begun.filter(({ active }) => !active);
}

/** The moment within the range at which a report counts a thread; one that counts by its beginning began within it. */
function momentIn(
  { license, settings }: ReportingContext,
  thread: ThreadRecord,
  range: CountedRange,
  isTimed: (survey: FilledSurvey) => boolean,
): number | undefined {
  switch (range.by) {
    case 'chats':
      return thread.created_at;
    case 'greetings': {
      const shown = greetingOf(license, thread, settings)?.shown_at;
      return shown !== undefined && isWithin(range, shown) ? shown : undefined;
    }
    case 'surveys':
      return surveysOf(license, thread).find(isTimed)?.at;
  }
}

/** Of all reports of chats but those of the queue. */
export function countedChats(query: ReportQuery<ChatConditions>): readonly CountedChat[] {
  const { settings, seenAt } = query.context;
  const chats = foundChats(query);
  if (settings.queueLeaversAreChats) return chats;
  return chats.filter(({ thread }) => queueWaitOf(thread, seenAt)?.isServed !== false);
}

/** The threads that the filters let through, also of customers who left the queue. */
export function foundChats({ context, filters, range }: ReportQuery<ChatConditions>): readonly CountedChat[] {
  const isCounted = allOf(threadTests(context, filters));
  const timed = (filters.surveys ?? []).filter(({ from }) => from !== undefined);
  const tests = timed.map((filter) => askedBy(filter, context.settings));
  const isTimed = (survey: FilledSurvey): boolean => tests.some((test) => test(survey));
  const found: CountedChat[] = [];
  const threads = range.by === 'chats' ? knownThreads(context, range.from, range.to) : knownThreads(context);
  for (const thread of threads) {
    const at = momentIn(context, thread, range, isTimed);
    if (at !== undefined && isCounted(thread)) found.push({ thread, at });
  }
  return found;
}
