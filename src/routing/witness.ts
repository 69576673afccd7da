// Rules that must match and rules that must not in; a visitor for whom that is so out, or the certainty that there is none.
//
// Texts that must be there can be written down with nothing else beside them (spelling.ts), and a rule that looks for texts matches the more,
// the more is there. So the visitor who has the least that the matching rules need is the one whom the other rules match least. Only a rule
// that excludes texts can be silenced by adding one, which leaves a choice and is the only thing that is searched.

import { holds, matches } from './match.ts';
import { both, type Need, NOTHING, needOfWord } from './need.ts';
import type { Rule } from './rules.ts';
import { leastPages, readablePages, type Scheme, type Speller } from './spelling.ts';
import { type Seen, seen, type Visitor } from './visitor.ts';

/** `unknown`: the search was given up, or the visitor could not be written down. */
export type Witness =
  | { readonly found: 'visitor'; readonly visitor: Visitor; readonly need: Need }
  | { readonly found: 'nobody' }
  | { readonly found: 'unknown' };

const NOBODY: Witness = { found: 'nobody' };
const UNKNOWN: Witness = { found: 'unknown' };

/** Rules that the speller knows. */
export interface Question {
  readonly match: readonly Rule[];
  readonly miss: readonly Rule[];
}

/**
 * How many visitors may still be tried, all questions of one comparison together. Counted, and not timed, so that the same question has the
 * same answer everywhere.
 */
export interface Effort {
  left: number;
}

/** One alternative of a rule that must match. */
export interface Choice {
  readonly rule: Rule;
  readonly need: Need;
}

/** @param chosen the alternative that a rule is to match by */
export function witness(question: Question, speller: Speller, effort: Effort, chosen: Choice | null = null): Witness {
  const needs = question.match
    .filter((rule) => rule !== chosen?.rule)
    .map((rule) => speller.needs.get(rule) ?? [])
    .toSorted((one, other) => one.length - other.length);
  const answers = speller.schemes.map((scheme) =>
    walk(needs, chosen?.need ?? NOTHING, { question, speller, effort, scheme }),
  );
  return answers.find(({ found }) => found === 'visitor') ?? answers.find(({ found }) => found === 'unknown') ?? NOBODY;
}

/** What it costs to find that two alternatives contradict each other, measured in visitors. */
const CONTRADICTION = 0.02;

interface Search {
  readonly question: Question;
  readonly speller: Speller;
  readonly effort: Effort;
  readonly scheme: Scheme;
}

/** The first answer that is a visitor; nobody only when all of them are. */
function firstOf<T>(choices: readonly T[], answer: (choice: T) => Witness): Witness {
  let isCertain = true;
  for (const choice of choices) {
    const each = answer(choice);
    if (each.found === 'visitor') return each;
    if (each.found === 'unknown') isCertain = false;
  }
  return isCertain ? NOBODY : UNKNOWN;
}

/** Chooses one alternative of each rule that must match. */
function walk(needs: readonly (readonly Need[])[], need: Need, search: Search): Witness {
  const [alternatives, ...others] = needs;
  if (alternatives === undefined) return settle(need, search);
  return firstOf(alternatives, (alternative) => {
    if (search.effort.left < 0) return UNKNOWN;
    const joined = both(need, alternative);
    if (joined === null) {
      search.effort.left -= CONTRADICTION;
      return NOBODY;
    }
    if (others.length > 0 && isHopeless(joined, search)) return NOBODY;
    return walk(others, joined, search);
  });
}

function visitorOn(url: string, { where }: Need): Visitor {
  return { url, ...where };
}

function seenOn(url: string, need: Need, { assumptions }: Speller): Seen | null {
  const visitor = seen(visitorOn(url, need), assumptions);
  return 'wrong' in visitor ? null : visitor;
}

/** Whether a rule that must not match does already, and no text that is added can change that. */
function isHopeless(need: Need, { question, speller, effort, scheme }: Search): boolean {
  const { conditions } = speller.assumptions;
  const pages = leastPages(need, scheme, speller);
  return pages.every((url) => {
    if (url === null) return false;
    effort.left -= 1;
    const visitor = seenOn(url, need, speller);
    return (
      visitor === null ||
      question.miss.some(
        (rule) => matches(rule, conditions, visitor) && silencers(rule, visitor, conditions).length === 0,
      )
    );
  });
}

/** What would keep a rule from matching that matches now: a text that it excludes. */
function silencers({ tests }: Rule, visitor: Seen, conditions: 'all' | 'any'): readonly Need[] {
  const holding = tests.filter((test) => holds(test, visitor));
  const excluding = holding.flatMap((test) => (test.on !== 'place' && test.wants === 'none' ? [test] : []));
  // Where one condition is enough, all of them have to fail, one after the other.
  const open = conditions === 'all' ? excluding : excluding.length === holding.length ? excluding.slice(0, 1) : [];
  return open.flatMap(({ on, words }) => words.map((word) => needOfWord(on, word)));
}

function settle(need: Need, search: Search): Witness {
  const { question, speller, effort, scheme } = search;
  const { conditions } = speller.assumptions;
  return firstOf(leastPages(need, scheme, speller), (url) => {
    effort.left -= 1;
    if (url === null || effort.left < 0) return UNKNOWN;
    const visitor = seenOn(url, need, speller);
    if (visitor === null || !question.match.every((rule) => matches(rule, conditions, visitor))) return NOBODY;
    const inTheWay = question.miss.find((rule) => matches(rule, conditions, visitor));
    if (inTheWay === undefined) return { found: 'visitor', visitor: readable(need, url, search), need };
    if (need.wholeUrl !== null) return NOBODY;
    return firstOf(silencers(inTheWay, visitor, conditions), (silencer) => {
      const joined = both(need, silencer);
      return joined === null ? NOBODY : settle(joined, search);
    });
  });
}

/** The visitor as a person would describe one, if that is the one that is meant. */
function readable(need: Need, least: string, { question, speller }: Search): Visitor {
  const { conditions } = speller.assumptions;
  const url = readablePages(need).find((page) => {
    const visitor = seenOn(page, need, speller);
    return (
      visitor !== null &&
      question.match.every((rule) => matches(rule, conditions, visitor)) &&
      !question.miss.some((rule) => matches(rule, conditions, visitor))
    );
  });
  return visitorOn(url ?? least, need);
}
