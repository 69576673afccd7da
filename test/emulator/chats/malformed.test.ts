import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../tries.ts';
import { type ChatCaller, createChatCaller, NOW } from '../customer/caller.ts';
import { SEED } from '../customer/rows/row.ts';
import { malformedRequests } from '../malformed-requests.ts';

const KIM = '11111111-1111-4111-8111-111111111111';
const CHAT = { chat_id: 'CHATKIM001' };
const OPTION = { id: '0', label: 'A bill' };

/** What the control API does in the place of people, with requests that it accepts. */
const ROWS: readonly (readonly ['control', string, object])[] = [
  ['control', 'chats/reply', { ...CHAT, text: 'Hello', author: 'ann', custom_id: 'c' }],
  ['control', 'chats/reply', { ...CHAT, type: 'file', content: { url: 'https://shop.example/list.pdf' } }],
  [
    'control',
    'chats/reply',
    {
      ...CHAT,
      type: 'rich_message',
      content: {
        template_id: 'cards',
        elements: [{ title: 'T', image: { url: 'x' }, buttons: [{ text: 'Yes', postback_id: 'yes' }] }],
      },
    },
  ],
  [
    'control',
    'chats/reply',
    {
      ...CHAT,
      type: 'rich_message',
      content: {
        template_id: 'ecommerce',
        elements: [{ ecommerce: { view_type: 'tags', product_id: 'p', label: 'P', options: [], addons: [] } }],
      },
    },
  ],
  [
    'control',
    'chats/reply',
    { ...CHAT, type: 'form', content: { form_id: 'f', fields: [{ ...OPTION, type: 'radio', options: [OPTION] }] } },
  ],
  [
    'control',
    'chats/reply',
    { ...CHAT, type: 'system', content: { source: 's', subtype: 't', version: 1, details: '{}' } },
  ],
  ['control', 'chats/transfer', { ...CHAT, to: 'ann', author: 'bob' }],
  ['control', 'chats/transfer', { ...CHAT, group_ids: [1] }],
  ['control', 'chats/close', { ...CHAT, author: 'ann' }],
  ['control', 'chats/start', { customer_id: KIM, agent: 'ann', group_ids: [1], text: 'Hi' }],
  ['control', 'chats/tag', { ...CHAT, add: ['a'], remove: ['b'] }],
  ['control', 'chats/sale', { ...CHAT, sale_id: 1 }],
  ['control', 'customers/ban', { customer_id: KIM, days: 1, author: 'ann' }],
  ['control', 'customers/page', { customer_id: KIM, page: 'https://shop.example/', geolocation: { country: 'PL' } }],
  ['control', 'presence', { id: 'ann', status: 'accepting_chats' }],
];
const MEMBERS = ['chat_id', 'author', 'text', 'type', 'content', 'elements', 'buttons', 'fields', 'to', 'group_ids'];
const NAMES = ['CHATKIM001', 'CHATLEE001', 'ann', 'bob', 'bot', KIM, 'message', 'system', 'ecommerce', 'rich_message'];

function fresh(): ChatCaller {
  const real = createChatCaller({ seed: SEED, settings: { limits: { chatsPerCustomer: 3 } } });
  real.clock.now = NOW;
  return real;
}

/** At full length, on a machine that does other work as well: in ms. */
const LONGEST = 900_000;

test(
  'No request to the control API of chats crashes, and a refused one changes and tells nothing',
  async () => {
    let real = fresh();
    const stateOf = () => JSON.stringify([real.emulator.snapshot(), real.emulator.webhooks().length]);
    let before = stateOf();
    const limit = before.length * 2;
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(malformedRequests<'control'>(ROWS, MEMBERS, NAMES), async ([, name, text]) => {
        if (before.length > limit) {
          real = fresh();
          before = stateOf();
        }
        const { status, body } = await real.control(name, text);
        const after = stateOf();
        if (status !== 200) {
          expect([name, text, status]).toEqual([name, text, 400]);
          expect(body).toEqual({ error: { type: 'validation', message: expect.any(String) } });
          expect([name, text, after]).toEqual([name, text, before]);
          seen.add(name);
        }
        before = after;
      }),
      { numRuns: tries(20_000, 1_000) },
    );
    expect(seen.size).toBe(new Set(ROWS.map(([, name]) => name)).size);
  },
  LONGEST,
);
