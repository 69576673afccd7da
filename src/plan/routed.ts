// What was compared in; whose chats a plan sends elsewhere, and the order of its writes in which nobody's chats go astray on the way, out.
// Asks src/routing what a list of rules means, and knows nothing of that itself.

import { ORDERED } from '../kinds/index.ts';
import { isList, isObject } from '../kinds/wire.ts';
import type { Reference, Spec } from '../model.ts';
import { compareRouting } from '../routing/compare.ts';
import { ASSUMED, type Assumptions, type RoutingRule, ruleOf } from '../routing/rules.ts';
import { aftermath } from './aftermath.ts';
import type { Comparison } from './compare.ts';
import { chart, searchOf, type Work } from './course.ts';
import { detour } from './detour.ts';
import { liveSpec } from './diff.ts';
import { nameIn, type PlannedOrder, withWrites } from './order.ts';
import type { PlannedRouting } from './plan.ts';
import { placeable } from './sequence.ts';

export interface RoutingOptions {
  readonly assumptions: Assumptions;
  /** Whether more requests are worth it that nobody's chats go astray while they are sent. */
  readonly reorder: 'minimal' | 'safe';
}

export const ROUTED: RoutingOptions = { assumptions: ASSUMED, reorder: 'minimal' };

export interface Routed {
  readonly order: PlannedOrder;
  readonly routing: PlannedRouting | null;
}

/** A rule in the plan's terms. */
function routingRule(name: Reference, { access, conditions }: Spec): RoutingRule {
  const groups = isObject(access) && isList(access['groups']) ? access['groups'].map(String) : [];
  return { name, groups, conditions: isObject(conditions) ? conditions : {} };
}

/** Null when the plan writes no rule. */
export function routed(compared: Comparison, { assumptions, reorder }: RoutingOptions): Routed {
  const { order } = compared;
  if (order.writes.length === 0) return { order, routing: null };
  const lists = listsOf(compared);
  const read = (rules: ReadonlyMap<string, RoutingRule>) =>
    new Map([...rules].map(([name, rule]) => [name, ruleOf(rule, assumptions)]));
  const work: Work = {
    live: lists.live,
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
  const rulesOf = (names: readonly string[], rules: ReadonlyMap<string, RoutingRule>) =>
    names.flatMap((name) => rules.get(name) ?? []);
  const { rerouted, exact } = compareRouting(
    rulesOf(lists.live, lists.before),
    rulesOf(search.end, lists.after),
    assumptions,
  );
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

interface Lists {
  readonly live: readonly string[];
  readonly before: ReadonlyMap<string, RoutingRule>;
  readonly after: ReadonlyMap<string, RoutingRule>;
}

function listsOf({ drafts, live, bindings, liveOrder }: Comparison): Lists {
  const own = drafts.filter(({ kind }) => kind === ORDERED);
  const addresses = new Map(own.map((made) => [nameIn(liveOrder, made), made.address]));
  const nameOf = (reference: Reference): string => addresses.get(reference) ?? reference;
  const before = (live.objects[ORDERED.name] ?? []).map((object) => {
    const name = nameOf(bindings.referenceTo(ORDERED.name, object.id));
    return [name, routingRule(name, liveSpec(ORDERED, object, bindings))] as const;
  });
  const after = own.flatMap((made) => {
    const spec = aftermath(made);
    return spec === null ? [] : [[made.address, routingRule(made.address, spec)] as const];
  });
  const written = new Set<string>(own.map(({ address }) => address));
  return {
    live: liveOrder.map(nameOf),
    before: new Map(before),
    after: new Map([...before.filter(([name]) => !written.has(name)), ...after]),
  };
}
