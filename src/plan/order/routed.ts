// What was compared in; whose chats a plan sends elsewhere, and the order of its writes in which nobody's chats go astray on the way, out.
// Asks src/routing what a list of rules means, and knows nothing of that itself.

import { compareRouting } from '../../routing/compare.ts';
import { ASSUMED, type RoutingRule, ruleOf } from '../../routing/rules.ts';
import type { Comparison } from '../compare.ts';
import type { RoutingOptions } from '../input.ts';
import type { PlannedRouting } from '../plan.ts';
import { chart, searchOf, type Work } from './course.ts';
import { detour } from './detour.ts';
import { type PlannedOrder, withWrites } from './order.ts';
import { ruleLists } from './rule-lists.ts';
import { placeable } from './sequence.ts';

export const ROUTED: RoutingOptions = { assumptions: ASSUMED, reorder: 'minimal' };

export interface Routed {
  readonly order: PlannedOrder;
  readonly routing: PlannedRouting | null;
}

/** Null when the plan writes no rule. */
export function routed(compared: Comparison, { assumptions, reorder }: RoutingOptions): Routed {
  const { order } = compared;
  if (order.writes.length === 0) return { order, routing: null };
  const lists = ruleLists(compared);
  const read = (rules: readonly RoutingRule[]) => new Map(rules.map((rule) => [rule.name, ruleOf(rule, assumptions)]));
  const work: Work = {
    live: lists.before.map(({ name }) => name),
    placed: placeable(order.items, order.kept).map(({ key }) => key),
    kept: order.kept,
    fixed: new Set(order.items.filter(({ fixed }) => fixed === true).map(({ key }) => key)),
    writes: order.writes,
    before: read(lists.before),
    after: read(lists.after),
    assumptions,
  };
  const search = searchOf(work);
  const minimal = chart(search);
  const longer = minimal.verdict === 'exposed' ? detour(search) : null;
  const takesLonger = reorder === 'safe' && longer !== null && longer.anew.length === 0;
  const { rerouted, exact } = compareRouting(lists.before, lists.after, assumptions);
  return {
    order: withWrites(order, takesLonger ? longer.writes : minimal.writes),
    routing: {
      rerouted,
      exact,
      way: takesLonger ? 'safe' : minimal.verdict,
      exposed: takesLonger ? [] : minimal.exposed,
      longer:
        longer === null || takesLonger
          ? null
          : { requests: longer.writes.length - minimal.writes.length, anew: longer.anew },
    },
  };
}
