// An order with new items in it, each at the place that another order gives it.

/** `order` with new items of `other` in it. Each comes right after the item that it follows there and that does not move, or first. */
export function mergedOrder<T>(
  order: readonly T[],
  other: readonly T[],
  { isNew, moves }: { readonly isNew: (item: T) => boolean; readonly moves: (item: T) => boolean },
): readonly T[] {
  const known = new Set(order);
  const first: T[] = [];
  const followers = new Map<T, T[]>();
  let behind = first;
  for (const item of other) {
    if (moves(item)) continue;
    if (isNew(item) && !known.has(item)) {
      known.add(item);
      behind.push(item);
    } else if (known.has(item)) {
      behind = followers.get(item) ?? [];
      followers.set(item, behind);
    }
  }
  return [...first, ...order.flatMap((item) => [item, ...(followers.get(item) ?? [])])];
}
