// An emulator comes in, and goes out with a second API that steers it: under /_emulator/, JSON over GET and POST. Must not know any action
// of the service.

import type { Emulator, State } from './emulator.ts';
import { parseSeed } from './emulator.ts';
import type { JournalEntry } from './journal.ts';
import { parseScenario } from './scenario.ts';
import { bool, int, object, optional } from './shape.ts';
import { fetchOf, pathOf, type WireHandler, type WireRequest, type WireResponse } from './wire.ts';

const PREFIX = '/_emulator';

/** What one path under the prefix does. `get` looks, `post` changes and then looks. */
interface Lever {
  readonly get?: (emulator: Emulator) => object;
  readonly post?: (emulator: Emulator, body: unknown) => object | Promise<object>;
}

const resetRequest = object({ stats: optional(bool) }, true);
const clockRequest = object({ advance: int(0) }, true);

const clockOf = (emulator: Emulator): object => {
  const now = Math.floor(emulator.now());
  return { now, date: new Date(now).toISOString() };
};
const statsOf = (emulator: Emulator): object => {
  const requests = emulator.stats();
  return { total: Object.values(requests).reduce((sum, count) => sum + count, 0), requests };
};
const faultsOf = (emulator: Emulator): object => emulator.faults();
const logOf = (emulator: Emulator): readonly JournalEntry[] => emulator.log();

const LEVERS: ReadonlyMap<string, Lever> = new Map<string, Lever>([
  ['stats', { get: statsOf }],
  ['log', { get: logOf }],
  [
    'reset',
    {
      post: async (emulator, body) => {
        const { stats = false } = resetRequest(body, '');
        emulator.resetStats();
        if (!stats) await emulator.begin();
        return {};
      },
    },
  ],
  [
    'seed',
    {
      post: async (emulator, body) => {
        await emulator.begin({ seed: parseSeed(body) });
        return {};
      },
    },
  ],
  [
    'snapshot',
    {
      get: (emulator) => emulator.snapshot(),
      post: async (emulator, body) => {
        await emulator.begin({ state: body as State });
        return {};
      },
    },
  ],
  [
    'clock',
    {
      get: clockOf,
      post: (emulator, body) => {
        emulator.advance(clockRequest(body, '').advance);
        return clockOf(emulator);
      },
    },
  ],
  [
    'faults',
    {
      get: faultsOf,
      post: (emulator, body) => {
        emulator.setFaults(parseScenario(body));
        return faultsOf(emulator);
      },
    },
  ],
]);

/** Whoever can reach it can change everything: only for those who asked for it. */
export function withControl(emulator: Emulator): Pick<Emulator, 'handle' | 'fetch'> {
  const isControl = (path: string): boolean => path === PREFIX || path.startsWith(`${PREFIX}/`);
  const control: WireHandler = (asked) => steer(emulator, asked, pathOf(asked).slice(PREFIX.length + 1));
  const fetchControl = fetchOf(control);
  return {
    handle: (asked) => (isControl(pathOf(asked)) ? control(asked) : emulator.handle(asked)),
    fetch: (request) => (isControl(new URL(request.url).pathname) ? fetchControl(request) : emulator.fetch(request)),
  };
}

async function steer(emulator: Emulator, asked: WireRequest, name: string): Promise<WireResponse> {
  const lever = LEVERS.get(name);
  if (lever === undefined)
    return refused(404, 'not_found', `there is ${PREFIX}/ ${Array.from(LEVERS.keys()).join(', ')}`);
  const { get, post } = lever;
  try {
    if (asked.method === 'GET' && get !== undefined) return json(200, get(emulator));
    if (asked.method !== 'POST' || post === undefined) {
      const allowed = [...(get === undefined ? [] : ['GET']), ...(post === undefined ? [] : ['POST'])].join(', ');
      return refused(405, 'validation', `method ${asked.method} is not allowed, ${allowed} is`, { allow: allowed });
    }
    return json(200, await post(emulator, await bodyOf(asked)));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // What the disk says about the state file is not the caller's mistake.
    const isSystem = error instanceof Error && 'code' in error;
    return isSystem ? refused(500, 'internal', message) : refused(400, 'validation', message);
  }
}

/** A page in a browser can send text to us without asking, but not JSON. */
async function bodyOf(asked: WireRequest): Promise<unknown> {
  const text = (await asked.text(-1)) ?? '';
  if (text.trim() === '') return {};
  if (!/^application\/json\b/i.test(asked.header('content-type') ?? ''))
    throw new Error('the header `Content-Type` must be application/json');
  return JSON.parse(text);
}

function refused(status: number, type: string, message: string, headers: Record<string, string> = {}): WireResponse {
  return json(status, { error: { type, message } }, headers);
}

function json(status: number, value: object, headers: Record<string, string> = {}): WireResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, text: JSON.stringify(value) };
}
