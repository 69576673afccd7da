// Rows of the chats. Specification: "Chats"; customer-and-reports-notes.md, section 2. Does not know how a request is sent.

import { expect } from 'vitest';
import type { Member, Refused } from '../../conformance/row.ts';
import { NO_BOOL, NO_INT, NO_LIST, NO_OBJECT, NO_TEXT, NO_VALUE, optional, required } from '../../conformance/row.ts';
import { type CustomerRow, type CustomerVersion, isSince36, SINCE_35 } from './row.ts';

const KIM = '11111111-1111-4111-8111-111111111111';
const SHORT = expect.stringMatching(/^[A-Z0-9]{10}$/);
/** The id of an agent as customers see it: not the id of the Configuration API. */
const OPAQUE = expect.stringMatching(/^[0-9a-f]{32}$/);

const FIRST = '2026-01-04T10:00:00.000000Z';
const LAST = '2026-01-05T10:00:00.000000Z';
const message = (id: string, author_id: unknown, created_at: string, text: string) => ({
  id,
  type: 'message',
  author_id,
  created_at,
  text,
});
const HELLO = message('THREADKIM1_1', KIM, FIRST, 'Hello');
const HI = message('THREADKIM1_2', OPAQUE, FIRST, 'Hi');
const AGAIN = message('THREADKIM2_1', KIM, LAST, 'Again');

const thread = (id: string, active: boolean, created_at: string, events: readonly object[], more: object) => ({
  id,
  active,
  user_ids: [KIM, OPAQUE],
  events,
  properties: {},
  access: { group_ids: [1] },
  created_at,
  ...more,
});
const THREAD_1 = thread('THREADKIM1', false, FIRST, [HELLO, HI], { next_thread_id: 'THREADKIM2' });
const THREAD_2 = thread('THREADKIM2', true, LAST, [AGAIN], { previous_thread_id: 'THREADKIM1' });

const usersOf = (version: CustomerVersion) => [
  {
    id: KIM,
    type: 'customer',
    name: 'Kim',
    email: 'kim@example.com',
    ...(isSince36(version) ? { omnichannel: {} } : {}),
    present: true,
  },
  { id: OPAQUE, type: 'agent', name: 'Ann', avatar: '', job_title: 'Support', present: true },
];
const chatOf = (version: CustomerVersion) => ({
  id: 'CHATKIM001',
  users: usersOf(version),
  access: { group_ids: [1] },
  properties: { shop: { tier: 'gold' } },
});

const summaryOf = (version: CustomerVersion) =>
  version === '3.7'
    ? {
        ...chatOf(version),
        last_thread_info: { id: 'THREADKIM2', created_at: LAST, last_event_per_type: { message: { event: AGAIN } } },
        active: true,
      }
    : {
        ...chatOf(version),
        last_thread_id: 'THREADKIM2',
        last_thread_created_at: LAST,
        last_event_per_type: { message: { thread_id: 'THREADKIM2', thread_created_at: LAST, event: AGAIN } },
        active: true,
      };

export const MESSAGE = {
  type: 'message',
  text: 'What is it?',
  custom_id: 'mine',
  recipients: 'all',
  properties: { shop: { tier: 'gold' } },
};
const TIER = { shop: { tier: 'gold' } };
/** Everything that a request says of a new thread. */
const CONTENT = { properties: TIER, access: { group_ids: [1, 0] }, thread: { events: [MESSAGE], properties: TIER } };

const EVENT = 'chat.thread.events[0]';
const CONTENT_MEMBERS: readonly Member<CustomerVersion>[] = [
  optional('active', NO_BOOL),
  optional('continuous', NO_BOOL),
  ...['chat', 'chat.thread', EVENT].flatMap((path) => {
    const name = path === EVENT ? `${EVENT}.properties` : `${path}.properties`;
    return [
      optional<CustomerVersion>(name, NO_OBJECT),
      optional<CustomerVersion>(`${name}.shop`, NO_OBJECT),
      optional<CustomerVersion>(`${name}.shop.tier`, [...NO_VALUE, 7, true]),
    ];
  }),
  optional('chat.access', NO_OBJECT),
  required('chat.access.group_ids', [...NO_LIST, [1, 1]]),
  optional('chat.access.group_ids[0]', NO_INT),
  optional('chat.thread', NO_OBJECT),
  optional('chat.thread.events', NO_LIST),
  optional(EVENT, NO_OBJECT),
  required(`${EVENT}.type`, [...NO_TEXT, 'form', 'system', 'Message']),
  required(`${EVENT}.text`, NO_TEXT),
  optional(`${EVENT}.custom_id`, NO_TEXT),
  optional(`${EVENT}.recipients`, [...NO_TEXT, 'customers']),
];

