// Visitors as people describe them, and in the spelling in which rules compare them.

import { type ComparedPlace, type Geography, placeOf } from './places.ts';
import { type Assumptions, cased } from './rules.ts';
import { pageUrl } from './text.ts';

/** A visitor as a person describes one. */
export interface Visitor extends Geography {
  /** Of the page the visitor is on. */
  readonly url: string;
  /** Custom variables, which only greetings look at. */
  readonly variables?: { readonly [name: string]: string };
}

/** A visitor in the spelling that is compared. */
export interface ComparedVisitor {
  readonly url: string;
  readonly domain: string;
  readonly place: ComparedPlace;
}

/** @returns what is wrong, for a visitor who cannot exist */
export function seen(
  visitor: Visitor,
  assumptions: Assumptions,
): ComparedVisitor | { readonly wrong: string; readonly member: keyof Visitor } {
  const page = pageUrl(visitor.url);
  if (page === null) return { wrong: `a visitor is on a page: a whole URL ${exampleOf(visitor.url)}`, member: 'url' };
  const place = placeOf(visitor);
  if (place === null)
    return {
      wrong: `${visitor.country} does not have the country code ${visitor.country_code}: state one of the two`,
      member: 'country_code',
    };
  return { url: cased(page.url, assumptions), domain: page.domain, place };
}

/** The URL that is meant where only its scheme is missing, or an example. */
function exampleOf(text: string): string {
  const whole = withScheme(text);
  return whole === null ? 'such as https://example.com/pricing' : `with its scheme: ${whole}`;
}

/** The URL that is meant by a text such as `example.com/pricing`; null for any other text. */
export function withScheme(text: string): string | null {
  const whole = `https://${text}`;
  return /^[^\s/:?#]+\.[^\s/:?#]+(?=[/:?#]|$)/.test(text) && pageUrl(whole) !== null ? whole : null;
}

/** The URL and the place, from the narrowest to the widest member. */
export function visitorText({ url, city, region, country, country_code }: Visitor): string {
  const place = [city, region, country, country_code].filter((member) => member !== undefined);
  return place.length === 0 ? url : `${url} from ${place.join(', ')}`;
}
