// The auto access rules as what they are: a doubly linked list whose pointers all change in one request.
// Must not know what a rule says. Specification: "Auto access rule", "States and transitions".

import type { EmulatedLicense } from '../engine/license.ts';
import type { Ends, Rule } from './records.ts';
import { ENDS, ruleEndsTable, ruleTable } from './records.ts';

type Content = Omit<Rule, 'next' | 'previous'>;

const EMPTY: Ends = { first: '', last: '' };

function endsOf(license: EmulatedLicense, at = Infinity): Ends {
  return ruleEndsTable.of(license).get(ENDS, at) ?? EMPTY;
}

/** Makes two rules neighbours; an empty id stands for the end of the list on that side. */
function join(license: EmulatedLicense, previous: string, next: string): void {
  const [before, after] = [ruleTable.of(license).get(previous), ruleTable.of(license).get(next)];
  if (before !== undefined && before.next !== next) ruleTable.of(license).set({ ...before, next });
  if (after !== undefined && after.previous !== previous) ruleTable.of(license).set({ ...after, previous });
  const ends = endsOf(license);
  const changed = { first: previous === '' ? next : ends.first, last: next === '' ? previous : ends.last };
  if (changed.first !== ends.first || changed.last !== ends.last) ruleEndsTable.of(license).set(changed);
}

/** Puts a rule that is not in the list before the rule `next`; at the end when that is empty. */
export function insertRule(license: EmulatedLicense, content: Content, next: string): void {
  const previous = ruleTable.of(license).get(next)?.previous ?? endsOf(license).last;
  ruleTable.of(license).set({ ...content, next, previous });
  join(license, previous, content.id);
  join(license, content.id, next);
}

export function removeRule(license: EmulatedLicense, { id, previous, next }: Rule): void {
  ruleTable.of(license).delete(id);
  join(license, previous, next);
}

/** Puts a rule of the list before the rule `next`, which is another one; at the end when that is empty. */
export function moveRule(license: EmulatedLicense, id: string, next: string): void {
  const rule = ruleTable.of(license).get(id);
  if (rule === undefined) return;
  join(license, rule.previous, rule.next);
  insertRule(license, rule, next);
}

/** The rules from first to last. */
export function rulesInOrder(license: EmulatedLicense, at: number): readonly Rule[] {
  const found: Rule[] = [];
  let rule = ruleTable.of(license).get(endsOf(license, at).first, at);
  while (rule !== undefined) {
    found.push(rule);
    rule = ruleTable.of(license).get(rule.next, at);
  }
  return found;
}
