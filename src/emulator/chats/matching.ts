// Whether an auto access rule matches a visitor's page and place, and which rule decides.
// Specification of the Configuration API: "Auto access rule".

import { domainToUnicode } from 'node:url';
import { parsedUrl } from '../../base/url.ts';
import { type RuleConditions, type RuleRecord, rulesInOrder } from '../configuration/auto-access.ts';
import type { VisitorPlace } from './records.ts';
import type { ChatSettings } from './settings.ts';
import type { StaffView } from './staff.ts';

/** A visitor as rules see one. */
export interface Visit {
  /** URL of the page; undefined when it is not known. */
  readonly page: string | undefined;
  readonly place: VisitorPlace;
}

type TextCondition = NonNullable<RuleConditions['url']>;
type PlaceCondition = NonNullable<RuleConditions['geolocation']>['values'][number];

interface PageAddress {
  readonly url: string;
  readonly domain: string;
}

/** Percent-escapes of whole characters as those characters. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex');
    const shown = bytes.toString('utf8');
    // An escape that is no character stays as it is.
    return Buffer.from(shown, 'utf8').equals(bytes) ? shown : escapes;
  });
}

/** In one spelling: an accent can be a character of its own. */
const international = (text: string): string =>
  text.replace(/(?<![a-z0-9-])xn--[a-z0-9-]+/gi, (label) => domainToUnicode(label) || label).normalize('NFC');

/** The address of a page as its browser shows it, in readable characters; undefined for one that no browser shows as a page. */
export function pageAddress(text: string): PageAddress | undefined {
  const url = parsedUrl(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  if (url === null) return undefined;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const domain = international(url.hostname).toLowerCase().replace(/\.+$/, '');
  const port = url.port === '' ? '' : `:${url.port}`;
  const rest = international(decoded(url.pathname + url.search + url.hash));
  return domain === '' ? undefined : { url: `${url.protocol}//${domain}${port}${rest}`, domain };
}

type TextMatch = NonNullable<TextCondition['values']>[number];

/** Texts of rules in readable characters; they are read once, and not for each visit. */
const readable = new WeakMap<TextMatch, string>();

function readableText(match: TextMatch): string {
  const known = readable.get(match) ?? international(decoded(match.value));
  readable.set(match, known);
  return known;
}

function textHolds({ values, exclude_values: excluded }: TextCondition, found: (match: TextMatch) => boolean): boolean {
  const has = (matches: readonly TextMatch[]): boolean => matches.some(found);
  return values === undefined ? !has(excluded ?? []) : has(values);
}

let codes: ReadonlyMap<string, string> | undefined;

const spelling = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** The code of a country, from its English name or from itself. */
function codeOf(name: string): string | undefined {
  codes ??= countryCodes();
  return codes.get(spelling(name));
}

/** English names and codes, as they are compared -> code. Of two codes with one name the later one counts. */
function countryCodes(): ReadonlyMap<string, string> {
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const known = letters
    .flatMap((one) => letters.map((other) => one + other))
    .flatMap((code) => {
      const country = regions.of(code);
      return country === undefined ? [] : [{ code, country }];
    });
  return new Map([
    ...known.map(({ code }) => [spelling(code), code] as const),
    ...known.map(({ code, country }) => [spelling(country), code] as const),
  ]);
}

/** A country by its code where that is known, by its name otherwise. */
function countryOf({ country, country_code: code }: VisitorPlace): string | undefined {
  if (code !== undefined && code !== '') return spelling(code);
  if (country === undefined || country === '') return undefined;
  return spelling(codeOf(country) ?? country);
}

const agrees = (wanted: string | undefined, given: string | undefined): boolean =>
  wanted === undefined || wanted === '' || (given !== undefined && spelling(wanted) === spelling(given));

/** An item whose name and code are those of two countries is nowhere. */
function placeHolds(wanted: PlaceCondition, place: VisitorPlace): boolean {
  const { country, country_code: code } = wanted;
  const named = country === undefined || country === '' ? undefined : codeOf(country);
  if (named !== undefined && code !== undefined && code !== '' && spelling(named) !== spelling(code)) return false;
  const asked = countryOf(wanted);
  return (
    (asked === undefined || asked === countryOf(place)) &&
    agrees(wanted.region, place.region) &&
    agrees(wanted.city, place.city)
  );
}

function ruleMatches(
  { url, domain, geolocation }: RuleConditions,
  address: PageAddress | undefined,
  place: VisitorPlace,
  settings: ChatSettings,
): boolean {
  const cased = (text: string): string => (settings.routing.case === 'exact' ? text : text.toLowerCase());
  const inUrl = (match: TextMatch): boolean => {
    const shown = cased(address?.url ?? '');
    if (match.exact_match !== true) return shown.includes(cased(readableText(match)));
    return shown === cased(pageAddress(match.value)?.url ?? readableText(match));
  };
  const inDomain = ({ value, exact_match: exact }: TextMatch): boolean => {
    const wanted = international(value).toLowerCase();
    return exact === true ? address?.domain === wanted.replace(/\.+$/, '') : (address?.domain ?? '').includes(wanted);
  };
  // A condition on a page that is not known does not hold, whether it wants a text there or none.
  const known = address !== undefined;
  const tests = [
    ...(url === undefined ? [] : [known && textHolds(url, inUrl)]),
    ...(domain === undefined ? [] : [known && textHolds(domain, inDomain)]),
    ...(geolocation === undefined ? [] : [geolocation.values.some((one) => placeHolds(one, place))]),
  ];
  return settings.routing.conditions === 'all' ? tests.every(Boolean) : tests.some(Boolean);
}

/** The rule that decides where a visit goes, of the configuration that has taken effect; undefined when none matches. */
export function decidingRule(
  { license, settings, effectiveAt }: StaffView & { readonly settings: ChatSettings },
  { page, place }: Visit,
): RuleRecord | undefined {
  const address = page === undefined ? undefined : pageAddress(page);
  const rules = rulesInOrder(license, effectiveAt);
  const asked = settings.routing.decides === 'first' ? rules : rules.toReversed();
  return asked.find(({ conditions }) => ruleMatches(conditions, address, place, settings));
}
