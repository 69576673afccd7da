// A program and a visitor in; which rule decides, and what each of those that were asked before it looked for and did not find, out.

import type { Reference } from '../base/model.ts';
import { hasWord, holds, isThere, matches } from './match.ts';
import type { Geography } from './places.ts';
import { openBefore } from './route-tests.ts';
import type { Program, Rule, Test } from './rules.ts';
import type { Seen } from './visitor.ts';

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

/** What a rule looked at: whether one of its texts, or none of them, is there; whether the visitor is in one of its places. */
export type Look =
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
  /** In the list, from 1. */
  readonly position: number;
  readonly groups: readonly Reference[];
  readonly matches: boolean;
  /** Empty when nobody knows its conditions. */
  readonly looks: readonly Look[];
}

export interface Explanation {
  /** Null when no rule matches. */
  readonly decided_by: string | null;
  readonly groups: readonly Reference[];
  /** A rule of which not everything is known, and which may decide otherwise; null when it is certain. */
  readonly depends_on: string | null;
  /** In the order in which they are asked; the last one decides, unless none does. */
  readonly asked: readonly AskedRule[];
  /** Those that come after the one that decides. */
  readonly not_asked: number;
}

export function explain(program: Program, visitor: Seen, open: ReadonlySet<string> = new Set()): Explanation {
  const { rules, assumptions } = program;
  const index = rules.findIndex((rule) => matches(rule, assumptions.conditions, visitor));
  const decider = rules[index] ?? null;
  const asked = decider === null ? rules : rules.slice(0, index + 1);
  return {
    decided_by: decider?.name ?? null,
    groups: decider?.groups ?? [],
    depends_on: openBefore(decider, program, open),
    asked: asked.map((rule, order) => ({
      rule: rule.name,
      position: assumptions.decides === 'first' ? order + 1 : rules.length - order,
      groups: rule.groups,
      matches: rule === decider,
      looks: looksOf(rule, visitor),
    })),
    not_asked: rules.length - asked.length,
  };
}

function looksOf({ tests }: Rule, visitor: Seen): readonly Look[] {
  return tests.map((test) => lookOf(test, visitor));
}

function lookOf(test: Test, visitor: Seen): Look {
  if (test.on === 'place') {
    const sought = test.items.map(({ written, place }) => ({ place: written, found: isThere(visitor.place, place) }));
    return { on: 'geolocation', wants: 'one', holds: holds(test, visitor), sought };
  }
  const text = test.on === 'url' ? visitor.url : visitor.domain;
  const sought = test.words.map((word) => ({ value: word.written, exact: word.exact, found: hasWord(text, word) }));
  return { on: test.on, wants: test.wants, holds: holds(test, visitor), sought };
}
