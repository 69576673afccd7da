// Every webhook of the service: the emulator makes it with the published members, or the documentation says why it does not.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { triggerIn, WEBHOOK_NAMES } from '../../src/emulator/configuration/registered-webhooks.ts';
import type { WebhookEntry } from '../../src/emulator/index.ts';
import {
  ADDITIONAL_DATA,
  CHAT_PAYLOADS,
  CONFIGURATION_PAYLOADS,
  REQUESTER,
  STATUS_PAYLOADS,
} from '../fixtures/payloads/webhooks.ts';
import { shapeDifferences, shapeOf } from '../shapes.ts';
import { type ChatCaller, createChatCaller, granted, NOW } from './customer/caller.ts';
import { SEED } from './customer/rows/row.ts';

const CHAT = { chat_id: 'CHATKIM001' };
const THREAD = { ...CHAT, thread_id: 'THREADKIM2' };
const HOURS = { timezone: 'Europe/Warsaw', schedule: [{ day: 'monday', enabled: true, start: '08:00', end: '16:00' }] };

/** Members whose own members have free names. */
const MAPS = { properties: 2, chat_properties: 2, agent_priorities: 1 };

async function chatActs({ customer, control }: ChatCaller): Promise<void> {
  const act = (action: string, body: object) => granted(customer('dal:kim', action, body));
  for (const [of, holder] of Object.entries({
    chat: { id: CHAT.chat_id },
    thread: THREAD,
    event: { ...THREAD, event_id: 'THREADKIM2_1' },
  })) {
    await act(`update_${of}_properties`, { ...holder, properties: { shop: { tier: 'silver' } } });
    await act(`delete_${of}_properties`, { ...holder, properties: { shop: ['tier'] } });
  }
  await granted(control('chats/tag', { ...CHAT, add: ['prices'] }));
  await granted(control('chats/tag', { ...CHAT, remove: ['prices'] }));
  const button = { text: 'Yes', type: 'message', value: 'Yes', postback_id: 'yes' };
  const content = { template_id: 'cards', elements: [{ buttons: [button] }] };
  const { event_id } = await granted(control('chats/reply', { ...CHAT, type: 'rich_message', content }));
  const choice = { product_id: 'shoe', option_id: 'red', quantity: 1 };
  const postback = { id: 'yes', toggled: true, button_type: 'message', button_value: 'Yes', ecommerce: choice };
  await act('send_rich_message_postback', { ...THREAD, event_id, postback });
  await act('mark_events_as_seen', { ...CHAT, seen_up_to: '2026-01-05T10:04:00Z' });
  await act('delete_event', { ...THREAD, event_id: 'THREADKIM2_1' });
  await act('set_customer_session_fields', { session_fields: [{ cart: '2' }] });
  await granted(control('presence', { id: 'bob', status: 'accepting_chats' }));
  await granted(control('chats/transfer', { ...CHAT, to: 'bob' }));
  await granted(control('chats/transfer', { ...CHAT, group_ids: [1] }));
  await act('update_chat_properties', { id: CHAT.chat_id, properties: { shop: { tier: 'gold' } } });
  await act('deactivate_chat', { id: CHAT.chat_id });
  // Every slot is taken, so the next thread waits.
  await granted(control('presence', { id: 'ann', status: 'not_accepting_chats' }));
  await granted(control('presence', { id: 'bob', status: 'not_accepting_chats' }));
}

/** Another thread with an agent, and one of another customer that waits. */
async function chatsAgain({ customer, control, configure }: ChatCaller): Promise<void> {
  await granted(control('presence', { id: 'bot', status: 'offline' }));
  await granted(control('presence', { id: 'ann', status: 'accepting_chats' }));
  await granted(configure('update_agent', { id: 'ann', max_chats_count: 1 }));
  const thread = { events: [{ type: 'message', text: 'Hi' }], properties: { shop: { tier: 'gold' } } };
  const access = { group_ids: [1] };
  await granted(customer('dal:kim', 'resume_chat', { chat: { id: 'CHATKIM001', access, thread } }));
  await granted(customer('dal:lee', 'resume_chat', { chat: { id: 'CHATLEE001', access, thread } }));
  await granted(control('chats/transfer', { chat_id: 'CHATLEE001', group_ids: [1] }));
}

