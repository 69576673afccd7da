// The Agent Chat API, as far as it configures a license: the routing status of agents and bots. today/configuration.md, "Routing status of bots".

import { ROUTING_STATUSES } from '../../base/routing-status.ts';
import { presenceOf } from '../chats/attendance.ts';
import { presenceTable } from '../chats/records.ts';
import { staffOf } from '../chats/staff.ts';
import { notifyPresence } from '../chats/webhooks.ts';
import { authenticate } from '../configuration/account.ts';
import {
  type ConfigurationAction,
  type ConfigurationContext,
  changeAction,
  findForWrite,
  readAction,
} from '../configuration/action.ts';
import { agentTable } from '../configuration/agents.ts';
import { type BotRecord, botTable } from '../configuration/bots.ts';
import { agentMemberships, botMemberships, requireGroups } from '../configuration/memberships.ts';
import { configurationSettings, VERSIONS } from '../configuration/settings.ts';
import type { EmulatedApi } from '../engine/api.ts';
import { readJsonBody } from '../engine/body.ts';
import { refuse } from '../engine/refusal.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { int, list, object, oneOf, optional, quoted, text } from '../engine/shape.ts';
import type { WireRequest } from '../engine/wire.ts';

/** The member whose status is set: as the request names it, or the owner of the token. */
function memberMeant({ license, caller }: ConfigurationContext, named: string | undefined, at = Infinity) {
  const id = named ?? caller.agentId ?? caller.botId;
  if (id === undefined) return refuse('validation', `${quoted('agent_id')} is required: the token has no agent or bot`);
  const agent = agentTable.of(license).get(id, at);
  if (agent !== undefined) return { kind: 'agent', id } as const;
  const bot = botTable.of(license).get(id, at);
  return bot === undefined
    ? refuse('not_found', `${quoted(id)} is no agent or bot`)
    : ({ kind: 'bot', id, bot } as const);
}

/** Whether a bot is the caller, or of the caller's application. A personal access token has none. */
function isOwn({ caller }: ConfigurationContext, { id, owner_client_id }: BotRecord): boolean {
  return caller.botId === id || (caller.clientId !== undefined && caller.clientId === owner_client_id);
}

/** `my`: oneself, or a bot of one's own application. */
function scopesToSet({ agent_id }: { readonly agent_id?: string | undefined }, context: ConfigurationContext) {
  const { caller } = context;
  const member = memberMeant(context, agent_id);
  if (member.kind === 'agent') return [`agents--${caller.agentId === member.id ? 'my' : 'all'}:rw`];
  return [`agents-bot--${isOwn(context, member.bot) ? 'my' : 'all'}:rw`];
}

const setRequest = object({ status: oneOf(ROUTING_STATUSES), agent_id: optional(text) });
const listRequest = object({ filters: optional(object({ group_ids: optional(list(int(0))) })) });

const actions: readonly ConfigurationAction[] = [
  changeAction('set_routing_status', setRequest, {
    scopes: scopesToSet,
    run: ({ status, agent_id }, context) => {
      const { license } = context;
      const member = findForWrite(context, (at) => memberMeant(context, agent_id, at));
      if (member.kind === 'agent' && status === 'offline')
        refuse('validation', `${quoted('status')} of an agent cannot be ${quoted('offline')}`);
      if (member.kind === 'bot' && member.bot.type === 'ai_agent' && !isOwn(context, member.bot))
        refuse('authorization', `only its owner client sets the status of ${quoted(member.id)}, an AI agent`);
      const { kind, id } = member;
      presenceTable.of(license).set({ kind, id, status, since: license.history.now });
      notifyPresence(context, id, status);
    },
  }),
  /** Agents and bots, mixed; members who are offline are listed also. */
  readAction('list_routing_statuses', listRequest, {
    scopes: ['agents--all:ro', 'agents-bot--all:ro'],
    run: ({ filters = {} }, context) => {
      const { license, settings, at } = context;
      const { group_ids: groups } = filters;
      if (groups !== undefined) requireGroups(context, groups, 'filters.group_ids');
      const among = groups?.flatMap((group) =>
        [agentMemberships, botMemberships].flatMap((each) => each.ofGroup(license, group, at)),
      );
      const asked = among === undefined ? null : new Set(among.map(({ member }) => member));
      const view = { license, settings, effectiveAt: at, now: license.history.now };
      return staffOf(view)
        .filter(({ member }) => asked === null || asked.has(member.id))
        .map((staff) => ({ agent_id: staff.member.id, status: presenceOf(view, staff) }));
    },
  }),
];

export const agentApi = {
  path: 'agent/action',
  // No name is also one of the Configuration API, which a license is configured by in the same runs.
  prefix: '',
  versions: VERSIONS,
  versionHeader: true,
  settings: configurationSettings,
  kinds: [],
  actions,
  isRegional: () => false,
  authenticate,
  read: async (request: WireRequest, settings: EngineSettings) => readJsonBody(request, settings),
} satisfies EmulatedApi;
