// Groups: their part of a seed, and every action on them. Their records are in memberships.ts.
// Specification: "Group", "Groups"; service-notes.md, "Groups".

import { routingStatus } from '../chats/routing.ts';
import { defineFact, type EmulatedLicense, release } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import type { ObjectShape } from '../engine/shape.ts';
import {
  closed,
  described,
  int,
  list,
  mapOf,
  object,
  oneOf,
  optional,
  quoted,
  recordOf,
  text,
} from '../engine/shape.ts';
import type { ConfigurationContext, ConfigurationKind } from './action.ts';
import { changeAction, findForWrite, readAction, writeAction } from './action.ts';
import { agentTable, type SeededAgents } from './agents.ts';
import { botTable } from './bots.ts';
import type { GroupPriority, GroupRecord } from './memberships.ts';
import { agentMemberships, botMemberships, groupKey, groupTable, priority } from './memberships.ts';
import { type ConfigurationSettings, has, isFull } from './settings.ts';

/** The id of the next group that is created. */
const nextGroupId = defineFact('next_group_id', int(1), 1);

/** Group 0 may be described. */
const seededGroup = closed({
  id: optional(int(0)),
  name: text,
  language_code: optional(text),
  agent_priorities: optional(recordOf(priority)),
});
const seed = {
  groups: described(
    { description: 'Groups; without an id, each has the lowest free one. Group 0 may be described.' },
    optional(list(seededGroup)),
  ),
};
type SeededGroup = ReturnType<typeof seededGroup>;

/** Groups that choose no id get the lowest free ones, in the order of the list. */
function numbered(groups: readonly SeededGroup[]): readonly (SeededGroup & { readonly id: number })[] {
  const chosen = groups.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const taken = new Set(chosen);
  if (taken.size < chosen.length) refuse('validation', 'two groups have the same id');
  let next = 0;
  const free = (): number => {
    do next += 1;
    while (taken.has(next));
    return next;
  };
  return groups.map((group) => ({ ...group, id: group.id ?? free() }));
}

/** The owner is in group 0, unless the seed lists the members of that group. */
function plant(license: EmulatedLicense, seeded: SeededAgents & ObjectShape<typeof seed>): void {
  const table = groupTable.of(license);
  const groups = numbered(seeded.groups ?? []);
  table.set({ id: 0, name: 'General', language_code: 'en' });
  for (const { id, name, language_code = 'en' } of groups) table.set({ id, name, language_code });
  nextGroupId.of(license).value = Math.max(0, ...groups.map(({ id }) => id)) + 1;
  const agents = agentTable.of(license);
  const join = (group: number, member: string, priority: GroupPriority): void =>
    agentMemberships.plant(license, { group, member, priority });
  for (const { id, groups: items = [] } of seeded.agents ?? [])
    for (const item of items) join(item.id, id, item.priority);
  for (const { id: group, agent_priorities = {} } of groups)
    for (const [member, priority] of Object.entries(agent_priorities)) {
      if (agents.get(member) === undefined)
        refuse('validation', `group ${group} has the agent ${member}, which does not exist`);
      join(group, member, priority);
    }
  const owner = agents.all().find(({ role }) => role === 'owner');
  const describesGeneral = groups.some(({ id, agent_priorities }) => id === 0 && agent_priorities !== undefined);
  if (owner !== undefined && !describesGeneral) join(0, owner.id, 'normal');
}

const createRequest = object({ name: text, language_code: optional(text), agent_priorities: mapOf(priority) });
const updateRequest = object({
  id: int(0),
  name: optional(text),
  language_code: optional(text),
  agent_priorities: optional(mapOf(priority)),
});
const FIELDS = ['agent_priorities', 'routing_status'] as const;
type GroupField = (typeof FIELDS)[number];
const fields = optional(list(oneOf(FIELDS)));

function requireGroup({ license, settings }: ConfigurationContext, id: number, at = Infinity): GroupRecord {
  return groupTable.of(license).get(groupKey(id), at) ?? refuse(settings.missingGroup, `group ${id} does not exist`);
}

/** Counts characters, not UTF-16 units. */
function requireNameWithin({ limits }: ConfigurationSettings, name: string | undefined): void {
  if (name !== undefined && limits.groupNameLength !== -1 && Array.from(name).length > limits.groupNameLength)
    refuse('validation', `${quoted('name')} must have at most ${limits.groupNameLength} characters`);
}

/** Scope of acting on the group of this id: `my` is enough in groups of which the caller is a member. */
function groupScope(access: 'ro' | 'rw') {
  return ({ id }: { readonly id: number }, { caller, license }: ConfigurationContext): readonly string[] => {
    const own = caller.agentId === undefined ? [] : agentMemberships.groupsOf(license, caller.agentId);
    return [`groups--${own.some((item) => item.id === id) ? 'my' : 'all'}:${access}`];
  };
}

