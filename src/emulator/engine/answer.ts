// The answer to a request: its action runs, and the faults of the scenario strike around it. Knows no action.
// Specification: "Endpoints", "Errors", "Versioning"; service-notes.md, "Wire".

import { asError } from '../../base/errors.ts';
import type { ActionContext, ActionRoute, CookieReply, EmulatedApi, FileReply, RequestDestination } from './api.ts';
import { apisBy, destinationOf, nothingHere, routeOf } from './api.ts';
import type { Callback } from './callbacks.ts';
import { distort, type Faults } from './faults.ts';
import type { JournalEntry, RequestJournal, WebhookJournal } from './journal.ts';
import { type EmulatedLicense, type LicenseContext, setClock } from './license.ts';
import type { Ids } from './random.ts';
import type { ErrorEnvelope, ServiceRefusal } from './refusal.ts';
import { envelope, isErrorType, isRefusal, refusal, refuse } from './refusal.ts';
import type { DelaySpan, Fault } from './scenario.ts';
import type { EngineSettings } from './settings.ts';
import { advance, extended } from './table.ts';
import { pathOf, type Sleep, type WireRequest, type WireResponse } from './wire.ts';

/** One license, and all that serving it takes. */
export interface ServedLicense {
  /** Another one once the license begins again. */
  license: EmulatedLicense;
  /** Others once another scenario is played. */
  faults: Faults;
  readonly apis: readonly EmulatedApi[];
  readonly settings: EngineSettings;
  readonly journal: RequestJournal;
  readonly webhooks: WebhookJournal;
  readonly ids: Ids;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly sleep: Sleep;
  /** Draws by how many milliseconds a read lags. */
  readonly drawLag: () => number;
  /** Milliseconds until a write of the configuration has taken effect. */
  readonly propagation: number;
  /** Milliseconds by which reads can lag, stale ones of a scenario included; said in a header of every response. */
  readonly longestLag: () => number;
  /** Called after every committed write; the response waits for it. */
  readonly committed: () => void | Promise<void>;
  /** Sends a request of the emulator itself. */
  readonly callBack: (callback: Callback) => void;
  /** Sets the clock ahead to a moment, unless that is over. */
  readonly skipTo: (at: number) => void;
}

type ErrorFault = Extract<Fault, { type: 'error' }>;

/** A request that leads to an action, and the faults that strike it. */
interface StruckRequest {
  readonly request: WireRequest;
  readonly route: ActionRoute;
  readonly hits: readonly Fault[];
  /** Lets the request wait; rejects with the refusal `request_timeout`. */
  readonly wait: Sleep;
}

/** A response, and what the journal keeps of it in addition to its status. */
interface LoggedResponse {
  readonly response: WireResponse;
  /** The type of the error in it. */
  readonly error: string | null;
}

/** The API and the version that a request names. */
type Addressee = Pick<RequestDestination, 'api' | 'version' | 'versionKey'>;

/** Rejects only with a lost connection, when the scenario resets it. `carrier`: a message of a connection leads to the APIs that have some. */
export async function answer(
  served: ServedLicense,
  request: WireRequest,
  carrier: keyof typeof apisBy = 'http',
): Promise<WireResponse> {
  const destination = destinationOf(apisBy[carrier](served.apis), pathOf(request), request.header);
  if (destination === undefined) return refused(served, null, nothingHere()).response;
  const { version, key } = destination;
  const arrival = { at: Math.floor(served.now()), version, action: key };
  const route = routeOf(destination, request.method, served.settings);
  if (isRefusal(route)) return note(served, { ...arrival, faults: [] }, refused(served, destination, route));
  served.journal.received(key);
  const hits = served.faults.draw(route);
  return note(
    served,
    { ...arrival, faults: hits.map(({ type }) => type) },
    struck(served, { request, route, hits, wait: timed(served, route) }),
  );
}

