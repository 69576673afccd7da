// Visitors whose chats go to other groups by one list of rules than by another: an example for each pair of rules that decide differently.

import { groupedBy } from '../base/grouped.ts';
import { byText, canonicalJson } from '../base/json.ts';
import { type Decider, type Decision, decisionOf, type ListChange, listOf, openIn, rivalsIn } from './list.ts';
import { type Need, NOTHING } from './need.ts';
import { NO_PAGES, type ProjectPages } from './pages.ts';
import { type Assumptions, type ParsedRule, programOf, type RoutingRule } from './rules.ts';
import { type Speller, spellerOf } from './spelling.ts';
import type { Visitor } from './visitor.ts';
import { type ChosenNeed, type Effort, type VisitorQuestion, type Witness, witness } from './witness.ts';

export const CAUSES = ['reordered', 'added', 'removed', 'conditions', 'groups'] as const;

/** Why visitors are rerouted, as a change of the rules that decide. */
export interface Cause {
  readonly what: (typeof CAUSES)[number];
  /** The rule that was moved, added, removed or changed. */
  readonly rule: string;
}

/** One of many visitors. */
export interface Example {
  readonly visitor: Visitor;
  /** The texts in the URL that matter; empty when any page will do. */
  readonly on: readonly string[];
}

/** Visitors for whom another rule decides, so that their chats go to other groups. */
export interface Rerouted {
  readonly before: Decision;
  readonly after: Decision;
  readonly cause: Cause;
  /** At least one, and more where the rules have several texts or places: the broadest first, and pages that are made up last. */
  readonly examples: readonly Example[];
  /** No example is on a page that a rule, a routing test or a setting names, or that is built of what they name. */
  readonly made_up?: true;
}

export interface RoutingComparison {
  /** In the order of `byBreadth`. */
  readonly rerouted: readonly Rerouted[];
  /** False when there may be more: too many to list, or pairs of rules that could not be decided. */
  readonly exact: boolean;
}

/** Visitors that a comparison may try. */
export const EFFORT = 200_000;

/** Visitors that it may try in addition, where the first one is on a page that is made up. */
const NAMED_EFFORT = 5_000;

/** Examples of one pair of rules. */
const EXAMPLES = 5;

/** Pairs of rules that a list has at most. */
const PAIRS = 1000;

export function compareRouting(
  before: readonly RoutingRule[],
  after: readonly RoutingRule[],
  assumptions: Assumptions,
  pages: ProjectPages = NO_PAGES,
): RoutingComparison {
  const programs = { before: programOf(before, assumptions), after: programOf(after, assumptions) };
  const lists = { before: listOf(programs.before.rules), after: listOf(programs.after.rules) };
  const speller = spellerOf([...lists.before.rules, ...lists.after.rules], assumptions, pages);
  const effort: Effort = { left: EFFORT };
  const extra: Effort = { left: NAMED_EFFORT };
  const effects: Effect[] = [];
  let exact = true;
  for (const pair of pairsOf(lists)) {
    const question = questionOf(pair, lists);
    const found = witness(question, speller, effort);
    if (found.found === 'unknown') exact = false;
    if (found.found !== 'visitor') continue;
    if (effects.length === PAIRS) {
      exact = false;
      break;
    }
    const others = alternatives(question.match, speller).map((chosen) =>
      witness(question, speller, effort, { chosen }),
    );
    const seen = [found, ...others].flatMap(seenIn);
    const named = seen.some(({ isNamed }) => isNamed) ? [] : seenIn(witness(question, speller, extra, { named: true }));
    effects.push(effectOf(pair, lists, [...seen, ...named]));
  }
  return { rerouted: effects.sort(byBreadth).map(({ rerouted }) => rerouted), exact };
}

/** An effect, as broad as its first example: no other one needs less. */
interface Effect extends Breadth {
  readonly rerouted: Rerouted;
}

type Seen = Extract<Witness, { readonly found: 'visitor' }>;

function seenIn(found: Witness): readonly Seen[] {
  return found.found === 'visitor' ? [found] : [];
}

function effectOf(pair: DeciderPair, lists: ListChange, seen: readonly Seen[]): Effect {
  const examples = seen
    .map((each) => ({ ...breadthOf(each.need, !each.isNamed), visitor: each.visitor, on: textsOf(each.need) }))
    .sort((one, other) => Number(one.isMadeUp) - Number(other.isMadeUp) || one.needs - other.needs);
  const { needs, length, isMadeUp } = examples[0] ?? breadthOf(NOTHING, true);
  return {
    needs,
    length,
    isMadeUp,
    rerouted: {
      before: decisionOf(pair.before),
      after: decisionOf(pair.after),
      cause: causeOf(pair, lists),
      examples: distinct(examples.map(({ visitor, on }) => ({ visitor, on }))),
      ...(isMadeUp ? { made_up: true } : {}),
    },
  };
}

