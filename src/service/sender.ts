// One request to an API of the service: its URL, headers, data centre, counting and observers. Sends nothing twice, except to the data centre that
// the service names.

import { aheadBy } from '../base/clocks.ts';
import { ApiError, type ApiFailure, UsageError } from '../base/errors.ts';
import type { Clock, Json, JsonObject } from '../base/model.ts';
import { parsedUrl } from '../base/url.ts';
import { DAY } from '../base/zone.ts';
import type { Api, ApiAction } from './api.ts';
import { accountQuery, callerHeaders, contentOf, queryText } from './content.ts';
import {
  authorizationHeader,
  type Credential,
  checkCredential,
  createRedactor,
  createSecretFilter,
  homeRegion,
} from './credential.ts';
import type { Exchange, ExchangeReply } from './exchange.ts';
import { type AskedRequest, debugIdOf, lostRequest, readReply } from './reply.ts';
import { secretsIn, secretsSent } from './secrets.ts';
import type { Upload } from './upload.ts';

/** The service announces the end of a version; `date` is YYYY-MM-DD, null when the header holds none. Specification: "Versioning". */
export interface LifecycleNotice {
  readonly header: 'legacy' | 'deprecation';
  readonly date: string | null;
}

/** Stage of a version. Replies of a stable one and of a preview have no header. */
export type VersionStage =
  | {
      readonly name: 'legacy' | 'deprecated' /** `YYYY-MM-DD`; null when the service does not say. */;
      readonly ends: string | null;
    }
  | { readonly name: 'stable' | 'preview' }
  /** Older than the stable version, and no header says more. */
  | { readonly name: 'unknown' };

/** A request that ended: with a status, or with null when no whole reply arrived, and of a message. `action` is the name in the URL. */
export interface FinishedRequest {
  readonly action: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly debugId: string | null;
  /** 1 for the first. */
  readonly attempt: number;
  /** The failure of the request as a whole, without any credential; null when it succeeded. */
  readonly failure: ApiFailure | null;
}

export interface ClientSettings<V extends string> {
  /** Up to and without `/v<version>`. */
  readonly baseUrl: string;
  readonly version: V;
  /** Null is enough for actions that need no token. */
  readonly credential: Credential | null;
  /** Value of the parameter that names the account, for an API that has one. */
  readonly account?: string;
  readonly exchange: Exchange;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds for one request, from connecting to the last byte; 30,000 when left out. */
  readonly timeout?: number;
  /** Called once per header in the life of a client. */
  readonly onNotice?: (notice: LifecycleNotice) => void;
  readonly onRequest?: (request: FinishedRequest) => void;
}

/** A request of an action, or a batch of them. */
interface OutgoingRequest {
  /** As it stands in the URL. */
  readonly name: string;
  readonly action: ApiAction;
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly upload: Upload | undefined;
  readonly signal: AbortSignal | undefined;
  readonly attempt: number | undefined;
}

interface Delivered {
  readonly result: Json;
  readonly reply: ExchangeReply;
  readonly asked: AskedRequest;
}

export interface Sender {
  /** @throws ApiError for every end but a success */
  readonly send: (request: OutgoingRequest) => Promise<Delivered>;
  /** How many requests were sent, by the name in the URL. */
  readonly requests: () => Readonly<Record<string, number>>;
  /** How long readings may lag, in milliseconds, as the last answer that stated it said; null when none did. */
  readonly lag: () => number | null;
  /** What tells the license from every other, as the last answer that stated it said; null when none did. */
  readonly identity: () => string | null;
  /** By how many milliseconds the service's clock is ahead of this machine's, as the last answer that told the time said; null when none did. */
  readonly ahead: () => number | null;
  /** The stage of the version, as the last reply said it; null before the first one. */
  readonly stage: () => VersionStage | null;
}

const DEFAULT_TIMEOUT = 30_000;

