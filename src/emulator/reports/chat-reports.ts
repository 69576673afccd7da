// The reports that count chats by bucket, and the ranking of agents. Specification: "Resources and their fields".

import { groupedBy } from '../../base/grouped.ts';
import { MINUTE } from '../../base/zone.ts';
import type { ThreadRecord } from '../chats/records.ts';
import { chatReport, type ReportAction, type ReportQuery } from './action.ts';
import { type ReportRecord, recordsOf, shownNumber, shownRecord } from './buckets.ts';
import { countedChats } from './counted.ts';
import { agentsOf, answersOf, durationOf, heldSpans, ratingOf } from './facts.ts';
import { passes } from './filters.ts';
import { greetingOf } from './greetings.ts';
import type { ChatConditions } from './request.ts';
import type { ReportSettings } from './settings.ts';
import { lengthOf } from './spans.ts';

type ChatQuery = ReportQuery<ChatConditions>;
type Threads = readonly ThreadRecord[];

/** A report by bucket, whose `total` is the number of the threads that `counts` lets through. */
function byBucket(
  name: string,
  record: (threads: Threads, query: ChatQuery) => ReportRecord,
  counts: (thread: ThreadRecord, settings: ReportSettings) => boolean = () => true,
): ReportAction {
  return chatReport('chats', name, (query) => {
    const { buckets, settings } = query;
    const chats = countedChats(query).filter(({ thread }) => counts(thread, settings));
    const found = new Map<string, ReportRecord>();
    for (const [key, those] of groupedBy(chats, ({ at }) => buckets.keyOf(at)))
      found.set(
        key,
        record(
          those.map(({ thread }) => thread),
          query,
        ),
      );
    return { total: chats.length, records: recordsOf(buckets, found, settings) };
  });
}

const UNITS = { seconds: 1000, milliseconds: 1, minutes: MINUTE } as const;

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The mean of milliseconds in the unit of the settings; 0 of none. */
function meanDuration(settings: ReportSettings, times: readonly number[]): number {
  return times.length === 0 ? 0 : shownNumber(settings, sumOf(times) / times.length / UNITS[settings.reportDurations]);
}

const countOf = (threads: Threads, test: (thread: ThreadRecord) => boolean): number => threads.filter(test).length;

const isContinuous = ({ properties }: ThreadRecord): boolean => properties['routing']?.['continuous'] === true;

/** How often each tag is there. */
function tagCounts(threads: Threads): ReportRecord {
  const found = new Map<string, number>();
  for (const tag of threads.flatMap(({ tags }) => tags)) found.set(tag, (found.get(tag) ?? 0) + 1);
  return Object.fromEntries(found);
}

/** The mean of each chat counts once, or each response. */
function meanWait(settings: ReportSettings, waits: readonly (readonly number[])[]): number {
  const times =
    settings.responseTimeMean === 'per_response' ? waits.flat() : waits.map((those) => sumOf(those) / those.length);
  return meanDuration(settings, times);
}

/** How long the customers of each chat waited; chats without an answer are left out. In ms. */
const waitsOf = (threads: Threads, settings: ReportSettings): readonly (readonly number[])[] =>
  threads.map((thread) => answersOf(thread, settings).map(({ wait }) => wait)).filter((waits) => waits.length > 0);

const startOf = ({ context: { license }, settings }: ChatQuery, thread: ThreadRecord): string => {
  if (thread.started_by !== undefined) return 'started_by_agent';
  const isFromGreeting = greetingOf(license, thread, settings) !== undefined;
  return `started_by_customer_${isFromGreeting ? 'from' : 'without'}_greeting`;
};

/** Whether an agent has a record of its own, where a filter names agents. */
export const isListed = ({ values, exclude_values }: NonNullable<ChatConditions['agents']>, id: string): boolean =>
  passes({ ...(values && { values }), ...(exclude_values && { exclude_values }) }, [id]);

const ranking = chatReport('chats', 'ranking', (query) => {
  const { settings, filters } = query;
  const rated = countedChats(query).flatMap(({ thread }) =>
    ratingOf(thread) === undefined
      ? []
      : agentsOf(thread, settings).map(({ id }) => ({ id, isGood: ratingOf(thread) === 'good' })),
  );
  const listed = rated.filter(({ id }) => isListed(filters.agents ?? {}, id));
  const records = Array.from(
    groupedBy(listed, ({ id }) => id),
    ([id, those]): [string, ReportRecord] => {
      const good = those.filter(({ isGood }) => isGood).length;
      const [total, bad] = [those.length, those.length - good];
      return [id, { ...shownRecord({ total, good, bad }, settings, 'zeros sampled'), score: rankingScore(good, bad) }];
    },
  );
  return { records: Object.fromEntries(records) };
});

export const chatReports: readonly ReportAction[] = [
  byBucket('duration', (threads, { context: { seenAt }, settings }) => ({
    count: threads.length,
    agents_chatting_duration: meanDuration(
      settings,
      threads.map((thread) => lengthOf(heldSpans(thread, settings, seenAt))),
    ),
    duration: meanDuration(
      settings,
      threads.map((thread) => durationOf(thread, seenAt)),
    ),
  })),
  byBucket('tags', tagCounts),
  byBucket('total_chats', (threads) => ({ total: threads.length, continuous: countOf(threads, isContinuous) })),
  byBucket(
    'ratings',
    (threads) => ({
      chats: threads.length,
      bad: countOf(threads, (thread) => ratingOf(thread) === 'bad'),
      good: countOf(threads, (thread) => ratingOf(thread) === 'good'),
    }),
    (thread, { ratingsChats }) => ratingsChats === 'all' || ratingOf(thread) !== undefined,
  ),
  ranking,
  byBucket('engagement', (threads, query) => {
    const starts = threads.map((thread) => startOf(query, thread));
    const count = (name: string): number => starts.filter((start) => start === name).length;
    return {
      ...(query.settings.engagementTotal ? { total: threads.length } : {}),
      started_by_customer_from_greeting: count('started_by_customer_from_greeting'),
      started_by_customer_without_greeting: count('started_by_customer_without_greeting'),
      started_by_agent: count('started_by_agent'),
    };
  }),
  byBucket('response_time', (threads, { settings }) => {
    const waits = waitsOf(threads, settings);
    return { count: waits.length, response_time: meanWait(settings, waits) };
  }),
  byBucket('first_response_time', (threads, { settings }) => {
    const waits = waitsOf(threads, settings);
    const first = waits.flatMap(([wait]) => (wait === undefined ? [] : [wait]));
    return { count: first.length, first_response_time: meanDuration(settings, first) };
  }),
];

const FACTOR = 2.69 ** 2 / 4;

/** Close to the lower Wilson bound, and as the service computes it: with one n too many under the root. */
function rankingScore(good: number, bad: number): number {
  const n = good + bad;
  const p = good / n;
  const f = FACTOR / n;
  return (p + 2 * f - 2.69 * Math.sqrt((f / n + p * (1 - p)) / n)) / (1 + 4 * f);
}
