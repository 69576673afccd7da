// Agents: their records, and every action on them. Specification: "Agent", "Agents", "States and transitions".

import { oncePer } from '../../base/once-per.ts';
import { defineTable, type EmulatedLicense, release } from '../engine/license.ts';
import { seededId, uuid } from '../engine/random.ts';
import { refuse } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import type { ConfigurationAction, ConfigurationContext, ConfigurationKind } from './action.ts';
import { byVersion, changeAction, findForWrite, readAction, requireChatsWithin, writeAction } from './action.ts';
import { type AgentRole, ALL_ROLES, holds, permit, ROLES } from './caller.ts';
import { agentMemberships, groupItems, requireGroupsOf } from './memberships.ts';
import { keepWeekly, scheduler, schedulerRecord, schedulerReply, weekly } from './scheduler.ts';
import { type ConfigurationSettings, type ConfigurationVersion, has, isFull, limitIn } from './settings.ts';

const loginStatus = s.oneOf(['accepting chats', 'not accepting chats']);
const subscription = s.oneOf(['daily_summary', 'weekly_summary']);
const notification = s.oneOf([
  'new_visitor',
  'incoming_chat',
  'returning_visitor',
  'queued_visitor',
  'visitor_is_typing',
  'new_goal',
  'unassigned_chats',
  'unassigned_chat_messages',
  'ticket',
  'inactive_notifications',
  'mute_all_sounds',
  'repeat_sound_notifications',
  'ticket_notifications',
  'incoming_message_for_focused_chat',
]);

/** `role` is `owner` for the owner of the license. */
const agentRecord = s.object({
  id: s.text,
  account_id: s.text,
  name: s.string,
  role: s.oneOf(ALL_ROLES),
  avatar: s.optional(s.string),
  login_status: loginStatus,
  job_title: s.optional(s.string),
  mobile: s.optional(s.string),
  max_chats_count: s.int(0),
  awaiting_approval: s.bool,
  suspended: s.bool,
  notifications: s.optional(s.list(notification)),
  email_subscriptions: s.optional(s.list(subscription)),
  work_scheduler: s.optional(schedulerRecord),
  last_logout: s.optional(s.string),
});
type AgentRecord = ReturnType<typeof agentRecord>;
export const agentTable = defineTable('agents', agentRecord, ({ id }) => id, {});

/** The owner of a license, who stays the same. */
export const ownerOf = oncePer(
  (license: EmulatedLicense) =>
    agentTable
      .of(license)
      .all()
      .find(({ role }) => role === 'owner')?.id,
);

/** Optional members that a seed and the requests of all versions have. */
const profile = {
  login_status: s.optional(loginStatus),
  job_title: s.optional(s.string),
  mobile: s.optional(s.string),
  max_chats_count: s.optional(s.int(0)),
};
const mail = {
  notifications: s.optional(s.distinct(notification)),
  email_subscriptions: s.optional(s.distinct(subscription)),
};

/** `work_scheduler` has the shape since 3.5. A membership may stand in `groups`, in the group's `agent_priorities`, or in both if they agree. */
const seededAgent = s.closed({
  id: s.text,
  name: s.text,
  role: s.optional(s.oneOf(ROLES)),
  avatar_path: s.optional(s.string),
  ...profile,
  awaiting_approval: s.optional(s.bool),
  suspended: s.optional(s.bool),
  groups: s.optional(groupItems),
  ...mail,
  work_scheduler: s.optional(weekly),
  last_logout: s.optional(s.dateTime),
});
const seed = {
  owner: s.described(
    { description: 'The owner of the license; default owner@example.com.' },
    s.optional(s.closed({ id: s.text, name: s.text })),
  ),
  agents: s.described({ description: 'The other agents.' }, s.optional(s.list(seededAgent))),
};
export type SeededAgents = s.ObjectShape<typeof seed>;

const newAgent = { role: 'normal', login_status: 'not accepting chats', max_chats_count: 6 } as const;

