// The fewest writes that bring a live list into a desired order. Knows nothing of what is listed.

import { InternalError } from '../../base/errors.ts';
import type { Position } from '../../kinds/kind.ts';

export interface SequenceItem {
  readonly key: string;
  /** Whether the live list has it; when not, it is created. */
  readonly live: boolean;
  /** Whether it is written anyway because its content changes; not used for an item that is created. */
  readonly changed: boolean;
  /** A live item that must not be written. Others are placed around it. */
  readonly fixed?: true;
}

/** An update without a position carries content only. */
export type SequenceWrite =
  | { readonly key: string; readonly op: 'create'; readonly position: Position }
  | { readonly key: string; readonly op: 'update'; readonly position: Position | null };

export type ListWrite = SequenceWrite | { readonly key: string; readonly op: 'delete' };

/** Returns the list after a write. */
export function written(list: readonly string[], write: ListWrite): readonly string[] {
  const others = list.filter((key) => key !== write.key);
  if (write.op === 'delete') return others;
  const { key, position } = write;
  if (position === null) return list;
  return 'last' in position ? [...others, key] : others.toSpliced(others.indexOf(position.before), 0, key);
}

export interface Sequence {
  /** The certificate: the keys that are not moved, in order. */
  readonly kept: readonly string[];
  /** To be sent one after the other: last item first, so that the item that a position names already stands right. */
  readonly writes: readonly SequenceWrite[];
}

interface LiveItem {
  readonly key: string;
  readonly place: number;
  readonly weight: number;
}

/**
 * Returns the fewest writes after which the desired items stand in their order. Items that stay must form an increasing subsequence of live places;
 * every other item is moved by one write, and a write of content moves at no cost. So the writes are fewest when the kept items form the heaviest
 * increasing subsequence, where an unchanged item weighs 1 and a changed one 0. Among the heaviest the longest is taken, and among those the one that
 * keeps items earliest in the desired order.
 *
 * `live` holds keys in live order. Those that are not desired (unmanaged, or deleted afterwards) are neither written nor moved nor named. O(n log n).
 * Throws InternalError for a key listed twice and for an item whose `live` contradicts the list. Specification: "States and transitions", auto access
 * list.
 */
export function planSequence(live: readonly string[], desired: readonly SequenceItem[]): Sequence {
  const places = indexByKey(live);
  indexByKey(desired.map(({ key }) => key));
  const kept = heaviestIncreasing(candidatesOf(places, desired), live.length);
  const standing = new Set(kept);
  return { kept, writes: writesAround(standing, placeable(desired, standing)) };
}

/** The items that others can be placed by: a fixed item that does not stand right stays where it is. */
export function placeable(desired: readonly SequenceItem[], kept: ReadonlySet<string>): readonly SequenceItem[] {
  return desired.filter(({ key, fixed }) => fixed !== true || kept.has(key));
}

function indexByKey(keys: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [place, key] of keys.entries()) {
    if (places.has(key)) throw new InternalError(`${key} is listed twice`);
    places.set(key, place);
  }
  return places;
}

function candidatesOf(places: ReadonlyMap<string, number>, desired: readonly SequenceItem[]): readonly LiveItem[] {
  // One unchanged item must outweigh all changed ones together: their weight only decides between equals.
  const unchangedWeight = desired.length + 1;
  // One fixed item must outweigh everything that can be moved.
  const fixedWeight = unchangedWeight * unchangedWeight;
  return desired.flatMap(({ key, live, changed, fixed }) => {
    const place = places.get(key);
    if (live !== (place !== undefined)) {
      throw new InternalError(`${key} is said to be ${live ? 'live' : 'new'}, and the live list says otherwise`);
    }
    if (place === undefined) return [];
    return [{ key, place, weight: fixed === true ? fixedWeight : changed ? 1 : unchangedWeight }];
  });
}

/**
 * Returns the keys of the heaviest subsequence of candidates with increasing places below `size`. From the back, a Fenwick tree of maxima gives the
 * heaviest subsequence that each candidate can open. From the front, the first candidate that opens exactly the missing weight is taken.
 */
function heaviestIncreasing(candidates: readonly LiveItem[], size: number): readonly string[] {
  const opened = new Map<string, number>();
  const heaviest = suffixMaxima(size);
  for (const { key, place, weight } of candidates.toReversed()) {
    const total = weight + heaviest.after(place);
    opened.set(key, total);
    heaviest.raise(place, total);
  }

  const kept: string[] = [];
  let missing = heaviest.after(-1);
  for (const { key, weight } of candidates) {
    // Places need no second check: a candidate that is live before the last kept one could precede the next one as well, so it would open more.
    if (opened.get(key) !== missing) continue;
    kept.push(key);
    missing -= weight;
  }
  return kept;
}

/** A Fenwick tree over the places 0 to `size` - 1, all 0 at first: `after` is the maximum of all later places, both in O(log size). */
function suffixMaxima(size: number): {
  readonly after: (place: number) => number;
  readonly raise: (place: number, value: number) => void;
} {
  const tree = new Array<number>(size + 1).fill(0);
  return {
    after(place) {
      let maximum = 0;
      for (let node = size - 1 - place; node > 0; node -= node & -node) maximum = Math.max(maximum, tree[node] ?? 0);
      return maximum;
    },
    raise(place, value) {
      for (let node = size - place; node <= size; node += node & -node) tree[node] = Math.max(tree[node] ?? 0, value);
    },
  };
}

function writesAround(kept: ReadonlySet<string>, desired: readonly SequenceItem[]): readonly SequenceWrite[] {
  const writes: SequenceWrite[] = [];
  let position: Position = { last: true };
  for (const { key, live, changed } of desired.toReversed()) {
    if (!live) writes.push({ key, op: 'create', position });
    else if (!kept.has(key)) writes.push({ key, op: 'update', position });
    else if (changed) writes.push({ key, op: 'update', position: null });
    position = { before: key };
  }
  return writes;
}
