// Types of events: what agents and customers may send, and in which versions each type shows.

import { expect, test } from 'vitest';
import type { SettingsInput } from '../../../src/emulator/index.ts';
import { type ChatCaller, createChatCaller, granted, NOW, outcome } from './caller.ts';
import { SEED, VERSIONS } from './rows/row.ts';

const CHAT = { chat_id: 'CHATKIM001' };

function caller(settings: SettingsInput = {}): ChatCaller {
  const found = createChatCaller({ seed: SEED, settings });
  found.clock.now = NOW;
  return found;
}

const FIELD = { id: '1', type: 'radio', label: 'Why?' };
const OPTION = { id: '0', label: 'A bill' };
const SHOP = {
  template_id: 'ecommerce',
  elements: [
    {
      ecommerce: {
        view_type: 'swatch',
        product_id: 'shoe',
        label: 'Shoe',
        options: [{ option_id: 'red', label: 'Red', price: 20, currency: 'EUR', available: true }],
        addons: [{ addon_type: 'discount', range_from: 1, range_to: 2 }],
      },
    },
  ],
};
const CONTENTS: { readonly [type: string]: object } = {
  message: { text: 'Hello' },
  file: { url: 'https://shop.example/prices/list.pdf' },
  rich_message: SHOP,
  form: { form_id: 'f', form_type: 'ask_for_email', fields: [{ ...FIELD, options: [OPTION] }] },
  filled_form: { form_id: 'f', form_type: 'prechat', fields: [{ ...FIELD, answer: OPTION }] },
  custom: { content: { any: [1] } },
  system_message: { system_message_type: 'shop.opened', text: 'Open', text_vars: { shop: 'Oslo' } },
  system: { source: 'cdp', subtype: 'store_order_was_created', version: 1, details: '{"order":1}' },
};

const lastEvents = async (real: ChatCaller, version: (typeof VERSIONS)[number]) => {
  const { thread } = await granted(real.customer('dal:kim', 'get_chat', CHAT, { version }));
  return thread.events.slice(1);
};

test('An agent says any type of event, and those of the system have no author', async () => {
  const real = caller();
  for (const [type, content] of Object.entries(CONTENTS))
    await granted(real.control('chats/reply', { ...CHAT, type, content, custom_id: `mine-${type}` }));
  const events = await lastEvents(real, '3.7');
  expect(events.map(({ type }: { type: string }) => type)).toEqual(Object.keys(CONTENTS));
  for (const event of events) {
    expect(event).toMatchObject({ ...CONTENTS[event.type], custom_id: `mine-${event.type}` });
    expect(event.author_id === undefined).toBe(event.type.startsWith('system'));
  }
  expect(events[1]).toMatchObject({ name: 'list.pdf', content_type: 'application/octet-stream' });
  expect(events[2].visibility).toBe('all');
});

test('Older versions show no events of the system, no shop, and 3.3 no types of forms', async () => {
  const real = caller();
  for (const [type, content] of Object.entries(CONTENTS))
    await granted(real.control('chats/reply', { ...CHAT, type, content }));
  for (const version of VERSIONS) {
    const events = await lastEvents(real, version);
    const types = events.map(({ type }: { type: string }) => type);
    const isOld = version === '3.3' || version === '3.5';
    expect([version, types]).toEqual([
      version,
      Object.keys(CONTENTS).filter((type) => !isOld || (type !== 'system' && type !== 'rich_message')),
    ]);
    const forms = events.filter(({ type }: { type: string }) => type.endsWith('form'));
    expect(forms.map((form: object) => 'form_type' in form)).toEqual([version !== '3.3', version !== '3.3']);
    const list = await granted(real.customer('dal:kim', 'list_chats', {}, { version }));
    expect(JSON.stringify(list).includes('store_order')).toBe(!isOld);
  }
});

test('An event of an agent has the content of its type', async () => {
  const real = caller();
  const before = real.emulator.snapshot();
  const reply = (type: string, content: object) => outcome(real.control('chats/reply', { ...CHAT, type, content }));
  for (const [type, content] of Object.entries(CONTENTS)) {
    const [member = ''] = Object.keys(content);
    expect([type, await reply(type, { ...content, [member]: 7 })]).toEqual([type, 'validation']);
  }
  const shop = SHOP.elements[0]?.ecommerce;
  const wrong = { ...SHOP, elements: [{ ecommerce: { ...shop, view_type: 'list' } }] };
  expect(await reply('rich_message', wrong)).toBe('validation');
  expect(real.emulator.snapshot()).toEqual(before);
});

test('A customer sends a message of the system, unless a setting says otherwise', async () => {
  const event = { type: 'system_message', ...CONTENTS['system_message'] };
  const real = caller();
  const { event_id } = await granted(real.customer('dal:kim', 'send_event', { ...CHAT, event }));
  const [shown] = await lastEvents(real, '3.6');
  expect(shown).toEqual({ id: event_id, created_at: expect.any(String), recipients: 'all', ...event });
  const strict = caller({ systemMessagesOfCustomers: 'refused' });
  expect(await outcome(strict.customer('dal:kim', 'send_event', { ...CHAT, event }))).toBe('validation');
  const said = { ...CHAT, type: 'system_message', content: CONTENTS['system_message'] };
  expect(await outcome(strict.control('chats/reply', said))).toBe('granted');
});

test('A message answers a button with a product since 3.6', async () => {
  for (const version of VERSIONS) {
    const real = caller();
    const postback = {
      id: 'yes',
      thread_id: 'THREADKIM2',
      event_id: 'THREADKIM2_1',
      ecommerce: { product_id: 'shoe', option_id: 'red', quantity: 2 },
    };
    const event = { type: 'message', text: 'Red', postback };
    await granted(real.customer('dal:kim', 'send_event', { ...CHAT, event }, { version }));
    const [shown] = await lastEvents(real, '3.7');
    expect([version, 'ecommerce' in shown.postback]).toEqual([version, version === '3.6' || version === '3.7']);
  }
});
