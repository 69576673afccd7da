// What was compared in; the rules and the people of the license before a plan and after it, as src/routing takes them, out. Decides nothing.

import { KINDS, ORDERED } from '../kinds/index.ts';
import { isList, isObject } from '../kinds/wire.ts';
import type { LiveObject, Reference, Spec } from '../model.ts';
import { livePlace, STAFFING } from '../routing/placed.ts';
import type { RoutingRule } from '../routing/rules.ts';
import type { Placed } from '../routing/staff.ts';
import { aftermath } from './aftermath.ts';
import type { Comparison } from './compare.ts';
import { liveSpec } from './diff.ts';
import type { Draft } from './draft.ts';
import { nameIn } from './order.ts';
import { written } from './sequence.ts';

/** Something before a plan and after it; both in the plan's terms. */
export interface Turn<T> {
  readonly before: readonly T[];
  readonly after: readonly T[];
}

/** The rules, in their orders. */
export function ruleLists({ drafts, live, bindings, liveOrder, order }: Comparison): Turn<RoutingRule> {
  const own = drafts.filter(({ kind }) => kind === ORDERED);
  const addresses = new Map(own.map((made) => [nameIn(liveOrder, made), made.address]));
  const nameOf = (reference: Reference): string => addresses.get(reference) ?? reference;
  const before = new Map(
    (live.objects[ORDERED.name] ?? []).map((object) => {
      const name = nameOf(bindings.referenceTo(ORDERED.name, object.id));
      return [name, routingRule(name, liveSpec(ORDERED, object, bindings))];
    }),
  );
  const after = new Map<Reference, RoutingRule>(
    own.flatMap((made) => {
      const spec = aftermath(made);
      return spec === null ? [] : [[made.address, routingRule(made.address, spec)]];
    }),
  );
  const names = liveOrder.map(nameOf);
  return {
    before: names.flatMap((name) => before.get(name) ?? []),
    after: order.writes.reduce(written, names).flatMap((name) => after.get(name) ?? before.get(name) ?? []),
  };
}

function routingRule(name: Reference, { access, conditions }: Spec): RoutingRule {
  const groups = isObject(access) && isList(access['groups']) ? access['groups'].map(String) : [];
  return { name, groups, conditions: isObject(conditions) ? conditions : {} };
}

/** Groups, and everybody who may serve in one. */
export function people({ drafts, live, bindings }: Comparison): Turn<Placed> {
  const own = drafts.filter(({ kind }) => STAFFING.has(kind.name));
  const drafted = new Map(own.flatMap((made) => (made.object === null ? [] : [[made.object, made]])));
  const objects = [...STAFFING.keys()].flatMap((kind) => live.objects[kind] ?? []);
  const asRead = (object: LiveObject): Placed => {
    const kind = KINDS[object.kind];
    const reference = drafted.get(object)?.address ?? bindings.referenceTo(object.kind, object.id);
    return livePlace(object, reference, liveSpec(kind, object, bindings));
  };
  return {
    before: objects.map(asRead),
    after: [...own.flatMap(afterwards), ...objects.filter((object) => !drafted.has(object)).map(asRead)],
  };
}

function afterwards(made: Draft): readonly Placed[] {
  const spec = aftermath(made);
  if (spec === null) return [];
  const { address, kind, object, desired } = made;
  const name = typeof spec['name'] === 'string' ? spec['name'] : (object?.name ?? address);
  return [
    {
      reference: address,
      kind: kind.name,
      name,
      spec,
      decides: Object.keys(desired ?? {}),
      ...(object?.facts.builtin === true ? { builtin: true } : {}),
    },
  ];
}