/** Their memberships are planted with the groups. */
function plant(license: EmulatedLicense, { owner, agents = [] }: SeededAgents): void {
  const table = agentTable.of(license);
  const fresh = (id: string) => ({
    account_id: uuid(seededId('account', id)),
    ...newAgent,
    awaiting_approval: false,
    suspended: false,
  });
  const { id, name } = owner ?? { id: 'owner@example.com', name: 'Owner' };
  table.set({ ...fresh(id), id, name, role: 'owner' });
  for (const { work_scheduler, groups: _, avatar_path, ...agent } of agents) {
    if (table.get(agent.id) !== undefined) refuse('validation', `two agents have the id ${agent.id}`);
    table.set({
      ...fresh(agent.id),
      ...agent,
      ...(avatar_path === undefined ? {} : { avatar: avatar_path }),
      ...(work_scheduler === undefined ? {} : { work_scheduler: keepWeekly(work_scheduler) }),
    });
  }
}

const writable = (version: ConfigurationVersion) => ({
  role: s.optional(s.oneOf(ROLES)),
  avatar_path: has('agentAvatarPath', version) ? s.optional(s.string) : s.ignored,
  avatar: has('agentAvatar', version) ? s.optional(s.string) : s.ignored,
  ...profile,
  groups: s.optional(groupItems),
  ...mail,
  work_scheduler: s.optional(scheduler(version)),
});
const createRequest = byVersion((version) =>
  s.object({ ...writable(version), id: s.text, name: s.text, awaiting_approval: s.optional(s.bool) }),
);
const updateRequest = byVersion((version) =>
  s.object({ ...writable(version), id: s.text, name: has('agentName', version) ? s.optional(s.text) : s.ignored }),
);
const byId = s.object({ id: s.text });

/** The agent of this id, or a `not_found` refusal. */
function requireAgent(license: EmulatedLicense, id: string, at = Infinity): AgentRecord {
  return agentTable.of(license).get(id, at) ?? refuse('not_found', `agent ${s.quoted(id)} does not exist`);
}

/** The owner changes by a transfer of the ownership, which is not part of this interface. */
function refuseOwner(agent: AgentRecord, version: ConfigurationVersion): void {
  if (agent.role !== 'owner') return;
  const type = has('transferOwnership', version) ? 'transfer_ownership' : 'ownership_transfer';
  refuse(type, `agent ${s.quoted(agent.id)} owns the license: transfer the ownership first`);
}

/** The check of the setting `roleCeiling`. A caller in open mode, and a bot, have no role that could be too low. */
function refuseAbove({ settings, caller }: ConfigurationContext, ...roles: readonly AgentRole[]): void {
  if (settings.roleCeiling === 'none' || caller.role === undefined) return;
  const own = ALL_ROLES.indexOf(caller.role);
  const above = roles.find((role) => ALL_ROLES.indexOf(role) < own);
  if (above !== undefined) refuse('authorization', `${caller.role} stands below ${above}`);
}

/** Scopes of acting on an agent: `my` for oneself, `all` for others. */
function reach({ caller }: ConfigurationContext, id: string): 'my' | 'all' {
  return caller.agentId === id ? 'my' : 'all';
}

function awaitsApproval({ settings, caller }: ConfigurationContext, asked: boolean | undefined): boolean {
  if (settings.approval === 'open') return asked ?? false;
  const mayApprove = holds(caller, 'accounts--all:rw') && holds(caller, 'subscription.lc:rw');
  return !(mayApprove && asked === false);
}

/** An action that sets a flag of an agent. */
function transition(
  name: string,
  flag: 'suspended' | 'awaiting_approval',
  next: boolean,
  scopes: readonly string[],
): ConfigurationAction {
  return changeAction(name, byId, {
    batch: true,
    scopes,
    run: ({ id }, context) => {
      const { license, settings } = context;
      const agent = findForWrite(context, (at) => requireAgent(license, id, at));
      if (next) refuseOwner(agent, context.version);
      refuseAbove(context, agent.role);
      if (agent[flag] !== next) agentTable.of(license).set({ ...agent, [flag]: next });
      else if (settings.repeatedTransition === 'validation')
        refuse('validation', `agent ${s.quoted(id)} has ${s.quoted(flag)} ${next} already`);
    },
  });
}

