// Order of the rules: the fewest moves from the live order to the one of the manifest, and the place of each written rule.

import type { Address, Reference } from '../../base/model.ts';
import { isAddress, ORDERED } from '../../kinds/index.ts';
import type { Draft } from '../draft.ts';
import type { Reorder } from '../plan.ts';
import { type ListWrite, planSequence, type SequenceItem } from './sequence.ts';

export interface PlannedOrder {
  /** Deletes included; to be sent one after the other. */
  readonly writes: readonly ListWrite[];
  readonly reorder: Reorder | null;
  /** Places among the declared rules, first is 1, of the rules that move. */
  readonly moves: ReadonlyMap<Reference, { readonly from: number; readonly to: number }>;
  readonly items: readonly SequenceItem[];
  readonly live: readonly Reference[];
  readonly kept: ReadonlySet<string>;
}

/**
 * Plans the order of an ordered kind. `desired` is the manifest's list, or a list that also names unmanaged rules; `live` is the live list in the
 * plan's terms. Rules that are unmanaged or not selected keep their places, and selected ones are placed among those that `desired` names.
 */
export function planOrder(
  drafts: readonly Draft[],
  desired: readonly Reference[],
  live: readonly Reference[],
  selects: (address: Address) => boolean,
): PlannedOrder {
  const own = drafts.filter(({ kind }) => kind === ORDERED);
  const byAddress = new Map<Reference, Draft>(own.map((made) => [made.address, made]));
  const isLive = new Set(live);
  const items = desired.flatMap((key): readonly SequenceItem[] => {
    const made = byAddress.get(key);
    if (made !== undefined && selects(made.address))
      return [{ key, live: made.object !== null, changed: made.verb === 'update' }];
    const stands = made === undefined ? !isAddress(key) && isLive.has(key) : made.object !== null;
    return stands ? [{ key, live: true, changed: false, fixed: true }] : [];
  });
  const { kept, writes } = planSequence(live, items);
  return withWrites({ items, live, kept: new Set(kept) }, [...writes, ...deletes(own, live)]);
}

/** Deletes the last rule first, so that the visitors of the first one are not passed on to the next. */
function deletes(drafts: readonly Draft[], live: readonly Reference[]): readonly ListWrite[] {
  const going = drafts.filter(({ verb }) => verb === 'delete');
  const place = (made: Draft): number => live.indexOf(nameIn(live, made));
  return going.toSorted((a, b) => place(b) - place(a)).map(({ address }) => ({ key: address, op: 'delete' }));
}

/** Returns the name of a draft's object in the live list. An unmanaged rule that is deleted has an address in its draft only. */
export function nameIn(live: readonly Reference[], { address, object }: Draft): Reference {
  return object === null || live.includes(address) ? address : String(object.id);
}

/** Returns the same order, reached by other writes. */
export function withWrites(
  { items, live, kept }: Pick<PlannedOrder, 'items' | 'live' | 'kept'>,
  writes: readonly ListWrite[],
): PlannedOrder {
  const moved = writes.flatMap((write) => (write.op === 'update' && write.position !== null ? [write.key] : []));
  const isMoved = new Set(moved);
  const managed = items.filter(({ fixed }) => fixed !== true).map(({ key }) => key);
  const declared = items.map(({ key }) => key).filter(isAddress);
  const isDeclared = new Set<string>(declared);
  const places = { from: live.filter((reference) => isDeclared.has(reference)), to: declared as readonly string[] };
  const isManaged = new Set<string>(managed);
  const before = places.from.filter((reference) => isManaged.has(reference));
  const standing = before.filter((key) => !isMoved.has(key));
  return {
    writes,
    reorder: moved.length === 0 ? null : { before, after: managed, kept: inOrderOf(managed, standing), moved },
    moves: new Map(moved.map((key) => [key, { from: places.from.indexOf(key) + 1, to: places.to.indexOf(key) + 1 }])),
    items,
    live,
    kept,
  };
}

function inOrderOf(order: readonly string[], keys: readonly string[]): readonly string[] {
  const wanted = new Set(keys);
  return order.filter((key) => wanted.has(key));
}
