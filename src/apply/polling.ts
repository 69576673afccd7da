// A pause in, the next one out: how often the service is looked at while something has yet to show. Each look costs its owner money.

/** Milliseconds. */
export const FIRST_PAUSE = 1_000;
export const LONGEST_PAUSE = 15_000;
const GROWTH = 1.5;

export function nextPause(pause: number): number {
  return Math.min(LONGEST_PAUSE, pause * GROWTH);
}
