// Since when and how often each difference exists, and what to remember of it for the next check. Remembers no value of a license.

import type { Status } from '../../base/difference.ts';
import { byText } from '../../base/json.ts';
import type { LedgerState } from '../../base/model.ts';
import { isInReach } from '../../plan/diff.ts';
import type { Judged } from './judge.ts';
import type { DriftItem, Sighting } from './report.ts';

/** By fingerprint. */
export type Sightings = ReadonlyMap<string, Sighting>;

/** What a check covers. */
export interface CheckScope {
  /** RFC 3339. */
  readonly at: string;
  /** When an apply last proved what it wrote, by address, or by kind for an order. RFC 3339. */
  readonly applied: ReadonlyMap<string, string>;
  /** Whether the check would have seen a difference there. */
  readonly covers: (address: string) => boolean;
}

/** Milliseconds after which a difference that was closed counts as new. */
const REMEMBERED = 30 * 24 * 3_600_000;

/** Returns after which another program must be writing the same thing; the first may be a slip. */
const FIGHT = 2;

/** `items` are in the order of `judged`. */
export function sighted(
  before: Sightings,
  judged: readonly Judged[],
  look: CheckScope,
): { readonly items: readonly DriftItem[]; readonly sightings: Sightings } {
  const seen = new Map(judged.map((item) => [item.fingerprint, seenAgain(before.get(item.fingerprint), item, look)]));
  const items = judged.map((item): DriftItem => {
    const { first_seen, seen_count, returned } = seen.get(item.fingerprint) ?? seenFirst(item, look.at);
    return { ...item, first_seen, seen_count, returned, fight: returned >= FIGHT };
  });
  const gone = [...before].flatMap(([fingerprint, sighting]) => {
    if (seen.has(fingerprint)) return [];
    const closed = sighting.closed_at === null && look.covers(sighting.address);
    return [[fingerprint, closed ? { ...sighting, closed_at: look.at } : sighting] as const];
  });
  const kept = gone.filter(
    ([, { closed_at: closed }]) => closed === null || Date.parse(look.at) - Date.parse(closed) <= REMEMBERED,
  );
  return { items, sightings: new Map([...seen, ...kept].sort(([a], [b]) => byText(a, b))) };
}

/** When an apply last proved what it wrote, by address, and by kind for an order. */
export function lastApplied({ applied, orders }: LedgerState): ReadonlyMap<string, string> {
  return new Map<string, string>([...applied, ...orders].map(([name, { at }]) => [name, at]));
}

function seenFirst({ address, status }: Judged, at: string): Sighting {
  return { address, status, first_seen: at, last_seen: at, seen_count: 1, returned: 0, closed_at: null };
}

function seenAgain(before: Sighting | undefined, item: Judged, { at, applied }: CheckScope): Sighting {
  const now = seenFirst(item, at);
  if (before === undefined) return now;
  const returned = before.returned + (isReturn(before, item, applied.get(item.address)) ? 1 : 0);
  if (before.closed_at !== null) return { ...now, returned };
  // A check that began earlier may end later: remembered times never go back.
  const last = latest(before.last_seen, at);
  return { ...now, first_seen: before.first_seen, last_seen: last, seen_count: before.seen_count + 1, returned };
}

/**
 * Whether the difference came back: it existed before an apply that verified the whole resource, and exists after it. No check need have seen it closed.
 * Only a change on the license can come back, and an apply closes only what it can write and read.
 */
function isReturn(before: Sighting, item: Judged, applied: string | undefined): boolean {
  const isMoved = hasMoved(before.status) && hasMoved(item.status);
  return isInReach(item) && isMoved && applied !== undefined && isAfter(applied, before);
}

function hasMoved(status: Status): boolean {
  return status === 'drift' || status === 'conflict';
}

function isAfter(applied: string, { last_seen: last }: Sighting): boolean {
  return Date.parse(applied) > Date.parse(last);
}

function latest(one: string, other: string): string {
  return Date.parse(one) > Date.parse(other) ? one : other;
}
