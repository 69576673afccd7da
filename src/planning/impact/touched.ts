// Changes of a plan that carry chats, and the groups of the license that they touch: what the reports are asked about.

import { grouped } from '../../base/grouped.ts';
import { byText, canonicalJson } from '../../base/json.ts';
import type { Address, KindName, LiveObject, ObjectId, Reference } from '../../base/model.ts';
import { KINDS, ORDERED, ROUTED } from '../../kinds/index.ts';
import type { Comparison } from '../../plan/compare.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import { addressOf, keyOf } from '../../plan/reference.ts';
import { ruleLists } from '../../plan/rerouting/rule-lists.ts';
import {
  type ChatGroups,
  DEFAULT_GROUP,
  memberChanges,
  type Reroute,
  reroutes,
  writtenBy,
} from '../../plan/touched.ts';
import type { RoutingRule } from '../../routing/rules.ts';
import type { Staff, StaffPerson } from '../../routing/staff/staff.ts';

/** One change that carries chats. */
export type CarryingChange = {
  readonly address: Address;
} & (
  | {
      readonly what: 'rule';
      /** The groups that it sends chats to now; none for a new rule. */
      readonly feeds: readonly Address[];
      /** Of those visitors whose chats go to other groups because of it. */
      readonly sources: readonly ChatGroups[];
    }
  | { readonly what: 'changed-group' | 'destroyed-group' }
  | { readonly what: 'staff'; readonly groups: readonly Address[] }
);

/** A member of a group whose place in it, slots or hours change. */
interface ChangedMember {
  readonly address: Address;
  /** As the reports name it. */
  readonly id: string;
}

/** A group that chats go to, and that the plan makes. */
export interface MadeGroup {
  readonly address: Address;
  readonly name: string;
  readonly touchedBy: readonly Address[];
  /** Where the chats that it gains come from. */
  readonly gains: readonly ChatGroups[];
}

/** A group that exists, and what of it changes. */
export interface TouchedGroup extends MadeGroup {
  readonly id: number;
  /** Members who take its chats now. */
  readonly changed: readonly ChangedMember[];
}

export interface Touched {
  readonly changes: readonly CarryingChange[];
  /** Sorted by address. */
  readonly groups: readonly TouchedGroup[];
  /** Sorted by address. */
  readonly made: readonly MadeGroup[];
  /** Groups that cannot be asked about: their ids are not known. Sorted. */
  readonly unknown: readonly Address[];
  /** All visitors who are routed differently, by where their chats go now. */
  readonly sources: readonly ChatGroups[];
  /** False: there are more, because the rules are too many to compare. */
  readonly isWhole: boolean;
  /** How many rules send chats to a group now. */
  readonly feeders: (group: Address) => number;
  /** The group of the chats that no rule matches. */
  readonly byDefault: Address;
  /** The address of a group in the terms of the impact. */
  readonly groupOf: (reference: Reference) => Address;
  /** The same for an agent or a bot. */
  readonly personOf: (person: Pick<StaffPerson, 'kind' | 'reference'>) => Address;
  /** Id on the license; null where it has none, or it is not known. */
  readonly idOf: (address: Address) => ObjectId | null;
}

interface TouchingPlan {
  readonly plan: Pick<Plan, 'resource_changes' | 'routing'>;
  readonly compared: Comparison;
  readonly staff: { readonly before: Staff; readonly after: Staff };
}

