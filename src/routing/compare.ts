// Two lists of rules in; whose chats go elsewhere with the second than with the first, out: a visitor for each pair of rules that decide
// differently. Knows no plan: what the lists are, whoever asks knows.

import { byText, canonicalJson } from '../base/json.ts';
import { type Decision, decisionOf, type Entry, type List, listOf, openIn, rivalsIn } from './list.ts';
import type { Need } from './need.ts';
import { type Assumptions, programOf, type RoutingRule, type Rule } from './rules.ts';
import { type Speller, spellerOf } from './spelling.ts';
import type { Visitor } from './visitor.ts';
import { type Choice, type Effort, type Question, type Witness, witness } from './witness.ts';

export const CAUSES = ['reordered', 'added', 'removed', 'conditions', 'groups'] as const;

/** Why somebody is rerouted, seen from the rules that decide. */
export interface Cause {
  readonly what: (typeof CAUSES)[number];
  /** The rule that precedes, came, went or changed. */
  readonly rule: string;
}

/** A visitor, as an example of many. */
export interface Example {
  readonly visitor: Visitor;
  /** The texts in the URL that make it so; empty when any page will do. */
  readonly on: readonly string[];
}

/** Visitors for whom one rule decided and another one does, and whose chats go to other groups. */
export interface Rerouted {
  readonly before: Decision;
  readonly after: Decision;
  readonly cause: Cause;
  /** One at least, and others where the rules have several texts or places. */
  readonly examples: readonly Example[];
}

export interface Comparison {
  readonly rerouted: readonly Rerouted[];
  /** False when there may be more: too many to list, or pairs of rules that could not be decided. */
  readonly exact: boolean;
}

/** Visitors that a comparison may try. */
export const EFFORT = 200_000;

/** How many visitors a pair of rules is worth. */
const EXAMPLES = 5;

/** How many pairs of rules anybody would read. */
const PAIRS = 1000;

export function compareRouting(
  before: readonly RoutingRule[],
  after: readonly RoutingRule[],
  assumptions: Assumptions,
): Comparison {
  const programs = { before: programOf(before, assumptions), after: programOf(after, assumptions) };
  const lists = { before: listOf(programs.before.rules), after: listOf(programs.after.rules) };
  const speller = spellerOf([...lists.before.rules, ...lists.after.rules], assumptions);
  const effort: Effort = { left: EFFORT };
  const rerouted: Rerouted[] = [];
  let exact = true;
  for (const pair of pairsOf(lists)) {
    const question = questionOf(pair, lists);
    const found = witness(question, speller, effort);
    if (found.found === 'unknown') exact = false;
    if (found.found !== 'visitor') continue;
    if (rerouted.length === PAIRS) return { rerouted, exact: false };
    const others = alternatives(question.match, speller).map((choice) => witness(question, speller, effort, choice));
    rerouted.push({
      before: decisionOf(pair.before),
      after: decisionOf(pair.after),
      cause: causeOf(pair, lists),
      examples: distinct([found, ...others]),
    });
  }
  return { rerouted, exact };
}

interface Lists {
  readonly before: List;
  readonly after: List;
}

interface Pair {
  readonly before: Entry;
  readonly after: Entry;
}

/** The pairs that can decide differently. */
function pairsOf({ before, after }: Lists): readonly Pair[] {
  const rivals = rivalsIn(after, before);
  return openIn(before).flatMap((one) => rivals(one).map((other) => ({ before: one, after: other })));
}

/** Who reaches both, and is decided for by no rule before. */
function questionOf(pair: Pair, { before, after }: Lists): Question {
  return {
    match: [pair.before.rule, pair.after.rule].flatMap((rule) => rule ?? []),
    miss: [...before.rules.slice(0, pair.before.place), ...after.rules.slice(0, pair.after.place)],
  };
}

/** Where a pair of rules leaves a choice, the choices of the rule that has the most. */
function alternatives(match: readonly Rule[], speller: Speller): readonly Choice[] {
  const choices = match.map((rule) => (speller.needs.get(rule) ?? []).map((need): Choice => ({ rule, need })));
  const most = choices.toSorted((one, other) => other.length - one.length)[0] ?? [];
  return most.length > 1 ? most.slice(0, EXAMPLES) : [];
}

function distinct(found: readonly Witness[]): readonly Example[] {
  const examples = found.flatMap((each) =>
    each.found === 'visitor' ? [{ visitor: each.visitor, on: textsOf(each.need) }] : [],
  );
  return [...new Map(examples.map((example) => [canonicalJson({ ...example.visitor }), example])).values()];
}

function textsOf({ wholeUrl, url, wholeDomain, domain }: Need): readonly string[] {
  if (wholeUrl !== null) return [wholeUrl.written];
  const domains = wholeDomain === null ? domain : [wholeDomain];
  return [...domains.filter((text) => !url.some((other) => other.includes(text))), ...url.toSorted(byText)];
}

function causeOf(pair: Pair, { before, after }: Lists): Cause {
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
