// The threads that a report of chats counts, each at the moment that puts it into a bucket. A chat in reports is a thread.

import { type ThreadRecord, threadTable } from '../chats/records.ts';
import type { ReportQuery } from './action.ts';
import type { ReportingContext } from './context.ts';
import { allOf, threadTests } from './filters.ts';
import { greetingOf } from './greetings.ts';
import { type CountedRange, isWithin } from './range.ts';
import type { ChatConditions } from './request.ts';
import { surveysOf } from './surveys.ts';

export interface CountedChat {
  readonly thread: ThreadRecord;
  /** When it began; with time filters of greetings or surveys, when the greeting was shown or the survey was filled. In ms. */
  readonly at: number;
}

/** The threads that reports know of by now. */
export function knownThreads({ license, settings, at, seenAt }: ReportingContext): readonly ThreadRecord[] {
  const all = threadTable.of(license).all(at);
  const counts = ({ created_at, active }: ThreadRecord): boolean =>
    created_at <= seenAt && (settings.reportChats === 'all' || !active);
  return all.filter(counts);
}

/** The moment within the range at which a report counts a thread. */
function momentIn(
  { license, settings }: ReportingContext,
  thread: ThreadRecord,
  range: CountedRange,
): number | undefined {
  switch (range.by) {
    case 'chats':
      return isWithin(range, thread.created_at) ? thread.created_at : undefined;
    case 'greetings': {
      const shown = greetingOf(license, thread, settings)?.shown_at;
      return shown !== undefined && isWithin(range, shown) ? shown : undefined;
    }
    case 'surveys':
      return surveysOf(license, thread).find(({ at }) => isWithin(range, at))?.at;
  }
}

export function countedChats({ context, filters, range }: ReportQuery<ChatConditions>): readonly CountedChat[] {
  const isCounted = allOf(threadTests(context, filters, range));
  return knownThreads(context).flatMap((thread) => {
    const at = momentIn(context, thread, range);
    return at !== undefined && isCounted(thread) ? [{ thread, at }] : [];
  });
}
