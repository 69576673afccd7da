// A client in, a patient client out: what may be sent again is, after a pause, and never more at once than the service bears. What may be is
// decided by the policy.

import { ApiError, type ApiFailure } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import type { ActionName } from '../actions.ts';
import type { CallOptions, Client } from '../client.ts';
import type { Outcome } from '../reply.ts';
import { isOutOfTime } from './deadline.ts';
import { type Answered, inHalves } from './halves.ts';
import { createLimiter, type Verdict } from './limiter.ts';
import { pauseAfter } from './pause.ts';
import { maySendAgain } from './policy.ts';

export interface Patience {
  readonly clock: Clock;
  /** [0, 1), for full jitter. */
  readonly random: () => number;
  /** Requests under way at once, at the start. */
  readonly concurrency: number;
  /** Aborting it ends the patience: nothing is sent again. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch: a pause that would end later is not begun. */
  readonly deadline?: number;
  readonly onWait?: (wait: {
    readonly action: string;
    readonly milliseconds: number;
    readonly failure: ApiFailure;
    /** How many attempts there were until now. */
    readonly attempt: number;
  }) => void;
}

/** The run was stopped while the request waited for its turn. */
function unsent(action: ActionName, reason: unknown): ApiFailure {
  return {
    action,
    type: 'aborted',
    message: isOutOfTime(reason) ? reason.message : 'stopped before it was sent',
    status: null,
    ambiguous: false,
    debugId: null,
    retryAfter: null,
    data: null,
  };
}

function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiError) return error.failure;
  throw error;
}

/** What one sending came to: an outcome for each item, or one failure of the whole. */
type Sent = readonly Outcome[] | ApiFailure;

function isWhole(sent: Sent): sent is ApiFailure {
  return !Array.isArray(sent);
}

function verdictOf(sent: Sent): Verdict {
  const failures = isWhole(sent) ? [sent] : sent.flatMap((end) => ('error' in end ? [end.error] : []));
  if (failures.some(({ type }) => type === 'too_many_requests')) return 'overload';
  return isWhole(sent) ? 'neither' : 'fine';
}

type Send = (open: readonly number[], options: CallOptions) => Promise<readonly Outcome[]>;

export function patient(client: Client, patience: Patience): Client {
  const { clock, random, concurrency, signal, deadline, onWait } = patience;
  const limiter = createLimiter(concurrency);
  /** `Retry-After` holds everybody: whatever left before would only be refused, and billed. */
  let notBefore = 0;

  async function inTurn(action: ActionName, open: readonly number[], options: CallOptions, send: Send): Promise<Sent> {
    const task = async (): Promise<Sent> => {
      if (notBefore > clock.now()) await clock.sleep(notBefore - clock.now(), haltOf(options));
      const halted = [options.stop, options.signal].find((each) => each?.aborted === true);
      if (halted !== undefined) return unsent(action, halted.reason);
      try {
        await options.leaving?.(open);
        return await send(open, options);
      } catch (error) {
        return failureOf(error);
      }
    };
    return limiter.run(task, verdictOf);
  }

  function haltOf({ stop, signal: giveUp }: CallOptions): AbortSignal {
    return AbortSignal.any([signal, stop, giveUp].filter((each) => each !== undefined));
  }

  /**
   * Sends what is at `places` until nothing of it may be sent again. Items that ended stay out of the next sending. `unsure` are those that an
   * attempt may have done without an answer.
   */
  async function insist(
    action: ActionName,
    places: readonly number[],
    unsure: Set<number>,
    given: CallOptions,
    send: Send,
  ): Promise<Answered> {
    const outcomes = new Map<number, Outcome>();
    let open = places;
    let whole: ApiFailure | null = null;
    for (let attempt = 1; ; attempt += 1) {
      const sent = await inTurn(action, open, { ...given, attempt }, send);
      // Stopped while it waited for its turn: the failure that made it wait is the truth.
      if (isWhole(sent) && sent.type === 'aborted' && sent.status === null && !sent.ambiguous && attempt > 1) break;
      whole = isWhole(sent) && open.length === places.length ? sent : null;
      open.forEach((index, position) => {
        const end: Outcome | undefined = isWhole(sent) ? { error: sent } : sent[position];
        if (end !== undefined) outcomes.set(index, marked(end, unsure.has(index)));
      });
      if (whole !== null && unsure.size > 0) whole = { ...whole, repeated: true };
      const failures = open.flatMap((index) => {
        const end = outcomes.get(index);
        return end !== undefined && 'error' in end && maySendAgain(action, end.error, attempt)
          ? [{ index, failure: end.error }]
          : [];
      });
      const halt = haltOf(given);
      const [first] = failures;
      if (first === undefined || halt.aborted) break;
      const asked = Math.max(...failures.map(({ failure }) => failure.retryAfter ?? 0));
      const milliseconds = pauseAfter(attempt, asked, random);
      if (deadline !== undefined && clock.now() + milliseconds >= deadline) break;
      notBefore = Math.max(notBefore, clock.now() + asked);
      for (const { index, failure } of failures) if (failure.ambiguous) unsure.add(index);
      onWait?.({ action, milliseconds, failure: first.failure, attempt });
      await clock.sleep(milliseconds, halt);
      if (halt.aborted) break;
      open = failures.map(({ index }) => index);
    }
    return { outcomes: places.flatMap((place) => outcomes.get(place) ?? []), whole };
  }

  return {
    ...client,
    call: async (action, body, options = {}) => {
      const { outcomes } = await insist(action, [0], new Set(), options, async (_, how) => [
        { ok: await client.call(action, body, how) },
      ]);
      const [end] = outcomes;
      if (end === undefined || 'error' in end) throw new ApiError(end?.error ?? unsent(action, null));
      return end.ok;
    },
    batch: async (action, bodies, options = {}) => {
      const sendOpen: Send = (open, how) => {
        const chosen = new Set(open);
        return client.batch(
          action,
          bodies.filter((_, place) => chosen.has(place)),
          how,
        );
      };
      const unsure = new Set<number>();
      const { outcomes, whole } = await inHalves(
        bodies.map((_, place) => place),
        (places) => insist(action, places, unsure, options, sendOpen),
      );
      if (whole !== null) throw new ApiError(whole);
      return outcomes;
    },
  };
}

function marked(end: Outcome, wasUnsure: boolean): Outcome {
  return wasUnsure && 'error' in end ? { error: { ...end.error, repeated: true } } : end;
}
