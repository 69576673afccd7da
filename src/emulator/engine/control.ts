// The control API, which steers an emulator while it runs: /_emulator/, JSON over GET and POST. Knows no action of the service.

import { asError } from '../../base/errors.ts';
import { readBytes, tooLarge } from './body.ts';
import { type DoorRefusal, hasToken, refusalOf, refusedOrigin } from './doors.ts';
import type { EngineEmulator } from './emulator.ts';
import { bool, closed, int, optional } from './shape.ts';
import { fetchOf, pathOf, queryOf, textOf, type WireHandler, type WireRequest, type WireResponse } from './wire.ts';

const PREFIX = '/_emulator';

/** What one path under the prefix does. */
interface ControlPath {
  readonly get?: (emulator: EngineEmulator, query: URLSearchParams) => object | Promise<object>;
  /** Changes something, and returns the reply; `{}` when it returns none. */
  readonly post?: (emulator: EngineEmulator, body: unknown) => object | Promise<object> | Promise<void>;
}

const resetRequest = closed({ stats: optional(bool) });
const clockRequest = closed({ advance: int(0) });

const statsOf = (emulator: EngineEmulator): object => {
  const requests = emulator.stats();
  return { total: Object.values(requests).reduce((sum, count) => sum + count, 0), requests };
};

async function reset(emulator: EngineEmulator, body: unknown): Promise<void> {
  const { stats = false } = resetRequest(body, '');
  emulator.resetStats();
  if (!stats) await emulator.begin();
}

const clockOf = (emulator: EngineEmulator): object => {
  const now = Math.floor(emulator.now());
  return { now, date: new Date(now).toISOString() };
};

async function setClock(emulator: EngineEmulator, body: unknown): Promise<object> {
  emulator.advance(clockRequest(body, '').advance);
  await emulator.settle();
  return clockOf(emulator);
}

function setFaults(emulator: EngineEmulator, body: unknown): object {
  emulator.setFaults(body);
  return emulator.faults();
}

const PATHS: ReadonlyMap<string, ControlPath> = new Map<string, ControlPath>([
  ['stats', { get: statsOf }],
  ['log', { get: (emulator) => emulator.log() }],
  ['webhooks', { get: (emulator, query) => emulator.webhooks(query.get('version') ?? undefined) }],
  ['reset', { post: reset }],
  ['seed', { post: (emulator, seed) => emulator.begin({ seed }) }],
  ['snapshot', { get: (emulator) => emulator.snapshot(), post: (emulator, state) => emulator.begin({ state }) }],
  ['clock', { get: clockOf, post: setClock }],
  ['faults', { get: (emulator) => emulator.faults(), post: setFaults }],
]);

interface ControlOptions {
  /** What every request of the control API must have, as `Authorization: Bearer TOKEN`. Without it, none needs a token. */
  readonly token?: string;
}

/** What `listen` serves. */
interface Steerable extends Pick<EngineEmulator, 'handle' | 'connect' | 'fetch'> {
  /** The control API needs no token, so `listen` refuses an address that other machines reach. */
  readonly isControlOpen: boolean;
}

/** An emulator with its control API: every client that reaches it, and has its token, can change everything. */
export function withControl(emulator: EngineEmulator, { token }: ControlOptions = {}): Steerable {
  const isControl = (path: string): boolean => path === PREFIX || path.startsWith(`${PREFIX}/`);
  const control: WireHandler = async (request) => {
    const refusal = refusedOrigin(request, []) ?? (token === undefined || hasToken(request, token) ? null : NO_TOKEN);
    if (refusal !== null) return refusalOf(refusal);
    return steer(emulator, request, pathOf(request).slice(PREFIX.length + 1));
  };
  const fetchControl = fetchOf(control);
  return {
    handle: (request) => (isControl(pathOf(request)) ? control(request) : emulator.handle(request)),
    connect: emulator.connect,
    fetch: (request) => (isControl(new URL(request.url).pathname) ? fetchControl(request) : emulator.fetch(request)),
    isControlOpen: token === undefined,
  };
}

const NO_TOKEN: DoorRefusal = {
  status: 401,
  type: 'authentication',
  message: 'the control API needs its token: send the header `Authorization: Bearer TOKEN`',
};

/** A path that a kind of the license adds. */
function ofKinds(emulator: EngineEmulator, name: string): ControlPath | undefined {
  const effect = emulator.controls.get(name);
  if (effect === undefined) return undefined;
  const run = (body: unknown): Promise<object> => emulator.control(name, body);
  return effect === 'read' ? { get: () => run({}) } : { post: (_, body) => run(body) };
}

async function steer(emulator: EngineEmulator, request: WireRequest, name: string): Promise<WireResponse> {
  const found = PATHS.get(name) ?? ofKinds(emulator, name);
  if (found === undefined) {
    const names = [...PATHS.keys(), ...emulator.controls.keys()];
    return refused(404, 'not_found', `there is ${PREFIX}/ ${names.join(', ')}`);
  }
  const { get, post } = found;
  try {
    if (request.method === 'GET' && get !== undefined) return json(200, await get(emulator, queryOf(request)));
    if (request.method !== 'POST' || post === undefined) {
      const allowed = [...(get === undefined ? [] : ['GET']), ...(post === undefined ? [] : ['POST'])].join(', ');
      return refused(405, 'validation', `method ${request.method} is not allowed, ${allowed} is`, { allow: allowed });
    }
    const bytes = await readBytes(request, emulator.bodyLimit);
    if (bytes === null)
      return refused(
        413,
        'validation',
        `${tooLarge(emulator.bodyLimit)}: --settings with \`limits.bodyBytes\` allows more`,
      );
    return json(200, (await post(emulator, bodyOf(request, bytes))) ?? {});
  } catch (error) {
    const { message } = asError(error);
    // What the disk says about the state file is not a mistake of the request.
    const isSystem = error instanceof Error && 'code' in error;
    return isSystem ? refused(500, 'internal', message) : refused(400, 'validation', message);
  }
}

/** A page in a browser can send text without asking, but not JSON. */
function bodyOf(request: WireRequest, bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  if (text.trim() === '') return {};
  if (!/^application\/json\b/i.test(request.header('content-type') ?? ''))
    throw new Error('the header `Content-Type` must be application/json');
  return JSON.parse(text);
}

function refused(status: number, type: string, message: string, headers: Record<string, string> = {}): WireResponse {
  return json(status, { error: { type, message } }, headers);
}

function json(status: number, value: object, headers: Record<string, string> = {}): WireResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}
