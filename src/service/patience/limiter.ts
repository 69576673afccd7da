// Requests in, as many of them under way at once as the service bears, out. Knows nothing of what they do.

import pLimit from 'p-limit';

/** Too many requests; as many as the service bears; or nothing about either. */
export type Verdict = 'overload' | 'fine' | 'neither';

export interface Limiter {
  /** Runs `task` when there is room; `judge` says what its result tells of the service. */
  readonly run: <T>(task: () => Promise<T>, judge: (result: T) => Verdict) => Promise<T>;
  /** How many may be under way now. */
  readonly width: () => number;
}

/** Starts at `width`, halves on an overload, and recovers by one with every result that is fine. */
export function createLimiter(width: number): Limiter {
  const limit = pLimit(width);
  const run = <T>(task: () => Promise<T>, judge: (result: T) => Verdict): Promise<T> =>
    limit(async () => {
      const result = await task();
      const verdict = judge(result);
      if (verdict === 'overload') limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
      if (verdict === 'fine') limit.concurrency = Math.min(width, limit.concurrency + 1);
      return result;
    });
  return { run, width: () => limit.concurrency };
}
