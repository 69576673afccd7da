// Rules of a manifest or a license, parsed so that they can be asked about visitors. What the specification leaves open is decided here and nowhere
// else; docs/how-to/route-visitors.md states each assumption.

import { byText, canonicalJson, isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { type ComparedPlace, type Geography, placeOf } from './places.ts';
import { domainPart, domainText, pageUrl, urlPart } from './text.ts';

/** What the specification leaves open; a project may state otherwise. */
/** `in-order`: each rule with all before it. `and-first`: an `or` begins an alternative, of which all rules must hold. */
export type Chain = 'in-order' | 'and-first';

export interface Assumptions {
  /** Which of several matching rules decides. */
  readonly decides: 'first' | 'last';
  /** Whether all conditions of a rule must hold, or one is enough. */
  readonly conditions: 'all' | 'any';
  /** Whether texts of URLs are compared with their letter case; domains and places never are. */
  readonly case: 'exact' | 'ignore';
  /** How `and` and `or` of the rules of a greeting combine. */
  readonly greetings: Chain;
}

export const ASSUMED: Assumptions = { decides: 'first', conditions: 'all', case: 'exact', greetings: 'in-order' };

/** One rule of a list. */
export interface RoutingRule {
  /** The address of a declared rule, the id of another one. */
  readonly name: string;
  /** What messages call a rule that no file declares: what it says or does, and its id. Left out for the name. */
  readonly title?: string;
  /** The groups it sends chats to, under the caller's names. */
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

/** A test of the URL or the domain: whether it has one of the words, or none. */
export interface TextTest {
  readonly on: 'url' | 'domain';
  readonly wants: 'one' | 'none';
  readonly words: readonly Word[];
}

/** One item of a geolocation. */
export interface PlaceItem {
  readonly written: Geography;
  /** Null when its members contradict each other. */
  readonly place: ComparedPlace | null;
}

export interface PlaceTest {
  readonly on: 'place';
  readonly items: readonly PlaceItem[];
}

export type Test = TextTest | PlaceTest;

export interface ParsedRule {
  readonly name: string;
  /** What messages call it: the name of a declared rule. */
  readonly title: string;
  /** Sorted, each once. */
  readonly groups: readonly string[];
  readonly tests: readonly Test[];
  /** Equal for conditions that mean the same, however they are written. */
  readonly key: string;
}

/** A whole list, with the assumptions it was parsed by. */
export interface Program {
  /** In the order in which they are asked: the first match decides. */
  readonly rules: readonly ParsedRule[];
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

/** Rules in the order in which they are asked, from their order in the list. */
export function asked(rules: readonly ParsedRule[], { decides }: Assumptions): readonly ParsedRule[] {
  return decides === 'first' ? rules : rules.toReversed();
}

export function ruleOf({ name, title = name, groups, conditions }: RoutingRule, assumptions: Assumptions): ParsedRule {
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
  return { name, title, groups: distinct(groups), tests, key: keyOf(tests) };
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

/** An exact URL is spelled as a browser reports it; a part of a URL is only decoded. */
function spelled(on: TextTest['on'], written: string, exact: boolean, assumptions: Assumptions): string {
  if (on === 'domain') return exact ? domainText(written) : domainPart(written);
  return cased(exact ? (pageUrl(written)?.url ?? urlPart(written)) : urlPart(written), assumptions);
}

/** The text of a URL, or of a part, in the letter case that is compared. */
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