interface DeciderPair {
  readonly before: Decider;
  readonly after: Decider;
}

/** The pairs that can decide differently. */
function pairsOf({ before, after }: ListChange): readonly DeciderPair[] {
  const rivals = rivalsIn(after, before);
  return openIn(before).flatMap((one) => rivals(one).map((other) => ({ before: one, after: other })));
}

/** The visitors who reach both deciders: no earlier rule of either list matches them. */
function questionOf(pair: DeciderPair, { before, after }: ListChange): VisitorQuestion {
  return {
    match: [pair.before.rule, pair.after.rule].flatMap((rule) => rule ?? []),
    miss: [...before.rules.slice(0, pair.before.place), ...after.rules.slice(0, pair.after.place)],
  };
}

/** The alternatives of the rule that has the most; none where neither rule leaves a choice. */
function alternatives(match: readonly ParsedRule[], speller: Speller): readonly ChosenNeed[] {
  const choices = match.map((rule) => (speller.needs.get(rule) ?? []).map((need): ChosenNeed => ({ rule, need })));
  const most = choices.toSorted((one, other) => other.length - one.length)[0] ?? [];
  return most.length > 1 ? most.slice(0, EXAMPLES) : [];
}

/** Of examples of one visitor, the first. */
function distinct(examples: readonly Example[]): readonly Example[] {
  const seen = groupedBy(examples, ({ visitor }) => canonicalJson({ ...visitor }));
  return [...seen.values()].flatMap(([first]) => first ?? []);
}

function textsOf({ wholeUrl, url, wholeDomain, domain }: Need): readonly string[] {
  if (wholeUrl !== null) return [wholeUrl.written];
  return [...domainTexts({ url, wholeDomain, domain }), ...url.toSorted(byText)];
}

/** Texts of the domain that no text of the URL says already. */
function domainTexts({ url, wholeDomain, domain }: Pick<Need, 'url' | 'wholeDomain' | 'domain'>): readonly string[] {
  const domains = wholeDomain === null ? domain : [wholeDomain];
  return domains.filter((text) => !url.some((other) => other.includes(text)));
}

function causeOf(pair: DeciderPair, { before, after }: ListChange): Cause {
  const [was, is] = [pair.before.rule, pair.after.rule];
  const earlier = is === null ? null : (before.rules.find(({ name }) => name === is.name) ?? null);
  const later = was === null ? null : (after.rules.find(({ name }) => name === was.name) ?? null);
  if (was !== null && is !== null && was.name === is.name) return { what: 'groups', rule: is.name };
  if (is !== null && earlier === null) return { what: 'added', rule: is.name };
  if (was !== null && later === null) return { what: 'removed', rule: was.name };
  if (is !== null && is.key !== earlier?.key) return { what: 'conditions', rule: is.name };
  if (was !== null && was.key !== later?.key) return { what: 'conditions', rule: was.name };
  return { what: 'reordered', rule: is?.name ?? was?.name ?? '' };
}

/** How broad an effect is: two numbers, both smaller for what touches more visitors. */
interface Breadth {
  /**
   * What a visitor must have. A domain, and each text in it, counts 1. A text in the URL counts 2, in its query 3; several texts count 5; a whole
   * URL counts 7. A country counts 3, and a region and a city 1 more each. Nothing counts 0, as does a text that is in every URL: every visitor has it.
   */
  readonly needs: number;
  /** Characters of the texts in the URL: a longer text is on fewer pages. */
  readonly length: number;
  /** Only pages that are made up show it. */
  readonly isMadeUp: boolean;
}

function breadthOf(need: Need, isMadeUp: boolean): Breadth {
  const length = need.url.reduce((sum, text) => sum + text.length, 0);
  return { needs: pageNeeds(need) + placeNeeds(need), length, isMadeUp };
}

function pageNeeds({ url, wholeUrl, domain, wholeDomain }: Need): number {
  if (wholeUrl !== null) return 7;
  const [text, ...others] = url.filter((each) => !'https://'.includes(each));
  const texts = text === undefined ? 0 : others.length > 0 ? 5 : /[?&=#]/.test(text) ? 3 : 2;
  return texts + domainTexts({ url, wholeDomain, domain }).length;
}

function placeNeeds({ place }: Need): number {
  const members = new Set(
    Object.keys(place).map((member) => (member === 'code' || member === 'name' ? 'country' : member)),
  );
  return members.size === 0 ? 0 : 2 + members.size;
}

/** Below zero where the first one comes first. */
function byBreadth(one: Breadth, other: Breadth): number {
  return Number(one.isMadeUp) - Number(other.isMadeUp) || one.needs - other.needs || one.length - other.length;
}
