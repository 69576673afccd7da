// Every difference between what was applied, what is live and what is desired, in the order in which people read a license; and the kinds that were
// compared.

import { byText } from '../../base/json.ts';
import type { Address, Desired, KindName, Leaving, Live, Reference } from '../../base/model.ts';
import { KIND_NAMES, KINDS, kindOf, ORDERED } from '../../kinds/index.ts';
import type { Comparison } from '../compare.ts';
import type { Draft } from '../draft.ts';
import { managedKinds } from '../unmanaged.ts';
import { contextOf, statusOf, waysOut } from './about.ts';
import type { ComparedKind, Difference } from './difference.ts';
import { edgeDifferences } from './edges.ts';
import { fieldDifferences } from './fields.ts';
import {
  administratorDifferences,
  externalDifferences,
  lostDifferences,
  objectDifferences,
  undeclaredDifferences,
} from './objects.ts';

/** Sorted by kind, address and path. `selects`: addresses that `--only` and `--except` leave in. `among`: the resources of those to compare. */
export function differencesOf(
  compared: Comparison,
  selects: (address: Address) => boolean,
  among: (made: Draft) => boolean = () => true,
): readonly Difference[] {
  const context = contextOf(compared);
  const isLookedAt = (made: Draft): boolean => selects(made.address) && among(made);
  const looked = compared.drafts.filter(isLookedAt);
  const rules = compared.desired.ruleOrder;
  const found = [
    ...looked.flatMap((made) => [...objectDifferences(made, context), ...fieldDifferences(made, context)]),
    ...edgeDifferences(context, isLookedAt),
    ...(rules.every(selects) ? orderDifferences(compared) : []),
    ...lostDifferences(context, selects),
    ...externalDifferences(context, selects),
    ...undeclaredDifferences(context, selects),
    ...administratorDifferences(context, selects),
  ];
  return withChangers(inRows(found, compared.desired), compared.live).toSorted(
    (a, b) =>
      KIND_NAMES.indexOf(a.type) - KIND_NAMES.indexOf(b.type) ||
      byText(a.address, b.address) ||
      byText(a.path.join('\0'), b.path.join('\0')),
  );
}

/** Of what was changed on the license, who did it, where the service says so. */
function withChangers(found: readonly Difference[], { objects }: Live): readonly Difference[] {
  return found.map((each) => {
    const [member] = Object.entries(KINDS[each.type].computed ?? {}).find(([, { isChanger }]) => isChanger) ?? [];
    if (member === undefined || (each.status !== 'drift' && each.status !== 'conflict')) return each;
    const changer = objects[each.type]?.find(({ id }) => id === each.id)?.facts.computed?.[member];
    return typeof changer === 'string' && changer !== '' ? { ...each, changed_by: changer } : each;
  });
}

/** Only the table can declare what its people have: an entry in a manifest would be a second declaration. */
function inRows(found: readonly Difference[], { resources }: Desired): readonly Difference[] {
  const rows = new Map<string, string>(
    resources.flatMap(({ address, row, leaves }): readonly (readonly [string, string])[] => {
      const keeping = leaves === undefined ? null : staying(leaves);
      if (keeping !== null) return [[address, keeping]];
      return row === undefined ? [] : [[address, `to keep it, change the row at ${row.file}:${row.line}`]];
    }),
  );
  if (rows.size === 0) return found;
  return found.map((each) => {
    const row = each.ways_out.includes('accept') ? rows.get(each.address) : undefined;
    if (row === undefined) return each;
    const reason = each.reason === null ? row : `${each.reason}; ${row}`;
    return { ...each, reason, ways_out: each.ways_out.filter((way) => way !== 'accept') };
  });
}

/** The kinds of a version, and which of them were compared. `addresses`: all that can be selected. */
export function comparedKinds(
  compared: Comparison,
  selects: (address: Address) => boolean,
  addresses: readonly Address[],
): readonly ComparedKind[] {
  const managed = managedKinds(compared);
  const selected = new Set(addresses.filter(selects).map(kindOf));
  const leftOut = (type: KindName): ComparedKind['left_out'] => {
    if (managed.has(type)) return selected.has(type) || addresses.every(selects) ? null : 'not-selected';
    return KINDS[type].namespace !== undefined && compared.desired.namespaces.length === 0 ? 'no-client' : 'undeclared';
  };
  return KIND_NAMES.filter((type) => KINDS[type].versions.includes(compared.live.version)).map((type) => ({
    type,
    noun: KINDS[type].noun.one,
    nouns: KINDS[type].noun.many,
    left_out: leftOut(type),
  }));
}

/** How the files say that a person stays; null where the row of the person does. */
function staying(leaves: Leaving): string | null {
  switch (leaves.by) {
    case 'marked-row':
      return null;
    case 'missing-row':
      return `to keep it, add a row to ${leaves.file}`;
    case 'leavers':
      return `to keep it, remove the person from \`leavers\` in ${leaves.file}`;
    case 'moved':
      return `to keep it, remove the item of \`moved\` in ${leaves.file}`;
  }
}

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
  const moved = [...order.moves]
    .filter(([, { from, to }]) => from !== to)
    .map(([reference, { from, to }]) => `${reference} in place ${from} instead of ${to}`);
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
      usual: false,
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
