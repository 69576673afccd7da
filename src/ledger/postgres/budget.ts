// The requests that all processes with one token send together, counted in a database by the clock of its server.

import type { Budget, BudgetOptions } from '../../service/patience/budget.ts';
import { LONGEST_ASKED } from '../../service/patience/policy.ts';
import type { Database } from './database.ts';

export interface DatabaseBudgetOptions extends BudgetOptions {
  /** Of the token. Never the token itself. */
  readonly key: string;
}

/** Milliseconds after which a process without a rate looks again whether another one closed the budget. */
const LOOK = 900;

interface Turn {
  readonly end: (isReady: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** `due`: when one more request is promised, by the clock of the server; `wait`: the milliseconds until then. Null where all were granted. */
type Taken = { readonly granted: number; readonly due: string | null; readonly wait: number | null };

export function databaseBudget(database: Database, { key, rate, clock }: DatabaseBudgetOptions): Budget {
  /** In the order of the calls. */
  let waiting: Turn[] = [];
  let asking = false;
  /** Aborted when the last one that waits gives up. */
  let left = new AbortController();
  /** The request that is promised to this process. */
  let due: string | null = null;
  /** When this process may go on after a refusal that it got itself. */
  let opens = 0;
  /** When a question was sent to which the answer was that requests need not ask. */
  let open = -Infinity;

  /** One question at a time, for all that wait. What is granted to some that gave up meanwhile is lost. */
  async function serve(): Promise<void> {
    asking = true;
    try {
      while (waiting.length > 0) {
        const asked = clock.now();
        const { granted, wait } = opens > asked ? { granted: 0, wait: opens - asked } : await taken(waiting.length);
        const isClosed = opens > clock.now();
        if (rate === null && granted > 0 && !isClosed) open = asked;
        for (const { end } of isClosed ? [] : waiting.splice(0, granted)) end(true);
        if (waiting.length > 0) await clock.sleep(Math.ceil(wait ?? 0), left.signal);
      }
    } catch (error) {
      for (const { fail } of waiting.splice(0)) fail(error);
    }
    asking = false;
  }

  /** A question that is asked again after its answer was lost only wastes requests. */
  async function taken(count: number): Promise<Taken> {
    const [row] = await database.query<Taken>(
      'select granted, due::text as due, wait from chatform.take_requests($1, $2, $3, $4)',
      [key, rate, count, due],
    );
    due = row?.due ?? null;
    return row ?? { granted: 0, due, wait: 0 };
  }

  return {
    turn: (signal) => {
      if (signal.aborted) return Promise.resolve(false);
      if (waiting.length === 0 && clock.now() < open + LOOK) return Promise.resolve(true);
      return new Promise((resolve, reject) => {
        const over = (): void => signal.removeEventListener('abort', stop);
        const turn: Turn = {
          end: (isReady) => {
            over();
            resolve(isReady);
          },
          fail: (error) => {
            over();
            reject(error);
          },
        };
        const stop = (): void => {
          waiting = waiting.filter((other) => other !== turn);
          turn.end(false);
          if (waiting.length > 0) return;
          left.abort();
          left = new AbortController();
        };
        signal.addEventListener('abort', stop);
        waiting.push(turn);
        if (!asking) void serve();
      });
    },
    close: (until) => {
      const now = clock.now();
      const end = Math.min(until, now + LONGEST_ASKED);
      opens = Math.max(opens, end);
      open = -Infinity;
      // A server that is away is what the next question finds.
      void database
        .query("select chatform.close_budget($1, $2 * interval '1 ms')", [key, Math.max(0, end - now)])
        .catch(() => {});
    },
  };
}
