// Rows of the events, of uploads, and of what says how far a customer has read and typed. Specification: "Events", "Status and other".
// Does not know how a request is sent.

import { expect } from 'vitest';
import type { Refused, Sent } from '../../conformance/row.ts';
import { NO_BOOL, NO_OBJECT, NO_STRING, NO_TEXT, NO_VALUE, optional, required } from '../../conformance/row.ts';
import { FORM, MESSAGE, RICH } from './chats.ts';
import { type CustomerRow, type CustomerVersion, isSince36, SINCE_35, SINCE_36 } from './row.ts';

const CHAT = { chat_id: 'CHATKIM001' };
const THREAD = { ...CHAT, thread_id: 'THREADKIM2' };
const EVENT = { ...THREAD, event_id: 'THREADKIM2_1' };

/** What `authorization` hides: a chat, a thread or an event that is not there, or not of this customer. */
export const unknownIn = (body: object): readonly Refused<CustomerVersion>[] => [
  { type: 'authorization', body: { ...body, chat_id: 'CHATNONE01' } },
  ...('thread_id' in body
    ? [{ type: 'authorization', body: { ...body, thread_id: 'THREADLEE1' }, names: 'THREADLEE1' }]
    : []),
  ...('event_id' in body
    ? [
        { type: 'authorization', body: { ...body, event_id: 'THREADKIM2_9' }, names: 'THREADKIM2_9' },
        { type: 'authorization', body: { ...body, event_id: 'THREADKIM1_1' }, names: 'THREADKIM1_1' },
      ]
    : []),
];

/** A request that needs an active chat, to one that is not. */
const inactive = (body: object): readonly Refused<CustomerVersion>[] => {
  const refused = { body: { ...body, chat_id: 'CHATLEE001' }, authorization: 'Bearer dal:lee', names: 'CHATLEE001' };
  return [
    { ...refused, type: 'chat_inactive', only: SINCE_35 },
    { ...refused, type: 'validation', only: '3.3' },
  ];
};

const sent = (event: object) => ({ ...CHAT, event });

const POSTBACK_OF_MESSAGE = { id: 'yes', thread_id: 'THREADKIM2', event_id: 'THREADKIM2_1', type: 't', value: 'v' };
const BUTTON = { text: 'Yes', type: 'message', value: 'yes', postback_id: 'yes' };

const CARDS: Sent = ['send_event', sent(RICH)];
const POSTBACK = { ...THREAD, event_id: 'THREADKIM2_2', postback: { id: 'yes', toggled: true } };
const NEWER_MEMBERS = ['postback.button_type', 'postback.button_value', 'postback.ecommerce'];
const NEWER = {
  button_type: 'message',
  button_value: 'yes',
  ecommerce: { product_id: 'shoe', option_id: 'red', quantity: 2 },
};

