// One message to the service in; its result and reply out: address, headers, data centre, counting, observers. It must not know the table of
// actions, and must not send anything twice (but to the data centre that the service names).

import { ApiError, type ApiFailure, UsageError } from '../base/errors.ts';
import type { Clock, Json, JsonObject, Version } from '../base/model.ts';
import { parsedUrl } from '../base/url.ts';
import { authorizationHeader, type Credential, checkCredential, createRedactor, homeRegion } from './credential.ts';
import type { Exchange, ExchangeReply } from './exchange.ts';
import { type Asked, debugIdOf, lostRequest, readReply, secretsIn } from './reply.ts';

/** The service says that this version ends; `date` is YYYY-MM-DD, null when the header holds none. Specification: "Versioning". */
export interface Notice {
  readonly header: 'legacy' | 'deprecation';
  readonly date: string | null;
}

/** A request that ended: with a status, or with null when no whole reply arrived. `action` is the name in the URL. */
export interface FinishedRequest {
  readonly action: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly debugId: string | null;
  /** 1 for the first. */
  readonly attempt: number;
  /** What went wrong with the request as a whole, with no credential in it; null when nothing did. */
  readonly failure: ApiFailure | null;
}

export interface SenderSettings {
  /** Up to and without `/v<version>`. */
  readonly baseUrl: string;
  readonly version: Version;
  readonly credential: Credential;
  readonly exchange: Exchange;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds for one request, from connecting to the last byte; 30,000 when left out. */
  readonly timeout?: number;
  /** Called once per header in the life of a client. */
  readonly onNotice?: (notice: Notice) => void;
  readonly onRequest?: (request: FinishedRequest) => void;
}

/** What is sent: an action's own request, or a batch of them. */
interface Message {
  /** The action as it stands in the URL. */
  readonly action: string;
  readonly answersSecret: boolean;
  readonly body: JsonObject;
  readonly signal: AbortSignal | undefined;
  readonly attempt: number | undefined;
}

interface Sent {
  readonly result: Json;
  readonly reply: ExchangeReply;
  readonly asked: Asked;
}

export interface Sender {
  /** @throws ApiError for every end but a success */
  readonly send: (message: Message) => Promise<Sent>;
  /** How many requests left, by the name in the URL. */
  readonly requests: () => Readonly<Record<string, number>>;
  /** How long its readings may lag, as its last answer said, in milliseconds; null when none said anything. */
  readonly lag: () => number | null;
}

const DEFAULT_TIMEOUT = 30_000;

/** @throws UsageError for a credential or an address that cannot be right. Specification: "Authentication"; service notes: "Wire". */
export function createSender(settings: SenderSettings): Sender {
  const { version, credential, exchange, clock, timeout = DEFAULT_TIMEOUT } = settings;
  checkCredential(credential);
  const prefix = `${rootOf(settings.baseUrl)}/v${version}/configuration/action/`;
  const withoutCredential = createRedactor(credential);
  const told = new Set<string>();
  const redact = (text: string): string =>
    [...told].reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), withoutCredential(text));
  const notice = once(settings.onNotice);
  const counts = new Map<string, number>();
  let lag: number | null = null;
  // Prefixes of tokens belong to 3.6; whatever the service itself names is followed in both versions.
  let region = version === '3.6' ? homeRegion(credential) : null;

  function headers(): Record<string, string> {
    const own = { 'content-type': 'application/json', authorization: authorizationHeader(credential) };
    return region === null ? own : { ...own, 'x-region': region };
  }

  async function deliver({
    action,
    answersSecret,
    body,
    signal,
    attempt = 1,
  }: Message): Promise<Sent | { failure: ApiFailure }> {
    const url = prefix + action;
    const started = clock.now();
    const said = JSON.stringify(body);
    const end = await exchange({ url, headers: headers(), body: said, timeout, ...optional(signal) });
    const now = clock.now();
    const finished = { action, attempt, durationMs: now - started };
    if ('failure' in end) {
      if (end.failure.phase === 'sent') counts.set(action, (counts.get(action) ?? 0) + 1);
      const failure = lostRequest(end.failure, { action, redact });
      settings.onRequest?.({ ...finished, status: null, debugId: null, failure });
      return { failure };
    }
    counts.set(action, (counts.get(action) ?? 0) + 1);
    lag = lagOf(end) ?? lag;
    const asked = { action, answersSecret, said, redact, now };
    const outcome = readReply(end, asked);
    if (answersSecret && 'ok' in outcome) for (const secret of secretsIn(outcome.ok)) told.add(secret);
    const failure = 'error' in outcome ? outcome.error : null;
    settings.onRequest?.({ ...finished, status: end.status, debugId: debugIdOf(end, redact), failure });
    for (const found of noticesOf(end)) notice(found);
    return 'error' in outcome ? { failure: outcome.error } : { result: outcome.ok, reply: end, asked };
  }

  async function send(message: Message): Promise<Sent> {
    const asked = region;
    const first = await deliver(message);
    if (!('failure' in first)) return first;
    const named = regionNamed(first.failure);
    if (named === null || named === asked) throw new ApiError(first.failure);
    region = named;
    const second = await deliver(message);
    if ('failure' in second) throw new ApiError(second.failure);
    return second;
  }

  return { send, requests: () => Object.fromEntries(counts), lag: () => lag };
}

/** Only an emulator knows it, and says so. */
function lagOf({ headers }: ExchangeReply): number | null {
  const told = headers['x-emulator-propagation-delay'];
  return told !== undefined && /^\d{1,7}$/.test(told) ? Number(told) : null;
}

/** The data centre that a refused request belongs to; null for any other failure. Specification: "Authentication". */
function regionNamed({ type, data }: ApiFailure): string | null {
  if (type !== 'misdirected_request' || typeof data !== 'object' || data === null || !('region' in data)) return null;
  return typeof data.region === 'string' && /^[a-z0-9-]{1,20}$/.test(data.region) ? data.region : null;
}

function rootOf(baseUrl: string): string {
  const url = parsedUrl(baseUrl);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('base_url is not an http or https address');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('base_url must be a bare address: no user, password, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function noticesOf({ headers }: ExchangeReply): readonly Notice[] {
  return (['legacy', 'deprecation'] as const).flatMap((header) => {
    const value = headers[header];
    if (value === undefined) return [];
    return [{ header, date: /\d{4}-\d{2}-\d{2}/.exec(value)?.[0] ?? null }];
  });
}

function once(report: ((notice: Notice) => void) | undefined): (notice: Notice) => void {
  const reported = new Set<Notice['header']>();
  return (notice) => {
    if (reported.has(notice.header)) return;
    reported.add(notice.header);
    report?.(notice);
  };
}

function optional(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
