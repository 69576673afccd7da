// Changes of a plan that carry chats, and the groups of the license that they touch: what the reports are asked about.

import { byText, canonicalJson } from '../../base/json.ts';
import type { Address, KindName, Reference } from '../../base/model.ts';
import { KINDS, ORDERED, ROUTED } from '../../kinds/index.ts';
import type { Comparison } from '../../plan/compare.ts';
import { ruleLists } from '../../plan/order/rule-lists.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import { addressOf, keyOf } from '../../plan/reference.ts';
import type { RoutingRule } from '../../routing/rules.ts';
import type { Member, Staff } from '../../staff/staff.ts';

/** Groups of one rule that decided before, or the default group where none did. A chat of it counts in each of them. */
export type ChatSource = readonly Address[];

/** One change that carries chats. */
export type CarryingChange = {
  readonly address: Address;
} & (
  | {
      readonly what: 'rule';
      /** The groups that it sends chats to now; none for a new rule. */
      readonly feeds: readonly Address[];
      /** Of those visitors whose chats go to other groups because of it. */
      readonly sources: readonly ChatSource[];
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

/** What the changes do to a group. */
interface GroupChange {
  readonly address: Address;
  readonly name: string;
  readonly touchedBy: readonly Address[];
  /** Where the chats that it gains come from. */
  readonly gains: readonly ChatSource[];
}

/** A group that the plan makes, and that chats go to. */
export type MadeGroup = GroupChange;

/** A group that exists, and what of it changes. */
export interface TouchedGroup extends GroupChange {
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
  readonly sources: readonly ChatSource[];
  /** False: there are more, because the rules are too many to compare. */
  readonly isWhole: boolean;
  /** How many rules send chats to a group now. */
  readonly feeders: (group: Address) => number;
  /** The group of the chats that no rule matches. */
  readonly byDefault: Address;
  /** The address of a group in the terms of the impact. */
  readonly groupOf: (reference: Reference) => Address;
}

interface TouchingPlan {
  readonly plan: Pick<Plan, 'resource_changes' | 'routing'>;
  readonly compared: Comparison;
  readonly staff: { readonly before: Staff; readonly after: Staff };
}

/** The default group of a license. Service notes: "Groups", group 0. */
const DEFAULT_GROUP = '0';

/** Visitors who are routed differently, because of one rule. */
interface Rerouted {
  readonly rule: Reference;
  readonly from: ChatSource;
  readonly to: ChatSource;
}

export function touchedBy({ plan, compared, staff }: TouchingPlan): Touched {
  const names = namesIn(compared);
  const groupOf = (reference: Reference): Address => names.addressOf(ROUTED.name, reference);
  const byDefault = groupOf(DEFAULT_GROUP);
  const { before, after } =
    compared.live.objects[ORDERED.name] === undefined ? { before: [], after: [] } : ruleLists(compared);
  const feedsOf = (rule: Pick<RoutingRule, 'groups'> | undefined): readonly Address[] =>
    distinct((rule?.groups ?? []).map(groupOf));
  const sourceOf = (groups: readonly Reference[]): ChatSource =>
    groups.length === 0 ? [byDefault] : distinct(groups.map(groupOf));
  const rerouted = (plan.routing?.rerouted ?? []).map(
    (each): Rerouted => ({
      rule: each.cause.rule,
      from: sourceOf(each.before.groups),
      to: sourceOf(each.after.groups),
    }),
  );
  const members = changedMembers(staff, names);
  const carrying = (change: ResourceChange): readonly CarryingChange[] => {
    const { address, type } = change;
    const [action] = change.change.actions;
    if (type === ORDERED.name) {
      const [was, is] = [before, after].map((rules) => rules.find(({ name }) => name === address));
      if (change.moved === null && equalRules(was, is)) return [];
      const sources = distinctSources(rerouted.filter(({ rule }) => rule === address).map(({ from }) => from));
      return [{ what: 'rule', address, feeds: feedsOf(was), sources }];
    }
    if (action === 'no-op' || action === 'create') return [];
    if (type === ROUTED.name) return [{ what: isDestroyed(change) ? 'destroyed-group' : 'changed-group', address }];
    if (KINDS[type].serving === undefined) return [];
    const groups = [...members].flatMap(([group, those]) =>
      those.some((member) => member.address === address) ? [group] : [],
    );
    return [{ what: 'staff', address, groups: groups.sort(byText) }];
  };
  const changes = plan.resource_changes.flatMap(carrying);
  const gainsOf = (group: Address): readonly ChatSource[] =>
    distinctSources(
      rerouted.filter(({ from, to }) => to.includes(group) && !from.includes(group)).map(({ from }) => from),
    );
  const feeds = before.map(feedsOf);
  const madeNames = new Map(plan.resource_changes.filter(isMade).map(({ address, name }) => [address, name]));
  const touching = [...touchingBy(changes, rerouted)]
    .sort(([one], [other]) => byText(one, other))
    .map(([address, by]) => ({
      address,
      id: names.idOf(ROUTED.name, address),
      name: madeNames.get(address) ?? names.nameOf(ROUTED.name, address),
      touchedBy: [...by],
      gains: gainsOf(address),
    }));
  return {
    changes,
    groups: touching.flatMap(({ id, ...group }) =>
      typeof id === 'number' ? [{ ...group, id, changed: members.get(group.address) ?? [] }] : [],
    ),
    made: touching.flatMap(({ id, ...group }) => (id === null && madeNames.has(group.address) ? [group] : [])),
    unknown: touching.flatMap(({ id, address }) => (id === null && !madeNames.has(address) ? [address] : [])),
    sources: distinctSources(rerouted.map(({ from }) => from)),
    isWhole: plan.routing?.exact !== false,
    feeders: (group) => feeds.filter((groups) => groups.includes(group)).length,
    byDefault,
    groupOf,
  };
}

/** The groups that changes touch, and by which: those whose chats come, stay or go. */
function touchingBy(
  changes: readonly CarryingChange[],
  rerouted: readonly Rerouted[],
): ReadonlyMap<Address, ReadonlySet<Address>> {
  const found = new Map<Address, Set<Address>>();
  for (const change of changes)
    for (const group of groupsOf(change, rerouted))
      found.set(group, (found.get(group) ?? new Set()).add(change.address));
  return found;
}

function groupsOf(change: CarryingChange, rerouted: readonly Rerouted[]): readonly Address[] {
  switch (change.what) {
    case 'rule': {
      const targets = rerouted.filter(({ rule }) => rule === change.address).flatMap(({ to }) => to);
      return [...change.feeds, ...change.sources.flat(), ...targets];
    }
    case 'changed-group':
    case 'destroyed-group':
      return [change.address];
    case 'staff':
      return change.groups;
  }
}

function isDestroyed({ change: { actions } }: ResourceChange): boolean {
  return actions[0] === 'delete' && actions.length === 1;
}

function isMade({ type, change }: ResourceChange): boolean {
  return type === ROUTED.name && change.actions[0] === 'create';
}

function equalRules(one: RoutingRule | undefined, other: RoutingRule | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return canonicalJson([one.groups, one.conditions]) === canonicalJson([other.groups, other.conditions]);
}

/** Names of live objects in the terms of the plan. */
interface LiveNames {
  readonly addressOf: (kind: KindName, reference: Reference) => Address;
  readonly idOf: (kind: KindName, address: Address) => string | number | null;
  /** What a person calls it; its address where that is not known. */
  readonly nameOf: (kind: KindName, address: Address) => string;
}

/** A change names an object that goes away by its former address, where staff and rules may have its bare id. */
function namesIn({ desired, drafts, live, bindings }: Comparison): LiveNames {
  const drafted = new Map(
    drafts.flatMap(({ object, address }) => (object === null ? [] : [[object, address] as const])),
  );
  const external = new Map(
    desired.externals.map(({ kind, address }) => [`${kind} ${bindings.ids.get(address)}`, address]),
  );
  const addresses = new Map<string, Address>();
  const objects = new Map<Address, { readonly id: string | number; readonly name: string }>();
  for (const found of Object.values(live.objects))
    for (const object of found) {
      const { kind, id, name } = object;
      const own = drafted.get(object) ?? external.get(`${kind} ${id}`);
      const address = own ?? fullAddress(kind, bindings.referenceTo(kind, id));
      addresses.set(`${kind} ${id}`, address);
      objects.set(address, { id, name });
    }
  return {
    addressOf: (kind, reference) => addresses.get(`${kind} ${reference}`) ?? fullAddress(kind, reference),
    idOf: (_, address) => objects.get(address)?.id ?? bindings.ids.get(address) ?? null,
    nameOf: (_, address) => objects.get(address)?.name ?? keyOf(address),
  };
}

function fullAddress(kind: KindName, reference: Reference): Address {
  return addressOf(kind, reference) as Address;
}

/** By group. A member who gets no chats of the group now is none of them. */
function changedMembers(
  { before, after }: TouchingPlan['staff'],
  names: LiveNames,
): ReadonlyMap<Address, readonly ChangedMember[]> {
  const nameOf = ({ kind, reference }: Pick<Member, 'kind' | 'reference'>): Address => names.addressOf(kind, reference);
  const membersOf = (staff: Staff): ReadonlyMap<Address, ReadonlyMap<Address, Member>> =>
    new Map(
      staff.groups.map(({ reference, members }) => [
        names.addressOf(ROUTED.name, reference),
        new Map(members.map((member) => [nameOf(member), member])),
      ]),
    );
  const later = membersOf(after);
  return new Map(
    [...membersOf(before)].map(([group, members]) => [
      group,
      [...members].flatMap(([address, member]): readonly ChangedMember[] => {
        const next = later.get(group)?.get(address);
        if (member.barred !== null || (next !== undefined && servesAlike(member, next))) return [];
        return [{ address, id: String(names.idOf(member.kind, address) ?? member.reference) }];
      }),
    ]),
  );
}

function servesAlike(one: Member, other: Member): boolean {
  const meant = ({ priority, barred, slots, hours }: Member) => JSON.stringify([priority, barred, slots, hours]);
  return meant(one) === meant(other);
}

function distinct(addresses: readonly Address[]): readonly Address[] {
  return [...new Set(addresses)].sort(byText);
}

function distinctSources(sources: readonly ChatSource[]): readonly ChatSource[] {
  return [...new Map(sources.map((source) => [source.join('\n'), source])).values()];
}
