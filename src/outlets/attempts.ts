// A request that is sent again while that can help, within a limited time.

import type { Clock } from '../base/model.ts';
import type { Exchange, ExchangeReply, ExchangeRequest } from '../service/exchange.ts';
import { parseRetryAfter, pauseAfter } from '../service/patience/pause.ts';

/** The reply, or why there is none. */
export type ExchangeEnd = Awaited<ReturnType<Exchange>>;

export interface OutletLine {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** [0, 1), for full jitter. */
  readonly random: () => number;
  /** After an abort nothing is sent again. */
  readonly signal: AbortSignal;
}

export interface AttemptPolicy {
  readonly attempts: number;
  /** Milliseconds for one attempt. */
  readonly attempt: number;
  readonly isAnswer: (reply: ExchangeReply) => boolean;
  /** Whether another attempt can help. */
  readonly isTemporary: (reply: ExchangeReply) => boolean;
  /** Milliseconds that a reply asks to wait; `Retry-After` when left out. */
  readonly waitOf?: (reply: ExchangeReply, now: number) => number;
}

/** Milliseconds for all attempts with their pauses. */
const DEADLINE = 60_000;

/** The last end, and how many attempts it took. `requestOf` makes the request of one attempt. */
export async function attempted(
  { exchange, clock, random, signal }: OutletLine,
  { attempts: most, attempt, isAnswer, isTemporary, waitOf = retryAfter }: AttemptPolicy,
  requestOf: (timeout: number) => ExchangeRequest,
): Promise<{ readonly end: ExchangeEnd; readonly attempts: number }> {
  const deadline = clock.now() + DEADLINE;
  for (let attempts = 1; ; attempts += 1) {
    const end = await exchange(requestOf(Math.min(attempt, deadline - clock.now())));
    const isLost = 'failure' in end;
    if (!isLost && isAnswer(end)) return { end, attempts };
    const mayHelp = isLost ? !LASTING.has(end.failure.kind) : isTemporary(end);
    if (!mayHelp || attempts === most || signal.aborted) return { end, attempts };
    const pause = pauseAfter(attempts, isLost ? 0 : waitOf(end, clock.now()), random);
    if (clock.now() + pause >= deadline) return { end, attempts };
    await clock.sleep(pause, signal);
    if (signal.aborted) return { end, attempts };
  }
}

const LASTING: ReadonlySet<string> = new Set(['aborted', 'tls', 'proxy', 'malformed', 'too-large']);

function retryAfter({ headers }: ExchangeReply, now: number): number {
  return parseRetryAfter(headers['retry-after'], now) ?? 0;
}
