// The requests that all clients with one token send together: so many a second, and none while the service refuses them as too many.

import pLimit from 'p-limit';
import { digest } from '../../base/digest.ts';
import type { Clock } from '../../base/model.ts';
import type { Credential } from '../credential.ts';
import { LONGEST_ASKED } from './policy.ts';

export interface Budget {
  /** Resolves when a request may be sent, in the order of the calls. @returns false when `signal` was aborted before */
  readonly turn: (signal: AbortSignal) => Promise<boolean>;
  /** No request before that time, in milliseconds since the epoch; at most as far ahead as a request waits at all. */
  readonly close: (until: number) => void;
}

export interface BudgetOptions {
  /** Requests a second; null without a limit. */
  readonly rate: number | null;
  /** How many may be sent at once after a pause; at least 1. */
  readonly burst: number;
  readonly clock: Clock;
}

export function createBudget({ rate, burst, clock }: BudgetOptions): Budget {
  const alone = pLimit(1);
  /** Milliseconds that one request takes of the budget. */
  const cost = rate === null ? 0 : 1_000 / rate;
  /** When the budget is whole again. A request may be sent while that is at most `burst` requests ahead, itself included. */
  let whole = 0;
  let opens = 0;

  function readyAt(now: number): number {
    return Math.max(opens, Math.max(whole, now) + cost - burst * cost);
  }

  async function wait(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal.aborted) return false;
      const now = clock.now();
      // Timers count whole milliseconds.
      const left = Math.ceil(readyAt(now) - now);
      if (left <= 0) {
        whole = Math.max(whole, now) + cost;
        return true;
      }
      await clock.sleep(left, signal);
    }
  }

  return {
    turn: (signal) =>
      new Promise((resolve) => {
        const stop = (): void => resolve(false);
        signal.addEventListener('abort', stop);
        void alone(() => wait(signal)).then((isReady) => {
          signal.removeEventListener('abort', stop);
          resolve(isReady);
        });
      }),
    close: (until) => {
      const end = Math.min(until, clock.now() + LONGEST_ASKED);
      opens = Math.max(opens, end);
      // After a refusal the requests go on at the rate, without a burst.
      whole = Math.max(whole, opens + (burst - 1) * cost);
    },
  };
}

/** A budget for each token. Tokens are kept as digests. */
export function createBudgets({
  rate,
  clock,
}: Pick<BudgetOptions, 'rate' | 'clock'>): (credential: Credential) => Budget {
  const budgets = new Map<string, Budget>();
  const burst = Math.max(1, Math.floor((rate ?? 1) / 5));
  return ({ token }) => {
    const key = digest(token);
    const budget = budgets.get(key) ?? createBudget({ rate, burst, clock });
    budgets.set(key, budget);
    return budget;
  };
}
