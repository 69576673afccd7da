// Law 4 of the design, counted where it is paid for: the requests that reach the service are the fewest that lead to the order.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Desired } from '../../src/base/model.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { fewestWrites } from '../plan/order/rule-list.ts';
import { tries } from '../tries.ts';
import { type World, world } from '../world.ts';
import { leftOver } from './left-over.ts';
import { recordsOf, ruleOrderOf } from './records.ts';

const FATES = ['unchanged', 'changed', 'created', 'stranger', 'deleted'] as const;
type Fate = (typeof FATES)[number];

const conditionsOf = (key: string) => ({ url: { values: [{ value: `/${key}` }] } });

function rule(key: string, description: string): Declared {
  return declare('auto_access', key, { description, access: { groups: ['0'] }, conditions: conditionsOf(key) });
}

/** Live rules in the order of their keys, which are their ids; ours but for the strangers. */
async function licenseOf(live: readonly string[], strangers: readonly string[]): Promise<World> {
  const seeded = live.map((id) => ({
    id,
    description: `${id} as it was`,
    access: { groups: [0] },
    conditions: conditionsOf(id),
  }));
  const made = world({ seed: { auto_access: seeded }, settings: { ruleListOrder: 'shuffled' } });
  const owned = live.filter((id) => !strangers.includes(id));
  const at = new Date(made.clock.now()).toISOString();
  await made.ledger.append(
    owned.map((id) => ({ v: 1, run: 'r', at, type: 'bound', address: `auto_access/${id}`, id, origin: 'created' })),
  );
  return made;
}

/** Applies, and gives the requests that changed the list, deletes aside. */
async function paidFor(made: World, desired: Desired): Promise<number> {
  const plan = await made.plan(desired);
  made.emulator.resetStats();
  const report = await made.apply(plan, desired);
  expect(report.outcome).toBe('done');
  const paid = ({ add_auto_access: added = 0, update_auto_access: updated = 0 }: Readonly<Record<string, number>>) =>
    added + updated;
  expect(paid(plan.requests.by_action)).toBe(paid(made.emulator.stats()));
  expect(leftOver(await made.plan(desired))).toEqual([]);
  return paid(made.emulator.stats());
}

const scene: fc.Arbitrary<{ readonly fates: ReadonlyMap<string, Fate>; readonly order: readonly string[] }> = fc
  .array(fc.constantFrom(...FATES), { maxLength: 5 })
  .chain((fates) => {
    const named = new Map(fates.map((fate, index): [string, Fate] => ['ABCDE'[index] ?? '', fate]));
    const declared = [...named.keys()].filter((key) => !['stranger', 'deleted'].includes(named.get(key) ?? ''));
    const order = fc.shuffledSubarray(declared, { minLength: declared.length });
    return order.map((keys) => ({ fates: named, order: keys }));
  });

describe('the order of the rules', () => {
  it('costs the fewest requests that breadth-first search over the moves of the service finds', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ fates, order }) => {
        const having = (...wanted: readonly Fate[]) =>
          [...fates.keys()].filter((key) => wanted.includes(fates.get(key) ?? 'unchanged'));
        const live = having('unchanged', 'changed', 'stranger', 'deleted');
        const made = await licenseOf(live, having('stranger'));
        const desired = desiredOf(
          order.map((key) => rule(key, `${key} ${fates.get(key) === 'changed' ? 'is new' : 'as it was'}`)),
        );
        const fewest = fewestWrites({
          live: live.join(''),
          writable: order.join(''),
          pending: having('changed', 'created').join(''),
        });
        expect(await paidFor(made, desired)).toBe(fewest.get(order.join('')));
        const final = ruleOrderOf(recordsOf(made.emulator));
        expect(final.filter((id) => live.includes(id) && fates.get(id) === 'stranger')).toEqual(having('stranger'));
        expect(final).toHaveLength(order.length + having('stranger').length);
      }),
      { numRuns: tries(200) },
    );
  });

  const forty = Array.from({ length: 40 }, (_, index) => `rule-${String(index).padStart(2, '0')}`);
  const desiredIn = (order: readonly string[]): Desired => desiredOf(order.map((key) => rule(key, `${key} as it was`)));

  it('of 40 rules is reversed by 39 requests', async () => {
    const made = await licenseOf(forty, []);
    expect(await paidFor(made, desiredIn(forty.toReversed()))).toBe(39);
    expect(ruleOrderOf(recordsOf(made.emulator))).toEqual(forty.toReversed());
  });

  it('of 40 rules takes one request to move the last to the front', async () => {
    const made = await licenseOf(forty, []);
    const order = [...forty.slice(-1), ...forty.slice(0, -1)];
    expect(await paidFor(made, desiredIn(order))).toBe(1);
    expect(ruleOrderOf(recordsOf(made.emulator))).toEqual(order);
  });
});