const started = (chat: object) => ({ chat });
const sending = (event: object) => started({ thread: { events: [event] } });

/** What both actions refuse in the content of a thread. `id` is that of the chat which the request names. */
const contentRefused = (id: object): readonly Refused<CustomerVersion>[] =>
  [
    {
      type: 'group_not_found',
      body: started({ ...id, access: { group_ids: [1, 9] } }),
      names: 'chat.access.group_ids',
    },
    {
      type: 'authorization',
      body: started({ ...id, properties: { shop: { secret: 'x' } } }),
      names: 'chat.properties.shop.secret',
    },
    {
      type: 'validation',
      body: started({ ...id, properties: { shop: { nothing: 'x' } } }),
      names: 'chat.properties.shop.nothing',
    },
    {
      type: 'authorization',
      body: started({ ...id, thread: { properties: { routing: { start_url: 'x' } } } }),
      names: 'chat.thread.properties.routing.start_url',
    },
    {
      type: 'validation',
      body: started({ ...id, thread: { properties: { shop: { secret: 'x' } } } }),
      names: 'chat.thread.properties.shop.secret',
    },
    {
      type: 'validation',
      body: started({ ...id, thread: { properties: { rating: { score: 2 } } } }),
      names: 'chat.thread.properties.rating.score',
    },
    {
      type: 'validation',
      body: { ...sending({ type: 'message', text: 'x'.repeat(16 * 1024 + 1) }) },
      names: `${EVENT}.text`,
    },
    { type: 'validation', body: sending({ type: 'file', url: 'https://shop.example/a.png' }), names: `${EVENT}.url` },
  ].map(({ type, body, names }) => ({ type, body: { chat: { ...id, ...body.chat } }, names }));

export const RICH = {
  type: 'rich_message',
  template_id: 'cards',
  elements: [{ title: 'Shoes', buttons: [{ text: 'Yes', type: 'message', value: 'yes', postback_id: 'yes' }] }],
};
export const FORM = {
  type: 'filled_form',
  form_id: 'f',
  fields: [
    { id: '1', type: 'name', label: 'Name', answer: 'Kim' },
    { id: '2', type: 'checkbox', label: 'What', answers: [{ id: '1', label: 'Shoes' }] },
    { id: '3', type: 'group_chooser', label: 'Who', answer: { id: '1', label: 'Sales', group_id: 1 } },
  ],
};

const MAX = { authorization: 'Bearer dal:max' } as const;
const LEE = { authorization: 'Bearer dal:lee' } as const;

