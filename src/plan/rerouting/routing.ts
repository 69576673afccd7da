// How a plan changes the routing, and the order of its rule writes that misroutes the fewest chats meanwhile. src/routing says what a list of rules
// means.

import type { Position } from '../../kinds/kind.ts';
import { compareRouting } from '../../routing/compare.ts';
import { NO_PAGES } from '../../routing/pages.ts';
import { ASSUMED, type RoutingRule, ruleOf } from '../../routing/rules.ts';
import type { Comparison } from '../compare.ts';
import type { RoutingOptions } from '../input.ts';
import { type PlannedOrder, withWrites } from '../order/order.ts';
import { type ListWrite, placeable } from '../order/sequence.ts';
import type { PlannedRouting } from '../plan.ts';
import { ruleLists } from './rule-lists.ts';
import { findOrder, isSafe, type ListTransition, type OrderSearch, placedInTurn, searchOf } from './write-order.ts';

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
          : { requests: longer.writes.length - minimal.writes.length, rekeyed: longer.rekeyed },
    },
  };
}

interface LongerOrder {
  readonly writes: readonly ListWrite[];
  /** Rules that it creates under new keys and then deletes, instead of changing them. Only the manifest can give them new keys. */
  readonly rekeyed: readonly string[];
}

/** Returns null when none was found. */
export function longerOrder(search: OrderSearch): LongerOrder | null {
  const writes = frontFirst(search.transition, search.end);
  if (writes !== null && isSafe(writes, search)) return { writes, rekeyed: [] };
  const rekeyed = changed(search.transition);
  const found = findOrder(searchOf(withNewKeys(search.transition, new Set(rekeyed))));
  return found.verdict === 'safe' ? { writes: found.writes, rekeyed } : null;
}

/** Rules whose conditions change. One rule cannot stand in its old place and in its new one, as two rules can. */
function changed({ writes, before, after }: ListTransition): readonly string[] {
  return writes.flatMap(({ key, op }) =>
    op === 'update' && before.get(key)?.key !== after.get(key)?.key ? [key] : [],
  );
}

/** The same transition, as if some rules had new keys in the manifest: such as no rule can have, because of the slash. */
function withNewKeys(transition: ListTransition, rekeyed: ReadonlySet<string>): ListTransition {
  const renamed = (key: string): string => (rekeyed.has(key) ? `${key}/new` : key);
  const after = new Map([...transition.after].map(([key, rule]) => [renamed(key), rule]));
  const writes = transition.writes.map(
    (write): ListWrite =>
      rekeyed.has(write.key) ? { key: renamed(write.key), op: 'create', position: { last: true } } : write,
  );
  const placed = transition.placed.map(renamed);
  // The old rules go after all other writes, the last of them first.
  const deletes = transition.live
    .toReversed()
    .flatMap((key) => (rekeyed.has(key) ? [{ key, op: 'delete' as const }] : []));
  const made: ListTransition = { ...transition, placed, after, writes: [] };
  return { ...made, writes: placedInTurn([...writes, ...deletes], made) };
}

/**
 * Begins at the front: the visitors of a rule at the front have arrived, and for all others nothing has changed. `end` is the final list. Null when a
 * rule would have to be written twice.
 */
function frontFirst(
  { live, placed, fixed, writes }: ListTransition,
  end: readonly string[],
): readonly ListWrite[] | null {
  const given = new Map(writes.map((write) => [write.key, write]));
  const mayMove = new Set(placed.filter((name) => !fixed.has(name)));
  const sent = new Map<string, ListWrite>();
  let names = live;
  const put = (key: string, before: string | undefined): boolean => {
    if (sent.has(key)) return false;
    const position: Position = before === undefined ? { last: true } : { before };
    sent.set(key, { key, op: given.get(key)?.op === 'create' ? 'create' : 'update', position });
    const others = names.filter((name) => name !== key);
    names = others.toSpliced(before === undefined ? others.length : others.indexOf(before), 0, key);
    return true;
  };

  for (const [place, key] of end.entries()) {
    // A rule that may not be moved is reached by moving away what stands before it.
    while (names[place] !== key && !mayMove.has(key)) {
      const away = names[place];
      if (away === undefined) return null;
      if (given.get(away)?.op === 'delete' && !sent.has(away)) {
        sent.set(away, { key: away, op: 'delete' });
        names = names.filter((name) => name !== away);
      } else if (!mayMove.has(away) || !put(away, names[names.indexOf(key) + 1])) return null;
    }
    if (names[place] === key) {
      const write = given.get(key);
      if (write?.op === 'update' && !sent.has(key)) sent.set(key, { key, op: 'update', position: null });
    } else if (!put(key, names[place])) return null;
  }
  const left = names.filter((name) => given.get(name)?.op === 'delete' && !sent.has(name));
  return [...sent.values(), ...left.toReversed().map((key): ListWrite => ({ key, op: 'delete' }))];
}
