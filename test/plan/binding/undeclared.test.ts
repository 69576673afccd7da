// Unmanaged objects of a kind that must have nothing undeclared: their addresses, and how deletes are counted.

import { expect, it } from 'vitest';
import type { Address } from '../../../src/base/model.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

it('An unmanaged object is never called by an address that the manifest, an external or the ledger has', () => {
  const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
  const external = { address: 'group/8', kind: 'group', id: 80, name: null, place } as const;
  const desired = desiredOf([declare('group', '7', { name: 'Seven' })], [external], ['group']);
  const live = liveOf(...[7, 8, 9, 80].map((id) => object('group', id, { name: `Number ${id}` })));
  const plan = planOf(desired, live, ledgerOf({ 'group/9': 90 }));
  const deleted = plan.steps.filter(({ operation }) => operation === 'delete');
  expect(deleted.map((step) => [step.address, step.object])).toEqual([
    ['group/id/7', 7],
    ['group/id/8', 8],
    ['group/id/9', 9],
  ]);
});

it('However many unmanaged objects go, they hide no share of the owned ones', () => {
  const ours = [1, 2, 3, 4].map((id): [Address, number] => [`group/g${id}`, id]);
  const kept = [2, 3, 4].map((id) => declare('group', `g${id}`, { name: `Group ${id}` }));
  for (const unmanaged of [0, 1, 30]) {
    const ids = Array.from({ length: 4 + unmanaged }, (_, index) => index + 1);
    const live = liveOf(...ids.map((id) => object('group', id, { name: `Group ${id}` })));
    const desired = desiredOf(kept, [], ['group']);
    const { withheld } = planOf(desired, live, ledgerOf(Object.fromEntries(ours)), {
      maxDeletePercent: 24,
      acknowledged: new Set(),
    });
    expect(withheld.slice(0, 1)).toMatchObject([
      { guard: 'max_delete_percent', message: expect.stringContaining(`${unmanaged + 1} of the ${unmanaged + 4} `) },
    ]);
  }
});

it('However many objects are still to be made, they hide no share of the owned ones', () => {
  const groups = (...keys: readonly number[]) =>
    keys.map((key) => declare('group', `g${key}`, { name: `Group ${key}` }));
  const live = liveOf(...[1, 2, 3, 4].map((id) => object('group', id, { name: `Group ${id}` })));
  const ledger = ledgerOf({ 'group/g1': 1, 'group/g2': 2, 'group/g3': 3, 'group/g4': 4 });
  const { withheld } = planOf(desiredOf(groups(2, 3, 4, 5, 6, 7, 8)), live, ledger, {
    maxDeletePercent: 24,
    acknowledged: new Set(),
  });
  expect(withheld.slice(0, 1)).toMatchObject([
    { guard: 'max_delete_percent', message: expect.stringContaining('1 of the 4 ') },
  ]);
});
