// One request of every action of both versions that the service accepts, on a license that has what they name.
// Must not know how they are sent.

import type { Version } from './caller.ts';

export const SEED = {
  agents: [
    { id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'first' }] },
    { id: 'sue', name: 'Sue', suspended: true, awaiting_approval: true },
  ],
  groups: [{ id: 1, name: 'One' }],
  bots: [{ id: 'bot', name: 'B' }],
  bot_templates: [{ id: 'template', name: 'T', owner_client_id: 'app' }],
  auto_access: [{ id: 'rule', access: { groups: [1] }, conditions: { url: { values: [{ value: 'x' }] } } }],
  properties: {
    app: {
      p: {
        type: 'int',
        access: { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } },
        default_value: 1,
      },
    },
  },
} as const;

const EMPTY: readonly string[] = [];
const AGENT_33 = ['avatar_path', 'id', 'login_status', 'name', 'role'];
const AGENT_LISTED = ['account_id', ...AGENT_33];
const AGENT_GOT = ['account_id', 'avatar', 'id', 'login_status', 'name', 'role'];
const GROUP = ['id', 'language_code', 'name'];
const BOT = ['avatar_path', 'id', 'name'];
const BOT_GOT = ['avatar_path', 'default_group_priority', 'groups', 'id', 'max_chats_count', 'name', 'owner_client_id'];
const RULE = { access: { groups: [0] }, conditions: { domain: { values: [{ value: 'x' }] } } };
const OF_APP = { owner_client_id: 'app' };
const P = { ...OF_APP, name: 'p' };
const VALUES = { properties: { app: { p: 2 } } };
const NAMES = { properties: { app: ['p'] } };
const NORMAL = { agent_priorities: { ann: 'normal' } };
const CREDENTIALS = { bot_id: 'bot', client_id: 'emulator-client', bot_secret: 's', organization_id: 'o' };
const batch = (...requests: readonly object[]): object => ({ requests });

/** Version, action, a request that is accepted, and exactly the members that the reply, or each of its items, has. */
export const ROWS: readonly [Version, string, object, readonly string[]][] = [
  ...both('create_agent', { id: 'new', name: 'New' }, ['id']),
  ['3.3', 'get_agent', { id: 'ann' }, AGENT_33],
  ['3.6', 'get_agent', { id: 'ann' }, AGENT_GOT],
  ['3.3', 'list_agents', {}, AGENT_33],
  ['3.6', 'list_agents', {}, AGENT_LISTED],
  ...both('update_agent', { id: 'ann', max_chats_count: 20 }, EMPTY),
  ...both('delete_agent', { id: 'ann' }, EMPTY),
  ...both('suspend_agent', { id: 'ann' }, EMPTY),
  ...both('unsuspend_agent', { id: 'sue' }, EMPTY),
  ...both('request_agent_unsuspension', {}, EMPTY),
  ...both('approve_agent', { id: 'sue' }, EMPTY),
  ...both('add_auto_access', RULE, ['id']),
  ...both('list_auto_accesses', {}, ['access', 'conditions', 'description', 'id', 'next_id']),
  ...both('delete_auto_access', { id: 'rule' }, EMPTY),
  ...both('update_auto_access', { id: 'rule', next_id: '' }, EMPTY),
  ['3.3', 'create_bot', { name: 'N' }, ['id']],
  ['3.6', 'create_bot', { name: 'N' }, ['id', 'secret']],
  ...both('delete_bot', { id: 'bot' }, EMPTY),
  ...both('update_bot', { id: 'bot', name: 'C' }, EMPTY),
  ...both('list_bots', { all: true }, BOT),
  ...both('get_bot', { id: 'bot' }, BOT_GOT),
  ['3.6', 'create_bot_template', { ...OF_APP, name: 'N' }, ['id', 'secret']],
  ['3.6', 'update_bot_template', { ...OF_APP, id: 'template' }, EMPTY],
  ['3.6', 'delete_bot_template', { ...OF_APP, id: 'template' }, EMPTY],
  ['3.6', 'list_bot_templates', OF_APP, BOT],
  ['3.6', 'reset_bot_template_secret', { ...OF_APP, id: 'template' }, ['secret']],
  ['3.6', 'reset_bot_secret', { id: 'bot' }, ['secret']],
  ['3.6', 'issue_bot_token', CREDENTIALS, ['token']],
  ...both('create_group', { name: 'N', ...NORMAL }, ['id']),
  ...both('update_group', { id: 1, name: 'M' }, EMPTY),
  ...both('delete_group', { id: 1 }, EMPTY),
  ...both('list_groups', {}, GROUP),
  ...both('get_group', { id: 1, fields: ['agent_priorities'] }, ['agent_priorities', ...GROUP]),
  ...both('register_property', { ...OF_APP, name: 'n', type: 'bool', access: { chat: { agent: ['read'] } } }, EMPTY),
  ...both('unregister_property', P, EMPTY),
  ...both('publish_property', { ...P, access_type: ['read'] }, EMPTY),
  ...both('list_properties', OF_APP, ['p']),
  ...both('update_license_properties', VALUES, EMPTY),
  ...both('list_license_properties', { namespace: 'app' }, ['app']),
  ...both('delete_license_properties', NAMES, EMPTY),
  ...both('update_group_properties', { group_id: 1, ...VALUES }, EMPTY),
  ...both('delete_group_properties', { id: 1, ...NAMES }, EMPTY),
  ['3.3', 'list_group_properties', { id: 1 }, ['app']],
  ['3.6', 'list_groups_properties', { group_ids: [1] }, ['id', 'properties']],
  ['3.6', 'batch_create_agents', batch({ id: 'new', name: 'New' }), ['responses']],
  ['3.6', 'batch_update_agents', batch({ id: 'ann' }), ['responses']],
  ['3.6', 'batch_delete_agents', batch({ id: 'ann' }), ['responses']],
  ['3.6', 'batch_suspend_agents', batch({ id: 'ann' }), ['responses']],
  ['3.6', 'batch_unsuspend_agents', batch({ id: 'sue' }), ['responses']],
  ['3.6', 'batch_approve_agents', batch({ id: 'sue' }), ['responses']],
  ['3.6', 'batch_request_agent_unsuspensions', batch({}), ['responses']],
  ['3.6', 'batch_create_bots', batch({ name: 'N' }), ['responses']],
  ['3.6', 'batch_update_bots', batch({ id: 'bot' }), ['responses']],
  ['3.6', 'batch_delete_bots', batch({ id: 'bot' }), ['responses']],
];

function both(
  action: string,
  body: object,
  members: readonly string[],
): readonly [Version, string, object, readonly string[]][] {
  return [
    ['3.3', action, body, members],
    ['3.6', action, body, members],
  ];
}
