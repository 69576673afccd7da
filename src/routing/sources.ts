// What a manifest declares, or a license has, in; its list of rules as routing reads them out. Which object a declared rule is, others know.

import { isObject } from '../base/json.ts';
import type { Address, Desired, Live, LiveObject, Reference, Spec } from '../base/model.ts';
import { mapReferences, referencesOf } from '../kinds/fields.ts';
import { KINDS, ORDERED, ROUTED } from '../kinds/index.ts';
import { inDeclaredZone, livePlace, STAFFING } from '../staff/placed.ts';
import type { Placed } from '../staff/staff.ts';
import type { RoutingRule } from './rules.ts';

/** A license that was read, and which of its objects are the declared ones. */
export interface License {
  readonly live: Live;
  /** Null for what is declared and not there. */
  readonly objectOf: (address: Address) => LiveObject | null;
  /** The address of an object, or its bare id. */
  readonly referenceTo: (kind: string, id: string | number) => Reference;
  /** Null for what nothing declares. */
  readonly declaredAs: (reference: Reference) => Spec | null;
}

/** A list of rules in its order. */
export interface Listed {
  readonly rules: readonly RoutingRule[];
  /** Names of the rules of which not everything is known: what a manifest leaves out, and no license was asked about. */
  readonly open: ReadonlySet<string>;
}

/** The rules of a manifest; what one leaves out is as the license has it, where one was read. */
export function desiredRules(desired: Desired, license: License | null): Listed {
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

/** The rules of a license: those that are declared under their addresses, the others under their ids. */
export function liveRules(license: License): Listed {
  const objects = license.live.objects[ORDERED.name] ?? [];
  const rules = objects.map((object) =>
    routingRule(license.referenceTo(ORDERED.name, object.id), liveSpec(object, license)),
  );
  return { rules, open: new Set() };
}

/** `spec` of a rule, with its references in the terms in which groups are to be named. */
export function routingRule(name: string, spec: Spec): RoutingRule {
  const conditions = spec['conditions'];
  return { name, groups: referencesOf(ORDERED, spec), conditions: isObject(conditions) ? conditions : {} };
}

/** With groups as they are called here. */
function liveSpec({ spec }: LiveObject, license: License): Spec {
  return mapReferences(ORDERED, spec, (id) => groupName(id, license));
}

/** Groups and those who serve in them, under the names that rules have for them. */
export function liveMembers(license: License): readonly Placed[] {
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

/** A declared group by its address, another one so that a person finds it. */
export function groupName(id: Reference, { live, referenceTo }: License): string {
  const reference = referenceTo(ROUTED.name, id);
  if (reference.startsWith(`${ROUTED.name}/`)) return reference;
  const object = (live.objects[ROUTED.name] ?? []).find((each) => String(each.id) === id);
  return `${ROUTED.noun.one} ${id}${object === undefined ? '' : ` ${JSON.stringify(object.name)}`}`;
}