const APPROVING = ['agents--all:rw', 'accounts--all:rw', 'subscription.lc:rw'];

/** A field that was never set reads as empty, or is left out. */
function unset<T>(value: T | undefined, empty: T, { unsetOnRead }: ConfigurationSettings): T | undefined {
  return value ?? (unsetOnRead === 'defaults' ? empty : undefined);
}

/** Fields that a reply has on request only. */
const FIELDS: { readonly [name: string]: (agent: AgentRecord, context: ConfigurationContext) => unknown } = {
  work_scheduler: (agent, { version, settings }) => schedulerReply(agent.work_scheduler, version, settings),
  groups: (agent, { license, at }) => agentMemberships.groupsOf(license, agent.id, at),
  email_subscriptions: (agent, { settings }) => unset(agent.email_subscriptions, [], settings),
  // The name of the same field in the sample of the specification.
  summaries: (agent, { settings }) => unset(agent.email_subscriptions, [], settings),
  notifications: (agent, { settings }) => unset(agent.notifications, [], settings),
  job_title: (agent, { settings }) => unset(agent.job_title, '', settings),
  mobile: (agent, { settings }) => unset(agent.mobile, '', settings),
  max_chats_count: (agent) => agent.max_chats_count,
  suspended: (agent) => agent.suspended,
  awaiting_approval: (agent) => agent.awaiting_approval,
  last_logout: (agent) => agent.last_logout,
};
const fields = (version: ConfigurationVersion) =>
  s.optional(
    s.list(s.oneOf(Object.keys(FIELDS).filter((name) => has('agentAccounts', version) || name !== 'last_logout'))),
  );
const getRequest = byVersion((version) => s.object({ id: s.text, fields: fields(version) }));
const listRequest = byVersion((version) =>
  s.object({
    filters: s.optional(
      s.object({
        group_ids: s.optional(s.list(s.int(0))),
        suspended: has('agentAccounts', version) ? s.optional(s.bool) : s.ignored,
      }),
    ),
    fields: fields(version),
  }),
);

function reply(agent: AgentRecord, asked: readonly string[], avatarKey: string, context: ConfigurationContext): object {
  const { settings, version } = context;
  const keyOf = (name: string): string => (name === 'email_subscriptions' ? settings.subscriptionsKey : name);
  return {
    id: agent.id,
    name: agent.name,
    [avatarKey]: agent.avatar ?? settings.defaultAvatar,
    role: agent.role,
    login_status: agent.login_status,
    ...(has('agentAccounts', version) ? { account_id: agent.account_id } : {}),
    ...Object.fromEntries(asked.map((name) => [keyOf(name), FIELDS[name]?.(agent, context)])),
  };
}

/** The agents of any of these groups; of the license, when no group is named. */
function members(groupIds: readonly number[], { license, at }: ConfigurationContext): readonly AgentRecord[] {
  const all = agentTable.of(license).all(at);
  if (groupIds.length === 0) return all;
  const edges = groupIds.flatMap((id) => agentMemberships.ofGroup(license, id, at));
  const ids = new Set(edges.map(({ member }) => member));
  return all.filter(({ id }) => ids.has(id));
}

