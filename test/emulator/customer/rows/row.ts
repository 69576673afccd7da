// A row of the conformance table of the Customer Chat Web API, and the license that its requests name.

import type { Seed } from '../../../../src/emulator/index.ts';
import type { Row } from '../../conformance/row.ts';

export type CustomerVersion = '3.3' | '3.5' | '3.6' | '3.7';
export const VERSIONS: readonly CustomerVersion[] = ['3.3', '3.5', '3.6', '3.7'];
export const SINCE_35 = ['3.5', '3.6', '3.7'] as const;
export const SINCE_36 = ['3.6', '3.7'] as const;

export const isSince36 = (version: CustomerVersion): boolean => version === '3.6' || version === '3.7';

/** The caller is Kim, whose token is `dal:kim`, unless `authorization` says otherwise. */
export type CustomerRow = Row<CustomerVersion> & {
  /** Documented in the query of a GET. */
  readonly inQuery?: true;
  /** Answered without a token. */
  readonly anonymous?: true;
  /** Who asks, where it is not Kim. */
  readonly authorization?: string;
};

const AT = '2026-01-05T10:00:00Z';
const VALUES = { agent: ['read', 'write'], customer: ['read', 'write'] } as const;

/**
 * Kim has an active chat with Ann (CHATKIM001, last thread THREADKIM2), Lee an archived one (CHATLEE001), Max none, and Zed is banned. Ann and the
 * bot accept chats. Ida is logged in on the page of the prices.
 */
export const SEED: Seed = {
  agents: [
    {
      id: 'ann',
      name: 'Ann',
      job_title: 'Support',
      groups: [
        { id: 0, priority: 'normal' },
        { id: 1, priority: 'first' },
      ],
    },
    { id: 'bob', name: 'Bob', groups: [{ id: 2, priority: 'normal' }] },
  ],
  groups: [
    { id: 1, name: 'Sales', language_code: 'pl' },
    { id: 2, name: 'Night' },
  ],
  bots: [{ id: 'bot', name: 'Robin', groups: [{ id: 1, priority: 'last' }] }],
  auto_access: [{ id: 'prices', access: { groups: [1] }, conditions: { url: { values: [{ value: '/pricing' }] } } }],
  properties: {
    shop: {
      tier: { type: 'string', access: { chat: VALUES, thread: VALUES, event: VALUES, license: VALUES, group: VALUES } },
      secret: {
        type: 'string',
        access: {
          chat: { agent: ['read', 'write'] },
          license: { agent: ['read', 'write'] },
          group: { agent: ['read', 'write'] },
        },
      },
    },
  },
  license_properties: { shop: { tier: 'gold', secret: 'hidden' } },
  group_properties: { '1': { shop: { tier: 'silver', secret: 'hidden' } } },
  presence: { ann: 'accepting_chats', bot: 'accepting_chats' },
  customers: [
    {
      id: '11111111-1111-4111-8111-111111111111',
      token: 'dal:kim',
      name: 'Kim',
      email: 'kim@example.com',
      client_id: 'site',
    },
    { id: '22222222-2222-4222-8222-222222222222', token: 'dal:lee', name: 'Lee' },
    { id: '33333333-3333-4333-8333-333333333333', token: 'dal:max' },
    { id: '44444444-4444-4444-8444-444444444444', token: 'dal:zed', banned_until: '2099-01-01T00:00:00Z' },
    {
      id: '55555555-5555-4555-8555-555555555555',
      token: 'dal:ida',
      logged_in: true,
      page: 'https://shop.example/pricing',
    },
  ],
  chats: [
    {
      id: 'CHATKIM001',
      customer: '11111111-1111-4111-8111-111111111111',
      properties: { shop: { tier: 'gold' } },
      threads: [
        {
          id: 'THREADKIM1',
          created_at: '2026-01-04T10:00:00Z',
          group_ids: [1],
          agent: 'ann',
          events: [{ text: 'Hello' }, { text: 'Hi', author: 'ann' }],
        },
        { id: 'THREADKIM2', created_at: AT, group_ids: [1], agent: 'ann', active: true, events: [{ text: 'Again' }] },
      ],
    },
    {
      id: 'CHATLEE001',
      customer: '22222222-2222-4222-8222-222222222222',
      threads: [{ id: 'THREADLEE1', created_at: AT, agent: 'ann', events: [{ text: 'Bye' }] }],
    },
  ],
  allowed_domains: ['shop.example'],
  buttons: [
    { id: 'b1', type: 'text', online_value: 'Chat', offline_value: 'Write' },
    { id: 'b2', type: 'image', online_value: 'on.png', offline_value: 'off.png', group_id: 2 },
  ],
  integrations: { analytics: { enabled: true } },
  phrases: { pl: { chat_now: 'Czat' } },
  forms: [
    {
      type: 'prechat',
      id: 'before',
      fields: [
        { type: 'email', label: 'Your e-mail', required: true },
        {
          type: 'group_chooser',
          label: 'Ask',
          options: [
            { label: 'Sales', group_id: 1 },
            { label: 'Night', group_id: 2 },
          ],
        },
      ],
    },
    { type: 'prechat', group_id: 2, enabled: false },
    { type: 'postchat', group_id: 1, id: 'after', fields: [{ id: 'mood', type: 'question', label: 'How was it?' }] },
    { type: 'ticket', group_id: 1, id: 'ticket', fields: [{ type: 'subject', label: 'Subject' }] },
  ],
  greetings: [
    {
      id: 7,
      name: 'Hello',
      group: 1,
      rich_message: {
        elements: [
          {
            title: 'Hello',
            buttons: ['yes', 'no'].map((id) => ({
              text: id,
              type: 'message' as const,
              value: id,
              postback_id: id,
              button_id: id,
            })),
          },
        ],
      },
    },
    { id: 8, name: 'Bye' },
  ],
  shown_greetings: [
    { unique_id: 'shown-kim', greeting_id: 7, customer: '11111111-1111-4111-8111-111111111111', shown_at: AT },
    { unique_id: 'shown-lee', greeting_id: 7, customer: '22222222-2222-4222-8222-222222222222', shown_at: AT },
  ],
  goals: [
    { id: 1, name: 'Bought', url: { value: '/thanks' } },
    { id: 2, name: 'Is gold', group_ids: [1], session_field: { key: 'tier', value: 'gold' } },
  ],
  url_info: { 'https://shop.example/shoe': { title: 'A shoe', image_original_url: 'https://shop.example/shoe.png' } },
};