export const CHATS: readonly CustomerRow[] = [
  {
    action: 'list_chats',
    request: { limit: 25, sort_order: 'asc' },
    reply: (version) => ({
      [version === '3.7' ? 'chats_info' : 'chats_summary']: [summaryOf(version)],
      total_chats: 1,
    }),
    members: [
      optional('limit', [...NO_INT, 0, 26]),
      optional('sort_order', [...NO_TEXT, 'up']),
      optional('page_id', [...NO_TEXT, 'any']),
    ],
    accepts: [{}, { sort_order: 'desc' }],
    refused: [
      { type: 'validation', body: { page_id: 'any' }, names: 'page_id' },
      { type: 'validation', body: { page_id: 'any', sort_order: 'asc' }, names: 'sort_order' },
    ],
  },
  {
    action: 'list_threads',
    request: { chat_id: 'CHATKIM001', sort_order: 'asc', limit: 100 },
    reply: { threads: [THREAD_1, THREAD_2], found_threads: 2 },
    members: [
      required('chat_id', NO_TEXT),
      optional('sort_order', [...NO_TEXT, 'up']),
      optional('limit', [...NO_INT, 0, 101]),
      optional('page_id', [...NO_TEXT, 'any']),
      optional('min_events_count', [...NO_INT, 0, 101, 100]),
    ],
    accepts: [{ chat_id: 'CHATKIM001' }, { chat_id: 'CHATKIM001', min_events_count: 100 }],
    refused: [
      { type: 'authorization', body: { chat_id: 'CHATNONE01' } },
      { type: 'validation', body: { chat_id: 'CHATKIM001', page_id: 'any', min_events_count: 1 }, names: 'page_id' },
    ],
  },
  {
    action: 'get_chat',
    request: { chat_id: 'CHATKIM001', thread_id: 'THREADKIM1' },
    reply: (version) => ({ ...chatOf(version), thread: THREAD_1 }),
    members: [required('chat_id', NO_TEXT), optional('thread_id', NO_TEXT)],
    accepts: [{ chat_id: 'CHATKIM001' }],
    refused: [
      { type: 'authorization', body: { chat_id: 'CHATNONE01' } },
      { type: 'authorization', body: { chat_id: 'CHATKIM001', thread_id: 'THREADLEE1' }, names: 'THREADLEE1' },
    ],
  },
  {
    ...MAX,
    action: 'start_chat',
    request: { active: true, continuous: true, chat: CONTENT },
    reply: { chat_id: SHORT, thread_id: SHORT, event_ids: [expect.stringMatching(/^[A-Z0-9]{10}_1$/)] },
    members: [optional('chat', NO_OBJECT), ...CONTENT_MEMBERS],
    accepts: [
      {},
      { active: false, chat: { access: { group_ids: [2] } } },
      { continuous: true, chat: { access: { group_ids: [2] } } },
      started({ thread: { events: [RICH, FORM, { type: 'custom', content: { any: [1] } }] } }),
      started({ properties: { test: { int_property: 1 } }, thread: { properties: { rating: { score: 1 } } } }),
    ],
    refused: [
      ...contentRefused({}),
      { type: 'groups_offline', body: { chat: { access: { group_ids: [2] } } } },
      { type: 'limit_reached', body: {}, only: SINCE_35, authorization: 'Bearer dal:kim', names: 'CHATKIM001' },
      { type: 'validation', body: {}, only: '3.3', authorization: 'Bearer dal:kim', names: 'CHATKIM001' },
    ],
  },
  {
    ...LEE,
    action: 'resume_chat',
    request: { active: true, continuous: true, chat: { id: 'CHATLEE001', ...CONTENT } },
    reply: { thread_id: SHORT, event_ids: [expect.stringMatching(/^[A-Z0-9]{10}_1$/)] },
    members: [required('chat', NO_OBJECT), required('chat.id', NO_TEXT), ...CONTENT_MEMBERS],
    accepts: [{ chat: { id: 'CHATLEE001' } }, { active: false, chat: { id: 'CHATLEE001' } }],
    refused: [
      ...contentRefused({ id: 'CHATLEE001' }),
      { type: 'groups_offline', body: { chat: { id: 'CHATLEE001', access: { group_ids: [2] } } } },
      { type: 'authorization', body: { chat: { id: 'CHATNONE01' } } },
      { type: 'validation', body: { chat: { id: 'CHATKIM001' } }, authorization: 'Bearer dal:kim' },
      {
        type: 'validation',
        body: { chat: { id: 'CHATLEE001' } },
        after: [['resume_chat', { chat: { id: 'CHATLEE001' } }]],
        names: 'CHATLEE001',
      },
    ],
  },
  {
    action: 'deactivate_chat',
    request: { id: 'CHATKIM001' },
    reply: {},
    members: [required('id', NO_TEXT)],
    refused: [
      { type: 'authorization', body: { id: 'CHATNONE01' } },
      { type: 'chat_inactive', only: SINCE_35, body: { id: 'CHATLEE001' }, ...LEE },
      { type: 'validation', only: '3.3', body: { id: 'CHATLEE001' }, ...LEE },
      {
        type: 'chat_inactive',
        only: SINCE_35,
        body: { id: 'CHATKIM001' },
        after: [['deactivate_chat', { id: 'CHATKIM001' }]],
      },
    ],
  },
];
