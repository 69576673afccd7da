// The requests that all clients with one token send together: so many a second, and none while the service refuses them as too many.

import pLimit from 'p-limit';
import { digest } from '../../base/digest.ts';
import type { Clock } from '../../base/model.ts';
import type { Credential } from '../credential.ts';
import { LONGEST_ASKED } from './policy.ts';

export interface Budget {
  /**
   * Resolves when a request may be sent, in the order of the calls: at most a fifth of a second's at once, or one. Rejects where the count is kept elsewhere, and
   * cannot be asked for. @returns false when `signal` was aborted before
   */
  readonly turn: (signal: AbortSignal) => Promise<boolean>;
  /** No request before that time, in milliseconds since the epoch; at most as far ahead as a request waits at all. */
  readonly close: (until: number) => void;
}

export interface BudgetOptions {
  /** Requests a second; null without a limit. */
  readonly rate: number | null;
  readonly clock: Clock;
}

/** A budget of this process. */
export function createBudget({ rate, clock }: BudgetOptions): Budget {
  const alone = pLimit(1);
  const burst = Math.max(1, Math.floor((rate ?? 1) / 5));
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

/** A budget for each token. Its key is a digest of the token. */
export function budgetPerToken(make: (key: string) => Budget): (credential: Credential) => Budget {
  const budgets = new Map<string, Budget>();
  return ({ token }) => {
    const key = digest(token);
    const budget = budgets.get(key) ?? make(key);
    budgets.set(key, budget);
    return budget;
  };
}
