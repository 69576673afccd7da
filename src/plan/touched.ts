// Which groups a change touches, and how: by the rules, by the staff, and by what a group is and shows. Asked of a plan, and of a run in the ledger.

import { byText } from '../base/json.ts';
import type { Address, Desired, KindName, Reference, Spec } from '../base/model.ts';
import { kindOf, ROUTED } from '../kinds/index.ts';
import { splitName } from '../kinds/namespaced.ts';
import { mayCustomersRead, ON_GROUP, ON_LICENSE, property } from '../kinds/property.ts';
import { groupProperty, licenseProperty } from '../kinds/property-values.ts';
import type { Rerouted } from '../routing/compare.ts';
import type { Member, Staff } from '../routing/staff/staff.ts';
import type { Plan, ResourceChange } from './plan.ts';
import { addressOf, keyOf } from './reference.ts';

/** The default group of a license. Service notes: "Groups", group 0. */
export const DEFAULT_GROUP = '0';

/** Groups of the rule that decides, or the default group where none does. A chat counts in each of them. Sorted. */
export type ChatGroups = readonly Address[];

/** Visitors whose chats go to other groups because of one rule. */
export interface Reroute {
  readonly cause: Rerouted['cause'];
  readonly from: ChatGroups;
  readonly to: ChatGroups;
  /** Groups that only the rule before sends chats to. */
  readonly losing: readonly Address[];
  /** Groups that only the rule afterwards sends chats to. */
  readonly gaining: readonly Address[];
}

/** `groupOf`: the address of a group that a rule names. */
export function reroutes(
  rerouted: readonly Pick<Rerouted, 'before' | 'after' | 'cause'>[],
  groupOf: (reference: Reference) => Address,
): readonly Reroute[] {
  const sideOf = ({ groups }: Rerouted['before']): ChatGroups =>
    [...new Set((groups.length === 0 ? [DEFAULT_GROUP] : groups).map(groupOf))].sort(byText);
  return rerouted.map(({ before, after, cause }) => {
    const [from, to] = [sideOf(before), sideOf(after)];
    const losing = from.filter((group) => !to.includes(group));
    return { cause, from, to, losing, gaining: to.filter((group) => !from.includes(group)) };
  });
}

/** An agent or a bot whose place in a group, chats or hours change. At least one side is a member. */
export interface MemberChange {
  readonly group: Address;
  readonly member: Address;
  readonly was: Member | null;
  readonly is: Member | null;
}

/** `nameOf`: the address of what the staff names. */
export function memberChanges(
  before: Staff,
  after: Staff,
  nameOf: (kind: KindName, reference: Reference) => Address,
): readonly MemberChange[] {
  const membersOf = ({ groups }: Staff): ReadonlyMap<Address, ReadonlyMap<Address, Member>> =>
    new Map(
      groups.map(({ reference, members }) => [
        nameOf(ROUTED.name, reference),
        new Map(members.map((member) => [nameOf(member.kind, member.reference), member])),
      ]),
    );
  const [earlier, later] = [membersOf(before), membersOf(after)];
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((group) => {
    const [had, has] = [earlier.get(group), later.get(group)];
    const members = new Set([...(had?.keys() ?? []), ...(has?.keys() ?? [])]);
    return [...members].flatMap((member): readonly MemberChange[] => {
      const [was, is] = [had?.get(member) ?? null, has?.get(member) ?? null];
      return serviceOf(was) === serviceOf(is) ? [] : [{ group, member, was, is }];
    });
  });
}

/** Equal for two that take the same chats. */
function serviceOf(member: Member | null): string | null {
  return member && JSON.stringify([member.priority, member.barred, member.slots, member.hours]);
}

/** What is written of one resource; null where there is none before, or afterwards. */
export interface WrittenResource {
  readonly address: Address;
  readonly before: Spec | null;
  readonly after: Spec | null;
  /** Fields whose values differ: all of a resource that is made or removed. */
  readonly fields: readonly string[];
}

