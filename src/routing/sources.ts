// The rules of a manifest or a license as routing reads them, and the staff under the names that rules have for them.

import { isObject } from '../base/json.ts';
import type { Address, Desired, KindName, Live, LiveObject, ObjectId, Reference, Spec } from '../base/model.ts';
import { mapReferences, referencesOf } from '../kinds/fields.ts';
import { greeting } from '../kinds/greeting.ts';
import { KINDS, ORDERED, ROUTED } from '../kinds/index.ts';
import { groupProperty } from '../kinds/property-values.ts';
import { type GreetingSource, HIDES_OFFLINE } from './greetings.ts';
import type { RoutingRule } from './rules.ts';
import { inDeclaredZone, livePlace, STAFFING } from './staff/placed.ts';
import type { Placed } from './staff/staff.ts';

/** A license that was read, with the bindings of its declared objects. */
export interface BoundLicense {
  readonly live: Live;
  /** Null for a declared resource that does not exist. */
  readonly objectOf: (address: Address) => LiveObject | null;
  /** The address of an object, or its bare id. */
  readonly referenceTo: (kind: string, id: string | number) => Reference;
  /** Null for an unmanaged object. */
  readonly declaredAs: (reference: Reference) => Spec | null;
}

/** A list of rules in its order. */
export interface RoutingRules {
  readonly rules: readonly RoutingRule[];
  /** Names of the rules that are not fully known: the manifest leaves something out, and no license was read. */
  readonly open: ReadonlySet<string>;
}

/** The rules of a manifest; what a rule leaves out is as the license has it, where one was read. */
export function desiredRules(desired: Desired, license: BoundLicense | null): RoutingRules {
  const declared = new Map(desired.resources.map((resource) => [resource.address, resource]));
  const open = new Set<string>();
  const rules = desired.ruleOrder.flatMap((address): readonly RoutingRule[] => {
    const resource = declared.get(address);
    if (resource === undefined) return [];
    const object = license?.objectOf(address) ?? null;
    const kept = license === null || object === null ? {} : liveSpec(object, license);
    const rule = routingRule(address, { ...kept, ...resource.spec });
    if (rule.groups.length === 0 || Object.keys(rule.conditions).length === 0) open.add(address);
    return [rule];
  });
  return { rules, open };
}

/** The rules of a license: declared ones under their addresses, the others under their ids. */
export function liveRules(license: BoundLicense): RoutingRules {
  const objects = license.live.objects[ORDERED.name] ?? [];
  const rules = objects.map((object) =>
    liveRule(license.referenceTo(ORDERED.name, object.id), object, liveSpec(object, license), license.live),
  );
  return { rules, open: new Set() };
}

/** The greetings of a manifest; what one leaves out is not known here. */
export function desiredGreetings({ resources }: Desired): readonly GreetingSource[] {
  const hiding = new Set(
    resources.flatMap(({ kind, key, spec }) =>
      kind === groupProperty.name && key.endsWith(`/${HIDES_OFFLINE}`) && spec['value'] === true
        ? [`group/${key.slice(0, -HIDES_OFFLINE.length - 1)}`]
        : [],
    ),
  );
  return resources.flatMap(({ address, kind, spec }): readonly GreetingSource[] => {
    const { group } = spec;
    if (kind !== greeting.name || typeof group !== 'string') return [];
    return [{ greeting: address, group, spec, ...(hiding.has(group) ? { hidesOffline: true } : {}) }];
  });
}

/** The greetings of a license, as far as they were read. */
export function liveGreetings(license: BoundLicense): readonly GreetingSource[] {
  return (license.live.objects[greeting.name] ?? []).map(({ id, spec }) => ({
    greeting: license.referenceTo(greeting.name, id),
    group: groupName(String(spec['group']), license),
    spec,
  }));
}

/** The group of visitors whom no rule sends anywhere: group 0, which each license has. */
export function generalGroups({ externals, resources }: Desired): readonly Reference[] {
  return [...externals, ...resources].flatMap(({ kind, id, address }) =>
    kind === ROUTED.name && id === 0 ? [address] : [],
  );
}

/** A rule of this spec; groups are named as its references are. */
export function routingRule(name: string, spec: Spec): RoutingRule {
  const { conditions } = spec;
  return { name, groups: referencesOf(ORDERED, spec), conditions: isObject(conditions) ? conditions : {} };
}

/** A rule of a license: `name` is its address, or its id where no file declares it. */
export function liveRule(name: string, object: LiveObject, spec: Spec, { objects }: Live): RoutingRule {
  const rule = routingRule(name, spec);
  if (name !== String(object.id)) return rule;
  const nameOf = (kind: KindName, id: ObjectId): string =>
    objects[kind]?.find((each) => String(each.id) === String(id))?.name ?? String(id);
  return { ...rule, title: `"${ORDERED.describe?.(object, nameOf) ?? object.name}" (${name})` };
}

/** The spec of a live rule, with the names of `groupName`. */
function liveSpec({ spec }: LiveObject, license: BoundLicense): Spec {
  return mapReferences(ORDERED, spec, (id) => groupName(id, license));
}

/** Groups, agents and bots under the names that rules have for them. */
export function liveMembers(license: BoundLicense): readonly Placed[] {
  const nameOf = (kind: string, id: Reference): string => {
    if (kind === ROUTED.name) return groupName(id, license);
    const reference = license.referenceTo(kind, id);
    return reference.startsWith(`${kind}/`) ? reference : `${kind}/${reference}`;
  };
  return [...STAFFING.keys()].flatMap((kind) =>
    (license.live.objects[kind] ?? []).map((object) => {
      const reference = nameOf(kind, String(object.id));
      const spec = inDeclaredZone(kind, object.spec, license.declaredAs(reference) ?? null, license.live.version);
      return livePlace(
        object,
        reference,
        mapReferences(KINDS[kind], spec, (id, to) => nameOf(to, id)),
      );
    }),
  );
}

/** What messages call a group: its address, or the id or the name of one that no file declares. */
export function groupTitle(reference: Reference): string {
  const id = /^(?:[a-z]+\/external:id=)?(\d+)$/.exec(reference)?.[1];
  const name = /^[a-z]+\/external:name=(.*)$/s.exec(reference)?.[1];
  const called = id ?? (name === undefined ? undefined : JSON.stringify(name));
  return called === undefined ? reference : `${ROUTED.noun.one} ${called}`;
}

/** A declared group by its address, another one by its id and name. */
export function groupName(id: Reference, { live, referenceTo }: BoundLicense): string {
  const reference = referenceTo(ROUTED.name, id);
  if (reference.startsWith(`${ROUTED.name}/`)) return reference;
  const object = (live.objects[ROUTED.name] ?? []).find((each) => String(each.id) === id);
  return `${ROUTED.noun.one} ${id}${object === undefined ? '' : ` ${JSON.stringify(object.name)}`}`;
}
