// The rows of webhooks that clients register, and of their states. today/configuration.md, "Webhooks".
// Does not know how a request is sent.

import { expect } from 'vitest';
import { since } from '../caller.ts';
import type { Body, Member, Refused, Row } from './row.ts';
import { NO_BOOL, NO_LIST, NO_OBJECT, NO_STRING, NO_TEXT, optional, required } from './row.ts';

const HEX = expect.stringMatching(/^[0-9a-f]{32}$/);
const OF_APP = { owner_client_id: 'app' };
const ONE = { ...OF_APP, id: 'hook' };
const NEW = { ...OF_APP, type: 'bot', action: 'incoming_event', url: 'https://a/in', secret_key: 'told' };
const FOREIGN: Refused = { type: 'authorization', body: { owner_client_id: 'other' }, names: 'owner_client_id' };
const OWNER = required('owner_client_id', NO_TEXT);
const PRESENCE = 'filters.chat_presence';
const SINCE_35 = since('3.5');

const MEMBERS: readonly Member[] = [
  OWNER,
  required('type', [...NO_TEXT, 'License']),
  required('action', [...NO_TEXT, 'chat_ended', 'toString']),
  required('url', [...NO_TEXT, 'a/in', 'ftp://a/in', 'https://me:p@a/in']),
  required('secret_key', NO_TEXT),
  optional('description', NO_STRING),
  optional('filters', NO_OBJECT),
  optional('filters.author_type', [...NO_TEXT, 'bot']),
  optional('filters.only_my_chats', NO_BOOL),
  optional(PRESENCE, NO_OBJECT),
  optional(`${PRESENCE}.my_bots`, NO_BOOL),
  optional(`${PRESENCE}.user_ids`, NO_OBJECT),
  optional('additional_data', NO_LIST),
  optional('additional_data[0]', [...NO_TEXT, 'users']),
];

const FILTERS = {
  author_type: 'customer',
  only_my_chats: true,
  chat_presence: { user_ids: { values: ['ann'] }, my_bots: true },
};

/** The request with this member in the place of another one; the path of what is refused. */
const unfit = (more: Body, names: string, only?: Refused['only']): Refused => ({
  type: 'validation',
  body: { ...NEW, ...more },
  names,
  ...(only === undefined ? {} : { only }),
});
const three = ['license', 'bot', 'license'].map((type) => ['register_webhook', { ...NEW, type }] as const);

const NAMES_33 = [
  'chat_access_granted',
  'chat_access_revoked',
  'incoming_customer',
  'agent_deleted',
  'routing_status_set',
];

export const WEBHOOKS: readonly Row[] = [
  {
    action: 'register_webhook',
    request: {
      ...NEW,
      description: 'Events',
      additional_data: ['chat_properties', 'chat_presence_user_ids'],
      filters: FILTERS,
    },
    reply: { id: HEX },
    members: MEMBERS,
    accepts: [
      NEW,
      { ...NEW, action: 'routing_status_set', filters: { agent_ids: ['ann'] } },
      { ...NEW, action: 'agent_deleted', filters: { agent_ids: { exclude_values: ['ann'] } } },
      { ...NEW, action: 'chat_deactivated', filters: { chat_presence: { user_ids: { exclude_values: ['ann'] } } } },
    ],
    refused: [
      { ...FOREIGN, body: { ...NEW, ...FOREIGN.body } },
      unfit({ action: 'incoming_chat', filters: { author_type: 'agent' } }, 'filters.author_type'),
      unfit({ filters: { agent_ids: ['ann'] } }, 'filters.agent_ids'),
      unfit(
        { filters: { chat_presence: { user_ids: { values: ['ann'], exclude_values: ['sue'] } } } },
        `${PRESENCE}.user_ids.exclude_values`,
      ),
      unfit({ action: 'agent_deleted', additional_data: ['chat_properties'] }, 'additional_data'),
      ...SINCE_35.map((only) => unfit({ filters: { source_type: ['me'] } }, 'filters.source_type[0]', only)),
      ...SINCE_35.map((only) => unfit({ url: `https://a/${'x'.repeat(491)}` }, 'url', only)),
      ...SINCE_35.map((only) => unfit({ action: 'chat_access_granted' }, 'action', only)),
      unfit({ action: 'agent_created' }, 'action', '3.3'),
      unfit({ action: 'event_deleted' }, 'action', ['3.3', '3.5']),
      unfit({ action: 'incoming_customer' }, 'action', ['3.6', '3.7']),
      { type: 'limit_reached', body: NEW, after: three },
    ],
  },
  {
    action: 'list_webhooks',
    request: OF_APP,
    reply: [
      {
        ...ONE,
        type: 'license',
        action: 'chat_deactivated',
        url: 'http://a/closed',
        description: '',
        filters: { only_my_chats: true },
      },
    ],
    members: [OWNER],
    refused: [FOREIGN],
  },
  {
    action: 'unregister_webhook',
    request: ONE,
    reply: {},
    members: [required('id', NO_TEXT), OWNER],
    refused: [
      { type: 'not_found', body: { ...ONE, id: 'unknown' } },
      { type: 'not_found', body: { ...ONE, owner_client_id: 'second-app' } },
      { ...FOREIGN, body: { ...ONE, ...FOREIGN.body } },
    ],
  },
  {
    action: 'list_webhook_names',
    request: (version) => ({ version }),
    reply: (version) =>
      version === '3.3'
        ? expect.arrayContaining(NAMES_33.map((action) => expect.objectContaining({ action })))
        : expect.arrayContaining([
            {
              action: 'chat_access_updated',
              filters: ['chat_presence', 'only_my_chats', 'source_type'],
              additional_data: ['chat_properties', 'chat_presence_user_ids'],
            },
            { action: 'agent_deleted', filters: ['agent_ids', 'source_type'] },
          ]),
    members: [optional('version', [...NO_TEXT, '3.4', 'v3.6'])],
    accepts: [{}],
  },
  {
    action: 'enable_license_webhooks',
    request: {},
    reply: {},
    members: [],
    refused: [
      { ...FOREIGN, only: SINCE_35 },
      { type: 'validation', body: OF_APP, only: '3.3', names: 'owner_client_id' },
    ],
  },
  {
    action: 'disable_license_webhooks',
    request: {},
    reply: {},
    members: [],
    refused: [
      { ...FOREIGN, only: SINCE_35 },
      { type: 'validation', body: OF_APP, only: '3.3', names: 'owner_client_id' },
    ],
  },
  {
    action: 'get_license_webhooks_state',
    request: {},
    reply: { license_webhooks_enabled: false },
    after: [['disable_license_webhooks', {}]],
    members: [],
    refused: [
      { ...FOREIGN, only: SINCE_35 },
      { type: 'validation', body: OF_APP, only: '3.3', names: 'owner_client_id' },
    ],
  },
];
