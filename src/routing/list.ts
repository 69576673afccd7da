// Rules in the order in which they are asked in; the same, with what is looked up in them again and again, out.

import { canonicalJson } from '../canonical.ts';
import type { Rule } from './rules.ts';

/** What decides for a visitor: a rule, or none. */
export interface Decision {
  readonly rule: string | null;
  /** Empty where no rule decides. */
  readonly groups: readonly string[];
}

/** A list, and what is looked up in it again and again. */
export interface List {
  readonly rules: readonly Rule[];
  /** `key` of a rule -> place of the first that has it. */
  readonly places: ReadonlyMap<string, number>;
}

/** Who can decide: a rule, or none, which stands behind all of them. */
export interface Entry {
  readonly rule: Rule | null;
  readonly place: number;
  /** Where it sends chats, in one word. */
  readonly to: string;
}

export function listOf(rules: readonly Rule[]): List {
  const places = new Map<string, number>();
  for (const [place, rule] of rules.entries()) if (!places.has(rule.key)) places.set(rule.key, place);
  return { rules, places };
}

export function entriesOf({ rules }: List): readonly Entry[] {
  return [...rules, null].map((rule, place) => ({ rule, place, to: canonicalJson(rule?.groups ?? []) }));
}

/** Whether a rule of the same conditions stands before a place, so that nobody gets there who matches it. */
export function isTaken({ rule }: Entry, { places }: List, place: number): boolean {
  return rule !== null && (places.get(rule.key) ?? Number.POSITIVE_INFINITY) < place;
}

export function decisionOf({ rule }: Entry): Decision {
  return { rule: rule?.name ?? null, groups: rule?.groups ?? [] };
}
