// Compaction of a log: old events are reduced to what is still true.

import { isDeepStrictEqual } from 'node:util';
import { InternalError } from '../base/errors.ts';
import { changesIn, type RunEvents, runsIn, tallyOf, underNamesOfToday } from './changes.ts';
import type { LedgerEvent } from './events.ts';
import { fold, surviving } from './ledger.ts';
import { atOf, isAside, isCutShort, isImage, runOf } from './runs.ts';

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
  const index = Math.min(
    first(({ type }) => type === 'unknown'),
    Math.max(from(since), Math.min(from(recent), lastRunsIn(events, most))),
  );
  return wholeFrom(events, index);
}

/** The index, or one before it, that is inside of no run, and not between a run that was cut short and the one that ended it. */
function wholeFrom(events: readonly LedgerEvent[], index: number): number {
  const kept = new Set<string | null>();
  const keep = (from: number, to: number): void => {
    for (const event of events.slice(from, to))
      for (const run of [runOf(event), ...((event.type === 'run' && event.ends) || [])]) kept.add(run);
  };
  keep(index, events.length);
  let start = index;
  for (let before = index - 1; before >= 0; before -= 1) {
    const event = events[before];
    if (event === undefined || !kept.has(runOf(event))) continue;
    keep(before, start);
    start = before;
  }
  return start;
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
 * Reduces events before `since` (milliseconds since the epoch) to what is still true, and one for each run. Later events stay as they are, with `runs`
 * only as many of them; and so do all from the first that only a newer chatform knows: its meaning may depend on the events around it. Returns the same
 * list when that is not longer.
 */
export function compact(
  events: readonly LedgerEvent[],
  since: number,
  runs: KeptRuns = { most: Number.POSITIVE_INFINITY, recent: since },
): readonly LedgerEvent[] {
  const index = keptFrom(events, since, runs);
  const [old, kept] = [events.slice(0, index), events.slice(index)];
  const marks = runsIn(underNamesOfToday(events).slice(0, index)).map(markOf);
  const shorter = [...surviving(old), ...marks, ...kept];
  // A wrong compaction would lose ownership, so the result is checked.
  if (!isDeepStrictEqual(fold(shorter), fold(events))) throw new InternalError('a compacted log says something else');
  return shorter.length < events.length ? shorter : events;
}

/** One event for each run: its end, or the beginning of one that was killed, with what the history tells of it. */
function markOf({ id, events }: RunEvents): LedgerEvent {
  const end = events.findLast((event) => event.type === 'run');
  const begun = events.find((event) => event.type === 'begun');
  const mark = end ?? begun;
  if (mark?.compacted !== undefined) return mark;
  const [began = ''] = events.flatMap((event) => (isAside(event) ? [] : [atOf(event)]));
  const hasImages = events.some((event) => event.type !== 'killed' && isImage(event));
  const undoes = begun?.undoes === undefined ? {} : { undoes: begun.undoes };
  const compacted = { began, changes: tallyOf(changesIn(events)), values: hasImages, ...undoes };
  const by = begun?.by === undefined ? {} : { by: begun.by };
  return { ...by, ...(mark ?? { v: 1, at: began, run: id, type: 'begun', command: '' }), compacted };
}
