// The Configuration API: the only table of its actions. Specification: "Endpoints", "Batch requests (3.6)"; service notes: "Wire", "Properties".

import { type JsonObject, VERSIONS, type Version } from '../base/model.ts';
import { type ApiAction, namedActions } from './api.ts';
import type { Client } from './client.ts';
import type { ConfigurationMessages } from './configuration-messages.ts';
import type { ActionTable, TypedApi } from './messages.ts';

type Action = ApiAction<Version>;
type Needs = Pick<Action, 'scopes' | 'ownScopes' | 'extraScopes' | 'answersSecret'>;

const BOTH = { versions: ['3.3', '3.6'], batch: null } as const;
const ONLY_33 = { versions: ['3.3'], batch: null } as const;
const ONLY_36 = { versions: ['3.6'], batch: null } as const;

function batchedAs<const Name extends string>(name: Name) {
  return { versions: ['3.3', '3.6'], batch: { name, versions: ['3.6'] } } as const;
}

function needs(scopes: readonly string[], ownScopes = scopes, extraScopes: Action['extraScopes'] = []): Needs {
  return { scopes, ownScopes, extraScopes, answersSecret: false };
}

function answeringSecret(scopes: readonly string[]): Needs {
  return { ...needs(scopes), answersSecret: true };
}

const ROLE_ABOVE_NORMAL = {
  when: ({ role }: JsonObject) => role !== undefined && role !== 'normal',
  scopes: ['accounts.roles.lc--all:rw'],
};
const NO_APPROVAL = {
  when: ({ awaiting_approval: waits }: JsonObject) => waits === false,
  scopes: ['accounts--all:rw', 'subscription.lc:rw'],
};

const AGENT_APPROVAL = needs(['agents--all:rw', 'accounts--all:rw', 'subscription.lc:rw']);
const BOT_READ = needs(['agents-bot--all:ro'], ['agents-bot--my:ro']);
const BOT_WRITE = needs(['agents-bot--all:rw'], ['agents-bot--my:rw']);
const GROUP_WRITE = needs(['groups--all:rw'], ['groups--my:rw']);
const RULE_WRITE = needs(['access_rules:rw']);
const TEMPLATE = needs(['bots.templates:rw']);
const TEMPLATE_SECRET = answeringSecret(['bots.templates:rw']);
const BOT_SECRET = answeringSecret(['agents-bot--my:rw']);
const DEFINITION = needs(['properties.configuration:rw']);
const LICENSE_READ = needs(['properties.license.value--all:ro'], ['properties.license.value--my:ro']);
const LICENSE_WRITE = needs(['properties.license.value--all:rw'], ['properties.license.value--my:rw']);
const GROUP_VALUE_READ = needs(['properties.group.value--all:ro'], ['properties.group.value--my:ro']);
const GROUP_VALUE_WRITE = needs(['properties.group.value--all:rw'], ['properties.group.value--my:rw']);

