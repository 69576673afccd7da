// A process with many licenses behind one port, each below a path of its own. It lives through what is done to those who ask it.

import { setTimeout as pause } from 'node:timers/promises';
import { createEmulator, type Emulator, listen } from '../../src/emulator/index.ts';
import { namesOn } from '../laws/ended.ts';
import { BROKEN } from './licenses.ts';

/** One request that arrived. */
export interface Asked {
  readonly license: string;
  readonly action: string;
  /** The token that it came with. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null until it is answered. */
  status: number | null;
}

export interface LicensesJob {
  /** Milliseconds until a request is carried out, and again until its answer leaves. */
  readonly half: readonly [least: number, most: number];
  /** All names are those of one license: a stub, for plans of many. */
  readonly isOne: boolean;
}

const { half, isOne } = JSON.parse(process.argv[2] ?? '') as LicensesJob;
const emulators = new Map<string, Emulator>();
let asked: Asked[] = [];

function emulatorOf(given: string): Emulator {
  const name = isOne ? '' : given;
  const emulator = emulators.get(name) ?? createEmulator({ now: Date.now, random: Math.random });
  emulators.set(name, emulator);
  return emulator;
}

const REFUSAL = { error: { type: 'authorization', message: 'this license is broken' } };

const halfway = (): Promise<void> => pause(half[0] + (half[1] - half[0]) * Math.random());

const server = await listen(
  {
    handle: async (request) => {
      const [, license = '', target = ''] = /^\/([^/]+)(\/.*)$/.exec(request.target) ?? [];
      const by = request.header('authorization') ?? '';
      const one: Asked = { license, action: target.replace(/^.*\//, ''), by, at: Date.now(), status: null };
      asked.push(one);
      await halfway();
      const reply = license.includes(BROKEN)
        ? { status: 403, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(REFUSAL) }
        : await emulatorOf(license).handle({ ...request, target });
      one.status = reply.status;
      await halfway();
      return reply;
    },
  },
  { port: 0, host: '127.0.0.1' },
);

export const CALLS = {
  /** New licenses from now on. */
  clear: (): void => {
    emulators.clear();
    asked = [];
  },
  asked: (): readonly Asked[] => asked,
  /** What each license holds. */
  objects: (): ReadonlyMap<string, readonly string[]> =>
    new Map([...emulators].map(([name, emulator]) => [name, namesOn(emulator)])),
};

export type Calls = typeof CALLS;

process.on('message', ({ id, name }: { readonly id: number; readonly name: keyof Calls }) => {
  process.send?.({ id, value: CALLS[name]() });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: server.url });
