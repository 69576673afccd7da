// How long something has been awaited in; when to look again, out. Each look costs its owner money, and each second a person's patience.

/** Milliseconds. */
const SHORTEST_PAUSE = 1_000;

/** What shows is seen at most a fifth later than it showed, or a second. So looks grow with the logarithm of the wait: 7 in 5 s, 24 in 120 s. */
export function pauseAfter(elapsed: number): number {
  return Math.max(SHORTEST_PAUSE, elapsed / 5);
}
