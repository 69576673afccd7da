// A client in, a patient client out: what may be sent again is, after a pause. Creates are not, unless nothing of them can have arrived.

import { ApiError, type ApiFailure } from '../errors.ts';
import type { Clock, Json, JsonObject } from '../model.ts';
import { ACTIONS, type ActionName } from '../service/actions.ts';
import type { Client } from '../service/client.ts';
import { createLimiter } from './limiter.ts';

export interface Patience {
  readonly clock: Clock;
  /** [0, 1), for full jitter. */
  readonly random: () => number;
  /** Requests under way at once, at the start. */
  readonly concurrency: number;
  /** Aborting it ends the patience: nothing is sent again. */
  readonly signal?: AbortSignal;
  readonly onWait?: (wait: {
    readonly action: string;
    readonly milliseconds: number;
    readonly failure: ApiFailure;
  }) => void;
}

const ATTEMPTS = 5;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;

/** Who is asked to wait for longer comes back another time. */
const LONGEST_ASKED = 300_000;

/** Refused before it was looked at: safe to send again, whatever it is. */
const NEVER_STARTED = new Set(['connection', 'timeout', 'too_many_requests', 'service_unavailable']);

/** What can have taken effect is sent again only where doing it twice is doing it once. */
function maySendAgain(action: ActionName, failure: ApiFailure): boolean {
  if (failure.type === 'aborted' || (failure.retryAfter ?? 0) > LONGEST_ASKED) return false;
  if (!failure.ambiguous) return NEVER_STARTED.has(failure.type);
  return ACTIONS[action].effect !== 'create';
}

/** Full jitter: anywhere between nothing and the ceiling, but never before `Retry-After`. */
function pause(attempt: number, failure: ApiFailure, random: () => number): number {
  const ceiling = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt);
  return Math.max(failure.retryAfter ?? 0, Math.round(random() * ceiling));
}

/** The run was stopped while the request waited for its turn. */
function unsent(action: ActionName): ApiError {
  return new ApiError({
    action,
    type: 'aborted',
    message: 'stopped before it was sent',
    status: null,
    ambiguous: false,
    debugId: null,
    retryAfter: null,
    data: null,
  });
}

export function patient(client: Client, { clock, random, concurrency, signal, onWait }: Patience): Client {
  const limiter = createLimiter(concurrency);
  const interrupted = (): boolean => signal?.aborted === true;

  async function insist<T>(action: ActionName, stop: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
    for (let attempt = 0, last: ApiError | null = null; ; attempt += 1) {
      try {
        return await limiter.run(async () => {
          if (stop?.aborted === true) throw last ?? unsent(action);
          return send();
        });
      } catch (error) {
        // Refused now, but sent before: what became of that is the truth.
        if (error instanceof ApiError && error.failure.type === 'aborted' && last !== null) throw last;
        if (!(error instanceof ApiError) || attempt + 1 >= ATTEMPTS || interrupted()) throw error;
        if (!maySendAgain(action, error.failure)) throw error;
        const milliseconds = pause(attempt, error.failure, random);
        onWait?.({ action, milliseconds, failure: error.failure });
        await clock.sleep(milliseconds, signal);
        if (interrupted()) throw error;
        last = error;
      }
    }
  }

  return {
    ...client,
    call: (action: ActionName, body: JsonObject, options): Promise<Json> =>
      insist(action, options?.stop, () => client.call(action, body, options)),
    batch: (action, bodies, options) => insist(action, options?.stop, () => client.batch(action, bodies, options)),
  };
}
