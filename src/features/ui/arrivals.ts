// Objects that no file has and that came lately, as far as what runs found on the license and what drift checks saw says so.

import { ORDERED, ROUTED } from '../../kinds/index.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { isUnmanaged } from '../../view/words/difference.ts';
import type { DriftItem, DriftReport } from '../drift/schema.ts';
import type { Sightings } from '../drift/sightings.ts';

export interface Arrivals {
  readonly items: readonly DatedArrival[];
  /** How many more there are of which nothing says since when. */
  readonly undated: number;
}

export interface DatedArrival {
  readonly item: DriftItem;
  /** RFC 3339: a run did not find it yet, or else the first check that saw it. */
  readonly missedAt: string | null;
  readonly seenAt: string;
}

/** `since`, RFC 3339: what was seen before is no news. */
export function arrivalsIn(
  { items }: Pick<DriftReport, 'items'>,
  events: readonly LedgerEvent[],
  sightings: Sightings,
  since: string,
): Arrivals {
  const found = new Map<string, { readonly at: string; readonly ids: ReadonlySet<string> }>();
  for (const event of events) {
    if (event.type === 'license') found.set(ROUTED.name, { at: event.at, ids: new Set(Object.keys(event.groups)) });
    if (event.type === 'order') found.set(ORDERED.name, { at: event.at, ids: new Set(event.ids.map(String)) });
  }
  const [firstCheck] = [...sightings.values()].map(({ first_seen: at }) => at).toSorted();
  const isNews = ({ type, id, first_seen: seen }: DriftItem): boolean =>
    seen >= since && found.get(type)?.ids.has(String(id)) !== true;
  const news = items.filter((item) => isUnmanaged(item) && isNews(item));
  const dated = news.flatMap((item): readonly DatedArrival[] => {
    const missedAt = found.get(item.type)?.at ?? null;
    const isDated = missedAt !== null || (firstCheck !== undefined && firstCheck < item.first_seen);
    return isDated ? [{ item, missedAt, seenAt: item.first_seen }] : [];
  });
  return { items: dated, undated: news.length - dated.length };
}
