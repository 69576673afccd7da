// The visits of a play in the order of their next moments. Knows nothing of what happens in a visit.

import type { Visit } from './visit.ts';

interface AgendaEntry {
  readonly at: number;
  readonly visit: Visit;
}

/** The visits that have not ended. */
export interface Agenda {
  /** Puts a visit where it goes on at a moment; it takes nothing from its former place. */
  readonly add: (entry: AgendaEntry) => void;
  /** The earliest moment; Infinity when there is none. */
  readonly next: () => number;
  /** Takes the visits out that go on by `at`, the earliest first. */
  readonly take: (at: number) => readonly Visit[];
  /** Takes one out before its time. */
  readonly remove: (visit: Visit) => void;
  /** All of them. */
  readonly visits: () => readonly Visit[];
}

export function createAgenda(): Agenda {
  /** The latest first, so that the earliest is taken from the end. */
  const entries: AgendaEntry[] = [];

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

  function take(at: number): readonly Visit[] {
    const due: Visit[] = [];
    for (let last = entries.at(-1); last !== undefined && last.at <= at; last = entries.at(-1)) {
      due.push(last.visit);
      entries.pop();
    }
    return due;
  }

  return {
    add,
    next: () => entries.at(-1)?.at ?? Infinity,
    take,
    remove: (visit) => {
      const at = entries.findIndex((entry) => entry.visit === visit);
      if (at !== -1) entries.splice(at, 1);
    },
    visits: () => entries.map((entry) => entry.visit).reverse(),
  };
}