/** Refusals of a token where none is needed. */
const REFUSES_TOKEN: ReadonlySet<string> = new Set(['authentication', 'authorization', 'customer_banned']);

/**
 * @throws UsageError for a credential, an account or an address that cannot be right. Specification: "Authentication"; service notes: "Wire".
 */
export function createSender<V extends string>(
  api: Pick<Api<string, V>, 'name' | 'path' | 'credential' | 'account' | 'versions' | 'stable'>,
  settings: ClientSettings<V>,
): Sender {
  const { version, credential, exchange, clock, timeout = DEFAULT_TIMEOUT } = settings;
  if (credential !== null) checkCredential(credential, api.credential.kinds);
  const account = accountQuery(api, version, settings.account);
  const root = `${rootOf(settings.baseUrl)}/v${version}`;
  const withoutCredential = createRedactor(credential);
  const secrets = new Map<string, (text: string) => string>();
  const redact = (text: string): string =>
    [...secrets.values()].reduce((rest, without) => without(rest), withoutCredential(text));
  const notice = once(settings.onNotice);
  const counts = new Map<string, number>();
  let lag: number | null = null;
  let identity: string | null = null;
  let ahead: number | null = null;
  let stage: VersionStage | null = null;
  // A data centre that the service itself names is followed in every version.
  let region = credential !== null && api.credential.prefixed.includes(version) ? homeRegion(credential) : null;
  let isTokenWrong = false;

  function ownHeaders(token: Credential | null): Record<string, string> {
    return {
      ...(token === null ? {} : { authorization: authorizationHeader(token) }),
      ...(region === null ? {} : { 'x-region': region }),
    };
  }

  async function deliver(
    { name: action, action: of, body, headers = {}, upload, signal, attempt = 1 }: OutgoingRequest,
    token: Credential | null,
  ): Promise<Delivered | { failure: ApiFailure }> {
    const { answersSecret } = of;
    const { query, said, ...content } = contentOf(of, action, body, upload);
    // A service may repeat what it was sent.
    for (const secret of secretsSent(body)) secrets.set(secret, createSecretFilter(secret));
    const url = `${root}/${(of.of ?? api).path}/${action}${queryText({ ...account, ...query })}`;
    const sent = { ...callerHeaders(headers), ...content.headers, ...ownHeaders(token) };
    const started = clock.now();
    const end = await exchange({ ...content, url, headers: sent, timeout, ...optional(signal) });
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
    identity = identityOf(end) ?? identity;
    const serverTime = Date.parse(end.headers['date'] ?? '');
    if (!Number.isNaN(serverTime)) ahead = aheadBy(serverTime, started, now);
    const asked = { action, answersSecret, said, redact, now };
    const outcome = readReply(end, asked);
    if (answersSecret && 'ok' in outcome)
      for (const secret of secretsIn(outcome.ok)) secrets.set(secret, createSecretFilter(secret));
    const failure = 'error' in outcome ? outcome.error : null;
    settings.onRequest?.({ ...finished, status: end.status, debugId: debugIdOf(end, redact), failure });
    const notices = noticesOf(end);
    stage = stageOf(api, version, notices);
    for (const found of notices) notice(found);
    return 'error' in outcome ? { failure: outcome.error } : { result: outcome.ok, reply: end, asked };
  }

  /** Sends it again to the data centre that the service names. A file that can be read once is not sent again. */
  async function follow(request: OutgoingRequest, token: Credential | null): ReturnType<typeof deliver> {
    const asked = region;
    const first = await deliver(request, token);
    if (!('failure' in first) || request.upload?.isReadOnce === true) return first;
    const named = regionNamed(first.failure);
    if (named === null || named === asked) return first;
    region = named;
    return deliver(request, token);
  }

  /** Without a token where it was refused and none is needed. */
  async function ask(request: OutgoingRequest): ReturnType<typeof deliver> {
    const isOptional = request.action.token === 'optional';
    if (credential === null && !isOptional)
      throw new UsageError(`${request.name} needs a token, and the client has none`);
    const token = isOptional && isTokenWrong ? null : credential;
    const first = await follow(request, token);
    if (!isOptional || token === null || !('failure' in first) || !REFUSES_TOKEN.has(first.failure.type)) return first;
    const second = await follow(request, null);
    // The refusal of the token says more than that there is none.
    if ('failure' in second && REFUSES_TOKEN.has(second.failure.type)) return first;
    isTokenWrong ||= first.failure.type === 'authentication';
    return second;
  }

  async function send(request: OutgoingRequest): Promise<Delivered> {
    const end = await ask(request);
    if ('failure' in end) throw new ApiError({ ...end.failure, api: (request.action.of ?? api).name });
    return end;
  }

  return {
    send,
    requests: () => Object.fromEntries(counts),
    lag: () => lag,
    identity: () => identity,
    ahead: () => ahead,
    stage: () => stage,
  };
}

