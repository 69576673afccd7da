// Requests in, as many of them under way at once as the service bears, out. Knows nothing of what they do.

import pLimit from 'p-limit';
import { ApiError } from '../errors.ts';

export interface Limiter {
  /** Runs `task` when there is room. */
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  /** How many may be under way now. */
  readonly width: () => number;
}

/** Starts at `width`, halves on `too_many_requests`, and recovers by one with every success. */
export function createLimiter(width: number): Limiter {
  const limit = pLimit(width);
  const run = <T>(task: () => Promise<T>): Promise<T> =>
    limit(async () => {
      try {
        const result = await task();
        limit.concurrency = Math.min(width, limit.concurrency + 1);
        return result;
      } catch (error) {
        if (error instanceof ApiError && error.failure.type === 'too_many_requests') {
          limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
        }
        throw error;
      }
    });
  return { run, width: () => limit.concurrency };
}
