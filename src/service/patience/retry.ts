// A client that retries: it sends failed requests again where that is safe, after a pause, and limits concurrent requests to what the service accepts.

import pLimit from 'p-limit';
import { ApiError, type ApiFailure, unstatedFailure } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import type { CallOptions, Client } from '../client.ts';
import type { CallResult } from '../reply.ts';
import type { Budget } from './budget.ts';
import { isOutOfTime } from './deadline.ts';
import { pauseAfter } from './pause.ts';
import { maySendAgain } from './policy.ts';

export interface RetryPatience {
  readonly clock: Clock;
  /** [0, 1), for full jitter. */
  readonly random: () => number;
  /** Requests under way at once, at the start. */
  readonly concurrency: number;
  /** Aborting it ends the patience: nothing is sent again. */
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch: a pause that would end later is not begun. */
  readonly deadline?: number;
  /** Milliseconds after the first attempt of a request: a pause that would end later is not begun. */
  readonly within?: number;
  /** Shared by all clients with this token. */
  readonly budget?: Budget;
  readonly onWait?: (wait: {
    readonly action: string;
    readonly milliseconds: number;
    readonly failure: ApiFailure;
    /** How many attempts there were until now. */
    readonly attempt: number;
  }) => void;
}

/** The run was stopped while the request waited for its turn. */
function unsent(action: string, reason: unknown): ApiFailure {
  const message = isOutOfTime(reason) ? reason.message : 'stopped before it was sent';
  return unstatedFailure({ action, type: 'aborted', message });
}

function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiError) return error.failure;
  throw error;
}

/** The end of one request: a result for each item, or one failure of the whole. */
type RequestEnd = readonly CallResult[] | ApiFailure;

function isWhole(end: RequestEnd): end is ApiFailure {
  return !Array.isArray(end);
}

/** Of the request, or of its items. */
function failuresIn(end: RequestEnd): readonly ApiFailure[] {
  return isWhole(end) ? [end] : end.flatMap((result) => ('error' in result ? [result.error] : []));
}

const isOverload = ({ type }: ApiFailure): boolean => type === 'too_many_requests';

type RunInTurn = (task: () => Promise<RequestEnd>) => Promise<RequestEnd>;

/** Runs `width` requests at once; halves on an overload, and recovers by one with every request that the service took. */
function limiter(width: number): RunInTurn {
  const limit = pLimit(width);
  return (task) =>
    limit(async () => {
      const end = await task();
      if (failuresIn(end).some(isOverload)) limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
      else if (!isWhole(end)) limit.concurrency = Math.min(width, limit.concurrency + 1);
      return end;
    });
}

/** A result for each item, in their order, and the failure of the request as a whole; null when it did not fail. */
interface BatchEnd {
  readonly results: readonly CallResult[];
  readonly whole: ApiFailure | null;
}

/**
 * Sends the items at `places`, in halves when the service refuses them as too large: the specification states no limit of a batch, and no error for
 * more. Two single items that are both refused show that size is not the reason, and the rest is not tried: 100 items cost eight requests then.
 */
async function inHalves(
  places: readonly number[],
  send: (places: readonly number[]) => Promise<BatchEnd>,
): Promise<BatchEnd> {
  const sent = await send(places);
  if (!isTooLarge(sent) || places.length < 2) return sent;
  const middle = Math.ceil(places.length / 2);
  const first = await inHalves(places.slice(0, middle), send);
  if (isTooLarge(first) && middle > 1) return sent;
  const second = await inHalves(places.slice(middle), send);
  if (isTooLarge(first) && isTooLarge(second)) return sent;
  return { results: [...first.results, ...second.results], whole: null };
}

/** Perhaps: a wrong item fails in its own slot, so a batch that is refused without slots was not read, and none of it was done. */
function isTooLarge({ whole }: BatchEnd): boolean {
  return whole !== null && !whole.ambiguous && (whole.status === 413 || whole.type === 'validation');
}

type Send = (open: readonly number[], options: CallOptions) => Promise<readonly CallResult[]>;

/** Milliseconds for which a budget is closed after a 429 without `Retry-After`. */
const UNSTATED = 1_000;

