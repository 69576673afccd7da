// Since when each difference exists, and what to remember of it for the next check. Remembers no value of a license.

import { byText } from '../../base/json.ts';
import type { Judged } from './judge.ts';
import type { DriftItem, Sighting } from './schema.ts';

/** By fingerprint. */
export type Sightings = ReadonlyMap<string, Sighting>;

/** What a check covers. */
export interface CheckScope {
  /** RFC 3339. */
  readonly at: string;
  /** Whether the check would have seen a difference there. */
  readonly covers: (address: string) => boolean;
}

/** Milliseconds for which a difference that was closed is remembered. */
const REMEMBERED = 30 * 24 * 3_600_000;

/** `items` are in the order of `judged`. */
export function sighted(
  before: Sightings,
  judged: readonly Judged[],
  { at, covers }: CheckScope,
): { readonly items: readonly DriftItem[]; readonly sightings: Sightings } {
  const items = judged.map((item): DriftItem => {
    const known = before.get(item.fingerprint);
    return { ...item, first_seen: known?.closed_at === null ? known.first_seen : at };
  });
  const seen = new Map(
    items.map(({ fingerprint, address, first_seen }) => [fingerprint, { address, first_seen, closed_at: null }]),
  );
  const gone = [...before].flatMap(([fingerprint, sighting]) => {
    if (seen.has(fingerprint)) return [];
    const { address, closed_at: closed } = sighting;
    if (closed === null) return [[fingerprint, covers(address) ? { ...sighting, closed_at: at } : sighting] as const];
    return Date.parse(at) - Date.parse(closed) > REMEMBERED ? [] : [[fingerprint, sighting] as const];
  });
  return { items, sightings: new Map([...seen, ...gone].sort(([a], [b]) => byText(a, b))) };
}