/** Keeps in the journal how a request ends. */
async function note(
  { journal }: ServedLicense,
  entry: Omit<JournalEntry, 'status' | 'error'>,
  ending: LoggedResponse | Promise<LoggedResponse>,
): Promise<WireResponse> {
  try {
    const { response, error } = await ending;
    journal.ended({ ...entry, status: response.status, error });
    return response;
  } catch (error) {
    journal.ended({ ...entry, status: null, error: null });
    throw error;
  }
}

/** Lets a request wait. Refuses with `request_timeout` once its API has waited for as long as it does. */
function timed({ settings, sleep }: ServedLicense, { api }: Addressee): Sleep {
  const seconds = api.longestReply?.(settings) ?? -1;
  let left = seconds === -1 ? Infinity : seconds * 1000;
  return async (milliseconds) => {
    await sleep(Math.min(milliseconds, left));
    left -= milliseconds;
    if (left <= 0) refuse('request_timeout', `the reply takes ${seconds} s or longer`);
  };
}

/** The faults before the effect of a request, the effect, and the faults after it, each in the order of the scenario. */
async function struck(served: ServedLicense, received: StruckRequest): Promise<LoggedResponse> {
  try {
    const before = await strike(served, received, 'before');
    if (before !== undefined) return before;
    const regular = await effect(served, received);
    return (await strike(served, received, 'after')) ?? regular;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(served, received.route, error, received.hits);
  }
}

async function effect(served: ServedLicense, { request, route, hits, wait }: StruckRequest): Promise<LoggedResponse> {
  const { faults, settings, random } = served;
  const { action, versionKey } = route;
  const lags = hits.flatMap((hit) => (hit.type === 'stale' ? [faults.within(hit.lag)] : []));
  try {
    const value = await run(served, request, route, Math.max(0, ...lags));
    for (const hit of hits) if (hit.type === 'slow_items') await wait(workOn(value, hit.delay, faults));
    if (action.reply === 'bytes') {
      const { type, bytes } = fileOf(value);
      return { response: respond(served, versionKey, hits, 200, bytes, { 'content-type': type }), error: null };
    }
    if (action.reply === 'cookies') {
      const { value: shown, cookies } = cookieReplyOf(value);
      return { response: { ...respond(served, versionKey, hits, 200, JSON.stringify(shown)), cookies }, error: null };
    }
    const seen = distort(value, hits, route, random);
    const text = action.reply === 'empty' && settings.emptyReply === 'zero-bytes' ? null : JSON.stringify(seen);
    return { response: respond(served, versionKey, hits, 200, text), error: null };
  } catch (error) {
    return refused(served, route, error, hits);
  }
}

function fileOf(value: Partial<FileReply>): FileReply {
  const { type, bytes } = value;
  if (type === undefined || bytes === undefined) throw new Error('an action whose reply is `bytes` returned none');
  return { type, bytes };
}

function cookieReplyOf({ value, cookies }: Partial<CookieReply>): CookieReply {
  if (value === undefined || cookies === undefined) throw new Error('an action whose reply is `cookies` returned none');
  return { value, cookies };
}

/** What kinds are given that work without a request. */
export function contextOf(served: ServedLicense): LicenseContext {
  const { license, settings, ids, random, propagation, callBack, webhooks } = served;
  const effectiveAt = propagation === 0 ? Infinity : license.history.now - propagation;
  const moveTo: LicenseContext['moveTo'] = (at, others) => {
    setClock(license, at);
    served.skipTo(at);
    const there = { ...served, settings: others, webhooks: { ...webhooks, notify: () => {} } };
    settleKinds(there);
    return contextOf(there);
  };
  return { license, settings, ids, random, propagation, effectiveAt, callBack, notify: webhooks.notify, moveTo };
}

/** Does what the time, or a write, makes due. */
export function settle(served: ServedLicense): void {
  advance(served.license.history, Math.floor(served.now()));
  settleKinds(served);
}

function settleKinds(served: ServedLicense): void {
  const context = contextOf(served);
  for (const kind of served.license.kinds) kind.settle?.(context);
}

