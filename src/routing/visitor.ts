// What is known of a visitor in, the visitor that rules are asked about out.

import { type Geography, type Place, placeOf } from './places.ts';
import { type Assumptions, cased } from './rules.ts';
import { pageUrl } from './text.ts';

/** As a person describes one. */
export interface Visitor extends Geography {
  /** Of the page the visitor is on. */
  readonly url: string;
}

/** In the spelling that is compared. */
export interface Seen {
  readonly url: string;
  readonly domain: string;
  readonly place: Place;
}

/** @returns what is wrong, instead of a visitor whom nobody can be. */
export function seen(
  visitor: Visitor,
  assumptions: Assumptions,
): Seen | { readonly wrong: string; readonly member: keyof Visitor } {
  const page = pageUrl(visitor.url);
  if (page === null)
    return { wrong: 'a visitor is on a page: a whole URL such as https://example.com/pricing', member: 'url' };
  const place = placeOf(visitor);
  if (place === null)
    return {
      wrong: `${visitor.country} has not the country code ${visitor.country_code}: one of the two is enough`,
      member: 'country_code',
    };
  return { url: cased(page.url, assumptions), domain: page.domain, place };
}

/** Where, from the narrowest to the widest, as a person says it. */
export function visitorText({ url, city, region, country, country_code }: Visitor): string {
  const place = [city, region, country, country_code].filter((member) => member !== undefined);
  return place.length === 0 ? url : `${url} from ${place.join(', ')}`;
}