const actions = [
  writeAction('create_agent', createRequest, {
    batch: true,
    scopes: ['accounts--all:rc'],
    run: ({ groups, awaiting_approval, avatar_path, ...given }, context) => {
      const { license, settings, version, ids, caller } = context;
      const agents = agentTable.of(license);
      if (given.role !== undefined && given.role !== 'normal') permit(caller, 'accounts.roles.lc--all:rw');
      refuseAbove(context, given.role ?? 'normal');
      requireChatsWithin(limitIn(settings.limits.agentChatsOnCreate, version), given.max_chats_count);
      requireGroupsOf(context, groups);
      if (agents.get(given.id) !== undefined) refuse('already_exists', `agent ${s.quoted(given.id)} already exists`);
      if (isFull(settings.limits.agents, agents.size())) refuse('limit_reached', 'the license has no agent left');
      agents.set({
        ...newAgent,
        ...given,
        ...(avatar_path === undefined ? {} : { avatar: avatar_path }),
        account_id: ids.account(),
        awaiting_approval: awaitsApproval(context, awaiting_approval),
        suspended: false,
      });
      const general = settings.groupsOfNewAgent === 'general' ? [{ id: 0, priority: 'normal' } as const] : [];
      agentMemberships.setGroups(license, given.id, groups ?? general);
      return { id: given.id };
    },
  }),
  changeAction('update_agent', updateRequest, {
    batch: true,
    scopes: ({ id }, context) => [`agents--${reach(context, id)}:rw`],
    run: ({ groups, avatar_path, ...given }, context) => {
      const { license, settings, version, caller } = context;
      if (given.role !== undefined) permit(caller, 'accounts.roles.lc--all:rw');
      const agent = findForWrite(context, (at) => requireAgent(license, given.id, at));
      if (given.role !== undefined) refuseOwner(agent, version);
      refuseAbove(context, agent.role, given.role ?? agent.role);
      requireChatsWithin(limitIn(settings.limits.agentChatsOnUpdate, version), given.max_chats_count);
      requireGroupsOf(context, groups);
      agentTable.of(license).set({ ...agent, ...given, ...(avatar_path === undefined ? {} : { avatar: avatar_path }) });
      if (groups !== undefined) agentMemberships.setGroups(license, given.id, groups);
    },
  }),
  changeAction('delete_agent', byId, {
    batch: true,
    scopes: ({ id }, context) => [`agents--${reach(context, id)}:rw`, `accounts--${reach(context, id)}:rw`],
    run: ({ id }, context) => {
      const { license, version, settings } = context;
      const agent = requireAgent(license, id);
      refuseOwner(agent, version);
      refuseAbove(context, agent.role);
      agentMemberships.leaveAll(license, id, settings.deletedAgentInGroups);
      release(license, settings, agentTable, id);
      agentTable.of(license).delete(id);
    },
  }),
  readAction('get_agent', getRequest, {
    scopes: ({ id }, context) => [`agents--${reach(context, id)}:ro`],
    run: ({ id, fields = [] }, context) => {
      const agent = requireAgent(context.license, id, context.at);
      return reply(agent, fields, has('agentAvatarPath', context.version) ? 'avatar_path' : 'avatar', context);
    },
  }),
  readAction('list_agents', listRequest, {
    scopes: ['agents--all:ro'],
    run: ({ filters = {}, fields = [] }, context) => {
      const { suspended } = filters;
      return members(filters.group_ids ?? [], context)
        .filter((agent) => suspended === undefined || agent.suspended === suspended)
        .map((agent) => reply(agent, fields, 'avatar_path', context));
    },
  }),
  transition('suspend_agent', 'suspended', true, ['agents--all:rw', 'sessions--all:rw']),
  transition('unsuspend_agent', 'suspended', false, APPROVING),
  transition('approve_agent', 'awaiting_approval', false, APPROVING),
  /** Sends e-mails only, so nothing changes. A caller in open mode is not known, and is assumed to be suspended. */
  changeAction('request_agent_unsuspension', s.object({}), {
    // Marked batch-capable without a URL in the list: it is given the one that the pattern makes.
    batch: true,
    inactiveToo: true,
    run: (_, { license, caller: { scopes, agentId } }) => {
      if (scopes === 'every') return;
      if (agentId === undefined) refuse('validation', 'the token is not that of an agent');
      else if (!requireAgent(license, agentId).suspended)
        refuse('validation', `agent ${s.quoted(agentId)} is not suspended`);
    },
  }),
];

export const agentKind = {
  tables: [agentTable],
  seed,
  plant,
  actions,
} satisfies ConfigurationKind;
