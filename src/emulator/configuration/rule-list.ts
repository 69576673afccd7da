// The auto access rules as what they are: a doubly linked list whose pointers all change in one request.
// Must not know what a rule says. Specification: "Auto access rule", "States and transitions".

import type { License } from '../engine/license.ts';
import { ENDS } from '../engine/license.ts';
import type { Ends, Rule } from './records.ts';

type Content = Omit<Rule, 'next' | 'previous'>;

const EMPTY: Ends = { first: '', last: '' };

function endsOf({ ruleEnds }: License, at = Infinity): Ends {
  return ruleEnds.get(ENDS, at) ?? EMPTY;
}

/** Makes two rules neighbours; an empty id stands for the end of the list on that side. */
function join(license: License, previous: string, next: string): void {
  const [before, after] = [license.rules.get(previous), license.rules.get(next)];
  if (before !== undefined && before.next !== next) license.rules.set({ ...before, next });
  if (after !== undefined && after.previous !== previous) license.rules.set({ ...after, previous });
  const ends = endsOf(license);
  const changed = { first: previous === '' ? next : ends.first, last: next === '' ? previous : ends.last };
  if (changed.first !== ends.first || changed.last !== ends.last) license.ruleEnds.set(changed);
}

/** Puts a rule that is not in the list before the rule `next`; at the end when that is empty. */
export function insertRule(license: License, content: Content, next: string): void {
  const previous = license.rules.get(next)?.previous ?? endsOf(license).last;
  license.rules.set({ ...content, next, previous });
  join(license, previous, content.id);
  join(license, content.id, next);
}

export function removeRule(license: License, { id, previous, next }: Rule): void {
  license.rules.delete(id);
  join(license, previous, next);
}

/** Puts a rule of the list before the rule `next`, which is another one; at the end when that is empty. */
export function moveRule(license: License, id: string, next: string): void {
  const rule = license.rules.get(id);
  if (rule === undefined) return;
  join(license, rule.previous, rule.next);
  insertRule(license, rule, next);
}

/** The rules from first to last. */
export function rulesInOrder(license: License, at: number): readonly Rule[] {
  const found: Rule[] = [];
  let rule = license.rules.get(endsOf(license, at).first, at);
  while (rule !== undefined) {
    found.push(rule);
    rule = license.rules.get(rule.next, at);
  }
  return found;
}
