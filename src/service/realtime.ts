// The real-time interface of customers, as far as it tells where a page is routed: login, the page of the visit, ping. Sends nothing twice, except a
// login to the data centre that the service names. The public reference of the real-time API; today/customer.md, section 6.2.

import { ApiError, type ApiFailure } from '../base/errors.ts';
import { isList, isObject, jsonIn } from '../base/json.ts';
import type { Clock, Json, JsonObject } from '../base/model.ts';
import { queryText } from './content.ts';
import { authorizationHeader, type Credential, checkCredential, createRedactor, homeRegion } from './credential.ts';
import type { ExchangeFailure } from './exchange.ts';
import { type CallResult, lostRequest, readReply } from './reply.ts';
import { type FinishedRequest, regionNamed, rootOf } from './sender.ts';
import type { Socket, SocketCarrier } from './socket.ts';

export interface RealtimeSettings {
  /** Up to and without `/v<version>`; begins with `http:` or `https:`. */
  readonly baseUrl: string;
  readonly version: string;
  /** Of a customer. */
  readonly credential: Credential;
  /** The parameter of the query that names the account. */
  readonly account: Readonly<Record<string, string>>;
  readonly carrier: SocketCarrier;
  readonly clock: Clock;
  /** Milliseconds for one request, from connecting to its answer. */
  readonly timeout: number;
  /** Aborting it gives up what is under way; its failure has the type `aborted`. */
  readonly signal: AbortSignal;
  readonly onRequest?: (request: FinishedRequest) => void;
}

/** A group that a page gets. `status`: `online`, `online_for_queue` or `offline`. */
export interface PageGroup {
  readonly id: number;
  readonly status: string;
}

/** A customer who is logged in. @throws ApiError for each request that fails */
export interface RealtimeVisit {
  /** The groups of the page; null where they are those of the page before. Only 3.6 and 3.7 tell. */
  readonly update: (url: string) => Promise<readonly PageGroup[] | null>;
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** How many requests were sent, by action. */
  readonly requests: () => Readonly<Record<string, number>>;
}

const API = 'real-time interface';
const PATH = 'customer/rtm/ws';

/** Milliseconds between pings. */
const PING = 15_000;

/** What the service says before it closes a connection, as the type of a failure; others are a lost connection. */
const REASONS: { readonly [reason: string]: string } = {
  access_token_expired: 'authentication',
  access_token_revoked: 'authentication',
  internal_error: 'internal',
  license_expired: 'license_expired',
  license_not_found: 'license_not_found',
  misdirected_connection: 'misdirected_request',
  service_temporarily_unavailable: 'service_unavailable',
  too_many_connections: 'too_many_requests',
  too_many_unauthorized_connections: 'too_many_requests',
  unsupported_version: 'unsupported_version',
};

/** Of a connection that was not opened. */
const INTERRUPTED: ExchangeFailure = { phase: 'connect', kind: 'aborted', detail: 'interrupted' };

type Call = (action: string, payload: JsonObject) => Promise<Json>;

/**
 * Logs in, without a page. What it leaves on the license is a visitor in the list of visitors.
 * @throws ApiError; UsageError for a credential or an address that cannot be right
 */
