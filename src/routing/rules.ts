// Rules as a manifest or a license spells them in, rules that can be asked about visitors out. What the specification leaves open is decided
// here and nowhere else; docs/routing.md says each. Knows no kind, no plan and no file.

import { byText, canonicalJson, isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { type Geography, type Place, placeOf } from './places.ts';
import { domainPart, domainText, pageUrl, urlPart } from './text.ts';

/** What the specification does not say, and a project may know better. */
export interface Assumptions {
  /** Which of several rules that match decides. */
  readonly decides: 'first' | 'last';
  /** Whether all conditions of a rule must hold, or one is enough. */
  readonly conditions: 'all' | 'any';
  /** Whether texts of URLs tell capital letters from small ones; domains and places never do. */
  readonly case: 'exact' | 'ignore';
}

export const ASSUMED: Assumptions = { decides: 'first', conditions: 'all', case: 'exact' };

/** One rule of a list. */
export interface RoutingRule {
  /** What it is called wherever it is told of: the address of a declared rule, `id` of another. */
  readonly name: string;
  /** The groups it sends chats to, in the terms of whoever asks. */
  readonly groups: readonly string[];
  /** Specification: "Auto access rule", `conditions`. */
  readonly conditions: JsonObject;
}

/** One text that a condition looks for. */
export interface Word {
  /** As the rule has it. */
  readonly written: string;
  /** In the spelling that is compared. */
  readonly text: string;
  readonly exact: boolean;
}

/** Looks at the URL or the domain: whether it has one of the words, or has none. */
export interface TextTest {
  readonly on: 'url' | 'domain';
  readonly wants: 'one' | 'none';
  readonly words: readonly Word[];
}

/** One item of a geolocation. */
export interface PlaceItem {
  readonly written: Geography;
  /** Null when its members contradict each other. */
  readonly place: Place | null;
}

export interface PlaceTest {
  readonly on: 'place';
  readonly items: readonly PlaceItem[];
}

export type Test = TextTest | PlaceTest;

export interface Rule {
  readonly name: string;
  /** Sorted, each once. */
  readonly groups: readonly string[];
  readonly tests: readonly Test[];
  /** The same for conditions that say the same, however they are written. */
  readonly key: string;
}

/** A whole list, with what was assumed when it was read. */
export interface Program {
  /** In the order in which they are asked: the first that matches decides. */
  readonly rules: readonly Rule[];
  readonly assumptions: Assumptions;
}

/** `rules` in the order of the list. */
export function programOf(rules: readonly RoutingRule[], assumptions: Assumptions): Program {
  return {
    rules: asked(
      rules.map((rule) => ruleOf(rule, assumptions)),
      assumptions,
    ),
    assumptions,
  };
}

/** Rules in the order of a list in, in the order in which they are asked out. */
export function asked(rules: readonly Rule[], { decides }: Assumptions): readonly Rule[] {
  return decides === 'first' ? rules : rules.toReversed();
}

export function ruleOf({ name, groups, conditions }: RoutingRule, assumptions: Assumptions): Rule {
  const tests = Object.entries(conditions).flatMap(([subject, condition]): readonly Test[] => {
    const { values, exclude_values: excluded } = objectOf(condition);
    switch (subject) {
      case 'url':
      case 'domain':
        return [...textTest(subject, 'one', values, assumptions), ...textTest(subject, 'none', excluded, assumptions)];
      case 'geolocation':
        return [{ on: 'place', items: listOf(values).map((item) => placeItem(objectOf(item))) }];
      default:
        return [];
    }
  });
  return { name, groups: distinct(groups), tests, key: keyOf(tests) };
}

function keyOf(tests: readonly Test[]): string {
  const spelled = tests.map((test): string =>
    test.on === 'place'
      ? canonicalJson([test.on, ...distinct(test.items.map(({ place }) => canonicalJson(place && { ...place })))])
      : canonicalJson([
          test.on,
          test.wants,
          ...distinct(test.words.map((word) => canonicalJson([word.text, word.exact]))),
        ]),
  );
  return canonicalJson(distinct(spelled));
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort(byText);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function textTest(
  on: TextTest['on'],
  wants: TextTest['wants'],
  items: Json | undefined,
  assumptions: Assumptions,
): readonly TextTest[] {
  const words = listOf(items).map((item): Word => {
    const { value = '', exact_match: exact } = objectOf(item);
    const written = String(value);
    return { written, text: spelled(on, written, exact === true, assumptions), exact: exact === true };
  });
  return words.length === 0 ? [] : [{ on, wants, words }];
}

/** An exact URL is spelled as a browser would report it; a part of one cannot be, so it is only decoded. */
function spelled(on: TextTest['on'], written: string, exact: boolean, assumptions: Assumptions): string {
  if (on === 'domain') return exact ? domainText(written) : domainPart(written);
  return cased(exact ? (pageUrl(written)?.url ?? urlPart(written)) : urlPart(written), assumptions);
}

/** Of a URL, or of a part of one. */
export function cased(text: string, assumptions: Assumptions): string {
  return assumptions.case === 'ignore' ? text.toLowerCase() : text;
}

function placeItem(item: JsonObject): PlaceItem {
  const written = Object.fromEntries(
    ['country', 'country_code', 'region', 'city'].flatMap((name) =>
      typeof item[name] === 'string' && item[name] !== '' ? [[name, item[name]]] : [],
    ),
  );
  return { written, place: placeOf(written) };
}
