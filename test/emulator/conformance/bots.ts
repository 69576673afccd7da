// The rows of the bots, and of their secrets and tokens. Specification: "Bot", "Bots", "Bot templates and bot tokens (3.6)".
// Does not know how a request is sent.

import { expect } from 'vitest';
import { PERSONAL, since, type Version } from '../caller.ts';
import { SCHEDULER, scheduler } from './agents.ts';
import type { Member, Refused, Row, Sent } from './row.ts';
import { NO_BOOL, NO_INT, NO_LIST, NO_PRIORITY, NO_STRING, NO_TEXT, optional, required } from './row.ts';

const HEX = expect.stringMatching(/^[0-9a-f]{32}$/);

const SETTINGS = (version: Version) => ({
  name: 'Triage',
  avatar: 'https://a/bot.png',
  max_chats_count: 500,
  default_group_priority: 'first',
  groups: [
    { id: 1, priority: 'last' },
    { id: 2, priority: 'normal' },
  ],
  work_scheduler: scheduler(version),
  ...(version === '3.3' ? { timezone: 'Europe/Warsaw' } : {}),
  ...(since('3.6').includes(version) ? { type: 'ai_agent' } : {}),
});
const MEMBERS: readonly Member[] = [
  optional('avatar', NO_STRING),
  optional('max_chats_count', [...NO_INT, 501]),
  optional('default_group_priority', NO_PRIORITY),
  optional('groups', NO_LIST),
  required('groups[1].priority', NO_PRIORITY),
  ...SCHEDULER,
  required('timezone', [...NO_STRING, 'Mars/Olympus'], '3.3'),
  optional('type', NO_TEXT, since('3.6')),
];
const NO_GROUP = [{ id: 9, priority: 'first' }];

const FIELDS = ['groups', 'work_scheduler', 'job_title', 'max_chats_count', 'timezone'];
const FIELD_MEMBERS = [optional('fields', NO_LIST), optional('fields[0]', [...NO_TEXT, 'secret'])];
const AFTER = (version: Version): readonly Sent[] => [['update_bot', { ...SETTINGS(version), id: 'bot' }]];
const listed = (version: Version) => ({
  id: 'bot',
  name: 'Triage',
  avatar_path: 'https://a/bot.png',
  max_chats_count: 500,
  job_title: 'Robot',
  groups: SETTINGS(version).groups,
  work_scheduler: scheduler(version),
  timezone: 'Europe/Warsaw',
});

const UNKNOWN: Refused = { type: 'not_found', body: { id: 'unknown' } };
const CREDENTIALS = { bot_id: 'made', client_id: 'app', bot_secret: 'secret', organization_id: 'organization' };

export const BOTS: readonly Row[] = [
  {
    action: 'create_bot',
    request: (version) => ({
      ...SETTINGS(version),
      job_title: 'Robot',
      ...(version !== '3.3' ? { owner_client_id: 'app' } : {}),
    }),
    reply: (version) => (version === '3.3' ? { id: HEX } : { id: HEX, secret: HEX }),
    members: [
      required('name', NO_TEXT),
      optional('job_title', NO_STRING),
      optional('groups[1].id', NO_INT),
      optional('owner_client_id', NO_TEXT),
      ...MEMBERS,
    ],
    accepts: [{ name: 'B' }, { name: 'B', groups: [{ priority: 'first' }] }],
    refused: [
      { type: 'group_not_found', body: { name: 'B', groups: NO_GROUP }, names: 'groups' },
      { type: 'validation', body: { name: 'B', owner_client_id: 'app' }, names: 'owner_client_id', only: '3.3' },
      { type: 'validation', body: { name: 'B' }, names: 'owner_client_id', authorization: PERSONAL },
    ],
  },
  {
    action: 'update_bot',
    request: (version) => ({ ...SETTINGS(version), id: 'bot', ...(version !== '3.3' ? { job_title: 'Robot' } : {}) }),
    reply: {},
    members: [
      required('id', NO_TEXT),
      optional('name', NO_TEXT),
      optional('job_title', NO_STRING, since('3.5')),
      required('groups[1].id', NO_INT),
      ...MEMBERS,
    ],
    ignores: { '3.3': ['job_title', 'type'], '3.5': ['timezone', 'type'], '3.6': ['timezone'], '3.7': ['timezone'] },
    accepts: [{ id: 'bot' }],
    refused: [UNKNOWN, { type: 'group_not_found', body: { id: 'bot', groups: NO_GROUP }, names: 'groups' }],
  },
  {
    action: 'delete_bot',
    request: { id: 'bot' },
    reply: {},
    members: [required('id', NO_TEXT)],
    refused: [UNKNOWN],
  },
  {
    action: 'list_bots',
    after: AFTER,
    request: { all: false, fields: FIELDS },
    reply: (version) => [listed(version)],
    members: [optional('all', NO_BOOL), ...FIELD_MEMBERS],
    accepts: [{}, { all: true }],
  },
  {
    action: 'get_bot',
    after: AFTER,
    request: { id: 'bot', fields: FIELDS },
    reply: (version) => ({ ...listed(version), default_group_priority: 'first', owner_client_id: 'app' }),
    members: [required('id', NO_TEXT), ...FIELD_MEMBERS],
    refused: [UNKNOWN],
  },
  {
    action: 'reset_bot_secret',
    versions: since('3.5'),
    request: { id: 'bot', owner_client_id: 'app' },
    reply: { secret: HEX },
    members: [required('id', NO_TEXT), optional('owner_client_id', NO_TEXT)],
    accepts: [{ id: 'bot' }],
    refused: [
      UNKNOWN,
      { type: 'authorization', body: { id: 'bot', owner_client_id: 'other' }, names: 'owner_client_id' },
      { type: 'validation', body: { id: 'bot' }, names: 'owner_client_id', authorization: PERSONAL },
    ],
  },
  {
    action: 'issue_bot_token',
    versions: since('3.5'),
    request: CREDENTIALS,
    reply: { token: expect.stringMatching(/^dal:[0-9a-f]{32}$/) },
    members: Object.keys(CREDENTIALS).map((name) => required(name, NO_TEXT)),
    refused: ['bot_id', 'client_id', 'bot_secret'].map((name) => ({
      type: 'authentication',
      body: { ...CREDENTIALS, [name]: 'wrong' },
    })),
  },
];
