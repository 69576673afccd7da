// The clock of this process, and what its timers can count.

import type { Clock } from '../../base/model.ts';

/** Milliseconds; a timer that is set to more fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, Math.min(milliseconds, LONGEST_TIMER));
      if (signal?.aborted === true) finish();
      else signal?.addEventListener('abort', finish);
    }),
};
