// The rows of the agents. Specification: "Agent", "Work scheduler", "Agents". Does not know how a request is sent.

import { expect } from 'vitest';
import { since, until, VERSIONS, type Version } from '../caller.ts';
import type { Member, Refused, Row, Sent } from './row.ts';
import { NO_BOOL, NO_INT, NO_LIST, NO_OBJECT, NO_PRIORITY, NO_STRING, NO_TEXT, optional, required } from './row.ts';

const OWNER = 'owner@example.com';
const NOTIFICATIONS = [
  'new_visitor',
  'incoming_chat',
  'returning_visitor',
  'queued_visitor',
  'visitor_is_typing',
  'new_goal',
  'unassigned_chats',
  'unassigned_chat_messages',
  'ticket',
  'inactive_notifications',
  'mute_all_sounds',
  'repeat_sound_notifications',
  'ticket_notifications',
  'incoming_message_for_focused_chat',
];

/** The scheduler of a version, as agents and bots have it. */
export const scheduler = (version: Version) =>
  version === '3.3'
    ? { monday: { start: '08:00', end: '16:00' } }
    : {
        timezone: 'Europe/Warsaw',
        schedule: [
          { day: 'monday', enabled: true, start: '08:00', end: '12:00' },
          { day: 'monday', enabled: false, start: '13:00', end: '16:00' },
        ],
      };

const NO_TIME = [...NO_TEXT, '8:00', '25:00', '08:60', '08:00:00'];
export const SCHEDULER: readonly Member[] = [
  optional('work_scheduler', NO_OBJECT),
  optional('work_scheduler.monday', NO_OBJECT, '3.3'),
  required('work_scheduler.monday.start', NO_TIME, '3.3'),
  required('work_scheduler.monday.end', NO_TIME, '3.3'),
  required('work_scheduler.timezone', [...NO_STRING, 'Mars/Olympus'], since('3.5')),
  optional('work_scheduler.schedule', NO_LIST, since('3.5')),
  // The shape of 3.3, which would otherwise end all hours.
  optional('work_scheduler.monday', [{ start: '08:00', end: '16:00' }, 'x', {}], since('3.5')),
  required('work_scheduler.schedule[1].day', [...NO_TEXT, 'Monday', 'someday'], since('3.5')),
  required('work_scheduler.schedule[1].enabled', NO_BOOL, since('3.5')),
  required('work_scheduler.schedule[1].start', NO_TIME, since('3.5')),
  required('work_scheduler.schedule[1].end', NO_TIME, since('3.5')),
];

const SETTINGS = (version: Version) => ({
  role: 'administrator',
  login_status: 'accepting chats',
  job_title: 'Support',
  mobile: '+48 123',
  max_chats_count: 20,
  groups: [
    { id: 1, priority: 'first' },
    { id: 2, priority: 'supervisor' },
  ],
  notifications: NOTIFICATIONS,
  email_subscriptions: ['daily_summary', 'weekly_summary'],
  work_scheduler: scheduler(version),
});
const settings = (chats: { readonly [version in Version]: number }): readonly Member[] => [
  optional('role', [...NO_TEXT, 'owner', 'boss']),
  optional('login_status', [...NO_TEXT, 'accepting_chats', 'offline']),
  optional('job_title', NO_STRING),
  optional('mobile', NO_STRING),
  ...VERSIONS.map((version) => optional('max_chats_count', [...NO_INT, chats[version] + 1], version)),
  optional('groups', NO_LIST),
  required('groups[1].id', NO_INT),
  required('groups[1].priority', NO_PRIORITY),
  optional('notifications', NO_LIST),
  optional('notifications[3]', [...NO_TEXT, 'sms']),
  optional('email_subscriptions', NO_LIST),
  optional('email_subscriptions[1]', [...NO_TEXT, 'monthly_summary']),
  ...SCHEDULER,
];

const FIELDS = [
  'work_scheduler',
  'groups',
  'email_subscriptions',
  // The name of the same field in the sample of list_agents.
  'summaries',
  'notifications',
  'job_title',
  'mobile',
  'max_chats_count',
  'suspended',
  'awaiting_approval',
];
const fields = (version: Version) => (version === '3.3' ? FIELDS : [...FIELDS, 'last_logout']);
const FIELD_MEMBERS = [
  optional('fields', NO_LIST),
  optional('fields[0]', [...NO_TEXT, 'password']),
  optional('fields[0]', ['last_logout'], '3.3'),
];
/** A UUID of version 4. */
const ACCOUNT = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

/** Ann, once `DESCRIBED` was sent, with every field. */
const described = (version: Version, avatar: 'avatar' | 'avatar_path') => ({
  id: 'ann',
  name: 'Ann',
  [avatar]: 'https://a/ann.png',
  suspended: false,
  awaiting_approval: false,
  ...SETTINGS(version),
  summaries: ['daily_summary', 'weekly_summary'],
  ...(version !== '3.3' ? { account_id: ACCOUNT, last_logout: '2026-01-01T10:00:00Z' } : {}),
});
const DESCRIBED = (version: Version): readonly Sent[] => [['update_agent', { id: 'ann', ...SETTINGS(version) }]];

