// Calls from the bench come in over the channel of the process, the license and decK's service go out on two ports: a process of its own, so that
// what a client uses is the client's alone. Runs what is built, as people run it.

import type { Seed, State } from '../../src/emulator/index.ts';
import { createKong, type Entities } from './kong.ts';

/** One request that was answered; times in milliseconds since the epoch, as every process of this machine tells them. */
export interface Served {
  readonly action: string;
  readonly begun: number;
  readonly ended: number;
}

const built = new URL('../../dist/emulator/index.js', import.meta.url).href;
const { createEmulator, listen } = (await import(built)) as typeof import('../../src/emulator/index.ts');

const LOOPBACK = { port: 0, host: '127.0.0.1' };
const now = (): number => performance.timeOrigin + performance.now();

const emulator = createEmulator({ now: Date.now, random: Math.random });
const kong = createKong();
const states = new Map<string, { readonly license: State; readonly entities: Entities }>();
let served: Served[] = [];

const license = await listen(
  {
    handle: async (asked) => {
      const begun = now();
      const answer = await emulator.handle(asked);
      served.push({ action: asked.target.slice(asked.target.lastIndexOf('/') + 1), begun, ended: now() });
      return answer;
    },
  },
  LOOPBACK,
);
const other = await kong.listen((action, begun) => void served.push({ action, begun, ended: now() }), now);

export const CALLS = {
  /** A license as described, and decK's entities, from now on. */
  begin: async (seed: Seed, entities: Entities): Promise<void> => {
    await emulator.begin({ seed });
    kong.begin(entities);
  },
  /** Keeps what there is now under a name. */
  keep: (name: string): void => {
    states.set(name, { license: emulator.snapshot(), entities: kong.entities() });
  },
  /** What was kept, as if nothing had happened since; nothing is served yet. */
  restore: async (name: string): Promise<void> => {
    const state = states.get(name);
    if (state === undefined) throw new Error(`nothing was kept as ${name}`);
    await emulator.begin({ state: state.license });
    kong.begin(state.entities);
    served = [];
  },
  /** How long every request takes, and every item of a batch, in milliseconds, from now on. */
  slow: (request: number, item: number): void => {
    const every = { type: 'latency', delay: { from: request, to: request } } as const;
    const each = { type: 'slow_items', delay: { from: item, to: item } } as const;
    emulator.setFaults({ faults: [...(request > 0 ? [every] : []), ...(item > 0 ? [each] : [])] });
    kong.slow(request);
  },
  /** What was served since the last `restore`. */
  served: (): readonly Served[] => served,
};

export type Calls = typeof CALLS;

process.on('message', async ({ id, name, args }: { id: number; name: keyof Calls; args: never[] }) => {
  try {
    const call = CALLS[name] as (...given: never[]) => unknown;
    process.send?.({ id, value: await call(...args) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ license: license.url, other });
