// The manifest's order of the rules and the live one in; the fewest moves, and where each written rule goes, out.

import type { Address, Reference } from '../model.ts';
import type { Draft } from './draft.ts';
import type { Reorder, Step } from './plan.ts';
import { planSequence, type SequenceItem, type SequenceWrite } from './sequence.ts';

export interface PlannedOrder {
  readonly writes: readonly SequenceWrite[];
  readonly position: (write: SequenceWrite) => Step['position'];
  readonly reorder: Reorder | null;
  /** Places among the declared rules, first is 1, of the rules that move. */
  readonly moves: ReadonlyMap<Reference, { readonly from: number; readonly to: number }>;
}

/**
 * Plans the order of an ordered kind. `desired` are the addresses of the manifest's list, `live` the live list in the plan's terms. Rules that are
 * not selected stay where they are, like strangers, and those that are find their places among them.
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
    if (made === undefined) return [];
    const item = { key: address, live: made.object !== null, changed: made.verb === 'update' };
    if (selects(address)) return [item];
    return item.live ? [{ ...item, changed: false, fixed: true }] : [];
  });
  const sequence = planSequence(live, items);
  const moved = sequence.writes
    .filter((write) => write.op === 'update' && write.position.kind !== 'stay')
    .map(({ key }) => key);
  const managed = items.filter(({ fixed }) => fixed !== true).map(({ key }) => key);
  const declared = new Set<string>(items.map(({ key }) => key));
  const places = { from: live.filter((reference) => declared.has(reference)), to: items.map(({ key }) => key) };
  const isManaged = new Set<string>(managed);
  const before = places.from.filter((reference) => isManaged.has(reference));
  return {
    writes: sequence.writes,
    position: positionOf,
    reorder:
      moved.length === 0
        ? null
        : { before, after: managed, kept: sequence.kept.filter((key) => isManaged.has(key)), moved },
    moves: new Map(moved.map((key) => [key, { from: places.from.indexOf(key) + 1, to: places.to.indexOf(key) + 1 }])),
  };
}

function positionOf({ position }: SequenceWrite): Step['position'] {
  switch (position.kind) {
    case 'stay':
      return null;
    case 'before':
      return { before: position.key };
    case 'last':
      return { last: true };
  }
}