/** Runs `work` with everything that is due done before and after it, and commits what changed, also where `work` refuses. */
export async function settled<T>(served: ServedLicense, work: () => T): Promise<T> {
  const { history } = served.license;
  const before = history.writes;
  settle(served);
  const due = history.writes;
  try {
    const result = work();
    if (history.writes > due) settle(served);
    return result;
  } finally {
    if (history.writes > before) await served.committed();
  }
}

/** The reply of the action itself; throws a refusal. `lag` is the least number of milliseconds by which a read lags. */
async function run(served: ServedLicense, request: WireRequest, route: ActionRoute, lag: number): Promise<object> {
  const { license, settings, faults, now } = served;
  const { api, action, version, methods } = route;
  if (!methods.includes(request.method)) {
    const allowed = methods.join(' or ');
    throw refusal({ type: 'validation', status: 405 }, `method ${request.method} is not allowed, ${allowed} is`);
  }
  if (api.isRegional(version, settings)) requireRegion(request, settings);
  advance(license.history, Math.floor(now()));
  const caller = api.authenticate(request, action, license, settings, version);
  const body = await api.read(request, settings, action);
  const failItem = (): ErrorEnvelope | undefined => {
    const fault = faults.drawSlot(route);
    return fault && errorOf(served, fault, route);
  };
  return act(served, route, { caller, body, lag, failItem });
}

/** What an action of a route is given. */
interface GivenAction {
  readonly caller: unknown;
  readonly body: unknown;
  /** The least number of milliseconds by which a read lags. */
  readonly lag: number;
  readonly failItem: ActionContext['failItem'];
}

/** The reply of an action, with everything that is due done before and after it. */
function act(served: ServedLicense, { action, version }: ActionRoute, given: GivenAction): Promise<object> {
  const { license, settings, now, drawLag } = served;
  const { caller, body, lag, failItem } = given;
  advance(license.history, Math.floor(now()));
  const at = action.effect === 'read' ? license.history.now - Math.max(lag, drawLag()) : Infinity;
  const late = action.effect === 'write' && settings.references === 'propagated';
  const refersAt = late ? license.history.now - drawLag() : Infinity;
  return settled(served, () => {
    const context: ActionContext = extended(contextOf(served), { version, caller, at, refersAt, failItem });
    return action.run(body, context);
  });
}

/** An action that a program performs itself: no credential proves who calls, no fault strikes it, and the journal does not have it. */
export interface PerformedAction {
  /** Of its URL: `/v3.7/customer/action/start_chat`. */
  readonly path: string;
  /** What the API makes of the credential of a request. */
  readonly caller: unknown;
  readonly body: unknown;
}

/** Returns the reply of an action. Rejects with an Error, and changes nothing, when that is wrong. */
export async function perform(served: ServedLicense, { path, caller, body }: PerformedAction): Promise<object> {
  const destination = destinationOf(served.apis, path);
  const route = destination === undefined ? nothingHere() : routeOf(destination, 'POST', served.settings);
  if (isRefusal(route)) throw route;
  return act(served, route, { caller, body, lag: 0, failItem: () => undefined });
}

/** `dal` needs no header, and an empty one is none: official clients send it. */
function requireRegion(request: WireRequest, { region }: EngineSettings): void {
  if (region === null || (request.header('x-region')?.trim() || 'dal') === region) return;
  throw refusal({ type: 'misdirected_request', data: { region } }, `the license is in region ${region}`);
}

/** Milliseconds for all items of a reply, each with a time of its own. */
function workOn(value: object, delay: DelaySpan, { within }: Faults): number {
  const items = 'responses' in value && Array.isArray(value.responses) ? value.responses.length : 1;
  return Array.from({ length: items }, () => within(delay)).reduce((sum, one) => sum + one, 0);
}

/** The error that takes the place of the reply, if one of the faults is an error. */
async function strike(
  served: ServedLicense,
  { route, hits, wait }: StruckRequest,
  moment: 'before' | 'after',
): Promise<LoggedResponse | undefined> {
  for (const hit of hits) {
    if (!('when' in hit ? hit.when === moment : moment === 'before')) continue;
    if (hit.type === 'latency') await wait(served.faults.within(hit.delay));
    if (hit.type === 'reset') throw lostConnection();
    if (hit.type === 'error') return injected(served, route, hits, hit);
  }
  return undefined;
}