/** Refuses a map that names a member who is neither an agent nor, where bots are seen in it, a bot. */
function requireMembers({ license, settings, refersAt }: ConfigurationContext, members: Iterable<string>): void {
  const exists = (member: string, at: number): boolean =>
    agentTable.of(license).get(member, at) !== undefined ||
    (settings.botsInAgentPriorities && botTable.of(license).get(member, at) !== undefined);
  for (const member of members) {
    if (![Infinity, refersAt].every((at) => exists(member, at)))
      refuse('validation', `${quoted(`agent_priorities.${member}`)} does not exist`);
  }
}

/** Writes `agent_priorities`: the whole map, or entries to add to it. Bots that it cannot show keep their edges. */
function setPriorities(
  { license, settings }: ConfigurationContext,
  group: number,
  wanted: ReadonlyMap<string, GroupPriority>,
): void {
  const edges = Array.from(wanted, ([member, priority]) => ({ group, member, priority }));
  const isAgent = ({ member }: { readonly member: string }) => agentTable.of(license).get(member) !== undefined;
  const write = (relation: typeof agentMemberships | typeof botMemberships, given: typeof edges): void =>
    relation.replace(license, settings.membershipWrite === 'replace' ? relation.ofGroup(license, group) : [], given);
  write(agentMemberships, edges.filter(isAgent));
  const others = edges.filter((edge) => !isAgent(edge));
  if (settings.botsInAgentPriorities) write(botMemberships, others);
}

function reply(
  { id, name, language_code }: GroupRecord,
  asked: readonly GroupField[],
  context: ConfigurationContext,
): object {
  const { license, settings, at } = context;
  const priorities = (): object => {
    const shown = settings.botsInAgentPriorities ? [agentMemberships, botMemberships] : [agentMemberships];
    const edges = shown.flatMap((relation) => relation.ofGroup(license, id, at));
    return Object.fromEntries(edges.map(({ member, priority }) => [member, priority]));
  };
  const status = (): string => routingStatus({ license, settings, effectiveAt: at, now: license.history.now }, id);
  return {
    id,
    name,
    language_code,
    ...(asked.includes('agent_priorities') ? { agent_priorities: priorities() } : {}),
    ...(asked.includes('routing_status') ? { routing_status: status() } : {}),
  };
}

const actions = [
  writeAction('create_group', createRequest, {
    scopes: ['groups--all:rw'],
    run: ({ name, language_code = 'en', agent_priorities }, context) => {
      const { license, settings, version } = context;
      const groups = groupTable.of(license);
      requireNameWithin(settings, name);
      requireMembers(context, agent_priorities.keys());
      if (has('normalPriority', version) && !Array.from(agent_priorities.values()).includes('normal'))
        refuse('validation', `${quoted('agent_priorities')} must have at least one agent with normal`);
      if (isFull(settings.limits.groups, groups.size())) refuse('limit_reached', 'the license has no group left');
      const next = nextGroupId.of(license);
      const id = next.value;
      next.value += 1;
      groups.set({ id, name, language_code });
      setPriorities(context, id, agent_priorities);
      return { id };
    },
  }),
  changeAction('update_group', updateRequest, {
    scopes: groupScope('rw'),
    run: ({ agent_priorities, ...given }, context) => {
      const group = findForWrite(context, (at) => requireGroup(context, given.id, at));
      requireNameWithin(context.settings, given.name);
      if (agent_priorities !== undefined) requireMembers(context, agent_priorities.keys());
      groupTable.of(context.license).set({ ...group, ...given });
      if (agent_priorities !== undefined) setPriorities(context, group.id, agent_priorities);
    },
  }),
  changeAction('delete_group', object({ id: int(0) }), {
    scopes: groupScope('rw'),
    run: ({ id }, context) => {
      const { license, settings } = context;
      requireGroup(context, id);
      if (id === 0 && settings.deletedGroupZero === 'refuse') refuse('validation', 'group 0 cannot be deleted');
      const relations = [agentMemberships, botMemberships];
      const [first] = relations.flatMap((relation) => relation.ofGroup(license, id));
      if (first !== undefined && settings.deletedGroupMembers === 'refuse')
        refuse('validation', `group ${id} has the member ${quoted(first.member)}`);
      release(license, settings, groupTable, groupKey(id));
      for (const relation of relations) relation.replace(license, relation.ofGroup(license, id), []);
      groupTable.of(license).delete(groupKey(id));
    },
  }),
  readAction('get_group', object({ id: int(0), fields }), {
    scopes: groupScope('ro'),
    run: ({ id, fields: asked = [] }, context) => reply(requireGroup(context, id, context.at), asked, context),
  }),
  readAction('list_groups', object({ fields }), {
    scopes: ['groups--all:ro'],
    run: ({ fields: asked = [] }, context) =>
      groupTable
        .of(context.license)
        .all(context.at)
        .map((group) => reply(group, asked, context)),
  }),
];

export const groupKind = {
  tables: [groupTable, agentMemberships],
  facts: [nextGroupId],
  seed,
  plant,
  check: (license: EmulatedLicense) => agentMemberships.check(license, agentTable),
  actions,
} satisfies ConfigurationKind;