export function patient<A extends string, V extends string>(
  client: Client<A, V>,
  patience: RetryPatience,
): Client<A, V> {
  const { clock, random, concurrency, signal, deadline = Infinity, within = Infinity, budget, onWait } = patience;
  const runInTurn = limiter(concurrency);
  /** `Retry-After` holds all requests: an earlier one would only be refused, and billed. */
  let notBefore = 0;

  function haltOf({ stop, signal: giveUp }: CallOptions): AbortSignal {
    return AbortSignal.any([signal, stop, giveUp].filter((each) => each !== undefined));
  }

  /** What is asked for after the run was stopped is not meant by that: it waits for its turn like others. */
  function haltOfTurn(options: CallOptions): AbortSignal {
    const { stop, signal: giveUp } = options;
    if (signal?.aborted !== true) return haltOf(options);
    return AbortSignal.any([stop, giveUp].filter((each) => each !== undefined));
  }

  function inTurn(action: A, open: readonly number[], options: CallOptions, send: Send): Promise<RequestEnd> {
    const turnHalt = haltOfTurn(options);
    return runInTurn(async () => {
      const halt = haltOf(options);
      if (notBefore > clock.now()) await clock.sleep(notBefore - clock.now(), halt);
      if (budget !== undefined && !(await budget.turn(turnHalt))) return unsent(action, turnHalt.reason);
      const halted = [options.stop, options.signal].find((each) => each?.aborted === true);
      if (halted !== undefined) return unsent(action, halted.reason);
      const end = await ended(open, options, send);
      for (const { retryAfter } of failuresIn(end).filter(isOverload))
        budget?.close(clock.now() + (retryAfter ?? UNSTATED));
      return end;
    });
  }

  async function ended(open: readonly number[], options: CallOptions, send: Send): Promise<RequestEnd> {
    try {
      await options.leaving?.(open);
      return await send(open, options);
    } catch (error) {
      return failureOf(error);
    }
  }

  /**
   * Sends the items at `places` until none of them may be sent again; items that ended are not sent again. `unsure` collects the items that an
   * attempt may have done without an answer.
   */
  async function insist(
    action: A,
    places: readonly number[],
    unsure: Set<number>,
    given: CallOptions,
    send: Send,
  ): Promise<BatchEnd> {
    const results = new Map<number, CallResult>();
    const end = Math.min(deadline, clock.now() + within);
    let open = places;
    let whole: ApiFailure | null = null;
    const mayRepeat = (failure: ApiFailure, attempt: number): boolean =>
      given.upload?.isReadOnce !== true && maySendAgain(client.api.actions[action], failure, attempt);
    for (let attempt = 1; ; attempt += 1) {
      const sent = await inTurn(action, open, { ...given, attempt }, send);
      // Stopped while it waited for its turn: the failure that made it wait is the one to report.
      if (isWhole(sent) && sent.type === 'aborted' && sent.status === null && !sent.ambiguous && attempt > 1) break;
      whole = isWhole(sent) && open.length === places.length ? sent : null;
      open.forEach((index, position) => {
        const end: CallResult | undefined = isWhole(sent) ? { error: sent } : sent[position];
        if (end !== undefined) results.set(index, marked(end, unsure.has(index)));
      });
      if (whole !== null && unsure.size > 0) whole = { ...whole, repeated: true };
      const failures = open.flatMap((index) => {
        const end = results.get(index);
        return end !== undefined && 'error' in end && mayRepeat(end.error, attempt)
          ? [{ index, failure: end.error }]
          : [];
      });
      const halt = AbortSignal.any([haltOf(given), ...(given.enough === undefined ? [] : [given.enough])]);
      const [first] = failures;
      if (first === undefined || halt.aborted) break;
      const asked = Math.max(...failures.map(({ failure }) => failure.retryAfter ?? 0));
      const milliseconds = pauseAfter(attempt, asked, random);
      if (clock.now() + milliseconds >= end) break;
      notBefore = Math.max(notBefore, clock.now() + asked);
      for (const { index, failure } of failures) if (failure.ambiguous) unsure.add(index);
      onWait?.({ action, milliseconds, failure: first.failure, attempt });
      await clock.sleep(milliseconds, halt);
      if (halt.aborted) break;
      open = failures.map(({ index }) => index);
    }
    return { results: places.flatMap((place) => results.get(place) ?? []), whole };
  }

  return {
    ...client,
    call: async (action, body, options = {}) => {
      const { results } = await insist(action, [0], new Set(), options, async (_, how) => [
        { ok: await client.call(action, body, how) },
      ]);
      const [end] = results;
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
      const { results, whole } = await inHalves(
        bodies.map((_, place) => place),
        (places) => insist(action, places, unsure, options, sendOpen),
      );
      if (whole !== null) throw new ApiError(whole);
      return results;
    },
  };
}

function marked(end: CallResult, wasUnsure: boolean): CallResult {
  return wasUnsure && 'error' in end ? { error: { ...end.error, repeated: true } } : end;
}