/** As the platform's own `fetch` would say it. */
function lostConnection(): Error {
  return Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' });
}

function injected(
  served: ServedLicense,
  addressee: Addressee,
  hits: readonly Fault[],
  fault: ErrorFault,
): LoggedResponse {
  const { error } = fault;
  const status = fault.status ?? (isErrorType(error) ? served.settings.statuses[error] : 500);
  const isPage = fault.envelope === false;
  const headers = { ...retryAfter(served, fault), ...(isPage ? { 'content-type': 'text/html' } : {}) };
  const text = isPage
    ? `<html><body><h1>${status}</h1></body></html>\n`
    : JSON.stringify(envelopeOf(addressee, errorOf(served, fault, addressee)));
  return { response: respond(served, addressee.versionKey, hits, status, text, headers), error };
}

function errorOf(
  { settings }: ServedLicense,
  { error: type, message, region }: { readonly error: string; readonly message?: string; readonly region?: string },
  { api, version }: Addressee,
): ErrorEnvelope {
  const said = message ?? api.messageOf?.(type, version, '') ?? `${type}, as the scenario says`;
  // A request without `X-Region` is for `dal`.
  const data = type === 'misdirected_request' ? { data: { region: region ?? settings.region ?? 'fra' } } : {};
  return { error: { type, message: said, ...data } };
}

function retryAfter({ now }: ServedLicense, { retry_after: seconds, retry_after_as: form }: ErrorFault) {
  if (seconds === undefined) return {};
  return { 'retry-after': form === 'date' ? new Date(now() + seconds * 1000).toUTCString() : String(seconds) };
}

/** An error that is no refusal is a defect of the emulator, or a state file that could not be written. */
function refused(
  served: ServedLicense,
  addressee: Addressee | null,
  error: unknown,
  hits: readonly Fault[] = [],
): LoggedResponse {
  const reason = isRefusal(error) ? error : refusal({ type: 'internal' }, asError(error).message);
  const { type, status = served.settings.statuses[type] } = reason.reason;
  const text = JSON.stringify(addressee === null ? envelope(reason) : bodyOf(addressee, reason));
  return { response: respond(served, addressee?.versionKey ?? '', hits, status, text), error: type };
}

/** The refusal as its API says it. */
function bodyOf(addressee: Addressee, { reason, message }: ServiceRefusal): object {
  const { api, version } = addressee;
  const text = api.messageOf?.(reason.type, version, message) ?? message;
  return envelopeOf(addressee, envelope(refusal(reason, text)));
}

/** An error in the envelope of its API. */
function envelopeOf({ api }: Addressee, standard: ErrorEnvelope): object {
  return api.envelope?.(standard.error.type, standard.error.message) ?? standard;
}

function respond(
  { settings: { lifecycle }, now, longestLag, license: { identity } }: ServedLicense,
  versionKey: string,
  hits: readonly Fault[],
  status: number,
  body: string | Uint8Array | null,
  more: Readonly<Record<string, string>> = {},
): WireResponse {
  let time = now();
  let pace: number | undefined;
  for (const hit of hits) {
    if (hit.type === 'clock_skew') time += hit.by;
    if (hit.type === 'slow_body') pace = hit.bytes_per_second;
  }
  const stage = Object.hasOwn(lifecycle, versionKey) ? lifecycle[versionKey] : null;
  const headers = {
    'content-type': 'application/json',
    date: new Date(time).toUTCString(),
    'x-emulator-propagation-delay': String(longestLag()),
    ...(identity === undefined ? {} : { 'x-emulator-license': identity }),
    ...(stage ? { [stage.header]: stage.date } : {}),
    ...more,
  };
  return { status, headers, body, ...(pace === undefined ? {} : { pace }) };
}
