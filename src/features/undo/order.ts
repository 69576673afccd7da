// Order of the rules that an undo goes back to.

import type { Address, Reference } from '../../base/model.ts';
import { isAddress } from '../../kinds/index.ts';
import { agree, type OrderImage, type OrderTrace } from '../../ledger/footprint.ts';
import { mergedOrder } from '../../plan/order/merged-order.ts';

export interface OrderBack {
  /** Every rule that stays, unmanaged ones by id, and every rule that is made again. */
  readonly order: readonly Reference[];
  /** Rules were moved after the run, so existing rules keep their places. */
  readonly changedSince: boolean;
  /** Rules that are made again and whose position is unknown: they go last. */
  readonly placeless: readonly Address[];
}

/** The rules of the license as an undo finds them. */
export interface RulesNow {
  /** Those that stay, in their order: owned ones by address, unmanaged ones by id. */
  readonly staying: readonly Reference[];
  /** Rules that are made again. */
  readonly reborn: ReadonlySet<Reference>;
  /** How a rule is called now that had this id. */
  readonly nameOf: (id: string) => Reference;
}

/** `trace` is null for a run that did not change the order. */
export function orderBack(trace: OrderTrace | null, now: RulesNow): OrderBack {
  const { staying, reborn } = now;
  const before = trace === null ? [] : namesIn(trace.before, now);
  const stays = new Set(staying);
  const wanted = before.filter((name) => stays.has(name) || reborn.has(name));
  const changedSince = trace !== null && isMoved(trace, now);
  const base = changedSince ? staying : wanted;
  const order = inserted(inserted(base, staying), wanted);
  const known = new Set(before);
  const placeless = [...reborn].filter((name) => !known.has(name)).filter(isAddress);
  return { order: [...order, ...placeless], changedSince, placeless };
}

function namesIn({ ids }: OrderImage, { nameOf }: RulesNow): readonly Reference[] {
  return ids.map(nameOf);
}

/** Whether the order is not the one that the run found, and not its own: another one, or written by a later run. No run moves an unmanaged rule. */
function isMoved({ before, left, isRewritten }: OrderTrace, now: RulesNow): boolean {
  const unmanaged = namesIn(before, now).filter((name) => !isAddress(name));
  if (!agree(unmanaged, now.staying)) return true;
  const isNow = (image: OrderImage): boolean => agree(namesIn(image, now), now.staying);
  return !isNow(before) && (isRewritten || (left !== null && !isNow(left)));
}

/** `order` with the items that it lacks of `others`, each after the item that it follows there. */
function inserted(order: readonly Reference[], others: readonly Reference[]): readonly Reference[] {
  const known = new Set(order);
  return mergedOrder(order, others, { isNew: (name) => !known.has(name), moves: () => false });
}
