// The least that a visitor must have for a rule to match: one alternative for each choice that the rule leaves.

import { type ComparedPlace, type Geography, PLACE_MEMBERS } from './places.ts';
import type { ParsedRule, Test, Word } from './rules.ts';

/** What a visitor must have at least. Texts that must not be there are no need: they are checked on the finished visitor. */
export interface Need {
  /** Texts in the URL; none is part of another text. */
  readonly url: readonly string[];
  /** The whole URL, as written and as compared. */
  readonly wholeUrl: Word | null;
  /** Texts in the domain; none is part of another text. */
  readonly domain: readonly string[];
  readonly wholeDomain: string | null;
  readonly place: ComparedPlace;
  /** The same place, as the rules write it. */
  readonly where: Geography;
}

export const NOTHING: Need = { url: [], wholeUrl: null, domain: [], wholeDomain: null, place: {}, where: {} };

export function needOfWord(on: 'url' | 'domain', word: Word): Need {
  if (on === 'url') return word.exact ? { ...NOTHING, wholeUrl: word } : { ...NOTHING, url: [word.text] };
  return word.exact ? { ...NOTHING, wholeDomain: word.text } : { ...NOTHING, domain: [word.text] };
}

/** Both needs as one; null when no visitor can meet both. */
export function both(one: Need, other: Need): Need | null {
  const place = placeOfBoth(one.place, other.place);
  const wholeUrl = sameOrOne(one.wholeUrl, other.wholeUrl, (word) => word.text);
  const wholeDomain = sameOrOne(one.wholeDomain, other.wholeDomain, (text) => text);
  if (place === null || wholeUrl === CONTRADICTION || wholeDomain === CONTRADICTION) return null;
  const domain = longest([...one.domain, ...other.domain]);
  if (wholeDomain !== null && domain.some((part) => !wholeDomain.includes(part))) return null;
  return {
    url: longest([...one.url, ...other.url]),
    wholeUrl,
    domain,
    wholeDomain,
    place,
    where: whereOfBoth(one, other, place),
  };
}

/** Whether a visitor who meets the first need surely meets the second one also. */
export function implies(need: Need, { url, wholeUrl, domain, wholeDomain, place }: Need): boolean {
  const isThere = (texts: readonly string[], whole: string | undefined, text: string): boolean =>
    whole?.includes(text) === true || texts.some((other) => other.includes(text));
  return (
    (wholeUrl === null || wholeUrl.text === need.wholeUrl?.text) &&
    (wholeDomain === null || wholeDomain === need.wholeDomain) &&
    url.every((text) => isThere(need.url, need.wholeUrl?.text, text)) &&
    domain.every((text) => isThere(need.domain, need.wholeDomain ?? undefined, text)) &&
    PLACE_MEMBERS.every((member) => place[member] === undefined || place[member] === need.place[member])
  );
}

/** The place as the rules write it: a known name goes with its code, an unknown name has none. */
function whereOfBoth(one: Need, other: Need, { code, name }: ComparedPlace): Geography {
  const where = { ...one.where, ...other.where };
  if (code === undefined || name === undefined) return where;
  const named = one.place.name === undefined ? other.where : one.where;
  return { ...where, ...(named.country === undefined ? {} : { country: named.country }), country_code: code };
}

const CONTRADICTION = Symbol('contradiction');

function sameOrOne<T>(one: T | null, other: T | null, text: (value: T) => string): T | null | typeof CONTRADICTION {
  if (one === null || other === null) return one ?? other;
  return text(one) === text(other) ? one : CONTRADICTION;
}

function placeOfBoth(one: ComparedPlace, other: ComparedPlace): ComparedPlace | null {
  const contradicts = PLACE_MEMBERS.some(
    (member) => one[member] !== undefined && other[member] !== undefined && one[member] !== other[member],
  );
  return contradicts ? null : { ...one, ...other };
}

/** Without texts that are part of another one: those are there as soon as the other one is. */
function longest(texts: readonly string[]): readonly string[] {
  return texts.filter(
    (text, index) => !texts.some((other, at) => at !== index && other.includes(text) && (other !== text || at < index)),
  );
}

function needsOfTest(test: Test): readonly Need[] {
  if (test.on === 'place')
    return test.items.flatMap(({ place, written }) => (place === null ? [] : [{ ...NOTHING, place, where: written }]));
  return test.wants === 'none' ? [NOTHING] : test.words.map((word) => needOfWord(test.on, word));
}

/** Every visitor that a rule matches meets at least one of these. */
export function needsOf({ tests }: ParsedRule, conditions: 'all' | 'any'): readonly Need[] {
  if (tests.length === 0) return [];
  const each = tests.map(needsOfTest);
  if (conditions === 'any') return each.flat();
  return each.reduce<readonly Need[]>(
    (found, needs) => found.flatMap((one) => needs.flatMap((other) => both(one, other) ?? [])),
    [NOTHING],
  );
}
