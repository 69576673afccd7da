// Renames in the order in which they were made, and what they do to names and to lists of names.

export interface Rename<N> {
  readonly from: N;
  readonly to: N;
}

/** The last name of everything that has another one in the end. */
export function lastNames<N>(renames: readonly Rename<N>[]): ReadonlyMap<N, N> {
  const last = new Map<N, N>();
  for (const { from, to } of renames.toReversed()) last.set(from, last.get(to) ?? to);
  return last;
}

/**
 * The entries with their last names, each at its place. An entry that has the new name of another is dropped: `always`, or only where the other one is
 * among the entries (`replaced`).
 */
export function renamedEntries<N, T>(
  entries: Iterable<readonly [N, T]>,
  renames: readonly Rename<N>[],
  dropped: 'always' | 'replaced',
): readonly (readonly [N, T])[] {
  const all: (readonly [N, T] | null)[] = [...entries];
  const places = new Map(all.flatMap((entry, place) => (entry === null ? [] : [[entry[0], place] as const])));
  for (const { from, to } of renames) {
    const place = places.get(from);
    const other = places.get(to);
    if (other !== undefined && (dropped === 'always' || place !== undefined)) {
      all[other] = null;
      places.delete(to);
    }
    const entry = place === undefined ? undefined : all[place];
    if (place === undefined || entry === undefined || entry === null) continue;
    all[place] = [to, entry[1]];
    places.delete(from);
    places.set(to, place);
  }
  return all.filter((entry) => entry !== null);
}

/** A list of names after the renames. A name that another one takes over is no longer in it. */
export function renamedOrder<N>(order: readonly N[], renames: readonly Rename<N>[]): readonly N[] {
  const entries = order.map((name) => [name, null] as const);
  return renamedEntries(entries, renames, 'replaced').map(([name]) => name);
}
