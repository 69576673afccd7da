// Pages of a list, and the tokens that lead from one to the next. Knows no list.
// Specification: "Endpoints", pagination; customer-and-reports-notes.md, section 4, rule 17.

import { isObject, jsonIn } from '../../base/json.ts';
import { DAY } from '../../base/zone.ts';
import { refuse } from '../engine/refusal.ts';
import { type JsonReader, oneOf, optional, quoted, text } from '../engine/shape.ts';

/** What the first request of a list says; a token carries it to the later ones. */
export interface PageQuery {
  /** Which list, and whose: a token of another one is refused. */
  readonly list: string;
  readonly sort_order: 'asc' | 'desc';
  readonly limit?: number;
  readonly min_events_count?: number;
}

/** Where a page begins: behind an item, or before one. */
interface PagePlace {
  readonly query: PageQuery;
  readonly side: 'after' | 'before';
  readonly key: string;
}

/** A page that a request asks for; without `place` it is the first one. */
export interface AskedPage {
  readonly query: PageQuery;
  readonly place?: PagePlace;
}

export const sortOrder = optional(oneOf(['asc', 'desc']));

const LIFETIME = 31 * DAY;

function tokenFor(place: PagePlace, now: number): string {
  return Buffer.from(JSON.stringify({ ...place, until: now + LIFETIME })).toString('base64url');
}

const order = oneOf(['asc', 'desc']);
const side = oneOf(['after', 'before']);

function placeOf(token: string, list: string, now: number): PagePlace {
  const found: unknown = jsonIn(Buffer.from(token, 'base64url').toString());
  const wrong = (): never => refuse('validation', `${quoted('page_id')} is not one that a page of this list gave`);
  if (!isObject(found) || !isObject(found['query']) || typeof found['until'] !== 'number') return wrong();
  if (found['query']['list'] !== list) return wrong();
  if (found['until'] < now) refuse('validation', `${quoted('page_id')} has expired: a page lasts for a month`);
  const { limit, min_events_count: events } = found['query'];
  const isCount = (value: unknown): value is number | undefined => value === undefined || Number.isInteger(value);
  if (!isCount(limit) || !isCount(events)) return wrong();
  const query = {
    list,
    sort_order: order(found['query']['sort_order'], 'page_id'),
    ...(limit === undefined ? {} : { limit }),
    ...(events === undefined ? {} : { min_events_count: events }),
  };
  return { query, side: side(found['side'], 'page_id'), key: text(found['key'], 'page_id') };
}

/** The page that a request asks for. Other members must not come with a `page_id`. */
export function askedPage(
  given: { readonly page_id?: string; readonly [other: string]: unknown },
  query: PageQuery,
  others: readonly string[],
  now: number,
): AskedPage {
  if (given.page_id === undefined) return { query };
  const extra = others.find((name) => given[name] !== undefined);
  if (extra !== undefined) refuse('validation', `${quoted(extra)} must not be sent with ${quoted('page_id')}`);
  const place = placeOf(given.page_id, query.list, now);
  return { query: place.query, place };
}

export const pageId: JsonReader<string | undefined> = optional(text);

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next_page_id: string | undefined;
  readonly previous_page_id: string | undefined;
}

/** The page of `items`, which are in ascending order of their keys. `isFull` says whether a page needs no further item. */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { query, place }: AskedPage,
  isFull: (page: readonly T[]) => boolean,
  now: number,
): ListPage<T> {
  const ordered = query.sort_order === 'asc' ? items : items.toReversed();
  const isBehind = (item: T, key: string): boolean =>
    query.sort_order === 'asc' ? keyOf(item) > key : keyOf(item) < key;
  const take = (from: readonly T[]): readonly T[] => {
    const found: T[] = [];
    for (const item of from) {
      if (isFull(found)) break;
      found.push(item);
    }
    return found;
  };
  const { key, side: where } = place ?? { key: '', side: 'after' };
  const page =
    place === undefined
      ? take(ordered)
      : where === 'after'
        ? take(ordered.filter((item) => isBehind(item, key)))
        : take(ordered.filter((item) => !isBehind(item, key) && keyOf(item) !== key).toReversed()).toReversed();
  const [first, last] = [page[0], page.at(-1)];
  const more = (edge: T | undefined, side: 'after' | 'before'): string | undefined => {
    const end = side === 'after' ? ordered.at(-1) : ordered[0];
    if (edge === undefined || end === undefined || keyOf(edge) === keyOf(end)) return undefined;
    return tokenFor({ query, side, key: keyOf(edge) }, now);
  };
  return { items: page, next_page_id: more(last, 'after'), previous_page_id: more(first, 'before') };
}
