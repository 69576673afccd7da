// What get_agent and list_agents answer. Must not change anything. Specification: "Agent", "Agents".

import { bool, int, list, object, oneOf, optional, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { reads } from './action.ts';
import { reach, requireAgent } from './agents.ts';
import { permit } from './caller.ts';
import { groupsOf } from './memberships.ts';
import type { Agent } from './records.ts';
import { agentMembershipTable, agentTable, groupKey } from './records.ts';
import { schedulerReply } from './scheduler.ts';
import type { ConfigurationSettings } from './settings.ts';
import type { ConfigurationVersion } from './version.ts';
import { BOTH, byVersion } from './version.ts';

const FIELDS = [
  'work_scheduler',
  'groups',
  'email_subscriptions',
  'notifications',
  'job_title',
  'mobile',
  'max_chats_count',
  'suspended',
  'awaiting_approval',
] as const;
type Field = (typeof FIELDS)[number] | 'last_logout';

const fieldsOf = (version: ConfigurationVersion): readonly Field[] =>
  version === '3.3' ? FIELDS : [...FIELDS, 'last_logout'];
const fields = (version: ConfigurationVersion) => optional(list(oneOf(fieldsOf(version))));

const getRequest = byVersion((version) => object({ id: text, fields: fields(version) }));
const listRequest = byVersion((version) =>
  object({
    filters: optional(object({ group_ids: optional(list(int(0))), suspended: optional(bool) })),
    fields: fields(version),
  }),
);

/** What was never set reads as empty, or as nothing at all. */
function unset<T>(value: T | undefined, empty: T, { unsetOnRead }: ConfigurationSettings): T | undefined {
  return value ?? (unsetOnRead === 'defaults' ? empty : undefined);
}

function field(name: Field, agent: Agent, { license, settings, version, at }: Context): object {
  switch (name) {
    case 'work_scheduler':
      return { work_scheduler: schedulerReply(agent.work_scheduler, version, settings) };
    case 'groups':
      return { groups: groupsOf(agentMembershipTable.of(license), agent.id, at) };
    case 'email_subscriptions':
      return { [settings.subscriptionsKey]: unset(agent.email_subscriptions, [], settings) };
    case 'notifications':
      return { notifications: unset(agent.notifications, [], settings) };
    case 'job_title':
      return { job_title: unset(agent.job_title, '', settings) };
    case 'mobile':
      return { mobile: unset(agent.mobile, '', settings) };
    case 'last_logout':
      return { last_logout: agent.last_logout };
    case 'max_chats_count':
    case 'suspended':
    case 'awaiting_approval':
      return { [name]: agent[name] };
  }
}

function reply(agent: Agent, asked: readonly Field[], avatarKey: 'avatar' | 'avatar_path', context: Context): object {
  const always = {
    id: agent.id,
    name: agent.name,
    [avatarKey]: agent.avatar ?? context.settings.defaultAvatar,
    role: agent.role,
    login_status: agent.login_status,
    ...(context.version === '3.6' ? { account_id: agent.account_id } : {}),
  };
  return Object.assign(always, ...asked.map((name) => field(name, agent, context)));
}

function getAgent(body: unknown, context: Context): object {
  const { id, fields: asked = [] } = getRequest[context.version](body, '');
  permit(context.caller, `agents--${reach(context, id)}:ro`);
  const agent = requireAgent(context.license, id, context.at);
  return reply(agent, asked, context.version === '3.3' ? 'avatar_path' : 'avatar', context);
}

function listAgents(body: unknown, context: Context): object {
  const { filters = {}, fields: asked = [] } = listRequest[context.version](body, '');
  permit(context.caller, 'agents--all:ro');
  const suspended = context.version === '3.6' ? filters.suspended : undefined;
  return members(filters.group_ids ?? [], context)
    .filter((agent) => suspended === undefined || agent.suspended === suspended)
    .map((agent) => reply(agent, asked, 'avatar_path', context));
}

/** The agents of any of these groups; of the license, when no group is named. */
function members(groupIds: readonly number[], { license, at }: Context): readonly Agent[] {
  const all = agentTable.of(license).all(at);
  if (groupIds.length === 0) return all;
  const edges = groupIds.flatMap((id) => agentMembershipTable.of(license).where('group', groupKey(id), at));
  const ids = new Set(edges.map(({ member }) => member));
  return all.filter(({ id }) => ids.has(id));
}

export const agentReadActions: readonly Action[] = [
  reads('get_agent', BOTH, getAgent),
  reads('list_agents', BOTH, listAgents),
];
