// A message and a line in; whether it arrived, and in words why not, out: sent again for as long as that may help, within a minute. What is said of a
// failure never repeats where the message went. It must not know what the message says.

import { assertNever } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import type { Exchange, ExchangeFailure, ExchangeReply } from '../../service/exchange.ts';
import { parseRetryAfter, pauseAfter } from '../../service/patience/pause.ts';
import type { Message } from './channel.ts';

export interface Delivering {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** [0, 1), for full jitter. */
  readonly random: () => number;
  /** Aborting it ends the patience: nothing is sent again. */
  readonly signal: AbortSignal;
}

export interface Delivery {
  /** Null when it arrived. */
  readonly failure: string | null;
  /** Of the last answer; null when there was none. */
  readonly status: number | null;
  readonly attempts: number;
}

const ATTEMPTS = 5;

/** Milliseconds: for one attempt, and for all of them with their pauses. */
const ATTEMPT = 10_000;
const PATIENCE = 60_000;

type End = ExchangeReply | { readonly failure: ExchangeFailure };

/** Whoever gets it twice knows it by its id, so an attempt of which nobody knows the end is sent again, too. */
export async function deliver(message: Message, { exchange, clock, random, signal }: Delivering): Promise<Delivery> {
  const { url, body, headers } = message;
  const method = message.method === undefined ? {} : { method: message.method };
  const deadline = clock.now() + PATIENCE;
  for (let attempts = 1; ; attempts += 1) {
    const timeout = Math.min(ATTEMPT, deadline - clock.now());
    const end = await exchange({ ...method, url, body, headers: headers(clock.now()), timeout });
    const failure = failureOf(end);
    const ended = { failure, status: 'failure' in end ? null : end.status, attempts };
    if (failure === null || attempts === ATTEMPTS || signal.aborted || !mayPass(end)) return ended;
    const pause = pauseAfter(attempts, askedFor(end, clock.now()), random);
    if (clock.now() + pause >= deadline) return ended;
    await clock.sleep(pause, signal);
    if (signal.aborted) return ended;
  }
}

function askedFor(end: End, now: number): number {
  return 'failure' in end ? 0 : (parseRetryAfter(end.headers['retry-after'], now) ?? 0);
}

function mayPass(end: End): boolean {
  if (!('failure' in end)) return end.status === 429 || end.status >= 500;
  return ['timeout', 'refused', 'unreachable', 'dns', 'reset', 'other'].includes(end.failure.kind);
}

/** Null for a success. The system's own words may hold the address, so they are left out. */
function failureOf(end: End): string | null {
  if ('failure' in end) return lossOf(end.failure.kind);
  const { status } = end;
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `it answered ${status}, and where that leads to is not followed`
    : `it answered ${status}`;
}

function lossOf(kind: ExchangeFailure['kind']): string {
  switch (kind) {
    case 'timeout':
      return `no answer within ${ATTEMPT / 1000} s`;
    case 'aborted':
      return 'interrupted';
    case 'refused':
      return 'nobody listens there';
    case 'unreachable':
      return 'there is no way to it from here';
    case 'dns':
      return 'its host is not known';
    case 'tls':
      return 'its certificate is not trusted here, or it does not speak TLS';
    case 'proxy':
      return 'the proxy does not let it through';
    case 'reset':
      return 'the connection was lost';
    case 'malformed':
      return 'what answers there does not speak HTTP';
    case 'too-large':
      return 'its answer is larger than what is read';
    case 'other':
      return 'the request failed';
    default:
      return assertNever(kind);
  }
}
