// The Agent Chat API: the table of those of its actions that configure a license. today/configuration.md, "Routing status of bots".

import { STABLE_VERSION } from '../base/api-versions.ts';
import { VERSIONS, type Version } from '../base/model.ts';
import type { AgentMessages } from './agent-messages.ts';
import type { ActionTable, TypedApi } from './messages.ts';

const ACTION = { versions: VERSIONS, batch: null, extraScopes: [], answersSecret: false } as const;

const ACTIONS = {
  // Of a bot. The status of an agent needs the scopes of agents: it lasts for a session, so no kind has it.
  set_routing_status: {
    ...ACTION,
    effect: 'update',
    scopes: ['agents-bot--all:rw'],
    ownScopes: ['agents-bot--my:rw'],
  },
  // The first scope shows agents, the second bots.
  list_routing_statuses: {
    ...ACTION,
    effect: 'read',
    scopes: ['agents--all:ro', 'agents-bot--all:ro'],
    ownScopes: ['agents--all:ro', 'agents-bot--all:ro'],
  },
} as const satisfies ActionTable<AgentMessages, typeof VERSIONS>;

export type AgentActionName = keyof typeof ACTIONS;

export const AGENT: TypedApi<AgentMessages, Version> = {
  name: 'Agent Chat API',
  path: 'agent/action',
  versions: VERSIONS,
  actions: ACTIONS,
  stable: STABLE_VERSION,
  credential: { kinds: ['bearer', 'basic'], prefixed: ['3.6', '3.7'] },
};