async function configurationActs({ configure }: ChatCaller): Promise<void> {
  const act = (action: string, body: object) => granted(configure(action, body));
  const agent = { id: 'new', name: 'New', awaiting_approval: true, work_scheduler: HOURS };
  const mail = { notifications: ['new_visitor'], email_subscriptions: ['weekly_summary'] };
  await act('create_agent', { ...agent, ...mail, groups: [{ id: 1, priority: 'first' }] });
  await act('approve_agent', { id: 'new' });
  await act('suspend_agent', { id: 'new' });
  await act('unsuspend_agent', { id: 'new' });
  await act('update_agent', { id: 'bob', work_scheduler: HOURS });
  await act('delete_agent', { id: 'new' });
  const groups = [{ id: 1, priority: 'normal' }];
  const { id: bot } = await act('create_bot', { name: 'B', default_group_priority: 'first', groups });
  await act('update_bot', { id: bot, name: 'C' });
  await act('delete_bot', { id: bot });
  const { id: group } = await act('create_group', { name: 'G', agent_priorities: { ann: 'normal' } });
  await act('update_group', { id: group, agent_priorities: { bob: 'last' } });
  await act('delete_group', { id: group });
  const match = { values: [{ value: '/a' }] };
  const conditions = { url: match, domain: match, geolocation: { values: [{ country: 'Poland' }] } };
  const { id: rule } = await act('add_auto_access', { access: { groups: [1] }, conditions });
  await act('delete_auto_access', { id: rule });
  await act('create_tag', { name: 'vip', group_ids: [1] });
  await act('update_tag', { name: 'vip', group_ids: [1, 2] });
  await act('delete_tag', { name: 'vip' });
}

async function played(): Promise<ChatCaller> {
  const real = createChatCaller({ seed: SEED });
  real.clock.now = NOW;
  await chatActs(real);
  await chatsAgain(real);
  await configurationActs(real);
  return real;
}

const partsOf = (webhooks: readonly WebhookEntry[], part: 'payload' | 'requester' | 'additional_data') =>
  webhooks.map((webhook) => webhook[part]);

/** What the emulator has in addition to the sample of a page, or lacks: members that depend on what was there. */
const EXCEPTIONS: { readonly [action: string]: readonly string[] } = {
  // Samples show some fields of an agent or a bot; the table of the page has the whole object "with empty fields".
  agent_created: [
    '+ account_id',
    '+ avatar',
    '+ job_title',
    '+ login_status',
    '+ max_chats_count',
    '+ mobile',
    '+ suspended',
  ],
  bot_created: [
    '+ avatar_path',
    '+ job_title',
    '+ max_chats_count',
    '+ timezone',
    '+ work_scheduler',
    '+ work_scheduler.schedule',
    '+ work_scheduler.timezone',
  ],
};

const PAYLOADS = { ...CHAT_PAYLOADS, ...STATUS_PAYLOADS, ...CONFIGURATION_PAYLOADS };

/** Maps and lists without a member that the emulator could fill: their samples are compared where it did. */
const IS_OPTIONAL =
  /^[-+] (?:chat\.users\[\]\.(?:events_seen_up_to|omnichannel|job_title)|user\.(?:events_seen_up_to|job_title))$|^\+ event\.(?:text_vars.*|system_message_type|template_id|elements.*)$/;

test('Each webhook that the emulator makes has the published members', async () => {
  const real = await played();
  const all: readonly WebhookEntry[] = await granted(real.control('webhooks'));
  const found = new Map<string, readonly string[]>();
  for (const [action, sample] of Object.entries(PAYLOADS)) {
    const webhooks = all.filter((webhook) => webhook.action === action);
    expect(webhooks.length, action).toBeGreaterThan(0);
    // A list around both: several payloads are one shape.
    const differences = shapeDifferences(shapeOf([sample], MAPS), shapeOf(partsOf(webhooks, 'payload'), MAPS));
    const plain = differences.map((text) => text.replace(/\[\]\.?/, ''));
    const other = plain.filter((text) => !IS_OPTIONAL.test(text));
    if (other.length > 0) found.set(action, other);
  }
  expect(Object.fromEntries(found)).toEqual(EXCEPTIONS);
});

test('Those of chats have the data that can be asked for, those of the configuration say who asked', async () => {
  const real = await played();
  const all = real.emulator.webhooks();
  const shapes = (names: object, part: 'requester' | 'additional_data') =>
    shapeOf(
      partsOf(
        all.filter(({ action }) => Object.hasOwn(names, action)),
        part,
      ),
      MAPS,
    );
  expect(shapeDifferences(shapeOf([ADDITIONAL_DATA], MAPS), shapes(CHAT_PAYLOADS, 'additional_data'))).toEqual([]);
  expect(shapeDifferences(shapeOf([REQUESTER]), shapes(CONFIGURATION_PAYLOADS, 'requester'))).toEqual([]);
  for (const { action, requester, additional_data } of all) {
    expect(requester !== undefined, action).toBe(Object.hasOwn(CONFIGURATION_PAYLOADS, action));
    if (!Object.hasOwn(CHAT_PAYLOADS, action)) expect(additional_data, action).toEqual({});
  }
});