export async function visitRealtime(settings: RealtimeSettings): Promise<RealtimeVisit> {
  const { credential, clock } = settings;
  checkCredential(credential, ['bearer']);
  const counts = new Map<string, number>();
  const home = homeRegion(credential);
  const enter = async (region: string | null) => {
    const connection = await connected(settings, region, counts);
    try {
      await connection.call('login', { token: authorizationHeader(credential) });
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
  const { call, close, heardAt } = await enter(home).catch((error: unknown) => {
    const named = error instanceof ApiError ? regionNamed(error.failure) : null;
    if (named === null || named === home) throw error;
    return enter(named);
  });
  const ping = async (): Promise<void> => {
    await call('ping', {});
  };
  return {
    update: async (url) => {
      if (clock.now() - heardAt() >= PING) await ping();
      return groupsIn(await call('update_customer_page', { url }));
    },
    ping,
    close,
    requests: () => Object.fromEntries(counts),
  };
}

/** @throws ApiError for groups of another form: to take them for no change would name a wrong group */
function groupsIn(reply: Json): readonly PageGroup[] | null {
  const groups = isObject(reply) ? reply['groups'] : undefined;
  if (groups === undefined) return null;
  const found = (isList(groups) ? groups : []).flatMap((group) => {
    const { id, status } = isObject(group) ? group : {};
    return typeof id === 'number' && typeof status === 'string' ? [{ id, status }] : [];
  });
  if (isList(groups) && found.length > 0 && found.length === groups.length) return found;
  const message = '`groups` of the reply is no list of groups with an id and a status';
  throw failed('update_customer_page', { type: 'protocol', message });
}

function failed(action: string, known: Pick<ApiFailure, 'type' | 'message'> & Partial<ApiFailure>): ApiError {
  const nothing = { status: null, ambiguous: false, debugId: null, retryAfter: null, data: null };
  return new ApiError({ ...nothing, ...known, action, api: API });
}

interface RealtimeConnection {
  readonly call: Call;
  readonly close: () => Promise<void>;
  /** When a message came last, in milliseconds since the epoch. */
  readonly heardAt: () => number;
}

/** A connection on which requests are answered by their ids. Pushes are for other clients, but for the one that says why a connection ends. */
async function connected(
  { baseUrl, version, account, credential, carrier, clock, timeout, signal, onRequest }: RealtimeSettings,
  region: string | null,
  counts: Map<string, number>,
): Promise<RealtimeConnection> {
  const redact = createRedactor(credential);
  const waiting = new Map<string, (end: CallResult) => void>();
  let serial = 0;
  let heardAt = clock.now();
  let ended: CallResult | null = null;
  const lost = (action: string, loss: ExchangeFailure): ApiError =>
    new ApiError({ ...lostRequest(loss, { action, redact }), api: API });

  const end = (result: CallResult): void => {
    ended ??= result;
    for (const answer of waiting.values()) answer(ended);
    waiting.clear();
  };
  /** An error, in the envelope of the service, as the failure of what waits for an answer. */
  const readError = (action: string, content: Json): CallResult => {
    const reply = { status: 400, headers: {}, body: JSON.stringify(content) };
    const read = readReply(reply, { action, answersSecret: false, said: '', redact, now: clock.now() });
    return 'error' in read ? { error: { ...read.error, status: null } } : read;
  };
  const disconnected = (payload: JsonObject): CallResult => {
    const { reason, data = null } = payload;
    const type = REASONS[String(reason)] ?? 'connection';
    const message = `the service ended the connection: ${String(reason)}`;
    return readError('login', { error: { type, message, data } });
  };
  const onMessage = (text: string): void => {
    heardAt = clock.now();
    const content = jsonIn(text);
    if (!isObject(content)) return;
    const { request_id: id, type, action, success } = content;
    const payload = isObject(content['payload']) ? content['payload'] : {};
    if (type === 'push' && action === 'customer_disconnected') end(disconnected(payload));
    if (type !== 'response') return;
    const answer = typeof id === 'string' ? waiting.get(id) : undefined;
    answer?.(success === true ? { ok: payload } : readError(String(action), payload));
  };
  const onEnd = (detail: string): void =>
    end({ error: lostRequest({ phase: 'sent', kind: 'reset', detail }, { action: 'login', redact }) });

  const opening = new AbortController();
  const giveUp = AbortSignal.any([signal, opening.signal]);
  const headers = region === null ? {} : { 'x-region': region };
  const url = `${rootOf(baseUrl)}/v${version}/${PATH}${queryText(account)}`;
  const late: ExchangeFailure = { phase: 'connect', kind: 'timeout', detail: `no connection within ${timeout} ms` };
  const opened = await within(carrier.open({ url, headers, signal: giveUp }, { onMessage, onEnd }), () => {
    opening.abort();
    return { failure: signal.aborted ? INTERRUPTED : late };
  });
  if ('failure' in opened) throw lost('login', opened.failure);
  const socket = opened;

  /** The work, or what takes its place once the time is up. A carrier that loses nothing is waited for. */
  async function within<T>(work: Promise<T>, late: () => T): Promise<T> {
    if (!carrier.canLose) return work;
    const done = new AbortController();
    const timer = clock
      .sleep(timeout, AbortSignal.any([signal, done.signal]))
      .then(() => (done.signal.aborted ? work : late()));
    return Promise.race([work, timer]).finally(() => done.abort());
  }

  const call: Call = async (action, payload) => {
    const started = clock.now();
    const result = await within(answerOf(action, payload, socket), () => {
      const loss: ExchangeFailure = signal.aborted
        ? { phase: 'sent', kind: 'aborted', detail: 'interrupted' }
        : { phase: 'sent', kind: 'timeout', detail: `no answer within ${timeout} ms` };
      return { error: lostRequest(loss, { action, redact }) };
    });
    const failure = 'error' in result ? { ...result.error, action, api: API } : null;
    const durationMs = clock.now() - started;
    onRequest?.({ action, status: null, durationMs, debugId: null, attempt: 1, failure });
    if ('error' in result) throw new ApiError({ ...result.error, action, api: API });
    return result.ok;
  };

  function answerOf(action: string, payload: JsonObject, { send }: Socket): Promise<CallResult> {
    if (ended !== null) return Promise.resolve(ended);
    serial += 1;
    const request_id = String(serial);
    counts.set(action, (counts.get(action) ?? 0) + 1);
    return new Promise<CallResult>((resolve) => {
      waiting.set(request_id, resolve);
      send(JSON.stringify({ request_id, action, payload }));
    }).finally(() => waiting.delete(request_id));
  }

  return { call, close: socket.close, heardAt: () => heardAt };
}
