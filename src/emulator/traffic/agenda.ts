// The visits of a play in the order of their next moments. Knows nothing of what happens in a visit.

import { MINUTE } from '../../base/zone.ts';
import type { PlayedVisit } from './visit.ts';

interface AgendaEntry {
  readonly at: number;
  readonly visit: PlayedVisit;
}

/** The visits that have not ended. */
export interface Agenda {
  /** A visit that begins at a moment. */
  readonly add: (entry: AgendaEntry) => void;
  /** The earliest moment at which a visit may go on after `now`; Infinity when there is none. */
  readonly next: (now: number) => number;
  /** Takes the visits out that go on by `at`, the earliest first; before them those whose thread no longer `waits`. */
  readonly take: (at: number, waits: (thread: string) => boolean) => readonly PlayedVisit[];
  /** Lets a visit go on, and puts it where it does so next. */
  readonly resume: (visit: PlayedVisit) => void;
  /** All of them, the earliest first. */
  readonly visits: () => readonly PlayedVisit[];
}

export function createAgenda(): Agenda {
  /** The latest first, so that the earliest is taken from the end. */
  const entries: AgendaEntry[] = [];
  /** Visits in a thread that waits for an agent. */
  const waiting = new Map<PlayedVisit, string>();

  function add(entry: AgendaEntry): void {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      // Of one moment, the one that was added first goes on first.
      if ((entries[middle]?.at ?? 0) > entry.at) low = middle + 1;
      else high = middle;
    }
    entries.splice(low, 0, entry);
  }

  function take(at: number, waits: (thread: string) => boolean): readonly PlayedVisit[] {
    const found = Array.from(waiting).flatMap(([visit, thread]) => (waits(thread) ? [] : [visit]));
    for (const visit of found)
      entries.splice(
        entries.findIndex((entry) => entry.visit === visit),
        1,
      );
    for (let last = entries.at(-1); last !== undefined && last.at <= at; last = entries.at(-1)) {
      found.push(last.visit);
      entries.pop();
    }
    for (const visit of found) waiting.delete(visit);
    return found;
  }

  return {
    add,
    next: (now) => {
      // Shifts begin with a minute, and then those who wait may be served.
      const shift = waiting.size === 0 ? Infinity : (Math.floor(now / MINUTE) + 1) * MINUTE;
      return Math.min(entries.at(-1)?.at ?? Infinity, shift);
    },
    take,
    resume: (visit) => {
      const { value, done } = visit.next();
      if (done === true) return;
      add({ at: value.until, visit });
      if (value.waiting !== undefined) waiting.set(visit, value.waiting);
    },
    visits: () => entries.map(({ visit }) => visit).reverse(),
  };
}
