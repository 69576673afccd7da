// How a plan changes the routing, and the order of its rule writes that misroutes the fewest chats meanwhile. src/routing says what a list of rules
// means.

import { compareRouting } from '../../routing/compare.ts';
import { NO_PAGES } from '../../routing/pages.ts';
import { ASSUMED, type RoutingRule, ruleOf } from '../../routing/rules.ts';
import type { Comparison } from '../compare.ts';
import type { RoutingOptions } from '../input.ts';
import { type PlannedOrder, withWrites } from '../order/order.ts';
import { placeable } from '../order/sequence.ts';
import type { PlannedRouting } from '../plan.ts';
import { longerOrder } from './longer-order.ts';
import { ruleLists } from './rule-lists.ts';
import { findOrder, type ListTransition, searchOf } from './write-order.ts';

/** `routing` is null when the plan writes no rule. */
export function planRouting(
  compared: Comparison,
  { assumptions, reorder, pages = NO_PAGES }: RoutingOptions = { assumptions: ASSUMED, reorder: 'minimal' },
): { readonly order: PlannedOrder; readonly routing: PlannedRouting | null } {
  const { order } = compared;
  if (order.writes.length === 0) return { order, routing: null };
  const lists = ruleLists(compared);
  const read = (rules: readonly RoutingRule[]) => new Map(rules.map((rule) => [rule.name, ruleOf(rule, assumptions)]));
  const transition: ListTransition = {
    live: lists.before.map(({ name }) => name),
    placed: placeable(order.items, order.kept).map(({ key }) => key),
    kept: order.kept,
    fixed: new Set(order.items.filter(({ fixed }) => fixed === true).map(({ key }) => key)),
    writes: order.writes,
    before: read(lists.before),
    after: read(lists.after),
    assumptions,
    pages,
  };
  const search = searchOf(transition);
  const minimal = findOrder(search);
  const longer = minimal.verdict === 'exposed' ? longerOrder(search) : null;
  const takesLonger = reorder === 'safe' && longer !== null && longer.rekeyed.length === 0;
  const { rerouted, exact } = compareRouting(lists.before, lists.after, assumptions, pages);
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
          : { requests: longer.writes.length - minimal.writes.length, anew: longer.rekeyed },
    },
  };
}
