// Difference of the order of a list. Only items that both lists have are compared.

import type { Reference } from '../../base/model.ts';
import { ORDERED } from '../../kinds/index.ts';
import type { Comparison } from '../../plan/compare.ts';
import { statusOf, waysOut } from './about.ts';
import type { Difference } from './report.ts';

export function orderDifferences({ desired, liveOrder, ledger, order }: Comparison): readonly Difference[] {
  const known = ledger.orders.get(ORDERED.name);
  const wish: readonly Reference[] = common(desired.ruleOrder, liveOrder);
  const live = common(liveOrder, wish);
  const base = known === undefined ? undefined : common(known.order, wish);
  // Only items that the last order has can have moved.
  const isSame = (one: unknown, other: unknown): boolean =>
    sameOrder(one as readonly Reference[], other as readonly Reference[]);
  const status = statusOf({ base, live, desired: wish }, isSame);
  if (status === null) return [];
  const moved = [...order.moves].map(([reference, { from, to }]) => `${reference} in place ${from} instead of ${to}`);
  const reach = status === 'converged' ? null : 'write';
  return [
    {
      status,
      kind: 'reordered',
      address: ORDERED.name,
      type: ORDERED.name,
      name: ORDERED.noun.many,
      id: null,
      path: [],
      base: base ?? null,
      live,
      desired: wish,
      reach,
      reason: moved.length === 0 ? null : moved.join(', '),
      applied_at: known?.at ?? null,
      source: null,
      ways_out: waysOut(status, reach),
    },
  ];
}

function common(list: readonly Reference[], other: readonly Reference[]): readonly Reference[] {
  const known = new Set(other);
  return list.filter((reference) => known.has(reference));
}

function sameOrder(one: readonly Reference[], other: readonly Reference[]): boolean {
  const expected = common(other, one);
  return common(one, other).every((reference, place) => reference === expected[place]);
}
