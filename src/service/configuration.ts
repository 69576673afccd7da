// The Configuration API: the only table of its actions. Specification: "Endpoints", "Batch requests (3.6)"; service notes: "Wire", "Properties";
// today/configuration.md: "Actions", "Versions".

import { STABLE_VERSION } from '../base/api-versions.ts';
import { type JsonObject, VERSIONS, type Version } from '../base/model.ts';
import type { ApiAction } from './api.ts';
import type { ConfigurationMessages } from './configuration-messages.ts';
import type { ActionTable, TypedApi } from './messages.ts';

type Action = ApiAction<Version>;
type Needs = Pick<Action, 'scopes' | 'ownScopes' | 'extraScopes' | 'answersSecret'>;

const SINCE_35_VERSIONS = ['3.5', '3.6', '3.7'] as const;

const ALL = { versions: VERSIONS, batch: null } as const;
const ONLY_33 = { versions: ['3.3'], batch: null } as const;
const SINCE_36 = { versions: ['3.6', '3.7'], batch: null } as const;
const ONLY_37 = { versions: ['3.7'], batch: null } as const;
const SINCE_35 = { versions: SINCE_35_VERSIONS, batch: null } as const;

function batchedAs<const Name extends string>(name: Name) {
  return { versions: VERSIONS, batch: { name, versions: SINCE_35_VERSIONS } } as const;
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
const TAG_WRITE = needs(['tags--all:rw'], ['tags--groups:rw']);
const TEMPLATE = needs(['bots.templates:rw']);
const TEMPLATE_SECRET = answeringSecret(['bots.templates:rw']);
const BOT_SECRET = answeringSecret(['agents-bot--my:rw']);
const CANNED_WRITE = needs(['canned_responses--all:rw'], ['canned_responses--groups:rw']);
const DOMAIN = needs(['domain_manage']);
const GREETING_READ = needs(['greetings:ro']);
const GREETING_WRITE = needs(['greetings:rw']);
const DEFINITION = needs(['properties.configuration:rw']);
const WEBHOOK = needs(['webhooks.configuration:rw']);
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
  get_agent: { ...ALL, effect: 'read', ...needs(['agents--all:ro'], ['agents--my:ro']) },
  list_agents: { ...ALL, effect: 'read', ...needs(['agents--all:ro']) },
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

  add_auto_access: { ...ALL, effect: 'create', shownBy: 'list_auto_accesses', ...RULE_WRITE },
  list_auto_accesses: { ...ALL, effect: 'read', ...needs(['access_rules:ro']) },
  update_auto_access: { ...ALL, effect: 'update', ...RULE_WRITE },
  delete_auto_access: { ...ALL, effect: 'delete', ...RULE_WRITE },

  create_bot: { ...batchedAs('batch_create_bots'), effect: 'create', shownBy: 'list_bots', ...BOT_SECRET },
  get_bot: { ...ALL, effect: 'read', ...BOT_READ },
  list_bots: { ...ALL, effect: 'read', ...BOT_READ },
  update_bot: { ...batchedAs('batch_update_bots'), effect: 'update', ...BOT_WRITE },
  delete_bot: { ...batchedAs('batch_delete_bots'), effect: 'delete', ...BOT_WRITE },
  reset_bot_secret: { ...SINCE_35, effect: 'update', ...BOT_SECRET },
  issue_bot_token: { ...SINCE_35, effect: 'create', ...answeringSecret([]) },

  create_bot_template: { ...SINCE_35, effect: 'create', shownBy: 'list_bot_templates', ...TEMPLATE_SECRET },
  list_bot_templates: { ...SINCE_35, effect: 'read', ...TEMPLATE },
  update_bot_template: { ...SINCE_35, effect: 'update', ...TEMPLATE },
  delete_bot_template: { ...SINCE_35, effect: 'delete', ...TEMPLATE },
  reset_bot_template_secret: { ...SINCE_35, effect: 'update', ...TEMPLATE_SECRET },

  create_group: { ...ALL, effect: 'create', shownBy: 'list_groups', ...needs(['groups--all:rw']) },
  get_group: { ...ALL, effect: 'read', ...needs(['groups--all:ro'], ['groups--my:ro']) },
  list_groups: { ...ALL, effect: 'read', ...needs(['groups--all:ro']) },
  update_group: { ...ALL, effect: 'update', ...GROUP_WRITE },
  delete_group: { ...ALL, effect: 'delete', ...GROUP_WRITE },

  create_tag: {
    ...SINCE_35,
    effect: 'create',
    namesItsObject: true,
    shownBy: 'list_tags',
    ...TAG_WRITE,
  },
  list_tags: { ...SINCE_35, effect: 'read', partial: true, ...needs(['tags--all:ro'], ['tags--groups:ro']) },
  update_tag: { ...SINCE_35, effect: 'update', ...TAG_WRITE },
  delete_tag: { ...SINCE_35, effect: 'delete', ...TAG_WRITE },
  create_greeting: { ...SINCE_36, effect: 'create', shownBy: 'list_greetings', ...GREETING_WRITE },
  get_greeting: { ...SINCE_36, effect: 'read', ...GREETING_READ },
  list_greetings: { ...SINCE_36, effect: 'read', pages: { keeps: [] }, ...GREETING_READ },
  update_greeting: { ...SINCE_36, effect: 'update', ...GREETING_WRITE },
  delete_greeting: { ...SINCE_36, effect: 'delete', ...GREETING_WRITE },
  create_canned_response: {
    ...ONLY_37,
    effect: 'create',
    shownBy: 'list_canned_responses',
    ...needs(['canned_responses_write']),
  },
  list_canned_responses: {
    ...ONLY_37,
    effect: 'read',
    pages: { keeps: [] },
    ...needs(['canned_responses--all:ro'], ['canned_responses--groups:ro']),
  },
  update_canned_response: { ...ONLY_37, effect: 'update', ...CANNED_WRITE },
  delete_canned_response: { ...ONLY_37, effect: 'delete', ...CANNED_WRITE },
  add_allowed_domain: {
    ...ONLY_37,
    effect: 'create',
    namesItsObject: true,
    shownBy: 'list_allowed_domains',
    ...DOMAIN,
  },
  list_allowed_domains: { ...ONLY_37, effect: 'read', ...DOMAIN },
  delete_allowed_domain: { ...ONLY_37, effect: 'delete', ...DOMAIN },

  register_property: {
    ...ALL,
    effect: 'create',
    namesItsObject: true,
    shownBy: 'list_properties',
    ...DEFINITION,
  },
  list_properties: { ...ALL, effect: 'read', ...DEFINITION },
  publish_property: { ...ALL, effect: 'update', ...DEFINITION },
  unregister_property: { ...ALL, effect: 'delete', ...DEFINITION },
  list_license_properties: { ...ALL, effect: 'read', ...LICENSE_READ },
  update_license_properties: { ...ALL, effect: 'update', ...LICENSE_WRITE },
  delete_license_properties: { ...ALL, effect: 'delete', ...LICENSE_WRITE },
  list_group_properties: { ...ONLY_33, effect: 'read', ...GROUP_VALUE_READ },
  list_groups_properties: { ...SINCE_35, effect: 'read', ...needs(['properties.group.value--all:ro']) },
  update_group_properties: { ...ALL, effect: 'update', ...GROUP_VALUE_WRITE },
  delete_group_properties: { ...ALL, effect: 'delete', ...GROUP_VALUE_WRITE },

  register_webhook: { ...ALL, effect: 'create', shownBy: 'list_webhooks', ...WEBHOOK },
  list_webhooks: { ...ALL, effect: 'read', ...WEBHOOK },
  unregister_webhook: { ...ALL, effect: 'delete', ...WEBHOOK },
  list_webhook_names: { ...ALL, effect: 'read', token: 'optional', ...needs([]) },
  enable_license_webhooks: { ...ALL, effect: 'update', ...needs(['webhooks.state:rw']) },
  disable_license_webhooks: { ...ALL, effect: 'update', ...needs(['webhooks.state:rw']) },
  get_license_webhooks_state: { ...ALL, effect: 'read', ...needs(['webhooks.state:ro']) },
} as const satisfies ActionTable<ConfigurationMessages, typeof VERSIONS>;

export type ActionName = keyof typeof ACTIONS;

export const CONFIGURATION: TypedApi<ConfigurationMessages, Version> = {
  name: 'Configuration API',
  path: 'configuration/action',
  versions: VERSIONS,
  actions: ACTIONS,
  stable: STABLE_VERSION,
  credential: { kinds: ['bearer', 'basic'], prefixed: ['3.6', '3.7'] },
};
