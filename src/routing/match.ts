// A rule or a program and a visitor in; whether it matches and which rule decides, out. The one place that knows what matching means.
// Specification: "Auto access rule".

import { PLACE_MEMBERS, type Place } from './places.ts';
import type { Program, Rule, Test, TextTest, Word } from './rules.ts';
import type { Seen } from './visitor.ts';

/** Whether one of the texts that a rule looks for is there. */
export function hasWord(text: string, { text: wanted, exact }: Word): boolean {
  return exact ? text === wanted : text.includes(wanted);
}

/** Whether a visitor is where an item says; what the item leaves out does not matter. */
export function isThere(visitor: Place, item: Place | null): boolean {
  return (
    item !== null && PLACE_MEMBERS.every((member) => item[member] === undefined || item[member] === visitor[member])
  );
}

export function holds(test: Test, visitor: Seen): boolean {
  return test.on === 'place'
    ? test.items.some(({ place }) => isThere(visitor.place, place))
    : textHolds(test, test.on === 'url' ? visitor.url : visitor.domain);
}

function textHolds({ wants, words }: TextTest, text: string): boolean {
  return words.some((word) => hasWord(text, word)) === (wants === 'one');
}

/** A rule without a condition, which the service does not take, matches nobody. */
export function matches({ tests }: Rule, conditions: 'all' | 'any', visitor: Seen): boolean {
  if (tests.length === 0) return false;
  return conditions === 'all'
    ? tests.every((test) => holds(test, visitor))
    : tests.some((test) => holds(test, visitor));
}

/** The rule that decides where a visitor's chat goes; null when none matches. */
export function decides({ rules, assumptions }: Program, visitor: Seen): Rule | null {
  return rules.find((rule) => matches(rule, assumptions.conditions, visitor)) ?? null;
}
