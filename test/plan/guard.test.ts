// The share of deletes that a plan may have: of everything that is ours, and exactly as much as the limit says.

import { expect, test } from 'vitest';
import type { Address } from '../../src/model.ts';
import { declare, desiredOf } from '../desired.ts';
import { ledgerOf, liveOf, object, planOf } from './license.ts';

/** A plan for a license with groups and one agent that are ours, of which the manifest still declares some groups. */
function planWith(owned: number, deleted: number, maxDeletePercent: number) {
  const numbers = Array.from({ length: owned - 1 }, (_, index) => index + 1);
  const live = liveOf(
    object('agent', 'ann@example.com', { name: 'Ann' }),
    ...numbers.map((id) => object('group', id, { name: `Group ${id}` })),
  );
  const bindings = Object.fromEntries([
    ['agent/ann@example.com', 'ann@example.com'],
    ...numbers.map((id): [Address, number] => [`group/g${id}`, id]),
  ]);
  const kept = numbers.slice(deleted).map((id) => declare('group', `g${id}`, { name: `Group ${id}` }));
  const desired = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann' }), ...kept]);
  return planOf(desired, live, ledgerOf(bindings), { maxDeletePercent, acknowledged: new Set() });
}

test('The share is one of all that is ours, not of the kind', () => {
  expect(planWith(5, 1, 20).withheld).toEqual([]);
  expect(planWith(4, 1, 20).withheld).toMatchObject([
    {
      guard: 'max_delete_percent',
      message: expect.stringContaining('1 of the 4 objects that are ours would be deleted (25 %)'),
    },
  ]);
});

test('A share that is larger by less than half a percent is larger', () => {
  expect(planWith(54, 11, 20).withheld).toMatchObject([
    {
      guard: 'max_delete_percent',
      message: expect.stringContaining('11 of the 54 objects that are ours would be deleted (20.4 %)'),
    },
  ]);
  expect(planWith(55, 11, 20).withheld).toEqual([]);
});
