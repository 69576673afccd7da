// Whether a change of the rules exposes a visitor: in the middle of it, the chats go to groups that are neither the old ones nor the new ones.

import {
  type Decider,
  type Decision,
  decisionOf,
  isTaken,
  type ListChange,
  openIn,
  type RuleList,
  rivalsIn,
} from './list.ts';
import type { ParsedRule } from './rules.ts';
import type { Speller } from './spelling.ts';
import type { Visitor } from './visitor.ts';
import { type Effort, witness } from './witness.ts';

/** A visitor who is exposed: for a moment, or until a run that stopped there is continued. */
export interface Exposure {
  readonly visitor: Visitor;
  readonly before: Decision;
  readonly meanwhile: Decision;
  readonly after: Decision;
}

/** @returns null when certainly no visitor is exposed, `unknown` when the search was given up */
export function exposureOf(
  { before, after }: ListChange,
  meanwhile: RuleList,
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
      if (found.found === 'none') continue;
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

function together(entries: readonly Decider[], lists: readonly RuleList[], speller: Speller, effort: Effort) {
  const match = new Map(
    entries.flatMap(({ rule }): readonly (readonly [string, ParsedRule])[] =>
      rule === null ? [] : [[rule.key, rule]],
    ),
  );
  const miss = new Map(
    entries.flatMap(({ place }, index) => (lists[index]?.rules ?? []).slice(0, place).map((rule) => [rule.key, rule])),
  );
  return witness({ match: [...match.values()], miss: [...miss.values()] }, speller, effort);
}
