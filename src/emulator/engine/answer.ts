// A request for an action comes in, its HTTP response goes out, with whatever the scenario does to it. Must not know what any action does.
// Specification: "Errors", "Versioning"; service-notes.md, "Wire".

import type { Route, World } from '../configuration/serve.ts';
import { route, serve } from '../configuration/serve.ts';
import { distort } from './distort.ts';
import type { Faults } from './faults.ts';
import type { JournalEntry, RequestJournal } from './journal.ts';
import type { ErrorEnvelope } from './refusal.ts';
import { envelope, isErrorType, isRefusal, refusal } from './refusal.ts';
import type { Fault, Span } from './scenario.ts';
import type { WireRequest, WireResponse } from './wire.ts';

/** One license and all that happens around it. */
export interface Service {
  readonly world: World;
  /** Others once another scenario is played. */
  readonly faults: () => Faults;
  readonly journal: RequestJournal;
  /** Milliseconds by which reads can lag, stale ones of a scenario too; said in a header of every response. */
  readonly longestLag: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Rejects only with a lost connection, when the scenario resets it. */
export async function answer(service: Service, asked: WireRequest, path: string, name: string): Promise<WireResponse> {
  const at = Math.floor(service.world.now());
  let routed: Route;
  try {
    routed = route(path, name, service.world.settings);
  } catch (error) {
    return note(
      service,
      { at, version: path.slice(1), action: name, faults: [] },
      refused(service, path.slice(1), error),
    );
  }
  const { action, version } = routed;
  service.journal.received(name);
  const hits = service.faults().draw(action, version);
  const entry = { at, version, action: name, faults: hits.map(({ type }) => type) };
  return note(service, entry, struck(service, asked, routed, hits));
}

/** A path that is none of the API. */
export function nowhere(service: Service): WireResponse {
  return refused(service, '', refusal({ type: 'not_found' }, 'there is nothing at this path')).answer;
}

interface Answered {
  readonly answer: WireResponse;
  readonly error: string | null;
}

/** Keeps in the journal what comes of a request. */
async function note(
  { journal }: Service,
  entry: Omit<JournalEntry, 'status' | 'error'>,
  answering: Answered | Promise<Answered>,
): Promise<WireResponse> {
  try {
    const { answer: given, error } = await answering;
    journal.ended({ ...entry, status: given.status, error });
    return given;
  } catch (error) {
    journal.ended({ ...entry, status: null, error: null });
    throw error;
  }
}

/** The faults before the request takes effect, its effect, and the faults after it; each in the order of the scenario. */
async function struck(service: Service, asked: WireRequest, routed: Route, hits: readonly Fault[]): Promise<Answered> {
  const before = await strike(service, routed, hits, 'before');
  if (before !== undefined) return before;
  const regular = await effect(service, asked, routed, hits);
  return (await strike(service, routed, hits, 'after')) ?? regular;
}

async function effect(service: Service, asked: WireRequest, routed: Route, hits: readonly Fault[]): Promise<Answered> {
  const { world } = service;
  const faults = service.faults();
  const { action, version } = routed;
  const lags = hits.flatMap((hit) => (hit.type === 'stale' ? [faults.within(hit.lag)] : []));
  try {
    const value = await serve(world, asked, routed, {
      lag: Math.max(0, ...lags),
      failItem: () => itemError(faults.drawSlot(action, version)),
    });
    for (const hit of hits) if (hit.type === 'slow_items') await service.sleep(workOn(value, hit.delay, faults));
    const seen = distort(value, hits, world.random);
    const bytes = action.reply === 'empty' && world.settings.emptyReply === 'zero-bytes' ? null : JSON.stringify(seen);
    return { answer: respond(service, version, hits, 200, bytes), error: null };
  } catch (error) {
    return refused(service, version, error, hits);
  }
}

/** Milliseconds for all items of a reply, each with a time of its own. */
function workOn(value: object, delay: Span, { within }: Faults): number {
  const items = 'responses' in value && Array.isArray(value.responses) ? value.responses.length : 1;
  return Array.from({ length: items }, () => within(delay)).reduce((sum, one) => sum + one, 0);
}

/** The error that takes the place of the reply, if one of the faults is an error. */
async function strike(
  service: Service,
  { version }: Route,
  hits: readonly Fault[],
  moment: 'before' | 'after',
): Promise<Answered | undefined> {
  for (const hit of hits) {
    if (!('when' in hit ? hit.when === moment : moment === 'before')) continue;
    if (hit.type === 'latency') await service.sleep(service.faults().within(hit.delay));
    if (hit.type === 'reset') throw lostConnection();
    if (hit.type === 'error') return injected(service, version, hits, hit);
  }
  return undefined;
}

function injected(
  service: Service,
  version: string,
  hits: readonly Fault[],
  fault: Extract<Fault, { type: 'error' }>,
): Answered {
  const { settings } = service.world;
  const status = fault.status ?? (isErrorType(fault.error) ? settings.statuses[fault.error] : 500);
  const headers = retryAfter(service, fault);
  if (fault.envelope === false) {
    const page = `<html><body><h1>${status}</h1></body></html>\n`;
    const html = { ...headers, 'content-type': 'text/html' };
    return { answer: respond(service, version, hits, status, page, html), error: fault.error };
  }
  const body = JSON.stringify(errorOf(fault));
  return { answer: respond(service, version, hits, status, body, headers), error: fault.error };
}

function errorOf({ error: type, message }: { readonly error: string; readonly message?: string }): ErrorEnvelope {
  return { error: { type, message: message ?? `${type}, as the scenario says` } };
}

function itemError(fault: Extract<Fault, { type: 'slot' }> | undefined): ErrorEnvelope | undefined {
  return fault === undefined ? undefined : errorOf(fault);
}

function retryAfter(
  { world }: Service,
  { retry_after: seconds, retry_after_as: form }: Extract<Fault, { type: 'error' }>,
): Record<string, string> {
  if (seconds === undefined) return {};
  const date = new Date(world.now() + seconds * 1000).toUTCString();
  return { 'retry-after': form === 'date' ? date : String(seconds) };
}

function refused(service: Service, version: string, error: unknown, hits: readonly Fault[] = []): Answered {
  const reason = isRefusal(error) ? error : broken(error);
  const { type, status = service.world.settings.statuses[type] } = reason.reason;
  return { answer: respond(service, version, hits, status, JSON.stringify(envelope(reason))), error: type };
}

/** What is no refusal is our own defect, or a state file that could not be written. */
function broken(error: unknown) {
  return refusal({ type: 'internal' }, error instanceof Error ? error.message : String(error));
}

/** As the platform's own `fetch` would say it. */
function lostConnection(): Error {
  return Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' });
}

function respond(
  { world, longestLag }: Service,
  version: string,
  hits: readonly Fault[],
  status: number,
  text: string | null,
  more: Readonly<Record<string, string>> = {},
): WireResponse {
  let now = world.now();
  let pace: number | undefined;
  for (const hit of hits) {
    if (hit.type === 'clock_skew') now += hit.by;
    if (hit.type === 'slow_body') pace = hit.bytes_per_second;
  }
  const stage = version === '3.3' || version === '3.6' ? world.settings.lifecycle[version] : null;
  const headers = {
    'content-type': 'application/json',
    date: new Date(now).toUTCString(),
    'x-emulator-propagation-delay': String(longestLag()),
    ...(stage === null ? {} : { [stage.header]: stage.date }),
    ...more,
  };
  return { status, headers, text, ...(pace === undefined ? {} : { pace }) };
}
