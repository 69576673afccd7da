// Requests about agents come in, agents change. Must not know how an agent is answered, nor batches.
// Specification: "Agent", "Agents".

import type { EmulatedLicense } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';
import { bool, distinct, ignored, int, object, oneOf, optional, quoted, string, text } from '../engine/shape.ts';
import type { Action, Context } from './action.ts';
import { changes, writes } from './action.ts';
import { holds, permit } from './caller.ts';
import { groupItems, leaveAll, requireGroups, setGroups } from './memberships.ts';
import type { Agent, Role } from './records.ts';
import {
  ALL_ROLES,
  agentMembershipTable,
  agentTable,
  LOGIN_STATUSES,
  NOTIFICATIONS,
  ROLES,
  SUBSCRIPTIONS,
} from './records.ts';
import { scheduler } from './scheduler.ts';
import { isFull } from './settings.ts';
import type { ConfigurationVersion } from './version.ts';
import { BOTH, byVersion } from './version.ts';

const writable = (version: ConfigurationVersion) => ({
  role: optional(oneOf(ROLES)),
  avatar_path: version === '3.3' ? optional(string) : ignored,
  login_status: optional(oneOf(LOGIN_STATUSES)),
  job_title: optional(string),
  mobile: optional(string),
  max_chats_count: optional(int(0)),
  groups: optional(groupItems),
  notifications: optional(distinct(oneOf(NOTIFICATIONS))),
  email_subscriptions: optional(distinct(oneOf(SUBSCRIPTIONS))),
  work_scheduler: optional(scheduler(version)),
});

const createRequest = byVersion((version) =>
  object({ ...writable(version), id: text, name: text, awaiting_approval: optional(bool) }),
);
const updateRequest = byVersion((version) =>
  object({ ...writable(version), id: text, name: version === '3.3' ? optional(text) : ignored }),
);
const byId = object({ id: text });

/** Refuses a number of chats above the limit of this operation; -1 is no limit. */
export function requireChatsWithin(limit: number, given: number | undefined): void {
  if (given !== undefined && limit !== -1 && given > limit)
    refuse('validation', `${quoted('max_chats_count')} must be at most ${limit}`);
}

/** The agent of this id as it is now, or a `not_found` refusal. */
export function requireAgent(license: EmulatedLicense, id: string, at = Infinity): Agent {
  return agentTable.of(license).get(id, at) ?? refuse('not_found', `agent ${quoted(id)} does not exist`);
}

/** What happens to the owner of the license happens by a transfer of the ownership, which is not part of this interface. */
export function refuseOwner(agent: Agent, version: ConfigurationVersion): void {
  if (agent.role !== 'owner') return;
  const type = version === '3.3' ? 'transfer_ownership' : 'ownership_transfer';
  refuse(type, `agent ${quoted(agent.id)} owns the license: transfer the ownership first`);
}

/** Where the settings have roles decide beside scopes. A caller in open mode, and a bot, have no role that could be too low. */
export function refuseAbove({ settings, caller }: Context, ...roles: readonly Role[]): void {
  if (settings.roleCeiling === 'none' || caller.role === undefined) return;
  const own = ALL_ROLES.indexOf(caller.role);
  const above = roles.find((role) => ALL_ROLES.indexOf(role) < own);
  if (above !== undefined) refuse('authorization', `${caller.role} stands below ${above}`);
}

/** Scopes of acting on an agent: `my` for oneself, `all` for others. */
export function reach({ caller }: Context, id: string): 'my' | 'all' {
  return caller.agentId === id ? 'my' : 'all';
}

function awaitsApproval({ settings, caller }: Context, asked: boolean | undefined): boolean {
  if (settings.approval === 'open') return asked ?? false;
  const mayApprove = holds(caller, 'accounts--all:rw') && holds(caller, 'subscription.lc:rw');
  return !(mayApprove && asked === false);
}

function createAgent(body: unknown, context: Context): object {
  const { license, settings, version, ids } = context;
  const { groups, awaiting_approval, avatar_path, ...given } = createRequest[version](body, '');
  permit(context.caller, 'accounts--all:rc');
  if (given.role !== undefined && given.role !== 'normal') permit(context.caller, 'accounts.roles.lc--all:rw');
  refuseAbove(context, given.role ?? 'normal');
  requireChatsWithin(settings.limits.agentChatsOnCreate[version], given.max_chats_count);
  requireGroups(context, groups?.map(({ id }) => id) ?? [], 'groups');
  if (agentTable.of(license).get(given.id) !== undefined)
    refuse('already_exists', `agent ${quoted(given.id)} already exists`);
  if (isFull(settings.limits.agents, agentTable.of(license).size()))
    refuse('limit_reached', 'the license has no agent left');
  agentTable.of(license).set({
    role: 'normal',
    login_status: 'not accepting chats',
    max_chats_count: 6,
    ...given,
    ...(avatar_path === undefined ? {} : { avatar: avatar_path }),
    account_id: ids.account(),
    awaiting_approval: awaitsApproval(context, awaiting_approval),
    suspended: false,
  });
  const general = settings.groupsOfNewAgent === 'general' ? [{ id: 0, priority: 'normal' } as const] : [];
  setGroups(agentMembershipTable.of(license), given.id, groups ?? general);
  return { id: given.id };
}

function updateAgent(body: unknown, context: Context): void {
  const { license, settings, version } = context;
  const { groups, avatar_path, ...given } = updateRequest[version](body, '');
  permit(context.caller, `agents--${reach(context, given.id)}:rw`);
  if (given.role !== undefined) permit(context.caller, 'accounts.roles.lc--all:rw');
  const agent = requireAgent(license, given.id);
  requireAgent(license, given.id, context.refersAt);
  if (given.role !== undefined) refuseOwner(agent, version);
  refuseAbove(context, agent.role, given.role ?? agent.role);
  requireChatsWithin(settings.limits.agentChatsOnUpdate[version], given.max_chats_count);
  requireGroups(context, groups?.map(({ id }) => id) ?? [], 'groups');
  agentTable.of(license).set({ ...agent, ...given, ...(avatar_path === undefined ? {} : { avatar: avatar_path }) });
  if (groups !== undefined) setGroups(agentMembershipTable.of(license), given.id, groups);
}

function deleteAgent(body: unknown, context: Context): void {
  const { license, version, settings } = context;
  const { id } = byId(body, '');
  permit(context.caller, `agents--${reach(context, id)}:rw`, `accounts--${reach(context, id)}:rw`);
  const agent = requireAgent(license, id);
  refuseOwner(agent, version);
  refuseAbove(context, agent.role);
  leaveAll(agentMembershipTable.of(license), id, settings.deletedAgentInGroups);
  agentTable.of(license).delete(id);
}

export const agentActions: readonly Action[] = [
  writes('create_agent', BOTH, createAgent, { batchable: true }),
  changes('update_agent', BOTH, updateAgent, { batchable: true }),
  changes('delete_agent', BOTH, deleteAgent, { batchable: true }),
];