test('The requester is the agent of the token, or its bot, and the client', async () => {
  const personal = Buffer.from('account:mine').toString('base64');
  const scopes = ['groups--all:rw'];
  const tokens = [
    { token: 'dal:ann', client_id: 'shop', agent_id: 'ann', scopes },
    { token: 'mine', kind: 'personal', agent_id: 'ann', scopes },
  ] as const;
  const real = createChatCaller({ seed: { agents: [{ id: 'ann', name: 'Ann' }], tokens } });
  for (const authorization of ['Bearer dal:ann', `Basic ${personal}`])
    await real.emulator.fetch(
      new Request('http://e/v3.6/configuration/action/create_group', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{"name":"G","agent_priorities":{}}',
      }),
    );
  const account_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(partsOf(real.emulator.webhooks(), 'requester')).toEqual([
    { user_id: 'ann', account_id, client_id: 'shop' },
    { user_id: 'ann', account_id },
  ]);
});

test('Older versions have other names and members', async () => {
  const real = await played();
  await granted(real.control('customers/login', { customer_id: 'fresh' }));
  const namesIn = (version: string) => new Set(real.emulator.webhooks(version).map(({ action }) => action));
  const known = (version: '3.3' | '3.5' | '3.6' | '3.7') =>
    WEBHOOK_NAMES.filter((name) => triggerIn(name, version) !== undefined);
  expect([known('3.6').length, known('3.7').length, known('3.5').length, known('3.3').length]).toEqual([
    38, 38, 37, 23,
  ]);
  for (const version of ['3.3', '3.5', '3.6', '3.7'] as const)
    expect(known(version)).toEqual(expect.arrayContaining([...namesIn(version)]));
  expect(namesIn('3.7')).toEqual(namesIn('3.6'));
  const differs = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].filter((name) => !other.has(name));
  expect(differs(namesIn('3.6'), namesIn('3.5'))).toEqual(['event_deleted']);
  expect(differs(namesIn('3.5'), namesIn('3.6'))).toEqual(['incoming_customer']);
  expect(differs(namesIn('3.3'), namesIn('3.5')).sort()).toEqual(['chat_access_granted', 'chat_access_revoked']);

  const older = real.emulator.webhooks('3.5');
  const of = (action: string) => older.filter((webhook) => webhook.action === action).map(({ payload }) => payload);
  expect(partsOf(older, 'requester').every((requester) => requester === undefined)).toBe(true);
  expect(of('incoming_rich_message_postback')).toEqual([
    expect.objectContaining({ postback: { id: 'yes', toggled: true } }),
  ]);
  const queue = { position: 1, wait_time: expect.any(Number), queued_at_us: expect.any(String) };
  expect(of('chat_transferred')).toContainEqual(expect.objectContaining({ queue }));
  expect(of('incoming_customer')).toEqual([{ customer: { id: 'fresh', type: 'customer', present: true } }]);
  const moved = real.emulator.webhooks('3.3').filter(({ action }) => action.startsWith('chat_access'));
  expect(moved.length).toBeGreaterThan(0);
  expect(() => real.emulator.webhooks('3.4')).toThrow('no webhooks have the version 3.4');
  expect(await granted(real.control('webhooks?version=3.5'))).toEqual(JSON.parse(JSON.stringify(older)));
});

test('The documentation names each webhook that the emulator does not make, with a reason', async () => {
  const real = await played();
  await granted(real.control('customers/login', { customer_id: 'fresh' }));
  const made = new Set(
    ['3.3', '3.5', '3.6'].flatMap((version) => real.emulator.webhooks(version).map(({ action }) => action)),
  );
  const page = readFileSync(new URL('../../docs/reference/emulator.md', import.meta.url), 'utf8');
  const [, table = ''] = /### Webhooks that are not made\n(.*?)\n#/s.exec(page) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.every((row) => (row.split('|')[2] ?? '').trim() !== '')).toBe(true);
  const named = rows.flatMap((row) => Array.from((row.split('|')[1] ?? '').matchAll(/`(\w+)`/g), ([, name]) => name));
  expect(named.sort()).toEqual(WEBHOOK_NAMES.filter((name) => !made.has(name)).sort());
});