/** Without what no request changes. */
export function writtenBy({ address, change, fields }: ResourceChange): readonly WrittenResource[] {
  const { actions, before, after } = change;
  if (actions[0] === 'no-op') return [];
  if (actions[0] === 'create' || after === null)
    return [{ address, before, after, fields: Object.keys(after ?? before ?? {}) }];
  const written = fields.filter(({ reach }) => !UNWRITTEN.has(reach));
  return [{ address, before, after, fields: written.map(({ field }) => field) }];
}

const UNWRITTEN: ReadonlySet<string> = new Set(['unverified', 'unreachable', 'unreadable']);

/** A group that is made, removed or written, or for which a property has another value: its own, or one that it inherits. */
export interface GroupChange {
  readonly group: Address;
  readonly by: Address;
  readonly what: 'made' | 'removed' | 'fields' | 'value';
  /** Customers see something else of the group, by the Customer Chat Web API. */
  readonly isSeen: boolean;
}

/** `known`: every resource as it is afterwards. */
export function groupChanges(
  changes: readonly WrittenResource[],
  known: ReadonlyMap<Address, Spec>,
): readonly GroupChange[] {
  const groups = [...known.keys()].filter((address) => kindOf(address) === ROUTED.name);
  const isShown = (name: string, location: string): boolean =>
    mayCustomersRead(known.get(`${property.name}/${name}`), location) === true;
  return changes.flatMap((change): readonly GroupChange[] => {
    const { address: by, before, after, fields } = change;
    const key = keyOf(by);
    switch (kindOf(by)) {
      case ROUTED.name: {
        if (before === null) return [{ group: by, by, what: 'made', isSeen: true }];
        if (after === null) return [{ group: by, by, what: 'removed', isSeen: true }];
        return [{ group: by, by, what: 'fields', isSeen: fields.includes('language_code') }];
      }
      case groupProperty.name: {
        const [group, name] = splitName(key);
        return [{ group: addressOf(ROUTED.name, group), by, what: 'value', isSeen: isShown(name, ON_GROUP) }];
      }
      case licenseProperty.name:
        return groups.map((group) => ({ group, by, what: 'value', isSeen: isShown(key, ON_LICENSE) }));
      case property.name:
        return groups.map((group) => ({ group, by, what: 'value', isSeen: showsDefault(change, group, known) }));
      default:
        return [];
    }
  });
}

/** Whether another default shows on a group, or on the license where there is no value of its own. */
function showsDefault(
  { address, before, fields }: WrittenResource,
  group: Address,
  known: ReadonlyMap<Address, Spec>,
): boolean {
  const definition = known.get(address);
  if (definition?.['default_value'] === undefined) return false;
  const name = keyOf(address);
  const isAnother = fields.includes('default_value');
  const former = fields.includes('access') ? (before ?? {}) : definition;
  return [
    { location: ON_LICENSE, value: `${licenseProperty.name}/${name}` as const },
    { location: ON_GROUP, value: `${groupProperty.name}/${keyOf(group)}/${name}` as const },
  ].some(({ location, value }) => {
    if (known.has(value)) return false;
    const isShown = mayCustomersRead(definition, location) === true;
    return isShown !== (mayCustomersRead(former, location) === true) || (isShown && isAnother);
  });
}

/**
 * Declared groups of which customers see something else after a plan: they have another `config_version` then. Sorted by address.
 * customer-and-reports-notes.md, section 4, rule 16.
 */
export function seenGroups(
  { resource_changes: changes }: Pick<Plan, 'resource_changes'>,
  { resources }: Pick<Desired, 'resources'>,
): readonly Address[] {
  const known = new Map(resources.map(({ address, spec }) => [address, spec]));
  const seen = groupChanges(changes.flatMap(writtenBy), known).filter(({ isSeen }) => isSeen);
  const groups = new Set(seen.map(({ group }) => group));
  return [...known.keys()].filter((address) => groups.has(address));
}
