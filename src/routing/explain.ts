// Which rule decides for a visitor, and what the rules asked before it looked for and did not find.

import type { Reference } from '../base/model.ts';
import { hasWord, holds, isThere, matches } from './match.ts';
import type { Geography } from './places.ts';
import { openBefore } from './route-tests.ts';
import type { ParsedRule, Program, Test } from './rules.ts';
import type { ComparedVisitor } from './visitor.ts';

/** One text that a rule looks for. */
export interface SoughtText {
  readonly value: string;
  readonly exact: boolean;
  readonly found: boolean;
}

/** One place that a rule is about. */
export interface SoughtPlace {
  readonly place: Geography;
  readonly found: boolean;
}

/** One condition of a rule and its result: whether one of its texts, or none, is there; whether the visitor is in one of its places. */
export type ConditionCheck =
  | {
      readonly on: 'url' | 'domain';
      readonly wants: 'one' | 'none';
      readonly holds: boolean;
      readonly sought: readonly SoughtText[];
    }
  | {
      readonly on: 'geolocation';
      readonly wants: 'one';
      readonly holds: boolean;
      readonly sought: readonly SoughtPlace[];
    };

/** A rule that was asked. */
export interface AskedRule {
  readonly rule: string;
  /** What messages call it: the same for a declared rule, what it says or does for another one. */
  readonly title: string;
  /** Position in the list, from 1. */
  readonly position: number;
  readonly groups: readonly Reference[];
  readonly matches: boolean;
  /** Empty when its conditions are not known. */
  readonly looks: readonly ConditionCheck[];
}

export interface Explanation {
  /** Null when no rule matches. */
  readonly decided_by: string | null;
  readonly groups: readonly Reference[];
  /** A rule that is not fully known and may decide otherwise; null when the answer is certain. */
  readonly depends_on: string | null;
  /** In the order in which they are asked; the last rule decides, unless none does. */
  readonly asked: readonly AskedRule[];
  /** How many rules come after the one that decides. */
  readonly not_asked: number;
  /** Those of them that match as well, as far as their conditions are known: they decide where the ones before them go. */
  readonly also_match: readonly Pick<AskedRule, 'rule' | 'title' | 'position' | 'groups'>[];
}

export function explain(
  program: Program,
  visitor: ComparedVisitor,
  open: ReadonlySet<string> = new Set(),
): Explanation {
  const { rules, assumptions } = program;
  const index = rules.findIndex((rule) => matches(rule, assumptions.conditions, visitor));
  const decider = rules[index] ?? null;
  const asked = decider === null ? rules : rules.slice(0, index + 1);
  const positionOf = (order: number): number => (assumptions.decides === 'first' ? order + 1 : rules.length - order);
  return {
    decided_by: decider?.name ?? null,
    groups: decider?.groups ?? [],
    depends_on: openBefore(decider, program, open),
    asked: asked.map((rule, order) => ({
      rule: rule.name,
      title: rule.title,
      position: positionOf(order),
      groups: rule.groups,
      matches: rule === decider,
      looks: looksOf(rule, visitor),
    })),
    not_asked: rules.length - asked.length,
    also_match: rules.flatMap((rule, order) =>
      order >= asked.length && !open.has(rule.name) && matches(rule, assumptions.conditions, visitor)
        ? [{ rule: rule.name, title: rule.title, position: positionOf(order), groups: rule.groups }]
        : [],
    ),
  };
}

function looksOf({ tests }: ParsedRule, visitor: ComparedVisitor): readonly ConditionCheck[] {
  return tests.map((test) => lookOf(test, visitor));
}

function lookOf(test: Test, visitor: ComparedVisitor): ConditionCheck {
  if (test.on === 'place') {
    const sought = test.items.map(({ written, place }) => ({ place: written, found: isThere(visitor.place, place) }));
    return { on: 'geolocation', wants: 'one', holds: holds(test, visitor), sought };
  }
  const text = test.on === 'url' ? visitor.url : visitor.domain;
  const sought = test.words.map((word) => ({ value: word.written, exact: word.exact, found: hasWord(text, word) }));
  return { on: test.on, wants: test.wants, holds: holds(test, visitor), sought };
}
