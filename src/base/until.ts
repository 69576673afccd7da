// Looks again until something is so: pauses, deadlines and interruptions are the same wherever chatform waits for the state of something else.

import type { Clock } from './model.ts';

export interface Patience<T> {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly isEnough: (seen: T) => boolean;
  /** Milliseconds since the epoch from which on no more looks begin, but for one at it; default none. */
  readonly deadline?: number;
  /** Milliseconds to the next look. `elapsed`: since the first one began. */
  readonly pause: (elapsed: number, seen: T) => number;
  /** Called before each pause. */
  readonly onWait?: (elapsed: number, seen: T) => void;
}

/** What the last look returned: it is enough, or the deadline has passed, or the signal is aborted. */
export async function until<T>(
  look: (elapsed: number) => Promise<T>,
  { clock, signal, isEnough, deadline = Number.POSITIVE_INFINITY, pause, onWait = () => {} }: Patience<T>,
): Promise<T> {
  const started = clock.now();
  const isAborted = (): boolean => signal?.aborted === true;
  for (;;) {
    const seen = await look(clock.now() - started);
    const now = clock.now();
    if (isEnough(seen) || now >= deadline || isAborted()) return seen;
    const elapsed = now - started;
    onWait(elapsed, seen);
    await clock.sleep(Math.max(0, Math.min(pause(elapsed, seen), deadline - now)), signal);
    if (isAborted()) return seen;
  }
}
