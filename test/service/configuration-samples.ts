// The published samples of replies of the Configuration API, as literals that the compiler holds against the types of the client.
// test/emulator/configuration/payloads.test.ts holds them against the published files.

import type { ConfigurationMessages } from '../../src/service/configuration-messages.ts';
import type { ReplyOf } from '../../src/service/messages.ts';

/** The samples of 3.6 and of 3.7 are the same. */
type Sample<A extends keyof ConfigurationMessages> = ReplyOf<ConfigurationMessages, A, '3.6'> &
  ReplyOf<ConfigurationMessages, A, '3.7'>;

type Samples = { readonly [A in keyof ConfigurationMessages]?: { readonly file: string; readonly reply: Sample<A> } };

const GREETING = {
  id: 123,
  type: 'normal',
  active: true,
  name: 'Welcome greeting',
  group: 0,
  rules: [{ condition: 'and', type: 'visit_time_site', operator: 'greater_than', value: '10' }],
  properties: { text: 'Hello! How can I help you today?' },
  rich_message: {
    elements: [
      {
        title: 'Welcome!',
        subtitle: 'How can we help you today?',
        buttons: [
          {
            text: 'Get Support',
            type: 'message',
            value: 'I need support',
            postback_id: 'support_request',
            button_id: '20ff0b3f-fbed-49f4-b13f-788c9ec66f03',
          },
        ],
      },
    ],
  },
} as const;

