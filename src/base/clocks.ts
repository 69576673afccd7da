// How far two clocks differ: that of this machine, and one that tells whole seconds, as the header `Date` does.

/** Milliseconds within which two clocks count as agreeing. */
export const AGREEING = 10_000;

/** By how many milliseconds the clock that told a time between `sent` and `received` is ahead at least; 0 where both can agree. */
export function aheadBy(serverTime: number, sent: number, received: number): number {
  // The true time may exceed the second that was told by almost one.
  return serverTime > received ? serverTime - received : Math.min(0, serverTime + 1000 - sent);
}
