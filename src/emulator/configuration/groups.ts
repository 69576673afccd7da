// Requests about groups come in, groups change and are answered. Must not know how a membership is kept.
// Specification: "Group", "Groups"; service-notes.md, "Groups".

import { refuse } from '../engine/refusal.ts';
import type { JsonReader } from '../engine/shape.ts';
import { int, list, mapOf, object, oneOf, optional, quoted, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { changes, reads, writes } from './action.ts';
import { takeGroupOutOfRules } from './auto-access.ts';
import { permit } from './caller.ts';
import { dissolve, groupsOf, prioritiesOf, refuseMembers, requireMembers, setPriorities } from './memberships.ts';
import { deleteGroupValues, refuseGroupValues } from './property-values.ts';
import type { Group, Priority } from './records.ts';
import { agentMembershipTable, groupKey, groupTable, nextGroupId, priority } from './records.ts';
import type { ConfigurationSettings } from './settings.ts';
import { isFull } from './settings.ts';
import { BOTH } from './version.ts';

const FIELDS = ['agent_priorities', 'routing_status'] as const;
type Field = (typeof FIELDS)[number];

const createRequest = object({ name: text, language_code: optional(text), agent_priorities: mapOf(priority) });
const updateRequest = object({
  id: int(0),
  name: optional(text),
  language_code: optional(text),
  agent_priorities: optional(mapOf(priority)),
});
const byId = object({ id: int(0) });
const fields: JsonReader<readonly Field[] | undefined> = optional(list(oneOf(FIELDS)));
const getRequest = object({ id: int(0), fields });
const listRequest = object({ fields });

function requireGroup({ license, settings }: Context, id: number, at = Infinity): Group {
  return groupTable.of(license).get(groupKey(id), at) ?? refuse(settings.missingGroup, `group ${id} does not exist`);
}

/** Characters, not UTF-16 units. */
function requireNameWithin({ limits }: ConfigurationSettings, name: string | undefined): void {
  if (name !== undefined && limits.groupNameLength !== -1 && Array.from(name).length > limits.groupNameLength)
    refuse('validation', `${quoted('name')} must have at most ${limits.groupNameLength} characters`);
}

/** `my` is enough in groups of which the caller is a member. */
function reach({ caller, license }: Context, id: number): 'my' | 'all' {
  if (caller.agentId === undefined) return 'all';
  return groupsOf(agentMembershipTable.of(license), caller.agentId, Infinity).some((item) => item.id === id)
    ? 'my'
    : 'all';
}

function requireNormal(priorities: ReadonlyMap<string, Priority>): void {
  if (!Array.from(priorities.values()).includes('normal'))
    refuse('validation', `${quoted('agent_priorities')} must have at least one agent with normal`);
}

function createGroup(body: unknown, context: Context): object {
  const { license, settings, version, caller } = context;
  const { name, language_code = 'en', agent_priorities } = createRequest(body, '');
  permit(caller, 'groups--all:rw');
  requireNameWithin(settings, name);
  requireMembers(context, agent_priorities.keys());
  if (version === '3.3') requireNormal(agent_priorities);
  if (isFull(settings.limits.groups, groupTable.of(license).size()))
    refuse('limit_reached', 'the license has no group left');
  const nextId = nextGroupId.of(license);
  const id = nextId.value;
  nextId.value += 1;
  groupTable.of(license).set({ id, name, language_code });
  setPriorities(license, settings, id, agent_priorities);
  return { id };
}

function updateGroup(body: unknown, context: Context): void {
  const { license, settings } = context;
  const { agent_priorities, ...given } = updateRequest(body, '');
  permit(context.caller, `groups--${reach(context, given.id)}:rw`);
  const group = requireGroup(context, given.id);
  requireGroup(context, given.id, context.refersAt);
  requireNameWithin(settings, given.name);
  if (agent_priorities !== undefined) requireMembers(context, agent_priorities.keys());
  groupTable.of(license).set({ ...group, ...given });
  if (agent_priorities !== undefined) setPriorities(license, settings, group.id, agent_priorities);
}

function deleteGroup(body: unknown, context: Context): void {
  const { license, settings } = context;
  const { id } = byId(body, '');
  permit(context.caller, `groups--${reach(context, id)}:rw`);
  requireGroup(context, id);
  if (id === 0 && settings.deletedGroupZero === 'refuse') refuse('validation', 'group 0 cannot be deleted');
  refuseMembers(license, settings, id);
  refuseGroupValues(license, settings, id);
  takeGroupOutOfRules(license, settings, id);
  dissolve(license, id);
  deleteGroupValues(license, id);
  groupTable.of(license).delete(groupKey(id));
}

function reply({ id, name, language_code }: Group, asked: readonly Field[], context: Context): object {
  const { license, settings, at } = context;
  return {
    id,
    name,
    language_code,
    ...(asked.includes('agent_priorities') ? { agent_priorities: prioritiesOf(license, settings, id, at) } : {}),
    ...(asked.includes('routing_status') ? { routing_status: settings.groupRoutingStatus } : {}),
  };
}

function getGroup(body: unknown, context: Context): object {
  const { id, fields: asked = [] } = getRequest(body, '');
  permit(context.caller, `groups--${reach(context, id)}:ro`);
  return reply(requireGroup(context, id, context.at), asked, context);
}

function listGroups(body: unknown, context: Context): object {
  const { fields: asked = [] } = listRequest(body, '');
  permit(context.caller, 'groups--all:ro');
  return groupTable
    .of(context.license)
    .all(context.at)
    .map((group) => reply(group, asked, context));
}

export const groupActions: readonly Action[] = [
  writes('create_group', BOTH, createGroup),
  changes('update_group', BOTH, updateGroup),
  changes('delete_group', BOTH, deleteGroup),
  reads('get_group', BOTH, getGroup),
  reads('list_groups', BOTH, listGroups),
];
