// Pages of lists whose items have ascending ids, and the tokens that lead from one to the next. Knows no list. today/configuration.md, "Greetings".

import { isObject, jsonIn } from '../../base/json.ts';
import { refuse } from './refusal.ts';
import { type JsonReader, quoted } from './shape.ts';

/** What the first request of a list says, and the id behind which a page begins. */
export type Page<Q> = Omit<Q, 'page_id'> & { readonly after: number };

/** The page that a request asks for: the first one, or that of a token, with which no other member may come. */
export function pageQuery<Q extends { readonly page_id?: string }>(given: Q, request: JsonReader<Q>): Page<Q> {
  const { page_id: token, ...query } = given;
  if (token === undefined) return { ...query, after: -1 };
  const [extra] = Object.keys(query);
  if (extra !== undefined) refuse('validation', `${quoted(extra)} must not be sent with ${quoted('page_id')}`);
  const found: unknown = jsonIn(Buffer.from(token, 'base64url').toString());
  if (!isObject(found) || typeof found['after'] !== 'number' || !Number.isInteger(found['after']))
    return refuse('validation', `${quoted('page_id')} is not one that a page of this list gave`);
  const { after } = found;
  const { page_id: _, ...stated } = request(found, 'page_id');
  return { ...stated, after };
}

/** The page of `items`, which are in ascending order of their ids. */
export function pageAfter<T extends { readonly id: number }>(
  items: readonly T[],
  query: { readonly after: number; readonly limit: number },
): { readonly page: readonly T[]; readonly next_page_id?: string } {
  const rest = items.filter(({ id }) => id > query.after);
  const page = rest.slice(0, query.limit);
  if (rest.length <= query.limit) return { page };
  const token = JSON.stringify({ ...query, after: page.at(-1)?.id ?? 0 });
  return { page, next_page_id: Buffer.from(token).toString('base64url') };
}