export function touchedBy({ plan, compared, staff }: TouchingPlan): Touched {
  const names = namesIn(compared);
  const groupOf = (reference: Reference): Address => names.addressOf(ROUTED.name, reference);
  const byDefault = groupOf(DEFAULT_GROUP);
  const { before, after } =
    compared.live.objects[ORDERED.name] === undefined ? { before: [], after: [] } : ruleLists(compared);
  const feedsOf = (rule: Pick<RoutingRule, 'groups'> | undefined): readonly Address[] =>
    [...new Set((rule?.groups ?? []).map(groupOf))].sort(byText);
  const rerouted = reroutes(plan.routing?.rerouted ?? [], groupOf);
  // Of a member who gets no chats of the group now, the reports have none.
  const members = memberChanges(staff.before, staff.after, names.addressOf).flatMap(
    ({ group, member: address, was }) =>
      was === null || was.barred !== null ? [] : [{ group, address, id: String(names.idOf(address) ?? was.reference) }],
  );
  const carrying = (change: ResourceChange): readonly CarryingChange[] => {
    const { address, type } = change;
    if (type === ORDERED.name) {
      const [was, is] = [before, after].map((rules) => rules.find(({ name }) => name === address));
      if (change.moved === null && equalRules(was, is)) return [];
      const sources = distinctSources(rerouted.filter(({ cause }) => cause.rule === address));
      return [{ what: 'rule', address, feeds: feedsOf(was), sources }];
    }
    return writtenBy(change).flatMap((written): readonly CarryingChange[] => {
      if (written.before === null) return [];
      if (type === ROUTED.name)
        return [{ what: written.after === null ? 'destroyed-group' : 'changed-group', address }];
      if (KINDS[type].serving === undefined) return [];
      const own = members.filter((member) => member.address === address);
      return [{ what: 'staff', address, groups: own.map(({ group }) => group).sort(byText) }];
    });
  };
  const changes = plan.resource_changes.flatMap(carrying);
  const feeds = before.map(feedsOf);
  const madeNames = new Map(plan.resource_changes.filter(isMade).map(({ address, name }) => [address, name]));
  const touches = changes.flatMap((change) =>
    groupsOf(change, rerouted).map((group) => [group, change.address] as const),
  );
  const touching = [...grouped(touches)]
    .sort(([one], [other]) => byText(one, other))
    .map(([address, by]) => ({
      address,
      id: names.idOf(address),
      name: madeNames.get(address) ?? names.nameOf(address),
      touchedBy: [...new Set(by)],
      gains: distinctSources(rerouted.filter(({ gaining }) => gaining.includes(address))),
    }));
  return {
    changes,
    groups: touching.flatMap(({ id, ...group }) =>
      typeof id === 'number'
        ? [{ ...group, id, changed: members.filter((member) => member.group === group.address) }]
        : [],
    ),
    made: touching.flatMap(({ id, ...group }) => (id === null && madeNames.has(group.address) ? [group] : [])),
    unknown: touching.flatMap(({ id, address }) => (id === null && !madeNames.has(address) ? [address] : [])),
    sources: distinctSources(rerouted),
    isWhole: plan.routing?.exact !== false,
    feeders: (group) => feeds.filter((groups) => groups.includes(group)).length,
    byDefault,
    groupOf,
    personOf: ({ kind, reference }) => names.addressOf(kind, reference),
    idOf: names.idOf,
  };
}

/** The groups whose chats come, stay or go. */
function groupsOf(change: CarryingChange, rerouted: readonly Reroute[]): readonly Address[] {
  switch (change.what) {
    case 'rule': {
      const targets = rerouted.filter(({ cause }) => cause.rule === change.address).flatMap(({ to }) => to);
      return [...change.feeds, ...change.sources.flat(), ...targets];
    }
    case 'changed-group':
    case 'destroyed-group':
      return [change.address];
    case 'staff':
      return change.groups;
  }
}

function isMade({ type, change }: ResourceChange): boolean {
  return type === ROUTED.name && change.actions[0] === 'create';
}

function equalRules(one: RoutingRule | undefined, other: RoutingRule | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return canonicalJson([one.groups, one.conditions]) === canonicalJson([other.groups, other.conditions]);
}

/** A change names an object that goes away by its former address, where staff and rules may have its bare id. */
function namesIn({ desired, drafts, live, bindings }: Comparison) {
  const drafted = new Map(drafts.map(({ object, address }) => [object, address]));
  const external = new Map(
    desired.externals.map(({ kind, address }) => [`${kind} ${bindings.ids.get(address)}`, address]),
  );
  const addresses = new Map<string, Address>();
  const objects = new Map<Address, LiveObject>();
  for (const object of Object.values(live.objects).flat()) {
    const { kind, id } = object;
    const own = drafted.get(object) ?? external.get(`${kind} ${id}`);
    const address = own ?? addressOf(kind, bindings.referenceTo(kind, id));
    addresses.set(`${kind} ${id}`, address);
    objects.set(address, object);
  }
  return {
    addressOf: (kind: KindName, reference: Reference): Address =>
      addresses.get(`${kind} ${reference}`) ?? addressOf(kind, reference),
    idOf: (address: Address): ObjectId | null => objects.get(address)?.id ?? bindings.ids.get(address) ?? null,
    /** What a person calls it; its key where that is not known. */
    nameOf: (address: Address): string => objects.get(address)?.name ?? keyOf(address),
  };
}

/** Where the chats of these visitors go now. */
function distinctSources(rerouted: readonly Reroute[]): readonly ChatGroups[] {
  return [...new Map(rerouted.map(({ from }) => [from.join('\n'), from])).values()];
}
