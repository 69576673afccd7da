// Requests to the API of a code host: sent again while that can help, page by page for a list. No error text has the token, nor more of a host's answer
// than one harmless line.

import { UsageError } from '../../base/errors.ts';
import { memberOf } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { ExchangeReply, ExchangeRequest } from '../../service/exchange.ts';
import { parseRetryAfter } from '../../service/patience/pause.ts';
import { plain } from '../../view/plain.ts';
import { attempted, type ExchangeEnd, type OutletLine } from '../attempts.ts';

export interface HostLine extends OutletLine {
  /** Takes the token out of a text. */
  readonly redact: (text: string) => string;
}

/** The API of a host, and the credential for it. */
export interface Endpoint extends HostLine {
  /** What a person calls the host. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What helps against a status; empty when that is not known. */
  readonly remedy: (status: number) => string;
}

export interface HostRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API, encoded. */
  readonly path: string;
  readonly body?: Json;
  /** Statuses that are an answer; any other is a failure. */
  readonly accepts: readonly number[];
}

export interface HostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null without a body. */
  readonly json: Json;
}

/** @throws UsageError that says what failed, and what helps */
export async function ask(endpoint: Endpoint, request: HostRequest): Promise<HostAnswer> {
  const isAnswer = (reply: ExchangeReply): boolean => request.accepts.includes(reply.status) && !isTooOften(reply);
  const patience = {
    attempts: 4,
    attempt: 15_000,
    isAnswer,
    isTemporary: (reply: ExchangeReply) => reply.status >= 500 || isTooOften(reply),
    waitOf,
  };
  const { end } = await attempted(endpoint, patience, (timeout) => exchangeOf(endpoint, request, timeout));
  if ('failure' in end || !isAnswer(end)) throw new UsageError(failureOf(end, endpoint, request));
  return answerOf(end, endpoint);
}

const MOST_PAGES = 100;

/** Every item of a list with pages of 100. The address of the next page is never taken from the answer: the token goes to the API only. */
export async function askAll(endpoint: Endpoint, path: string): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const join = path.includes('?') ? '&' : '?';
    const request = { method: 'GET', path: `${path}${join}per_page=100&page=${page}`, accepts: [200] } as const;
    const { json, headers } = await ask(endpoint, request);
    if (!Array.isArray(json)) throw new UsageError(`${endpoint.name} answered with something that is no list`);
    items.push(...json);
    if (!/;\s*rel="?next"?/.test(headers['link'] ?? '') && (headers['x-next-page'] ?? '') === '') return items;
  }
  throw new UsageError(`${endpoint.name} has more than ${MOST_PAGES} pages of what was asked for`);
}

function exchangeOf(
  { api, headers, signal }: Endpoint,
  { method, path, body }: HostRequest,
  timeout: number,
): ExchangeRequest {
  return {
    ...(method === 'POST' ? {} : { method }),
    url: `${api}${path}`,
    headers: {
      'user-agent': 'chatform',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? '' : JSON.stringify(body),
    timeout,
    signal,
  };
}

function answerOf({ status, headers, body }: ExchangeReply, { name }: Endpoint): HostAnswer {
  if (body.trim() === '') return { status, headers, json: null };
  try {
    return { status, headers, json: JSON.parse(body) as Json };
  } catch {
    throw new UsageError(`${name} answered ${status} with something that is not JSON`);
  }
}

/** Both hosts refuse too many requests with 403 or 429; GitHub tells the end of its hourly limit only as a time. */
function isTooOften({ status, headers }: ExchangeReply): boolean {
  if (status === 429) return true;
  return status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0');
}

/** Milliseconds. */
function waitOf({ headers }: ExchangeReply, now: number): number {
  const asked = parseRetryAfter(headers['retry-after'], now);
  if (asked !== null) return asked;
  const isSpent = headers['x-ratelimit-remaining'] === '0';
  const reset = Number(headers['x-ratelimit-reset'] ?? '');
  return isSpent && Number.isSafeInteger(reset) ? Math.max(0, reset * 1000 - now) : 0;
}

function failureOf(end: ExchangeEnd, { name, redact, remedy, clock }: Endpoint, { method, path }: HostRequest): string {
  const what = `${method} ${path.replace(/\?.*$/s, '')}`;
  if ('failure' in end) return redact(`${name} did not answer ${what}: ${plain(end.failure.detail)}`);
  const said = messageIn(end.body);
  const wait = Math.ceil(waitOf(end, clock.now()) / 1000);
  const help = isTooOften(end)
    ? `too many requests: try again ${wait === 0 ? 'later' : `in ${counted(wait, 'second')}`}`
    : remedy(end.status);
  return redact(
    `${name} answered ${end.status} to ${what}${said === '' ? '' : `: ${said}`}${help === '' ? '' : `; ${help}`}`,
  );
}

const LONGEST = 300;

function messageIn(body: string): string {
  try {
    const json = JSON.parse(body) as Json;
    const said = memberOf(json, 'message') ?? memberOf(json, 'error') ?? '';
    return plain(typeof said === 'string' ? said : JSON.stringify(said)).slice(0, LONGEST);
  } catch {
    return '';
  }
}
