// A question to the API of a host in, its answer out: asked again while that may help, page by page where it is a list. No text that leaves here has the
// token, nor anything of a host that is not one harmless line.

import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Clock, Json } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import { plain } from '../../render/plain.ts';
import type { Exchange, ExchangeReply, ExchangeRequest } from '../../service/exchange.ts';
import { parseRetryAfter, pauseAfter } from '../../service/patience/pause.ts';

export interface Line {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** [0, 1), for full jitter. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Takes the token out of a text. */
  readonly redact: (text: string) => string;
}

/** Where a host is asked, and as whom. */
export interface Endpoint extends Line {
  /** What a person calls the host. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What somebody can do about an answer of that status, apart from asking less often; empty when nobody knows. */
  readonly remedy: (status: number) => string;
}

export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API, encoded. */
  readonly path: string;
  readonly body?: Json;
  /** Statuses that are an answer; any other is a failure. */
  readonly accepts: readonly number[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when there is none. */
  readonly json: Json;
}

const ATTEMPTS = 4;

/** Milliseconds: for one attempt, and for all of them with their pauses. */
const ATTEMPT = 15_000;
const PATIENCE = 60_000;

/** @throws UsageError for an answer that is none, in words that say what would help */
export async function ask(endpoint: Endpoint, question: Question): Promise<Answer> {
  const { clock, signal } = endpoint;
  const deadline = clock.now() + PATIENCE;
  for (let attempt = 1; ; attempt += 1) {
    const end = await endpoint.exchange(requestOf(endpoint, question, Math.min(ATTEMPT, deadline - clock.now())));
    if (!('failure' in end) && question.accepts.includes(end.status) && !isTooOften(end))
      return answered(end, endpoint);
    const pause = mayPass(end) ? pauseAfter(attempt, askedFor(end, clock.now()), endpoint.random) : null;
    if (pause === null || attempt === ATTEMPTS || signal.aborted || clock.now() + pause >= deadline)
      throw new UsageError(failureOf(end, endpoint, question));
    await clock.sleep(pause, signal);
  }
}

/** Every item of a list that comes in pages of 100. Where the next page is, is never taken from the answer: the token goes to the API alone. */
export async function askAll(endpoint: Endpoint, path: string): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const join = path.includes('?') ? '&' : '?';
    const question = { method: 'GET', path: `${path}${join}per_page=100&page=${page}`, accepts: [200] } as const;
    const { json, headers } = await ask(endpoint, question);
    if (!Array.isArray(json)) throw new UsageError(`${endpoint.name} answered with something that is no list`);
    items.push(...json);
    if (!/;\s*rel="?next"?/.test(headers['link'] ?? '') && (headers['x-next-page'] ?? '') === '') return items;
  }
  throw new UsageError(`${endpoint.name} has more than ${MOST_PAGES} pages of what was asked for`);
}

const MOST_PAGES = 100;

type End = Awaited<ReturnType<Exchange>>;

function requestOf(
  { api, headers, signal }: Endpoint,
  { method, path, body }: Question,
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

function answered({ status, headers, body }: ExchangeReply, { name }: Endpoint): Answer {
  if (body.trim() === '') return { status, headers, json: null };
  try {
    return { status, headers, json: JSON.parse(body) as Json };
  } catch {
    throw new UsageError(`${name} answered ${status} with something that is not JSON`);
  }
}

function mayPass(end: End): boolean {
  if ('failure' in end) return !['aborted', 'tls', 'proxy', 'malformed', 'too-large'].includes(end.failure.kind);
  return end.status >= 500 || isTooOften(end);
}

/** Both hosts refuse with 403 or 429 whoever asks too often, and say when to come back: GitHub, of its limit for an hour, only as a time. */
function isTooOften({ status, headers }: ExchangeReply): boolean {
  if (status === 429) return true;
  return status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0');
}

/** Milliseconds. */
function askedFor(end: End, now: number): number {
  if ('failure' in end) return 0;
  const asked = parseRetryAfter(end.headers['retry-after'], now);
  if (asked !== null) return asked;
  const isSpent = end.headers['x-ratelimit-remaining'] === '0';
  const reset = Number(end.headers['x-ratelimit-reset'] ?? '');
  return isSpent && Number.isSafeInteger(reset) ? Math.max(0, reset * 1000 - now) : 0;
}

function failureOf(end: End, { name, redact, remedy, clock }: Endpoint, { method, path }: Question): string {
  const what = `${method} ${path.replace(/\?.*$/s, '')}`;
  if ('failure' in end) return redact(`${name} did not answer ${what}: ${plain(end.failure.detail)}`);
  const said = saidIn(end.body);
  const wait = Math.ceil(askedFor(end, clock.now()) / 1000);
  const help = isTooOften(end)
    ? `it is asked too often: try again ${wait === 0 ? 'later' : `in ${counted(wait, 'second')}`}`
    : remedy(end.status);
  return redact(
    `${name} answered ${end.status} to ${what}${said === '' ? '' : `: ${said}`}${help === '' ? '' : `; ${help}`}`,
  );
}

const LONGEST = 300;

function saidIn(body: string): string {
  try {
    const json = JSON.parse(body) as Json;
    const said = isObject(json) ? (json['message'] ?? json['error'] ?? '') : '';
    return plain(typeof said === 'string' ? said : JSON.stringify(said)).slice(0, LONGEST);
  } catch {
    return '';
  }
}
