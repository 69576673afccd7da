// Laws 3, 5 and 6 of the design: what a plan depends on, what its writes say about an edge, and what planning sends.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../src/errors.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { fetchLive, viewOf } from '../../src/live.ts';
import type { Desired, KindName, Live } from '../../src/model.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import { ACTIONS, type ActionName } from '../../src/service/actions.ts';
import { readsOnly } from '../../src/service/client.ts';
import { EVERYTHING, seededRandom, world } from '../world.ts';
import { contradictions } from './edges.ts';
import { scenario, stage, writesOf } from './stage.ts';

const WRITES = (Object.keys(ACTIONS) as readonly ActionName[]).filter((name) => ACTIONS[name].effect !== 'read');
const RUNS = Number(process.env['RUNS'] ?? 200);

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function shuffledDesired(desired: Desired, random: () => number): Desired {
  return {
    ...desired,
    resources: shuffled(desired.resources, random),
    externals: shuffled(desired.externals, random),
    namespaces: shuffled(desired.namespaces, random),
  };
}

function shuffledLive(live: Live, random: () => number): Live {
  const names = Object.keys(live.objects) as readonly KindName[];
  const objects = names.map((name) => [name, shuffled(live.objects[name] ?? [], random)] as const);
  return { ...live, objects: Object.fromEntries(shuffled(objects, random)) };
}

describe('a plan', () => {
  it('depends on no order but that of the rules, sends nothing but reads, and says one thing about each edge', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.integer(), async (given, seed) => {
        const { world: made, desired, options } = await stage(given);
        const ledger = foldLedger(await made.ledger.read());
        const reader = readsOnly(made.client);
        const view = viewOf(desired, ledger, '3.6');
        const live = await fetchLive((action, body) => reader.call(action, body), view, '3.6');
        expect(writesOf(made.emulator)).toEqual({});

        const input = { desired, live, ledger, options: { ...EVERYTHING, ...options } };
        const planned = makePlan(input);
        expect(planned.problems).toEqual([]);
        expect(planned.plan === null ? [] : contradictions(planned.plan, live)).toEqual([]);

        const random = seededRandom(seed);
        const other = makePlan({
          ...input,
          desired: shuffledDesired(desired, random),
          live: shuffledLive(live, random),
        });
        expect(JSON.stringify(other)).toBe(JSON.stringify(planned));
      }),
      { numRuns: RUNS },
    );
  });

  it.each(WRITES)('cannot send %s, because its client refuses it', async (action) => {
    const { client, emulator } = world();
    await expect(readsOnly(client).call(action, {})).rejects.toBeInstanceOf(InternalError);
    expect(emulator.stats()).toEqual({});
  });
});
