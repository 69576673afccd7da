// Compaction of a log: old events are reduced to what is still true.

import { isDeepStrictEqual } from 'node:util';
import { InternalError } from '../base/errors.ts';
import { changesIn, runsIn, tallyOf } from './changes.ts';
import type { LedgerEvent } from './events.ts';
import { fold, surviving } from './ledger.ts';
import { isCutShort, isImage } from './runs.ts';

/** How much of the later events a compaction keeps. */
export interface KeptRuns {
  /** Bytes of whole runs, the newest first; the last run that changed something is kept in any case. */
  readonly most: number;
  /** Milliseconds since the epoch: all events from then on are kept. */
  readonly recent: number;
}

/** Index of the first event that a compaction leaves as it is, with all after it. */
export function keptFrom(events: readonly LedgerEvent[], since: number, { most, recent }: KeptRuns): number {
  const first = (isMeant: (event: LedgerEvent) => boolean): number => {
    const index = events.findIndex(isMeant);
    return index === -1 ? events.length : index;
  };
  const from = (time: number): number => first((event) => event.type !== 'unknown' && Date.parse(event.at) >= time);
  return Math.min(
    first(({ type }) => type === 'unknown'),
    Math.max(from(since), Math.min(from(recent), lastRunsIn(events, most))),
  );
}

/** Where the newest runs begin that have at most so many bytes together. What was cut short is never told apart from what finished it. */
function lastRunsIn(events: readonly LedgerEvent[], most: number): number {
  const tail = { start: events.length, isWhole: false };
  let [size, hasImage] = [0, false];
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event === undefined) continue;
    if (event.type === 'run' && !isCutShort(event)) {
      if (size > most && hasImage) return tail.isWhole ? tail.start : index + 1;
      tail.start = index + 1;
      tail.isWhole = hasImage;
    }
    if (isImage(event)) hasImage = true;
    size += JSON.stringify(event).length;
  }
  return size > most && tail.isWhole ? tail.start : 0;
}

/**
 * Reduces events before `since` (milliseconds since the epoch) to what is still true. Later events stay as they are, with `runs` only as many of
 * them, and of the others that a run ended; and so do all from the first that only a newer chatform knows: its meaning may depend on the events around
 * it. Returns the same list when that is not longer.
 */
export function compact(
  events: readonly LedgerEvent[],
  since: number,
  runs: KeptRuns = { most: Number.POSITIVE_INFINITY, recent: since },
): readonly LedgerEvent[] {
  const index = keptFrom(events, since, runs);
  const [old, kept] = [events.slice(0, index), events.slice(index)];
  const ended = endsSince(events, index, since);
  const shorter = [...surviving(old), ...ended, ...kept];
  // A wrong compaction would lose ownership, so the result is checked.
  if (!isDeepStrictEqual(fold(shorter), fold(events))) throw new InternalError('a compacted log says something else');
  return shorter.length < events.length ? shorter : events;
}

/** Ends of runs from `since` on among the first `count` events, with how many objects each run changed. */
function endsSince(events: readonly LedgerEvent[], count: number, since: number): readonly LedgerEvent[] {
  const isMeant = (event: LedgerEvent): boolean => event.type === 'run' && Date.parse(event.at) >= since;
  const old = events.slice(0, count);
  if (!old.some(isMeant)) return [];
  const changes = new Map(runsIn(old).map((run) => [run.id, tallyOf(changesIn(run.events))]));
  return old.filter(isMeant).map((event) => {
    const tally = event.type === 'run' ? (changes.get(event.run) ?? {}) : {};
    return Object.keys(tally).length === 0 ? event : { ...event, changes: tally };
  });
}
