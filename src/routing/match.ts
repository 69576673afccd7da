// Whether a rule matches a visitor, and which rule decides: the only place that knows what matching means.
// Specification: "Auto access rule".

import { type ComparedPlace, PLACE_MEMBERS } from './places.ts';
import type { ParsedRule, Program, Test, TextTest, Word } from './rules.ts';
import type { ComparedVisitor } from './visitor.ts';

/** Whether a text that a rule looks for is there. */
export function hasWord(text: string, { text: wanted, exact }: Word): boolean {
  return exact ? text === wanted : text.includes(wanted);
}

/** Whether a visitor is at a place; members that the place leaves out do not matter. */
export function isThere(visitor: ComparedPlace, item: ComparedPlace | null): boolean {
  return (
    item !== null && PLACE_MEMBERS.every((member) => item[member] === undefined || item[member] === visitor[member])
  );
}

export function holds(test: Test, visitor: ComparedVisitor): boolean {
  return test.on === 'place'
    ? test.items.some(({ place }) => isThere(visitor.place, place))
    : textHolds(test, test.on === 'url' ? visitor.url : visitor.domain);
}

function textHolds({ wants, words }: TextTest, text: string): boolean {
  return words.some((word) => hasWord(text, word)) === (wants === 'one');
}

/** Whether a rule matches; a rule without conditions, which the service refuses, matches no visitor. */
export function matches({ tests }: ParsedRule, conditions: 'all' | 'any', visitor: ComparedVisitor): boolean {
  if (tests.length === 0) return false;
  return conditions === 'all'
    ? tests.every((test) => holds(test, visitor))
    : tests.some((test) => holds(test, visitor));
}

/** The rule that decides where a visitor's chat goes; null when none matches. */
export function decides({ rules, assumptions }: Program, visitor: ComparedVisitor): ParsedRule | null {
  return rules.find((rule) => matches(rule, assumptions.conditions, visitor)) ?? null;
}
