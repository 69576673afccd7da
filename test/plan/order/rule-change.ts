// A change of a list of rules, as the planner hands it to the search for an order of its writes: without a license around it.

import { type ListWrite, placeable, planSequence, type SequenceItem } from '../../../src/plan/order/sequence.ts';
import { type ListTransition, type OrderSearch, searchOf } from '../../../src/plan/rerouting/write-order.ts';
import { ASSUMED, type RoutingRule, ruleOf } from '../../../src/routing/rules.ts';

export interface RuleChange {
  readonly before: readonly RoutingRule[];
  readonly after: readonly RoutingRule[];
  /** Rules of `after` that may not be written. */
  readonly fixed?: readonly string[];
}

/** Rules that are the same object before and after do not change. Others of the same name do. */
export function searchFor({ before, after, fixed = [] }: RuleChange): OrderSearch {
  const old = new Map(before.map((rule) => [rule.name, rule]));
  const items = after.map((rule): SequenceItem => {
    const live = old.get(rule.name);
    const item = { key: rule.name, live: live !== undefined, changed: live !== undefined && live !== rule };
    return fixed.includes(rule.name) ? { ...item, fixed: true } : item;
  });
  const live = before.map(({ name }) => name);
  const { kept, writes } = planSequence(live, items);
  const stays = new Set(after.map(({ name }) => name));
  const deletes = before
    .filter(({ name }) => !stays.has(name))
    .toReversed()
    .map(({ name }): ListWrite => ({ key: name, op: 'delete' }));
  const read = (rules: readonly RoutingRule[]) => new Map(rules.map((rule) => [rule.name, ruleOf(rule, ASSUMED)]));
  const transition: ListTransition = {
    live,
    placed: placeable(items, new Set(kept)).map(({ key }) => key),
    kept: new Set(kept),
    fixed: new Set(fixed),
    writes: [...writes, ...deletes],
    before: read(before),
    after: read(after),
    assumptions: ASSUMED,
  };
  return searchOf(transition);
}

/** A change in short: `a:/x>g b:/y>h` are rule a, which sends the pages with /x to group g, and rule b. */
export function changeOf(before: string, after: string, fixed = ''): RuleChange {
  const known = new Map(before.split(' ').map((text) => [text, ruleIn(text)]));
  return {
    before: [...known.values()],
    after: after.split(' ').map((text) => known.get(text) ?? ruleIn(text)),
    fixed: fixed.split(' '),
  };
}

function ruleIn(text: string): RoutingRule {
  const [name = '', value = '', group = ''] = text.split(/[:>]/);
  return { name, groups: [group], conditions: { url: { values: [{ value }] } } };
}

/** One line for each write, as `update a before b`, `update a` where it keeps its place, `create a last` or `delete a`. */
export function linesOf(writes: readonly ListWrite[]): readonly string[] {
  return writes.map((write) => {
    const line = `${write.op} ${write.key}`;
    if (write.op === 'delete' || write.position === null) return line;
    return 'last' in write.position ? `${line} last` : `${line} before ${write.position.before}`;
  });
}
