// The membership relation: `agent.groups`, `bot.groups` and `group.agent_priorities` are views of its edges.
// Must not know requests other than their group items. Specification: "Group"; service-notes.md, "Groups".

import type { EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { JsonReader } from '../engine/shape.ts';
import { int, list, object, optional, quoted } from '../engine/shape.ts';
import type { HistoryTable } from '../engine/table.ts';
import type { Context } from './action.ts';
import type { Membership, Priority } from './records.ts';
import {
  agentMembershipTable,
  agentTable,
  botMembershipTable,
  botTable,
  groupKey,
  groupTable,
  membershipKey,
  priority,
} from './records.ts';
import type { ConfigurationSettings } from './settings.ts';

type Referring = Pick<Context, 'license' | 'settings' | 'refersAt'>;
type Relation = HistoryTable<Membership, 'group' | 'member'>;
/** `{id, priority}` of an agent's or a bot's `groups`. */
export interface GroupItem {
  readonly id: number;
  readonly priority: Priority;
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

/** `groups` of create_bot, where `id` is optional: without one the item is about group 0. */
export const groupItemsOfNewBot: JsonReader<readonly GroupItem[]> = (value, path) =>
  refuseRepeated(
    looseItems(value, path).map((item) => ({ id: item.id ?? 0, priority: item.priority })),
    path,
  );

/** Groups that a write refers to. */
export function requireGroups({ license, refersAt }: Referring, ids: readonly number[], path: string): void {
  for (const id of ids)
    if ([Infinity, refersAt].some((at) => groupTable.of(license).get(groupKey(id), at) === undefined))
      refuse('group_not_found', `${quoted(path)} names group ${id}, which does not exist`);
}

/** The groups of one member, by group id. */
export function groupsOf(relation: Relation, member: string, at: number): readonly GroupItem[] {
  return relation
    .where('member', member, at)
    .map(({ group, priority }) => ({ id: group, priority }))
    .sort((one, other) => one.id - other.id);
}

/** Makes `wanted` the whole set of the member's groups; edges that stay as they are are not written. */
export function setGroups(relation: Relation, member: string, wanted: readonly GroupItem[]): void {
  setEdges(
    relation,
    relation.where('member', member),
    wanted.map(({ id, priority }) => ({ group: id, member, priority })),
  );
}

function setEdges(relation: Relation, present: readonly Membership[], wanted: readonly Membership[]): void {
  const kept = new Set(wanted.map(({ group, member }) => membershipKey(group, member)));
  for (const { group, member } of present) {
    const key = membershipKey(group, member);
    if (!kept.has(key)) relation.delete(key);
  }
  for (const edge of wanted)
    if (relation.get(membershipKey(edge.group, edge.member))?.priority !== edge.priority) relation.set(edge);
}

/** What deleting a member does to its memberships; refuses before anything has changed. */
export function leaveAll(relation: Relation, member: string, how: 'remove' | 'refuse'): void {
  const edges = relation.where('member', member);
  const [edge] = edges;
  if (edge !== undefined && how === 'refuse') refuse('validation', `${quoted(member)} is in group ${edge.group}`);
  for (const { group } of edges) relation.delete(membershipKey(group, member));
}

function membersOf(license: EmulatedLicense, group: number): readonly (readonly [Relation, Membership])[] {
  return [agentMembershipTable.of(license), botMembershipTable.of(license)].flatMap((relation) =>
    relation.where('group', groupKey(group)).map((edge) => [relation, edge] as const),
  );
}

/** Where the settings let nobody delete a group that has members. */
export function refuseMembers(license: EmulatedLicense, settings: ConfigurationSettings, group: number): void {
  const [found] = settings.deletedGroupMembers === 'refuse' ? membersOf(license, group) : [];
  if (found !== undefined) refuse('validation', `group ${group} has the member ${quoted(found[1].member)}`);
}

export function dissolve(license: EmulatedLicense, group: number): void {
  for (const [relation, { member }] of membersOf(license, group)) relation.delete(membershipKey(group, member));
}

/** A group's `agent_priorities` as it is read. */
export function prioritiesOf(
  license: EmulatedLicense,
  settings: ConfigurationSettings,
  group: number,
  at: number,
): object {
  const agents = agentMembershipTable.of(license).where('group', groupKey(group), at);
  const bots = settings.botsInAgentPriorities ? botMembershipTable.of(license).where('group', groupKey(group), at) : [];
  return Object.fromEntries([...agents, ...bots].map(({ member, priority }) => [member, priority]));
}

/** Refuses a map that names someone who is neither an agent nor, where bots are seen in it, a bot. */
export function requireMembers({ license, settings, refersAt }: Referring, members: Iterable<string>): void {
  const exists = (member: string, at: number): boolean =>
    agentTable.of(license).get(member, at) !== undefined ||
    (settings.botsInAgentPriorities && botTable.of(license).get(member, at) !== undefined);
  for (const member of members) {
    if (![Infinity, refersAt].every((at) => exists(member, at)))
      refuse('validation', `${quoted(`agent_priorities.${member}`)} does not exist`);
  }
}

/** Writes a group's `agent_priorities`: the whole map, or entries to add to it. Bots keep their edges where the map cannot show them. */
export function setPriorities(
  license: EmulatedLicense,
  settings: ConfigurationSettings,
  group: number,
  wanted: ReadonlyMap<string, Priority>,
): void {
  const edges = Array.from(wanted, ([member, priority]) => ({ group, member, priority }));
  const isAgent = ({ member }: Membership): boolean => agentTable.of(license).get(member) !== undefined;
  const whole = settings.membershipWrite === 'replace';
  const present = (relation: Relation) => (whole ? relation.where('group', groupKey(group)) : []);
  setEdges(agentMembershipTable.of(license), present(agentMembershipTable.of(license)), edges.filter(isAgent));
  if (!settings.botsInAgentPriorities) return;
  const bots = edges.filter((edge) => !isAgent(edge));
  setEdges(botMembershipTable.of(license), present(botMembershipTable.of(license)), bots);
}