export const SAMPLES = {
  create_agent: { file: 'agents/createAgent', reply: { id: 'smith@example.com' } },
  get_agent: {
    file: 'agents/getAgent',
    reply: {
      id: 'smith@example.com',
      account_id: 'd24fa41e-bc16-41b8-a15b-9ca45ff7e0cf',
      name: 'Agent Smith',
      avatar: 'https://domain.com/avatar.image.jpg',
      role: 'administrator',
      login_status: 'accepting chats',
    },
  },
  list_agents: {
    file: 'agents/listAgents',
    reply: [
      {
        avatar_path: 'cdn.livechatinc.com/avatars/1.png',
        id: 'smith@example.com',
        account_id: 'd24fa41e-bc16-41b8-a15b-9ca45ff7e0cf',
        job_title: 'Support Hero',
        login_status: 'not accepting chats',
        name: 'Smith',
        role: 'owner',
        max_chats_count: 5,
        summaries: ['daily_summary', 'weekly_summary'],
      },
      {
        avatar_path: 'cdn.livechatinc.com/avatars/2.png',
        id: 'jones@example.com',
        account_id: '2fca3315-f6b2-422f-8550-c84b649cef1a',
        job_title: 'Support Hero (Newbie)',
        login_status: 'accepting chats',
        last_logout: '2022-08-23T14:31:21.000000Z',
        name: 'Jones',
        role: 'viceowner',
        max_chats_count: 2,
        summaries: ['weekly_summary'],
      },
    ],
  },
  create_bot: {
    file: 'bots/createBot',
    reply: { id: '5c9871d5372c824cbf22d860a707a578', secret: '641e2ae6d997d2009a3ac92a05f37fc3' },
  },
  create_bot_template: {
    file: 'bots/createBotTemplate',
    reply: { id: '5c9871d5372c824cbf22d860a707a578', secret: '641e2ae6d997d2009a3ac92a05f37fc3' },
  },
  get_bot: {
    file: 'bots/getBot',
    reply: {
      id: '5c9871d5372c824cbf22d860a707a578',
      name: 'John Doe',
      avatar_path: 'https://example.com/avatar.jpg',
      default_group_priority: 'first',
      owner_client_id: 'asXdesldiAJSq9padj',
      max_chats_count: 6,
      groups: [
        { id: 0, priority: 'normal' },
        { id: 1, priority: 'normal' },
        { id: 2, priority: 'first' },
      ],
    },
  },
  issue_bot_token: { file: 'bots/issueBotToken', reply: { token: '<JWT Bot token>' } },
  list_bot_templates: {
    file: 'bots/listBotTemplates',
    reply: [{ id: '2c1b8da190222160e8f9e077af4c625b', name: 'Bot Name', avatar_path: 'example.com/avatar.jpg' }],
  },
  list_bots: {
    file: 'bots/listBots',
    reply: [{ id: '2c1b8da190222160e8f9e077af4c625b', name: 'Bot Name', avatar_path: 'example.com/avatar.jpg' }],
  },
  reset_bot_secret: { file: 'bots/resetBotSecret', reply: { secret: '641e2ae6d997d2009a3ac92a05f37fc3' } },
  reset_bot_template_secret: {
    file: 'bots/resetBotTemplateSecret',
    reply: { secret: '641e2ae6d997d2009a3ac92a05f37fc3' },
  },
  create_group: { file: 'groups/createGroup', reply: { id: 19 } },
  get_group: {
    file: 'groups/getGroup',
    reply: {
      id: 19,
      name: 'Sports shoes',
      language_code: 'en',
      agent_priorities: {
        'agent1@example.com': 'normal',
        'agent2@example.com': 'normal',
        'agent3@example.com': 'last',
      },
      routing_status: 'offline',
    },
  },
  list_groups: {
    file: 'groups/listGroups',
    reply: [
      { id: 0, name: 'General', language_code: 'en', routing_status: 'offline' },
      { id: 19, name: 'Sport shoes', language_code: 'en', routing_status: 'offline' },
    ],
  },
  list_tags: {
    file: 'tags/listTags',
    reply: [
      {
        name: 'docs_feedback',
        group_ids: [0, 42],
        author_id: 'smith@example.com',
        created_at: '2019-12-09T12:01:18.909000Z',
      },
      { name: 'positive feedback', group_ids: [0], author_id: '', created_at: '2017-11-13T15:37:36.000000+01:00' },
      { name: 'support', group_ids: [0], author_id: '', created_at: '2017-11-13T15:37:36.000000+01:00' },
      { name: 'complaint', group_ids: [0], author_id: '', created_at: '2017-11-13T15:37:36.000000+01:00' },
      { name: 'sales', group_ids: [0], author_id: '', created_at: '2017-11-13T15:37:36.000000+01:00' },
      { name: 'spam', group_ids: [0], author_id: '', created_at: '2017-11-13T15:37:36.000000+01:00' },
    ],
  },
  list_groups_properties: {
    file: 'properties/listGroupsProperties',
    reply: [
      {
        id: 0,
        properties: { '0805e283233042b37f460ed8fbf22160': { string_property: 'group property value for group 0' } },
      },
      {
        id: 1,
        properties: { '0805e283233042b37f460ed8fbf22160': { string_property: 'group property value for group 1' } },
      },
    ],
  },
  list_license_properties: {
    file: 'properties/listLicenseProperties',
    reply: { '0805e283233042b37f460ed8fbf22160': { string_property: 'string value' } },
  },
  list_properties: {
    file: 'properties/listProperties',
    reply: {
      string_property: {
        type: 'string',
        description: '',
        access: {
          thread: { agent: ['read', 'write'], customer: ['read'] },
          chat: { agent: ['write'], customer: ['read', 'write'] },
        },
        public_access: ['read'],
      },
    },
  },
  register_webhook: { file: 'webhooks/registerWebhook', reply: { id: 'pqi8oasdjahuakndw9nsad9na' } },
  list_webhooks: {
    file: 'webhooks/listWebhooks',
    reply: [
      {
        id: 'pqi8oasdjahuakndw9nsad9na',
        url: 'http://myservice.com/webhooks',
        description: 'Test webhook',
        action: 'chat_deactivated',
        filters: { chat_presence: { user_ids: { values: ['johndoe@mail.com'] }, my_bots: true } },
        owner_client_id: 'asXdesldiAJSq9padj',
        type: 'license',
      },
    ],
  },
  list_webhook_names: {
    file: 'webhooks/listWebhookNames',
    reply: [
      { action: 'agent_deleted', filters: ['agent_ids'] },
      {
        action: 'chat_access_updated',
        filters: ['chat_presence', 'only_my_chats'],
        additional_data: ['chat_properties', 'chat_presence_user_ids'],
      },
    ],
  },
  get_license_webhooks_state: { file: 'webhooks/getWebhooksState', reply: { license_webhooks_enabled: true } },
  create_greeting: { file: 'greetings/createGreeting', reply: { id: 123 } },
  get_greeting: { file: 'greetings/getGreeting', reply: GREETING },
  list_greetings: { file: 'greetings/listGreetings', reply: { greetings: [GREETING], found_greetings: 1 } },
} as const satisfies Samples;
