// The manifest's order of the rules and the live one in; the fewest moves, and where each written rule goes, out.

import type { Address, Reference } from '../model.ts';
import type { Draft } from './draft.ts';
import type { Reorder, Step } from './plan.ts';
import { planSequence, type SequenceItem, type SequenceWrite } from './sequence.ts';

export interface PlannedOrder {
  readonly writes: readonly SequenceWrite[];
  readonly position: (write: SequenceWrite) => Step['position'];
  readonly reorder: Reorder | null;
  /** Places among the managed rules, first is 1, of the rules that move. */
  readonly moves: ReadonlyMap<Reference, { readonly from: number; readonly to: number }>;
}

/**
 * Plans the order of an ordered kind. `desired` are the addresses of the manifest's list, `live` the live list in the plan's terms. Rules that are
 * not selected, like strangers, stay where they are.
 */
export function planOrder(
  drafts: readonly Draft[],
  desired: readonly Address[],
  live: readonly Reference[],
  selects: (address: Address) => boolean,
): PlannedOrder {
  const byAddress = new Map(drafts.map((made) => [made.address, made]));
  const items = desired.flatMap((address): readonly SequenceItem[] => {
    const made = byAddress.get(address);
    if (made === undefined || !selects(address)) return [];
    return [{ key: address, live: made.object !== null, changed: made.verb === 'update' }];
  });
  const sequence = planSequence(live, items);
  const moved = sequence.writes
    .filter((write) => write.op === 'update' && write.position.kind !== 'stay')
    .map(({ key }) => key);
  const managed = items.map(({ key }) => key);
  const before = live.filter((reference) => managed.includes(reference));
  const fallback = unselectedTail(desired, live, managed);
  return {
    writes: sequence.writes,
    position: (write) => positionOf(write, fallback),
    reorder: moved.length === 0 ? null : { before, after: managed, kept: sequence.kept, moved },
    moves: new Map(moved.map((key) => [key, { from: before.indexOf(key) + 1, to: managed.indexOf(key) + 1 }])),
  };
}

/** Where the end of the selected rules is, when rules that are left out follow it: before the first of those that stands behind all selected ones. */
function unselectedTail(
  desired: readonly Address[],
  live: readonly Reference[],
  managed: readonly string[],
): Reference | null {
  const last = desired.findLastIndex((address) => managed.includes(address));
  const behind = Math.max(-1, ...managed.map((key) => live.indexOf(key)));
  return desired.slice(last + 1).find((address) => live.indexOf(address) > behind) ?? null;
}

function positionOf({ position }: SequenceWrite, tail: Reference | null): Step['position'] {
  switch (position.kind) {
    case 'stay':
      return null;
    case 'before':
      return { before: position.key };
    case 'last':
      return tail === null ? { last: true } : { before: tail };
  }
}
