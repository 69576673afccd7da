// The order of the rules around a run, and the one there is now, in; the order to go back to out.

import type { Address, Reference } from '../../base/model.ts';
import type { OrderTrace } from './footprint.ts';

export interface OrderBack {
  /** All that are ours, and those that are made again. */
  readonly order: readonly Address[];
  /** Somebody else has moved them since, so those that are there stay where they are. */
  readonly changedSince: boolean;
  /** Made again, and nobody knows where they stood: they come last. */
  readonly placeless: readonly Address[];
}

/**
 * `staying` are our rules in the order of the list as it is now; `reborn` are those that are made again. Null for a run that left the order alone.
 */
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

/** What stands neither as the run left it nor as the run found it. */
function isMoved({ before, left }: OrderTrace, staying: readonly Address[]): boolean {
  return left !== null && ![left, before].some((known) => agree(known, staying));
}

/** Whether what two lists have in common stands in the same order in both. */
function agree(a: readonly Address[], b: readonly Address[]): boolean {
  const [inA, inB] = [a.filter((address) => b.includes(address)), b.filter((address) => a.includes(address))];
  return inA.every((address, index) => address === inB[index]);
}

/** What `order` lacks of `others`, each after the one that it follows there. */
function inserted(order: readonly Address[], others: readonly Address[]): readonly Address[] {
  const whole = [...order];
  for (const [index, address] of others.entries()) {
    if (whole.includes(address)) continue;
    const previous = others[index - 1];
    whole.splice(previous === undefined ? 0 : whole.indexOf(previous) + 1, 0, address);
  }
  return whole;
}
