// Waiting for a slot by queueing theory: Little's law and Erlang C. Chats come at random, and wait as long as they have to.

/** Seconds: a chat that would wait longer than the hour it came in is in another hour, of which the formula knows nothing. */
export const LONGEST_WAIT = 3600;

export interface Waiting {
  /** Share of the chats that wait, from 0 to 1. */
  readonly share: number;
  /** Mean wait of all chats in seconds, at most LONGEST_WAIT. */
  readonly seconds: number;
}

/** Chats at once on average, by Little's law. `length` in seconds. */
export function atOnce(perHour: number, length: number): number {
  return (perHour * length) / 3600;
}

/**
 * Share of the chats that wait, by Erlang C. `load` is chats at once on average, `slots` a whole number. Without a load no chat waits; with as many
 * chats at once as slots, or more, each one does.
 */
export function erlangC(load: number, slots: number): number {
  if (load <= 0) return 0;
  if (load >= slots) return 1;
  // Erlang B by its recursion: the powers and factorials of the closed form overflow from some hundred slots on.
  let blocked = 1;
  for (let servers = 1; servers <= slots; servers += 1) blocked = (load * blocked) / (servers + load * blocked);
  return (slots * blocked) / (slots - load * (1 - blocked));
}

/** `length` in seconds. */
export function waitingFor(load: number, slots: number, length: number): Waiting {
  const share = erlangC(load, slots);
  if (share === 0) return { share, seconds: 0 };
  if (load >= slots) return { share, seconds: LONGEST_WAIT };
  return { share, seconds: Math.min(LONGEST_WAIT, (share * length) / (slots - load)) };
}
