// An emulator comes in, and goes out with a second API that steers it: under /_emulator/, JSON over GET and POST. Must not know any action
// of the service.

import type { Emulator } from './emulator.ts';
import type { Entry } from './journal.ts';
import { parseScenario } from './scenario.ts';
import { parseSeed } from './seed.ts';
import { bool, int, object, optional } from './shape.ts';
import { parseState } from './snapshot.ts';

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
const logOf = (emulator: Emulator): readonly Entry[] => emulator.log();

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
        await emulator.begin({ state: parseState(body) });
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
export function withControl(emulator: Emulator): Pick<Emulator, 'fetch'> {
  return {
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const isControl = pathname === PREFIX || pathname.startsWith(`${PREFIX}/`);
      return isControl ? steer(emulator, request, pathname.slice(PREFIX.length + 1)) : emulator.fetch(request);
    },
  };
}

async function steer(emulator: Emulator, request: Request, name: string): Promise<Response> {
  const lever = LEVERS.get(name);
  if (lever === undefined)
    return refused(404, 'not_found', `there is ${PREFIX}/ ${Array.from(LEVERS.keys()).join(', ')}`);
  const { get, post } = lever;
  try {
    if (request.method === 'GET' && get !== undefined) return Response.json(get(emulator));
    if (request.method !== 'POST' || post === undefined) {
      const allowed = [...(get === undefined ? [] : ['GET']), ...(post === undefined ? [] : ['POST'])].join(', ');
      return refused(405, 'validation', `method ${request.method} is not allowed, ${allowed} is`, { allow: allowed });
    }
    return Response.json(await post(emulator, await bodyOf(request)));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // What the disk says about the state file is not the caller's mistake.
    const isSystem = error instanceof Error && 'code' in error;
    return isSystem ? refused(500, 'internal', message) : refused(400, 'validation', message);
  }
}

/** A page in a browser can send text to us without asking, but not JSON. */
async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === '') return {};
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new Error('the header `Content-Type` must be application/json');
  return JSON.parse(text);
}

function refused(status: number, type: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { type, message } }, { status, headers });
}
