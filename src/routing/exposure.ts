// Three lists in: before a change, in the middle of it, after it. Out: a visitor whose chats go, in the middle, to groups that are neither the
// old ones nor the new ones, if there is one. Knows no requests.

import { type Decision, decisionOf, type Entry, isTaken, type List, openIn, rivalsIn } from './list.ts';
import type { Rule } from './rules.ts';
import type { Speller } from './spelling.ts';
import type { Visitor } from './visitor.ts';
import { type Effort, witness } from './witness.ts';

/** For a moment, or for as long as a run that stopped there is not taken up again. */
export interface Exposure {
  readonly visitor: Visitor;
  readonly before: Decision;
  readonly meanwhile: Decision;
  readonly after: Decision;
}

export interface Ends {
  readonly before: List;
  readonly after: List;
}

/** @returns null when there is certainly none, `unknown` when the search was given up */
export function exposureOf(
  { before, after }: Ends,
  meanwhile: List,
  speller: Speller,
  effort: Effort,
): Exposure | 'unknown' | null {
  let isCertain = true;
  const rivals = { before: rivalsIn(before, meanwhile), after: rivalsIn(after, meanwhile) };
  for (const now of openIn(meanwhile)) {
    const olds = rivals.before(now);
    const news = olds.length === 0 ? [] : rivals.after(now);
    if (news.length === 0) continue;
    for (const old of olds) {
      const found = together([old, now], [before, meanwhile], speller, effort);
      if (found.found === 'unknown') isCertain = false;
      if (found.found === 'nobody') continue;
      for (const next of news) {
        if (isTaken(old, after, next.place) || isTaken(next, before, old.place)) continue;
        const all = together([old, now, next], [before, meanwhile, after], speller, effort);
        if (all.found === 'unknown') isCertain = false;
        if (all.found !== 'visitor') continue;
        const { visitor } = all;
        return { visitor, before: decisionOf(old), meanwhile: decisionOf(now), after: decisionOf(next) };
      }
    }
  }
  return isCertain ? null : 'unknown';
}

function together(entries: readonly Entry[], lists: readonly List[], speller: Speller, effort: Effort) {
  const match = new Map(
    entries.flatMap(({ rule }): readonly (readonly [string, Rule])[] => (rule === null ? [] : [[rule.key, rule]])),
  );
  const miss = new Map(
    entries.flatMap(({ place }, index) => (lists[index]?.rules ?? []).slice(0, place).map((rule) => [rule.key, rule])),
  );
  return witness({ match: [...match.values()], miss: [...miss.values()] }, speller, effort);
}