/** The delay that an emulator states; null in the reply of a service. */
function lagOf({ headers }: ExchangeReply): number | null {
  const stated = headers['x-emulator-propagation-delay'];
  return stated !== undefined && /^\d{1,7}$/.test(stated) ? Number(stated) : null;
}

/** The identity of the license that an emulator states; null in the reply of a service. */
function identityOf({ headers }: ExchangeReply): string | null {
  const stated = headers['x-emulator-license'];
  return stated !== undefined && /^[\w-]{8,64}$/.test(stated) ? stated : null;
}

/** The data centre that a refused request belongs to; null for any other failure. Specification: "Authentication". */
export function regionNamed({ type, data }: ApiFailure): string | null {
  if (type !== 'misdirected_request' || typeof data !== 'object' || data === null || !('region' in data)) return null;
  return typeof data.region === 'string' && /^[a-z0-9-]{1,20}$/.test(data.region) ? data.region : null;
}

export function rootOf(baseUrl: string): string {
  const url = parsedUrl(baseUrl);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('base_url is not an http or https address');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('base_url must be a bare address: no user, password, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

function noticesOf({ headers }: ExchangeReply): readonly LifecycleNotice[] {
  return (['legacy', 'deprecation'] as const).flatMap((header) => {
    const value = headers[header];
    if (value === undefined) return [];
    return [{ header, date: /\d{4}-\d{2}-\d{2}/.exec(value)?.[0] ?? null }];
  });
}

/** The later stage decides, if a reply has both headers. */
function stageOf<V extends string>(
  { versions, stable }: Pick<Api<string, V>, 'versions' | 'stable'>,
  version: V,
  notices: readonly LifecycleNotice[],
): VersionStage {
  const last = notices.at(-1);
  if (last !== undefined) return { name: last.header === 'legacy' ? 'legacy' : 'deprecated', ends: last.date };
  if (version === stable) return { name: 'stable' };
  return { name: versions.indexOf(version) > versions.indexOf(stable) ? 'preview' : 'unknown' };
}

/** Days before the end of a stage in which every run tells it. */
const NEAR = 90;

/** Whether a stage ends in the next 90 days, has ended, or ends at a time that the service does not say. `now` in milliseconds since the epoch. */
export function endsSoon(date: string | null, now: number): boolean {
  return date === null || Date.parse(date) - now < NEAR * DAY;
}

/** Whether a stage has ended, by a date as in `VersionStage`. `now` in milliseconds since the epoch. */
export function hasEnded(date: string | null, now: number): boolean {
  return date !== null && Date.parse(date) < now;
}

function once(report: ((notice: LifecycleNotice) => void) | undefined): (notice: LifecycleNotice) => void {
  const reported = new Set<LifecycleNotice['header']>();
  return (notice) => {
    if (reported.has(notice.header)) return;
    reported.add(notice.header);
    report?.(notice);
  };
}

function optional(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
