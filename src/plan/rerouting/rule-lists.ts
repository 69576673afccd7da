// The rules of the license before a plan and after it, in their orders and in the terms of the plan.

import type { Reference } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { ORDERED } from '../../kinds/index.ts';
import type { RoutingRule } from '../../routing/rules.ts';
import { liveRule, routingRule } from '../../routing/sources.ts';
import type { Comparison } from '../compare.ts';
import { liveSpec } from '../diff.ts';
import { nameIn } from '../order/order.ts';
import { written } from '../order/sequence.ts';
import { aftermath } from '../sent.ts';

export interface RuleLists {
  readonly before: readonly RoutingRule[];
  readonly after: readonly RoutingRule[];
}

/** Computed once for each comparison, because several readers ask. */
export const ruleLists = oncePer(({ drafts, live, bindings, liveOrder, order }: Comparison): RuleLists => {
  const own = drafts.filter(({ kind }) => kind === ORDERED);
  const addresses = new Map(own.map((made) => [nameIn(liveOrder, made), made.address]));
  const nameOf = (reference: Reference): string => addresses.get(reference) ?? reference;
  const before = new Map(
    (live.objects[ORDERED.name] ?? []).map((object) => {
      const name = nameOf(bindings.referenceTo(ORDERED.name, object.id));
      return [name, liveRule(name, object, liveSpec(ORDERED, object, bindings), live)];
    }),
  );
  const after = new Map<Reference, RoutingRule>(
    own.flatMap((made) => {
      // A visitor meets the form that the service keeps.
      const spec = aftermath(made.object === null ? made : { ...made, live: liveSpec(ORDERED, made.object, bindings) });
      return spec === null ? [] : [[made.address, routingRule(made.address, spec)]];
    }),
  );
  const names = liveOrder.map(nameOf);
  return {
    before: names.flatMap((name) => before.get(name) ?? []),
    after: order.writes.reduce(written, names).flatMap((name) => after.get(name) ?? before.get(name) ?? []),
  };
});
