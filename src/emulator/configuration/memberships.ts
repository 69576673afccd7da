// Groups and the relation between them and their members: `agent.groups`, `bot.groups` and `group.agent_priorities` are views of its edges.
// Knows no request other than its group items. Specification: "Group"; service-notes.md, "Groups".

import type { EmulatedLicense, TableDefinition } from '../engine/license.ts';
import { badSeed, badState, defineTable } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { JsonReader } from '../engine/shape.ts';
import { int, list, object, oneOf, optional, quoted, string, text } from '../engine/shape.ts';
import type { HistoryTable } from '../engine/table.ts';
import type { ConfigurationContext } from './action.ts';

export const priority = oneOf(['first', 'normal', 'last', 'supervisor']);
export type GroupPriority = ReturnType<typeof priority>;

const groupRecord = object({ id: int(0), name: string, language_code: string });
export type GroupRecord = ReturnType<typeof groupRecord>;
export const groupKey = (id: number): string => String(id);
export const groupTable = defineTable('groups', groupRecord, ({ id }) => groupKey(id), {});

/** One edge of the relation; `member` is the id of an agent or a bot. */
const membershipRecord = object({ group: int(0), member: text, priority });
export type MembershipRecord = ReturnType<typeof membershipRecord>;
export const membershipKey = (group: number, member: string): string => `${group} ${member}`;

const defineRelation = <const N extends string>(name: N) =>
  defineTable(name, membershipRecord, ({ group, member }) => membershipKey(group, member), {
    group: ({ group }) => groupKey(group),
    member: ({ member }) => member,
  });
/** Agents and bots have a relation each, because the id of an agent may be that of a bot. */
export const agentMembershipTable = defineRelation('agentMemberships');
export const botMembershipTable = defineRelation('botMemberships');
export type MembershipTable = HistoryTable<MembershipRecord, 'group' | 'member'>;

/** `{id, priority}` of an agent's or a bot's `groups`. */
export interface GroupItem {
  readonly id: number;
  readonly priority: GroupPriority;
}

const items = list(object({ id: int(0), priority }));
const looseItems = list(object({ id: optional(int(0)), priority }));

function refuseRepeated(given: readonly GroupItem[], path: string): readonly GroupItem[] {
  const repeated = given.find(({ id }, index) => given.findIndex((other) => other.id === id) !== index);
  if (repeated !== undefined) refuse('validation', `${quoted(path)} names group ${repeated.id} twice`);
  return given;
}

/** `groups` whose items need both members. */
export const groupItems: JsonReader<readonly GroupItem[]> = (value, path) => refuseRepeated(items(value, path), path);

/** `groups` of create_bot, where `id` is optional: an item without one is about group 0. */
export const groupItemsOfNewBot: JsonReader<readonly GroupItem[]> = (value, path) =>
  refuseRepeated(
    looseItems(value, path).map((item) => ({ id: item.id ?? 0, priority: item.priority })),
    path,
  );

/** Refuses a write that refers to a group which does not exist. */
export function requireGroups({ license, refersAt }: ConfigurationContext, ids: readonly number[], path: string): void {
  const groups = groupTable.of(license);
  for (const id of ids)
    if ([Infinity, refersAt].some((at) => groups.get(groupKey(id), at) === undefined))
      refuse('group_not_found', `${quoted(path)} names group ${id}, which does not exist`);
}

/** The same for the items of `groups`; a request may have none. */
export function requireGroupsOf(context: ConfigurationContext, given: readonly GroupItem[] = []): void {
  const ids = given.map(({ id }) => id);
  requireGroups(context, ids, 'groups');
}

/** The groups of one member, by group id. */
export function groupsOf(relation: MembershipTable, member: string, at: number): readonly GroupItem[] {
  return relation
    .where('member', member, at)
    .map(({ group, priority }) => ({ id: group, priority }))
    .sort((one, other) => one.id - other.id);
}

/** Makes `wanted` the whole set of the member's groups. */
export function setGroups(relation: MembershipTable, member: string, wanted: readonly GroupItem[]): void {
  const edges = wanted.map(({ id, priority }) => ({ group: id, member, priority }));
  setEdges(relation, relation.where('member', member), edges);
}

/** Replaces the edges `present` by `wanted`; edges that stay as they are are not written. */
export function setEdges(
  relation: MembershipTable,
  present: readonly MembershipRecord[],
  wanted: readonly MembershipRecord[],
): void {
  const kept = new Set(wanted.map(({ group, member }) => membershipKey(group, member)));
  for (const { group, member } of present) {
    const key = membershipKey(group, member);
    if (!kept.has(key)) relation.delete(key);
  }
  for (const edge of wanted)
    if (relation.get(membershipKey(edge.group, edge.member))?.priority !== edge.priority) relation.set(edge);
}

/** What deleting a member does to its memberships; refuses before anything has changed. */
export function leaveAll(relation: MembershipTable, member: string, how: 'remove' | 'refuse'): void {
  const edges = relation.where('member', member);
  const [edge] = edges;
  if (edge !== undefined && how === 'refuse') refuse('validation', `${quoted(member)} is in group ${edge.group}`);
  for (const { group } of edges) relation.delete(membershipKey(group, member));
}

/** Adds an edge of a seed, which may state it on both sides if they agree. */
export function plantEdge(license: EmulatedLicense, relation: MembershipTable, edge: MembershipRecord): void {
  const { group, member, priority } = edge;
  const known = relation.get(membershipKey(group, member))?.priority ?? priority;
  if (known !== priority) badSeed(`${member} is ${known} and ${priority} in group ${group}`);
  if (groupTable.of(license).get(groupKey(group)) === undefined)
    badSeed(`${member} is in group ${group}, which does not exist`);
  relation.set(edge);
}

/** Throws `badState` for an edge whose member or group does not exist. `what` stands before the member's id in the message. */
export function requireBothEnds(
  license: EmulatedLicense,
  edges: readonly MembershipRecord[],
  members: TableDefinition,
  what = '',
): void {
  for (const { group, member } of edges)
    if (members.of(license).get(member) === undefined || groupTable.of(license).get(groupKey(group)) === undefined)
      badState(`membership of ${what}${member} in group ${group} has only one end`);
}
