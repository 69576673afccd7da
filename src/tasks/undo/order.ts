// Order of the rules that an undo goes back to.

import type { Address, Reference } from '../../base/model.ts';
import type { OrderTrace } from './footprint.ts';

export interface OrderBack {
  /** Every owned rule, and every rule that is made again. */
  readonly order: readonly Address[];
  /** The rules were moved after the run, so existing rules keep their places. */
  readonly changedSince: boolean;
  /** Rules that are made again and whose position is unknown: they go last. */
  readonly placeless: readonly Address[];
}

/** `trace` is null for a run that did not change the order. `staying`: owned rules in their order of now; `reborn`: rules that are made again. */
export function orderBack(
  trace: OrderTrace | null,
  staying: readonly Address[],
  reborn: ReadonlySet<Reference>,
): OrderBack {
  const before = trace?.before ?? [];
  const wanted = before.filter((address) => staying.includes(address) || reborn.has(address));
  const changedSince = trace !== null && isMoved(trace, staying);
  const base = changedSince ? staying : wanted;
  const order = inserted(inserted(base, staying), wanted);
  const placeless = [...reborn].filter((address): address is Address => !before.includes(address as Address));
  return { order: [...order, ...placeless], changedSince, placeless };
}

/** Whether the order is neither the one that the run left nor the one that it found. */
function isMoved({ before, left }: OrderTrace, staying: readonly Address[]): boolean {
  return left !== null && ![left, before].some((known) => agree(known, staying));
}

/** Whether the common items of two lists have the same order in both. */
function agree(a: readonly Address[], b: readonly Address[]): boolean {
  const [inA, inB] = [a.filter((address) => b.includes(address)), b.filter((address) => a.includes(address))];
  return inA.every((address, index) => address === inB[index]);
}

/** `order` with the items that it lacks of `others`, each after the item that it follows there. */
function inserted(order: readonly Address[], others: readonly Address[]): readonly Address[] {
  const whole = [...order];
  for (const [index, address] of others.entries()) {
    if (whole.includes(address)) continue;
    const previous = others[index - 1];
    whole.splice(previous === undefined ? 0 : whole.indexOf(previous) + 1, 0, address);
  }
  return whole;
}
