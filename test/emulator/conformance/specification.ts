// The actions of the Configuration API, transcribed from the tables of the specification ("Endpoints", "Batch requests (3.6)") and, for 3.5,
// 3.7 and the values of groups, from today/configuration.md ("Actions", "Versions"). Does not know the emulator.

import type { Version } from '../caller.ts';

const AGENTS = [
  'create_agent',
  'get_agent',
  'list_agents',
  'update_agent',
  'delete_agent',
  'suspend_agent',
  'unsuspend_agent',
  'request_agent_unsuspension',
  'approve_agent',
];
const AUTO_ACCESS = ['add_auto_access', 'list_auto_accesses', 'delete_auto_access', 'update_auto_access'];
const BOTS = ['create_bot', 'delete_bot', 'update_bot', 'list_bots', 'get_bot'];
const TEMPLATES_AND_TOKENS = [
  'create_bot_template',
  'update_bot_template',
  'delete_bot_template',
  'list_bot_templates',
  'reset_bot_template_secret',
  'reset_bot_secret',
  'issue_bot_token',
];
const GROUPS = ['create_group', 'update_group', 'delete_group', 'list_groups', 'get_group'];
const PROPERTIES = [
  'register_property',
  'unregister_property',
  'publish_property',
  'list_properties',
  'update_license_properties',
  'list_license_properties',
  'delete_license_properties',
  'update_group_properties',
];
const WEBHOOKS = [
  'register_webhook',
  'list_webhooks',
  'unregister_webhook',
  'list_webhook_names',
  'enable_license_webhooks',
  'disable_license_webhooks',
  'get_license_webhooks_state',
];
/** today/configuration.md, "Tags (3.5 and later)". */
const TAGS = ['create_tag', 'update_tag', 'delete_tag', 'list_tags'];
/** request_agent_unsuspension "is also marked batch-capable", without a URL: it has the one that the pattern gives. */
const BATCHES = [
  'batch_create_agents',
  'batch_update_agents',
  'batch_delete_agents',
  'batch_suspend_agents',
  'batch_unsuspend_agents',
  'batch_approve_agents',
  'batch_create_bots',
  'batch_update_bots',
  'batch_delete_bots',
  'batch_request_agent_unsuspensions',
];
const GREETINGS = ['create_greeting', 'update_greeting', 'delete_greeting', 'get_greeting', 'list_greetings'];
/** today/configuration.md, "Only in 3.7 (developer preview)"; translations and bans are left out. */
const ONLY_37 = [
  'add_allowed_domain',
  'list_allowed_domains',
  'delete_allowed_domain',
  'create_canned_response',
  'update_canned_response',
  'delete_canned_response',
  'list_canned_responses',
];
const IN_ALL = [...AGENTS, ...AUTO_ACCESS, ...BOTS, ...GROUPS, ...PROPERTIES, 'delete_group_properties', ...WEBHOOKS];

const SINCE_35 = [...IN_ALL, 'list_groups_properties', ...TEMPLATES_AND_TOKENS, ...TAGS, ...BATCHES];

const SINCE_36 = [...SINCE_35, ...GREETINGS];

export const SPECIFICATION: { readonly [version in Version]: readonly string[] } = {
  '3.3': [...IN_ALL, 'list_group_properties'],
  '3.5': SINCE_35,
  '3.6': SINCE_36,
  '3.7': [...SINCE_36, ...ONLY_37],
};
