// Waiting as the reports measure it since 3.6: who waited in the queue of each group, who gave up, and how long. today/reports.md, "Replacing models".

import { LONGEST_WAIT, type Waiting } from './erlang.ts';
import { type Measures, totalOf } from './hourly.ts';
import type { ReportRange } from './range.ts';
import type { DemandReader } from './read.ts';
import { rounded } from './week.ts';

/** Visitors who waited in the queue within a range. Continuous chats, and chats that an agent takes at once, wait in no queue. */
export interface QueueFigures {
  /** All who waited: `served` and `left`. */
  readonly waited: number;
  /** Visitors who got a chat from the queue. */
  readonly served: number;
  /** Mean wait of these in seconds; null without any. */
  readonly served_wait: number | null;
  /** Visitors who gave up. */
  readonly left: number;
  /** Mean wait of these in seconds; null without any. */
  readonly left_wait: number | null;
  /** Seconds that all of them waited together. */
  readonly seconds: number;
  /**
   * Mean patience in seconds: how long a visitor waits before giving up, if no agent takes the chat. It is `seconds / left`, the most likely value
   * where patience has no memory; null where no visitor left.
   */
  readonly patience: number | null;
}

/**
 * Of so many chats that need a slot, those included whose visitors left, which no page says. Where the reports do not count these as chats, more visitors
 * may have waited than there are chats: then all waited. Null without a chat.
 */
export function measuredWaiting(queue: QueueFigures, chats: number): Waiting | null {
  if (chats === 0) return null;
  return {
    share: Math.min(1, queue.waited / chats),
    seconds: Math.min(LONGEST_WAIT, queue.seconds / chats),
    leaves: Math.min(1, queue.left / chats),
  };
}

/** As documents have it. */
export function shownWaiting({ share, seconds, leaves }: Waiting): Waiting {
  return { share: rounded(share), seconds: rounded(seconds), leaves: leaves === null ? null : rounded(leaves) };
}

/** What the queue of a range shows. */
export type MeasuredQueues =
  /** Each group that was asked for, by its id; all zero where no visitor waited. */
  | { readonly by: 'group'; readonly groups: ReadonlyMap<number, QueueFigures> }
  /** The service does not tell groups apart in this report. */
  | { readonly by: 'license'; readonly license: QueueFigures }
  /** The version of the target is older than 3.6. */
  | { readonly by: 'nothing' };

/**
 * The queue of these groups, in ids. One request a group, whose whole past days are kept as those of all measures, and at most three more until it is
 * known whether the report filters by group; none before version 3.6. Use whole past days: a visit that has not ended is not counted. A chat of two
 * groups counts in both.
 * @throws as every function of a DemandReader
 */
export async function measuredQueues(
  reader: Pick<DemandReader, 'chats' | 'hasQueue' | 'separatesQueue'>,
  groups: readonly number[],
  range: ReportRange,
): Promise<MeasuredQueues> {
  const [first] = groups;
  if (!reader.hasQueue) return { by: 'nothing' };
  if (first === undefined) return { by: 'group', groups: new Map() };
  const separates = await reader.separatesQueue(first, range);
  const figures = async (of: readonly number[]): Promise<QueueFigures> =>
    queueFigures(totalOf(await reader.chats('queue', { groups: of }, range)) ?? NO_VISITORS);
  if (separates === false) return { by: 'license', license: await figures([]) };
  const found = new Map<number, QueueFigures>();
  for (const group of groups) found.set(group, separates === null ? queueFigures(NO_VISITORS) : await figures([group]));
  return { by: 'group', groups: found };
}

/** Null where the queue is not measured, or not for the group alone. */
export function queueIn(queues: MeasuredQueues, group: number): QueueFigures | null {
  return 'groups' in queues ? (queues.groups.get(group) ?? null) : null;
}

const NO_VISITORS: Measures['queue'] = { served: 0, served_seconds: 0, left: 0, left_seconds: 0 };

/** From the sums of a range. */
export function queueFigures({ served, served_seconds, left, left_seconds }: Measures['queue']): QueueFigures {
  const seconds = served_seconds + left_seconds;
  return {
    waited: served + left,
    served,
    served_wait: served === 0 ? null : served_seconds / served,
    left,
    left_wait: left === 0 ? null : left_seconds / left,
    seconds,
    patience: left === 0 ? null : seconds / left,
  };
}
