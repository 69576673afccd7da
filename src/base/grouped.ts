// Lists of items by a key, and their numbers, in the order in which each key first comes.

/** Of a key that comes. */
type Items<V> = readonly [V, ...V[]];

export function grouped<K, V>(entries: Iterable<readonly [key: K, item: V]>): ReadonlyMap<K, Items<V>> {
  const lists = new Map<K, [V, ...V[]]>();
  for (const [key, item] of entries) {
    const known = lists.get(key);
    if (known === undefined) lists.set(key, [item]);
    else known.push(item);
  }
  return lists;
}

export function groupedBy<K, V>(items: Iterable<V>, keyOf: (item: V) => K): ReadonlyMap<K, Items<V>> {
  return grouped(Array.from(items, (item) => [keyOf(item), item] as const));
}

/** How many items have each key. */
export function countedBy<K, V>(items: Iterable<V>, keyOf: (item: V) => K): ReadonlyMap<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The sum of counts by name. */
export function sumOf(counts: { readonly [name: string]: number }): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Counts by name, added up. */
export function addCounts(all: Iterable<{ readonly [name: string]: number }>): { readonly [name: string]: number } {
  const sums = new Map<string, number>();
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums);
}
