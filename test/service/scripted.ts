// What the tests of the client share: a client without a network, exchanges that answer from a script, and the failure of a call.

import { ApiError, type ApiFailure } from '../../src/base/errors.ts';
import type { Version } from '../../src/base/model.ts';
import { LICENSE_API } from '../../src/kinds/actions.ts';
import { createClient } from '../../src/service/client.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import type { ClientSettings } from '../../src/service/sender.ts';

export const HOST = 'https://api.example.test';
export const TOKEN = 'dal:s3cr3t-T0ken/with+marks';
export const NOW = Date.parse('2026-11-20T12:00:00Z');

export function clientWith(changes: Partial<ClientSettings<Version>> = {}) {
  return createClient(LICENSE_API, {
    baseUrl: HOST,
    version: '3.6',
    credential: { kind: 'bearer', token: TOKEN },
    exchange: scripted().exchange,
    clock: { now: () => NOW },
    ...changes,
  });
}

/** An exchange that keeps what it was given and answers from a list. */
export function scripted(...replies: readonly Awaited<ReturnType<Exchange>>[]) {
  const requests: Parameters<Exchange>[0][] = [];
  const exchange: Exchange = async (request) => {
    requests.push(request);
    const reply = replies[requests.length - 1];
    if (reply === undefined) throw new Error('one request more than the script has replies');
    return reply;
  };
  return { exchange, requests };
}

export const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export async function failureOf(promise: Promise<unknown>): Promise<ApiFailure> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`not an ApiError: ${String(error)}`);
  return error.failure;
}
