// Groups and their members: `agent.groups`, `bot.groups` and `group.agent_priorities` are views of the edges between them.
// Knows no request other than its group items. Specification: "Group"; service-notes.md, "Groups".

import { defineTable, type EmulatedLicense, type TableDefinition } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import { checked, int, type JsonReader, list, object, oneOf, optional, quoted, string, text } from '../engine/shape.ts';
import type { ConfigurationContext } from './action.ts';

export const priority = oneOf(['first', 'normal', 'last', 'supervisor']);
export type GroupPriority = ReturnType<typeof priority>;

const groupRecord = object({ id: int(0), name: string, language_code: string });
export type GroupRecord = ReturnType<typeof groupRecord>;
export const groupKey = (id: number): string => String(id);
export const groupTable = defineTable('groups', groupRecord, ({ id }) => groupKey(id), {});

/** One edge of the relation; `member` is the id of an agent or a bot. */
const membershipRecord = object({ group: int(0), member: text, priority });
type MembershipRecord = ReturnType<typeof membershipRecord>;
const membershipKey = ({ group, member }: Pick<MembershipRecord, 'group' | 'member'>): string => `${group} ${member}`;

/** `{id, priority}` of an agent's or a bot's `groups`. */
export interface GroupItem {
  readonly id: number;
  readonly priority: GroupPriority;
}

function refuseRepeated(items: readonly GroupItem[], path: string): void {
  const repeated = items.find(({ id }, index) => items.findIndex((other) => other.id === id) !== index);
  if (repeated !== undefined) refuse('validation', `${quoted(path)} names group ${repeated.id} twice`);
}

/** `groups` whose items need both members. */
export const groupItems: JsonReader<readonly GroupItem[]> = checked(
  list(object({ id: int(0), priority })),
  refuseRepeated,
);

const looseItems = list(object({ id: optional(int(0)), priority }));
/** `groups` of create_bot, where `id` is optional: an item without one is about group 0. */
export const groupItemsOfNewBot: JsonReader<readonly GroupItem[]> = checked(
  (value, path) => looseItems(value, path).map(({ id = 0, priority }) => ({ id, priority })),
  refuseRepeated,
);

/** Refuses a write that refers to a group which does not exist. */
export function requireGroups({ license, refersAt }: ConfigurationContext, ids: readonly number[], path: string): void {
  const groups = groupTable.of(license);
  for (const id of ids)
    if ([Infinity, refersAt].some((at) => groups.get(groupKey(id), at) === undefined))
      refuse('group_not_found', `${quoted(path)} names group ${id}, which does not exist`);
}

/** The same for the items of `groups`; a request may have none. */
export function requireGroupsOf(context: ConfigurationContext, items: readonly GroupItem[] = []): void {
  const ids = items.map(({ id }) => id);
  requireGroups(context, ids, 'groups');
}

/** The groups of all members of one kind. `what` precedes a member's id in messages about a state. */
function defineRelation<const N extends string>(name: N, what: string) {
  const definition = defineTable(name, membershipRecord, membershipKey, {
    group: ({ group }) => groupKey(group),
    member: ({ member }) => member,
  });
  const { of } = definition;

  /** Replaces the edges `present` by `wanted`; edges that stay as they are are not written. */
  function replace(
    license: EmulatedLicense,
    present: readonly MembershipRecord[],
    wanted: readonly MembershipRecord[],
  ): void {
    const table = of(license);
    const kept = new Set(wanted.map(membershipKey));
    for (const key of present.map(membershipKey)) if (!kept.has(key)) table.delete(key);
    for (const edge of wanted) if (table.get(membershipKey(edge))?.priority !== edge.priority) table.set(edge);
  }

  const ofMember = (license: EmulatedLicense, member: string, at = Infinity) => of(license).where('member', member, at);

  return {
    ...definition,
    replace,
    ofGroup: (license: EmulatedLicense, group: number, at = Infinity) =>
      of(license).where('group', groupKey(group), at),
    /** `groups` of one member, by group id. */
    groupsOf: (license: EmulatedLicense, member: string, at = Infinity): readonly GroupItem[] =>
      ofMember(license, member, at)
        .map(({ group, priority }) => ({ id: group, priority }))
        .sort((one, other) => one.id - other.id),
    /** Makes `wanted` the whole set of the member's groups. */
    setGroups: (license: EmulatedLicense, member: string, wanted: readonly GroupItem[]): void => {
      const edges = wanted.map(({ id, priority }) => ({ group: id, member, priority }));
      replace(license, ofMember(license, member), edges);
    },
    /** What deleting a member does to its memberships; refuses before anything has changed. */
    leaveAll: (license: EmulatedLicense, member: string, how: 'remove' | 'refuse'): void => {
      const edges = ofMember(license, member);
      const [edge] = edges;
      if (edge !== undefined && how === 'refuse') refuse('validation', `${quoted(member)} is in group ${edge.group}`);
      replace(license, edges, []);
    },
    /** Adds an edge of a seed, which may state it on both sides if they agree. */
    plant: (license: EmulatedLicense, edge: MembershipRecord): void => {
      const { group, member, priority } = edge;
      const known = of(license).get(membershipKey(edge))?.priority ?? priority;
      if (known !== priority) refuse('validation', `${member} is ${known} and ${priority} in group ${group}`);
      if (groupTable.of(license).get(groupKey(group)) === undefined)
        refuse('validation', `${member} is in group ${group}, which does not exist`);
      of(license).set(edge);
    },
    /** Refuses a state with an edge whose member or group does not exist. */
    check: (license: EmulatedLicense, members: TableDefinition): void => {
      for (const { group, member } of of(license).all())
        if (members.of(license).get(member) === undefined || groupTable.of(license).get(groupKey(group)) === undefined)
          refuse('validation', `membership of ${what}${member} in group ${group} has only one end`);
    },
  };
}

/** Agents and bots have a relation each, because the id of an agent may be that of a bot. */
export const agentMemberships = defineRelation('agentMemberships', '');
export const botMemberships = defineRelation('botMemberships', 'bot ');

/** What becomes of the objects of a deleted group, each with a number for its id. */
interface GroupLeavers<R> {
  readonly noun: string;
  readonly how: 'remove' | 'keep' | 'refuse';
  readonly groupOf: (row: R) => number;
}

/** Takes the objects of a deleted group with it, or lets them stay without a group that exists. */
export function releaseWithGroup<R extends { readonly id: number }>(
  rows: { readonly all: () => readonly R[]; readonly delete: (key: string) => unknown },
  key: string,
  { noun, how, groupOf }: GroupLeavers<R>,
): () => void {
  const own = rows.all().filter((row) => groupKey(groupOf(row)) === key);
  if (own[0] !== undefined && how === 'refuse') refuse('validation', `group ${key} has ${noun} ${own[0].id}`);
  return () => {
    if (how === 'remove') for (const { id } of own) rows.delete(String(id));
  };
}