export const EVENTS: readonly CustomerRow[] = [
  {
    action: 'send_event',
    request: {
      ...CHAT,
      attach_to_last_thread: true,
      event: {
        ...MESSAGE,
        postback: POSTBACK_OF_MESSAGE,
      },
    },
    reply: { event_id: 'THREADKIM2_2' },
    members: [
      required('chat_id', NO_TEXT),
      optional('attach_to_last_thread', NO_BOOL),
      required('event', NO_OBJECT),
      required('event.type', [...NO_TEXT, 'form', 'system', 'Message']),
      required('event.text', [...NO_TEXT, 'x'.repeat(16 * 1024 + 1), 'ż'.repeat(8 * 1024 + 1)]),
      optional('event.custom_id', NO_TEXT),
      optional('event.recipients', [...NO_TEXT, 'customers']),
      optional('event.properties', NO_OBJECT),
      optional('event.properties.shop', NO_OBJECT),
      optional('event.properties.shop.tier', [...NO_VALUE, 7, true]),
      optional('event.postback', NO_OBJECT),
      required('event.postback.id', NO_TEXT),
      required('event.postback.thread_id', NO_TEXT),
      required('event.postback.event_id', NO_TEXT),
    ],
    accepts: [
      sent({ type: 'message', text: 'x'.repeat(16 * 1024) }),
      sent(RICH),
      sent({ ...RICH, elements: [{ buttons: [{ text: 'Yes', postback_id: 'yes' }] }] }),
      sent({
        ...RICH,
        elements: [{ buttons: [{ ...BUTTON, type: 'webview', webview_height: 'tall', target: 'current' }] }],
      }),
      sent({ type: 'system_message', system_message_type: 'shop.opened', text: 'Open', text_vars: { shop: 'Oslo' } }),
      sent(FORM),
      sent({ type: 'custom', content: { any: [null, 1] } }),
      sent({ type: 'custom' }),
    ],
    refused: [
      ...unknownIn(sent(MESSAGE)),
      ...inactive({ event: MESSAGE }),
      ...inactive({ event: MESSAGE, attach_to_last_thread: false }),
      {
        type: 'validation',
        body: sent({ ...MESSAGE, properties: { routing: { idle: true } } }),
        names: 'event.properties.routing.idle',
      },
      {
        type: 'validation',
        body: sent({ type: 'file', url: 'http://emulator/v3.7/files/content?id=none' }),
        names: 'event.url',
      },
      { type: 'validation', body: sent({ type: 'file' }), names: 'event.url' },
      { type: 'validation', body: sent({ ...RICH, template_id: 'list' }), names: 'event.template_id' },
      { type: 'validation', body: sent({ ...RICH, template_id: 'ecommerce' }), names: 'event.template_id' },
      ...(
        [
          [{ type: 'button' }, 'type'],
          [{ type: undefined }, 'type'],
          [{ value: undefined }, 'value'],
          [{ postback_id: undefined }, 'postback_id'],
          [{ target: 'tab' }, 'target'],
          [{ webview_height: 'small' }, 'webview_height'],
        ] as const
      ).map(([wrong, name]) => ({
        type: 'validation',
        body: sent({ ...RICH, elements: [{ buttons: [{ ...BUTTON, ...wrong }] }] }),
        names: `event.elements[0].buttons[0].${name}`,
      })),
      ...(['type', 'value'] as const).map((name) => ({
        type: 'validation',
        body: sent({ ...MESSAGE, postback: { ...POSTBACK_OF_MESSAGE, [name]: undefined } }),
        names: `event.postback.${name}`,
      })),
      {
        type: 'validation',
        body: sent({ ...MESSAGE, postback: { ...POSTBACK_OF_MESSAGE, ecommerce: { quantity: 2 } } }),
        names: 'event.postback.ecommerce.product_id',
        only: SINCE_36,
      },
      { type: 'validation', body: sent({ ...RICH, elements: [] }), names: 'event.elements' },
      {
        type: 'validation',
        body: sent({ ...RICH, elements: Array.from({ length: 11 }, () => ({})) }),
        names: 'event.elements',
      },
      {
        type: 'validation',
        body: sent({
          ...RICH,
          elements: [{ buttons: Array.from({ length: 14 }, () => ({ text: 'b', postback_id: 'b' })) }],
        }),
        names: 'event.elements[0].buttons',
      },
      { type: 'validation', body: sent({ ...FORM, fields: [] }), names: 'event.fields' },
      {
        type: 'validation',
        body: sent({ ...FORM, fields: [{ id: '1', type: 'name' }] }),
        names: 'event.fields[0].label',
      },
      { type: 'validation', body: sent({ type: 'custom', content: 'x' }), names: 'event.content' },
    ],
  },
  {
    action: 'delete_event',
    versions: SINCE_36,
    request: EVENT,
    reply: {},
    members: [required('chat_id', NO_TEXT), required('thread_id', NO_TEXT), required('event_id', NO_TEXT)],
    accepts: [{ ...CHAT, thread_id: 'THREADKIM1', event_id: 'THREADKIM1_1' }],
    refused: [
      ...unknownIn(EVENT),
      {
        type: 'authorization',
        body: { ...CHAT, thread_id: 'THREADKIM1', event_id: 'THREADKIM1_2' },
        names: 'THREADKIM1_2',
      },
      { type: 'authorization', body: EVENT, after: [['delete_event', EVENT]], names: 'THREADKIM2_1' },
    ],
  },
  {
    action: 'upload_file',
    request: { file: { name: 'notes.txt', type: 'text/plain', text: 'Hello' } },
    reply: { url: expect.stringMatching(/^http:\/\/emulator\/v3\.7\/files\/content\?id=[0-9a-f]{32}$/) },
    members: [required('file', ['Hello'])],
    accepts: [
      { file: { name: 'empty', type: '', text: '' } },
      { file: { name: 'folder/a.b.png', type: 'image/png', text: 'x' } },
    ],
    refused: [
      {
        type: 'validation',
        only: SINCE_36,
        body: { file: { name: 'a.EXE', type: 'text/plain', text: 'x' } },
        names: 'file',
      },
      {
        type: 'validation',
        only: SINCE_36,
        body: { file: { name: 'a', type: 'text/plain', text: '#!/bin/sh' } },
        names: 'file',
      },
      { type: 'validation', body: { file: { name: 'folder/', type: 'text/plain', text: 'x' } }, names: 'file' },
    ],
  },
  {
    action: 'send_rich_message_postback',
    request: (version) => ({
      ...POSTBACK,
      postback: { ...POSTBACK.postback, ...(isSince36(version) ? NEWER : {}) },
    }),
    reply: {},
    after: [CARDS],
    members: [
      required('chat_id', NO_TEXT),
      required('thread_id', NO_TEXT),
      required('event_id', NO_TEXT),
      required('postback', NO_OBJECT),
      required('postback.id', [...NO_TEXT, 'no']),
      required('postback.toggled', NO_BOOL),
      optional('postback.button_type', NO_STRING, SINCE_36),
      optional('postback.button_value', NO_STRING, SINCE_36),
      optional('postback.ecommerce', NO_OBJECT, SINCE_36),
      required('postback.ecommerce.product_id', NO_TEXT, SINCE_36),
      optional('postback.ecommerce.option_id', NO_STRING, SINCE_36),
      optional('postback.ecommerce.quantity', ['1', true, [], {}, -1], SINCE_36),
    ],
    ignores: { '3.3': NEWER_MEMBERS, '3.5': NEWER_MEMBERS },
    refused: [
      ...unknownIn({ ...POSTBACK, event_id: 'THREADKIM2_1' }),
      { type: 'validation', body: { ...POSTBACK, event_id: 'THREADKIM2_1' }, names: 'event_id' },
      { type: 'authorization', body: POSTBACK, names: 'THREADKIM2_2' },
    ],
  },
  {
    action: 'send_sneak_peek',
    request: { ...CHAT, sneak_peek_text: 'Wha' },
    reply: {},
    members: [required('chat_id', NO_TEXT), required('sneak_peek_text', NO_STRING)],
    accepts: [{ ...CHAT, sneak_peek_text: '' }],
    refused: [...unknownIn({ sneak_peek_text: 'x' }), ...inactive({ sneak_peek_text: 'x' })],
  },
  {
    action: 'mark_events_as_seen',
    request: { ...CHAT, seen_up_to: '2026-01-05T11:02:03.123456+01:00' },
    reply: {},
    members: [
      required('chat_id', NO_TEXT),
      required('seen_up_to', [
        ...NO_TEXT,
        'yesterday',
        '2026-01-05',
        '2026-01-05T10:00:00',
        '2026-01-05 10:00:00Z',
        '2026-13-05T10:00:00Z',
        '2026-02-30T10:00:00Z',
        '2026-01-05T24:00:00Z',
        '2026-01-05T10:00:00+0100',
      ]),
    ],
    accepts: [{ ...CHAT, seen_up_to: '2026-01-05T10:00:00Z' }],
    refused: unknownIn({ seen_up_to: '2026-01-05T10:00:00Z' }),
  },
];
