// Rules in the order in which they are asked in; the same, with what is looked up in them again and again, out.

import { canonicalJson } from '../base/json.ts';
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

function entriesOf({ rules }: List): readonly Entry[] {
  return [...rules, null].map((rule, place) => ({ rule, place, to: canonicalJson(rule?.groups ?? []) }));
}

/** Whether a rule of the same conditions stands before a place, so that nobody gets there who matches it. */
export function isTaken(entry: Entry, list: List, place: number): boolean {
  return placeIn(list, entry) < place;
}

/** Who can decide for anybody at all. */
export function openIn(list: List): readonly Entry[] {
  return entriesOf(list).filter((entry) => !isTaken(entry, list, entry.place));
}

/**
 * For an entry of one list those of another that may decide there for somebody for whom it decides here, and send the chats elsewhere: nobody gets
 * to either of them who is taken before it by the rule of the other. Where an entry stands in the other list is looked up once for all of them.
 */
export function rivalsIn(there: List, here: List): (entry: Entry) => readonly Entry[] {
  const open = openIn(there).map((entry) => ({ entry, taken: placeIn(here, entry) }));
  return (entry) => {
    const taken = placeIn(there, entry);
    const rivals: Entry[] = [];
    for (const each of open) {
      if (each.entry.place > taken) break;
      if (each.taken >= entry.place && each.entry.to !== entry.to) rivals.push(each.entry);
    }
    return rivals;
  };
}

/** From behind there on nobody is left for the entry. */
function placeIn({ places }: List, { rule }: Entry): number {
  return rule === null ? Number.POSITIVE_INFINITY : (places.get(rule.key) ?? Number.POSITIVE_INFINITY);
}

export function decisionOf({ rule }: Entry): Decision {
  return { rule: rule?.name ?? null, groups: rule?.groups ?? [] };
}
