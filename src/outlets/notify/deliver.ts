// The delivery of a message to a channel, sent again for as long as that can help. No text about a failure has the address of the channel.

import { assertNever } from '../../base/errors.ts';
import type { ExchangeFailure } from '../../service/exchange.ts';
import { attempted, type ExchangeEnd, type OutletLine } from '../attempts.ts';
import type { ChannelMessage } from './message.ts';

export interface Delivery {
  /** Null when it arrived. */
  readonly failure: string | null;
  /** Of the last answer; null when there was none. */
  readonly status: number | null;
  readonly attempts: number;
}

/** Milliseconds for one attempt. */
const ATTEMPT = 10_000;

const PATIENCE = {
  attempts: 5,
  attempt: ATTEMPT,
  isAnswer: ({ status }: { readonly status: number }) => status >= 200 && status < 300,
  isTemporary: ({ status }: { readonly status: number }) => status === 429 || status >= 500,
};

/** A lost answer is sent again as well: a receiver that gets a notification twice knows it by its id. */
export async function deliver({ method, url, body, headers }: ChannelMessage, line: OutletLine): Promise<Delivery> {
  const { end, attempts } = await attempted(line, PATIENCE, (timeout) => ({
    ...(method === undefined ? {} : { method }),
    url,
    body,
    headers: headers(line.clock.now()),
    timeout,
  }));
  return { failure: failureOf(end), status: 'failure' in end ? null : end.status, attempts };
}

/** Null for a success. The system's own message may have the address, so it is left out. */
function failureOf(end: ExchangeEnd): string | null {
  if ('failure' in end) return lossOf(end.failure.kind);
  if (PATIENCE.isAnswer(end)) return null;
  const redirect = end.status >= 300 && end.status < 400;
  return `it answered ${end.status}${redirect ? ', and redirects are not followed' : ''}`;
}

function lossOf(kind: ExchangeFailure['kind']): string {
  switch (kind) {
    case 'timeout':
      return `no answer within ${ATTEMPT / 1000} s`;
    case 'aborted':
      return 'interrupted';
    case 'refused':
      return 'no server listens there';
    case 'unreachable':
      return 'it cannot be reached from here';
    case 'dns':
      return 'its host name cannot be resolved';
    case 'tls':
      return 'its certificate is not trusted here, or it does not speak TLS';
    case 'proxy':
      return 'the proxy does not let it through';
    case 'reset':
      return 'the connection was lost';
    case 'malformed':
      return 'the answer is not HTTP';
    case 'too-large':
      return 'its answer is too large';
    case 'other':
      return 'the request failed';
    default:
      return assertNever(kind);
  }
}