const UNKNOWN: Refused = { type: 'not_found', body: { id: 'missing' } };
const NO_GROUP = [{ id: 9, priority: 'first' }];
const ownership = (body: object): readonly Refused[] => [
  { type: 'transfer_ownership', body: { id: OWNER, ...body }, only: '3.3' },
  { type: 'ownership_transfer', body: { id: OWNER, ...body }, only: since('3.5') },
];

/** The member that sets an avatar. */
const avatar = (version: Version) =>
  version === '3.3' ? { avatar_path: 'https://a' } : version === '3.5' ? { avatar: 'https://a' } : {};
const AVATARS = ['avatar_path', 'avatar'];
const AVATAR = [optional('avatar_path', NO_STRING, '3.3'), optional('avatar', NO_STRING, '3.5')];

export const AGENTS: readonly Row[] = [
  {
    action: 'create_agent',
    request: (version) => ({
      id: 'new',
      name: 'New',
      ...avatar(version),
      awaiting_approval: false,
      ...SETTINGS(version),
    }),
    reply: { id: 'new' },
    members: [
      required('id', NO_TEXT),
      required('name', NO_TEXT),
      ...AVATAR,
      optional('awaiting_approval', NO_BOOL),
      ...settings({ '3.3': 100, '3.5': 20, '3.6': 100, '3.7': 20 }),
    ],
    ignores: { '3.3': ['avatar'], '3.5': ['avatar_path'], '3.6': AVATARS, '3.7': AVATARS },
    accepts: [
      { id: 'new', name: 'New' },
      { id: 'new', name: 'New', max_chats_count: 20 },
    ],
    refused: [
      { type: 'already_exists', body: { id: 'ann', name: 'Ann' } },
      { type: 'already_exists', body: { id: OWNER, name: 'Owner' } },
      { type: 'group_not_found', body: { id: 'new', name: 'New', groups: NO_GROUP }, names: 'groups' },
    ],
  },
  {
    action: 'get_agent',
    after: DESCRIBED,
    request: (version) => ({ id: 'ann', fields: fields(version) }),
    reply: (version) => described(version, version === '3.3' ? 'avatar_path' : 'avatar'),
    members: [required('id', NO_TEXT), ...FIELD_MEMBERS],
    refused: [
      UNKNOWN,
      { type: 'validation', body: { id: 'newer', fields: FIELDS }, names: 'work_scheduler', only: '3.3' },
    ],
  },
  {
    action: 'list_agents',
    after: DESCRIBED,
    request: (version) => ({
      filters: { group_ids: [2], ...(version !== '3.3' ? { suspended: false } : {}) },
      fields: fields(version),
    }),
    reply: (version) => [described(version, 'avatar_path')],
    members: [
      optional('filters', NO_OBJECT),
      optional('filters.group_ids', NO_LIST),
      optional('filters.group_ids[0]', NO_INT),
      optional('filters.suspended', NO_BOOL, since('3.5')),
      ...FIELD_MEMBERS,
    ],
    ignores: { '3.3': ['filters.suspended'] },
    accepts: [{}, { filters: {} }],
    refused: [{ type: 'validation', body: { fields: ['work_scheduler'] }, names: 'work_scheduler', only: '3.3' }],
  },
  {
    action: 'update_agent',
    request: (version) => ({
      id: 'ann',
      ...(until('3.5').includes(version) ? { name: 'Anna' } : {}),
      ...avatar(version),
      ...SETTINGS(version),
    }),
    reply: {},
    members: [
      required('id', NO_TEXT),
      optional('name', NO_TEXT, until('3.5')),
      ...AVATAR,
      ...settings({ '3.3': 100, '3.5': 20, '3.6': 20, '3.7': 20 }),
    ],
    ignores: {
      '3.3': ['avatar'],
      '3.5': ['avatar_path'],
      '3.6': ['name', ...AVATARS],
      '3.7': ['name', ...AVATARS],
    },
    accepts: [{ id: 'ann' }, { id: OWNER, max_chats_count: 20 }],
    refused: [
      UNKNOWN,
      { type: 'group_not_found', body: { id: 'ann', groups: NO_GROUP }, names: 'groups' },
      ...ownership({ role: 'normal' }),
    ],
  },
  ...['delete_agent', 'suspend_agent'].map((action) => ({
    action,
    request: { id: 'ann' },
    reply: {},
    members: [required('id', NO_TEXT)],
    refused: [UNKNOWN, ...ownership({})],
  })),
  ...['unsuspend_agent', 'approve_agent'].map((action) => ({
    action,
    request: { id: 'sue' },
    reply: {},
    members: [required('id', NO_TEXT)],
    refused: [UNKNOWN],
  })),
  { action: 'request_agent_unsuspension', request: {}, reply: {}, members: [] },
];
