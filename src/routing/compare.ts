// Two lists of rules in; whose chats go elsewhere with the second than with the first, out: a visitor for each pair of rules that decide
// differently. Knows no plan: what the lists are, whoever asks knows.

import { canonicalJson } from '../canonical.ts';
import { type Decision, decisionOf, type Entry, entriesOf, isTaken, type List, listOf } from './list.ts';
import { type Assumptions, programOf, type RoutingRule, type Rule } from './rules.ts';
import { type Speller, spellerOf } from './spelling.ts';
import type { Visitor } from './visitor.ts';
import { type Choice, type Effort, type Question, type Witness, witness } from './witness.ts';

/** What makes the difference, seen from the rules that decide. */
export type Cause = (typeof CAUSES)[number];

export const CAUSES = ['reordered', 'added', 'removed', 'conditions', 'groups'] as const;

/** Visitors for whom one rule decided and another one does, and whose chats go to other groups. */
export interface Rerouted {
  readonly before: Decision;
  readonly after: Decision;
  readonly cause: Cause;
  /** Such visitors: one at least, and others where the rules have several texts or places. */
  readonly visitors: readonly Visitor[];
}

export interface Comparison {
  readonly rerouted: readonly Rerouted[];
  /** False when not every pair of rules could be decided: there may be more. */
  readonly exact: boolean;
}

/** Visitors that a comparison may try. */
export const EFFORT = 200_000;

/** How many visitors a pair of rules is worth. */
const EXAMPLES = 5;

export function compareRouting(
  before: readonly RoutingRule[],
  after: readonly RoutingRule[],
  assumptions: Assumptions,
): Comparison {
  const programs = { before: programOf(before, assumptions), after: programOf(after, assumptions) };
  const lists = { before: listOf(programs.before.rules), after: listOf(programs.after.rules) };
  const speller = spellerOf([...lists.before.rules, ...lists.after.rules], assumptions);
  const effort: Effort = { left: EFFORT };
  let exact = true;
  const rerouted = pairsOf(lists).flatMap((pair): readonly Rerouted[] => {
    const question = questionOf(pair, lists);
    const found = witness(question, speller, effort);
    if (found.found === 'unknown') exact = false;
    if (found.found !== 'visitor') return [];
    const others = alternatives(question.match, speller).map((choice) => witness(question, speller, effort, choice));
    return [
      {
        before: decisionOf(pair.before),
        after: decisionOf(pair.after),
        cause: causeOf(pair, lists),
        visitors: distinct([found, ...others]),
      },
    ];
  });
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
  const entries = { before: entriesOf(before), after: entriesOf(after) };
  const open = entries.before.filter((entry) => !isTaken(entry, before, entry.place));
  return open.flatMap((one) =>
    entries.after
      .filter((other) => one.to !== other.to)
      .filter((other) => !isTaken(other, after, other.place))
      .filter((other) => !isTaken(one, after, other.place) && !isTaken(other, before, one.place))
      .map((other) => ({ before: one, after: other })),
  );
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

function distinct(found: readonly Witness[]): readonly Visitor[] {
  const visitors = found.flatMap((each) => (each.found === 'visitor' ? [each.visitor] : []));
  return [...new Map(visitors.map((visitor) => [canonicalJson({ ...visitor }), visitor])).values()];
}

function causeOf(pair: Pair, { before, after }: Lists): Cause {
  const [was, is] = [pair.before.rule, pair.after.rule];
  if (was !== null && is !== null && was.name === is.name) return 'groups';
  const earlier = is === null ? undefined : before.rules.find(({ name }) => name === is.name);
  if (is !== null && earlier === undefined) return 'added';
  const later = was === null ? undefined : after.rules.find(({ name }) => name === was.name);
  if (was !== null && later === undefined) return 'removed';
  const isChanged =
    (is !== null && earlier !== undefined && is.key !== earlier.key) ||
    (was !== null && later !== undefined && was.key !== later.key);
  return isChanged ? 'conditions' : 'reordered';
}
