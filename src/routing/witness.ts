// A visitor whom some rules match and others do not, or the certainty that there is none.
//
// A URL can be spelled with the needed texts and nothing else that a rule looks for (spelling.ts), and more text only makes more rules match. So a
// visitor with the least that the matching rules need is matched least by the others. Only a rule that excludes texts stops matching when a text
// is added: that choice is the only thing that is searched.

import { holds, matches } from './match.ts';
import { both, implies, type Need, NOTHING, needOfWord } from './need.ts';
import { namedPages } from './pages.ts';
import type { ParsedRule } from './rules.ts';
import { leastPages, readablePages, type Scheme, type Speller } from './spelling.ts';
import { type ComparedVisitor, seen, type Visitor } from './visitor.ts';

/** `unknown`: the search was given up, or no URL could be spelled for the visitor. */
export type Witness =
  | {
      readonly found: 'visitor';
      readonly visitor: Visitor;
      readonly need: Need;
      /** The page is named by a rule, a test or a setting, or built from what they name; otherwise it is made up. */
      readonly isNamed: boolean;
    }
  | { readonly found: 'none' }
  | { readonly found: 'unknown' };

const NONE: Witness = { found: 'none' };
const UNKNOWN: Witness = { found: 'unknown' };

/** Rules that must match and rules that must not; the speller knows them all. */
export interface VisitorQuestion {
  readonly match: readonly ParsedRule[];
  readonly miss: readonly ParsedRule[];
}

/**
 * How many visitors the questions of one comparison may still try. Counted, not timed, so that the same question has the same answer on every
 * machine.
 */
export interface Effort {
  left: number;
}

/** One alternative of a rule that must match. */
export interface ChosenNeed {
  readonly rule: ParsedRule;
  readonly need: Need;
}

/** What a search looks for in addition to its question. */
export interface WantedVisitor {
  /** The alternative that a rule is to match by. */
  readonly chosen?: ChosenNeed | null;
  /** No page that is made up: then `none` does not mean that there is no visitor. */
  readonly named?: boolean;
}

export function witness(
  question: VisitorQuestion,
  speller: Speller,
  effort: Effort,
  { chosen = null, named = false }: WantedVisitor = {},
): Witness {
  const needs = question.match
    .filter((rule) => rule !== chosen?.rule)
    .map((rule) => speller.needs.get(rule) ?? [])
    .toSorted((one, other) => one.length - other.length);
  const answers = speller.schemes.map((scheme) =>
    walk(needs, chosen?.need ?? NOTHING, { question, speller, effort, scheme, named }),
  );
  return answers.find(({ found }) => found === 'visitor') ?? answers.find(({ found }) => found === 'unknown') ?? NONE;
}

/** The cost of finding that two alternatives contradict each other, in visitors. */
const CONTRADICTION = 0.02;

interface Search {
  readonly question: VisitorQuestion;
  readonly speller: Speller;
  readonly effort: Effort;
  readonly scheme: Scheme;
  readonly named: boolean;
}

/** The first answer that is a visitor; `none` only when all answers are. */
function firstOf<T>(choices: readonly T[], answer: (choice: T) => Witness): Witness {
  let isCertain = true;
  for (const choice of choices) {
    const each = answer(choice);
    if (each.found === 'visitor') return each;
    if (each.found === 'unknown') isCertain = false;
  }
  return isCertain ? NONE : UNKNOWN;
}

/** Chooses one alternative of each rule that must match. */
function walk(needs: readonly (readonly Need[])[], need: Need, search: Search): Witness {
  const [alternatives, ...others] = needs;
  if (alternatives === undefined) return settle(need, search);
  return firstOf(impliedFirst(need, alternatives), (alternative) => {
    if (search.effort.left < 0) return UNKNOWN;
    const joined = both(need, alternative);
    if (joined === null) {
      search.effort.left -= CONTRADICTION;
      return NONE;
    }
    if (others.length > 0 && isHopeless(joined, search)) return NONE;
    return walk(others, joined, search);
  });
}

/** A visitor on `/repairs` meets the other rule by `/repairs` too: any other text would be one that no rule asks for. */
function impliedFirst(need: Need, alternatives: readonly Need[]): readonly Need[] {
  const implied = alternatives.find((alternative) => implies(need, alternative));
  return implied === undefined || implied === alternatives[0]
    ? alternatives
    : [implied, ...alternatives.filter((alternative) => alternative !== implied)];
}

function visitorOn(url: string, { where }: Need): Visitor {
  return { url, ...where };
}

function seenOn(url: string, need: Need, { assumptions }: Speller): ComparedVisitor | null {
  const visitor = seen(visitorOn(url, need), assumptions);
  return 'wrong' in visitor ? null : visitor;
}

/** Whether a rule that must not match does, and no added text can change that. */
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

/** The texts that keep a rule from matching that matches now: those it excludes. */
function silencers({ tests }: ParsedRule, visitor: ComparedVisitor, conditions: 'all' | 'any'): readonly Need[] {
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
    if (visitor === null || !question.match.every((rule) => matches(rule, conditions, visitor))) return NONE;
    const inTheWay = question.miss.find((rule) => matches(rule, conditions, visitor));
    if (inTheWay === undefined) {
      const page = readable(need, url, search);
      return search.named && !page.isNamed ? NONE : { found: 'visitor', need, ...page };
    }
    if (need.wholeUrl !== null) return NONE;
    return firstOf(silencers(inTheWay, visitor, conditions), (silencer) => {
      const joined = both(need, silencer);
      return joined === null ? NONE : settle(joined, search);
    });
  });
}

/** Whether the page of a visitor does not matter, so that none has to be made up. */
function isOnAnyPage({ url, wholeUrl, domain, wholeDomain }: Need): boolean {
  return url.length + domain.length === 0 && wholeUrl === null && wholeDomain === null;
}

/** The visitor on a page that is named, or with a URL that is easy to read, if one of these answers the question also. */
function readable(
  need: Need,
  least: string,
  { question, speller }: Search,
): { readonly visitor: Visitor; readonly isNamed: boolean } {
  const { conditions } = speller.assumptions;
  const answers = (page: string): boolean => {
    const visitor = seenOn(page, need, speller);
    return (
      visitor !== null &&
      question.match.every((rule) => matches(rule, conditions, visitor)) &&
      !question.miss.some((rule) => matches(rule, conditions, visitor))
    );
  };
  const known = namedPages(need, speller.known).find(answers);
  const url = known ?? readablePages(need).find(answers) ?? least;
  return { visitor: visitorOn(url, need), isNamed: known !== undefined || isOnAnyPage(need) };
}