const ACTIONS = {
  create_agent: {
    ...batchedAs('batch_create_agents'),
    effect: 'create',
    namesItsObject: true,
    shownBy: 'list_agents',
    ...needs(['accounts--all:rc'], ['accounts--all:rc'], [ROLE_ABOVE_NORMAL, NO_APPROVAL]),
  },
  get_agent: { ...BOTH, effect: 'read', ...needs(['agents--all:ro'], ['agents--my:ro']) },
  list_agents: { ...BOTH, effect: 'read', ...needs(['agents--all:ro']) },
  update_agent: {
    ...batchedAs('batch_update_agents'),
    effect: 'update',
    ...needs(['agents--all:rw'], ['agents--my:rw'], [ROLE_ABOVE_NORMAL]),
  },
  delete_agent: {
    ...batchedAs('batch_delete_agents'),
    effect: 'delete',
    ...needs(['agents--all:rw', 'accounts--all:rw'], ['agents--my:rw', 'accounts--my:rw']),
  },
  suspend_agent: {
    ...batchedAs('batch_suspend_agents'),
    effect: 'update',
    ...needs(['agents--all:rw', 'sessions--all:rw']),
  },
  unsuspend_agent: { ...batchedAs('batch_unsuspend_agents'), effect: 'update', ...AGENT_APPROVAL },
  approve_agent: { ...batchedAs('batch_approve_agents'), effect: 'update', ...AGENT_APPROVAL },
  // Each request sends e-mails, so sending it twice does harm. Marked as batch-capable: the URL of its batch is the one that the pattern makes.
  request_agent_unsuspension: {
    ...batchedAs('batch_request_agent_unsuspensions'),
    effect: 'create',
    ...needs([]),
  },

  add_auto_access: { ...BOTH, effect: 'create', shownBy: 'list_auto_accesses', ...RULE_WRITE },
  list_auto_accesses: { ...BOTH, effect: 'read', ...needs(['access_rules:ro']) },
  update_auto_access: { ...BOTH, effect: 'update', ...RULE_WRITE },
  delete_auto_access: { ...BOTH, effect: 'delete', ...RULE_WRITE },

  create_bot: { ...batchedAs('batch_create_bots'), effect: 'create', shownBy: 'list_bots', ...BOT_SECRET },
  get_bot: { ...BOTH, effect: 'read', ...BOT_READ },
  list_bots: { ...BOTH, effect: 'read', ...BOT_READ },
  update_bot: { ...batchedAs('batch_update_bots'), effect: 'update', ...BOT_WRITE },
  delete_bot: { ...batchedAs('batch_delete_bots'), effect: 'delete', ...BOT_WRITE },
  reset_bot_secret: { ...ONLY_36, effect: 'update', ...BOT_SECRET },
  issue_bot_token: { ...ONLY_36, effect: 'create', ...answeringSecret([]) },

  create_bot_template: { ...ONLY_36, effect: 'create', shownBy: 'list_bot_templates', ...TEMPLATE_SECRET },
  list_bot_templates: { ...ONLY_36, effect: 'read', ...TEMPLATE },
  update_bot_template: { ...ONLY_36, effect: 'update', ...TEMPLATE },
  delete_bot_template: { ...ONLY_36, effect: 'delete', ...TEMPLATE },
  reset_bot_template_secret: { ...ONLY_36, effect: 'update', ...TEMPLATE_SECRET },

  create_group: { ...BOTH, effect: 'create', shownBy: 'list_groups', ...needs(['groups--all:rw']) },
  get_group: { ...BOTH, effect: 'read', ...needs(['groups--all:ro'], ['groups--my:ro']) },
  list_groups: { ...BOTH, effect: 'read', ...needs(['groups--all:ro']) },
  update_group: { ...BOTH, effect: 'update', ...GROUP_WRITE },
  delete_group: { ...BOTH, effect: 'delete', ...GROUP_WRITE },

  register_property: {
    ...BOTH,
    effect: 'create',
    namesItsObject: true,
    shownBy: 'list_properties',
    ...DEFINITION,
  },
  list_properties: { ...BOTH, effect: 'read', ...DEFINITION },
  publish_property: { ...BOTH, effect: 'update', ...DEFINITION },
  unregister_property: { ...BOTH, effect: 'delete', ...DEFINITION },
  list_license_properties: { ...BOTH, effect: 'read', ...LICENSE_READ },
  update_license_properties: { ...BOTH, effect: 'update', ...LICENSE_WRITE },
  delete_license_properties: { ...BOTH, effect: 'delete', ...LICENSE_WRITE },
  list_group_properties: { ...ONLY_33, effect: 'read', ...GROUP_VALUE_READ },
  list_groups_properties: { ...ONLY_36, effect: 'read', ...GROUP_VALUE_READ },
  update_group_properties: { ...BOTH, effect: 'update', ...GROUP_VALUE_WRITE },
  delete_group_properties: { ...BOTH, effect: 'delete', ...GROUP_VALUE_WRITE },
} as const satisfies ActionTable<ConfigurationMessages, typeof VERSIONS>;

export type ActionName = keyof typeof ACTIONS;

export const CONFIGURATION: TypedApi<ConfigurationMessages, Version> = {
  name: 'Configuration API',
  path: 'configuration/action',
  versions: VERSIONS,
  actions: ACTIONS,
  stable: '3.6',
  credential: { kinds: ['bearer', 'basic'], prefixed: ['3.6'] },
};

/** What stands in the URL of a request: its action, or the batch of many. */
export const REQUEST_NAMES: readonly string[] = [...namedActions(CONFIGURATION).keys()];

export type ConfigurationClient = Client<ActionName, Version>;
