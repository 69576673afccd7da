// A list of rules with its index: which rules can decide, and which of two lists decide differently.

import { canonicalJson } from '../base/json.ts';
import type { ParsedRule } from './rules.ts';

/** The rule that decides for a visitor; null where none matches. */
export interface Decision {
  readonly rule: string | null;
  /** Empty where no rule decides. */
  readonly groups: readonly string[];
}

/** Rules in the order in which they are asked. */
export interface RuleList {
  readonly rules: readonly ParsedRule[];
  /** `key` of a rule -> place of the first rule with that key. */
  readonly places: ReadonlyMap<string, number>;
}

/** What can decide for a visitor: a rule, or no rule, which comes after all of them. */
export interface Decider {
  readonly rule: ParsedRule | null;
  readonly place: number;
  /** The groups it sends chats to, as one text. */
  readonly to: string;
}

/** A list before and after a change. */
export interface ListChange {
  readonly before: RuleList;
  readonly after: RuleList;
}

export function listOf(rules: readonly ParsedRule[]): RuleList {
  const places = new Map<string, number>();
  for (const [place, rule] of rules.entries()) if (!places.has(rule.key)) places.set(rule.key, place);
  return { rules, places };
}

function entriesOf({ rules }: RuleList): readonly Decider[] {
  return [...rules, null].map((rule, place) => ({ rule, place, to: canonicalJson(rule?.groups ?? []) }));
}

/** Whether a rule with the same conditions comes before a place, so that every visitor it matches is taken before. */
export function isTaken(entry: Decider, list: RuleList, place: number): boolean {
  return placeIn(list, entry) < place;
}

/** The deciders that no earlier rule with the same conditions hides. */
export function openIn(list: RuleList): readonly Decider[] {
  return entriesOf(list).filter((entry) => !isTaken(entry, list, entry.place));
}

/**
 * The deciders of one list that may decide for a visitor for whom a decider of another list decides, and that send the chats to other groups.
 * No visitor reaches a decider who is taken before it by the other one's conditions.
 */
export function rivalsIn(there: RuleList, here: RuleList): (entry: Decider) => readonly Decider[] {
  const open = openIn(there).map((entry) => ({ entry, taken: placeIn(here, entry) }));
  return (entry) => {
    const taken = placeIn(there, entry);
    const rivals: Decider[] = [];
    for (const each of open) {
      if (each.entry.place > taken) break;
      if (each.taken >= entry.place && each.entry.to !== entry.to) rivals.push(each.entry);
    }
    return rivals;
  };
}

/** The place after which no visitor is left for the decider; infinite where none takes them. */
function placeIn({ places }: RuleList, { rule }: Decider): number {
  return rule === null ? Number.POSITIVE_INFINITY : (places.get(rule.key) ?? Number.POSITIVE_INFINITY);
}

export function decisionOf({ rule }: Decider): Decision {
  return { rule: rule?.name ?? null, groups: rule?.groups ?? [] };
}
