// Waiting for a slot by queueing theory: Little's law and Erlang A (M/M/n+M), of which Erlang C is the case without an end of patience. Chats come at random.

/** Seconds: a chat that would wait longer than the hour it came in is in another hour, of which the formula knows nothing. */
export const LONGEST_WAIT = 3600;

export interface Waiting {
  /** Share of the chats that wait, from 0 to 1. */
  readonly share: number;
  /** Mean wait of all chats in seconds, also of those that leave; at most LONGEST_WAIT. */
  readonly seconds: number;
  /** Share of the chats that leave before an agent takes them; null where the patience is not known. */
  readonly leaves: number | null;
}

/** Chats at once on average, by Little's law. `length` in seconds. */
export function atOnce(perHour: number, length: number): number {
  return (perHour * length) / 3600;
}

/**
 * `load` is chats at once on average, `slots` a whole number; `length` and `patience` are means in seconds. Without a patience every chat waits as long as
 * it has to (Erlang C): with as many chats at once as slots, or more, each one waits.
 */
export function waitingFor(load: number, slots: number, length: number, patience: number | null): Waiting {
  if (load <= 0) return { share: 0, seconds: 0, leaves: patience === null ? null : 0 };
  if (patience === null && load >= slots) return { share: 1, seconds: LONGEST_WAIT, leaves: null };
  const queue =
    patience === null
      ? endlessQueue(load / slots)
      : impatientQueue((load * patience) / length, (slots * patience) / length);
  const blocked = erlangB(load, slots);
  // Chances of the states with a free slot, next to those of the queue.
  const free = blocked === 0 ? Infinity : (queue.empty * (1 - blocked)) / blocked;
  const all = queue.chances + free;
  // Little's law, for the queue alone.
  const seconds = ((queue.waiting / all) * length) / load;
  return {
    share: queue.chances / all,
    seconds: Math.min(LONGEST_WAIT, seconds),
    leaves: patience === null ? null : Math.min(1, seconds / patience),
  };
}

/** By its recursion: the powers and factorials of the closed form overflow from some hundred slots on. */
function erlangB(load: number, slots: number): number {
  let blocked = 1;
  for (let servers = 1; servers <= slots; servers += 1) blocked = (load * blocked) / (servers + load * blocked);
  return blocked;
}

/** The states in which every slot is taken, by how many chats wait. All are relative to one of them. */
interface QueueChances {
  /** Chance that no chat waits. */
  readonly empty: number;
  /** Of all these states together. */
  readonly chances: number;
  /** Of each state, times the chats that wait in it. */
  readonly waiting: number;
}

/** No visitor leaves. `busy` is the load of one slot, below 1. */
function endlessQueue(busy: number): QueueChances {
  return { empty: 1, chances: 1 / (1 - busy), waiting: busy / (1 - busy) ** 2 };
}

/** Chances below this part of the sum add nothing to it. */
const NEGLIGIBLE = 1e-17;

/**
 * With k chats waiting, the chance is `arrivals / (service + k)` of that with one less; both are numbers within the mean patience. The sum begins with the
 * largest chance, because the first one may be too small for a number.
 */
function impatientQueue(arrivals: number, service: number): QueueChances {
  const mode = Math.max(0, Math.floor(arrivals - service));
  let [chances, waiting] = [1, mode];
  let chance = 1;
  for (let more = mode + 1; chance > chances * NEGLIGIBLE; more += 1) {
    chance *= arrivals / (service + more);
    chances += chance;
    waiting += more * chance;
  }
  let empty = 1;
  for (let more = mode; more > 0 && empty > 0; more -= 1) {
    empty *= (service + more) / arrivals;
    chances += empty;
    waiting += (more - 1) * empty;
  }
  return { empty, chances, waiting };
}
