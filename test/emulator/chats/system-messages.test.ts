// What the service itself says in chats: today/customer.md, "System messages".

import { describe, expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { type ChatCaller, createChatCaller, granted } from '../customer/caller.ts';

const MINUTE = 60_000;
const ANN = 'ann@desk.example';
const BOB = 'bob@desk.example';

const SEED: Seed = {
  owner: { id: 'zoe@desk.example', name: 'Zoe' },
  agents: [
    { id: ANN, name: 'Ann', job_title: 'Support', groups: [{ id: 1, priority: 'first' }] },
    { id: BOB, name: 'Bob', groups: [{ id: 1, priority: 'last' }] },
  ],
  groups: [
    { id: 1, name: 'Sales' },
    { id: 2, name: 'Night' },
  ],
  customers: [{ token: 'kim', name: 'Kim' }],
};

interface Desk {
  readonly real: ChatCaller;
  readonly chat: { readonly chat_id: string; readonly thread_id: string };
}

/** Kim has a chat with Ann; those of `present` are there. */
async function desk(present: readonly string[], settings: SettingsInput = {}, more: Partial<Seed> = {}): Promise<Desk> {
  const real = createChatCaller({ seed: { ...SEED, ...more }, settings });
  for (const id of present) await granted(real.control('presence', { id, status: 'accepting_chats' }));
  const chat = await granted(real.customer('kim', 'start_chat', { chat: { access: { group_ids: [1] } } }));
  return { real, chat };
}

/** Messages of the system with their variables, without those that the texts hold as well. */
async function said({ real, chat }: Desk) {
  const { thread } = await granted(real.customer('kim', 'get_chat', chat));
  const messages = thread.events.filter(({ type }: { type: string }) => type === 'system_message');
  for (const { text, text_vars = {}, author_id } of messages) {
    expect(author_id).toBeUndefined();
    expect(text).not.toMatch(/%|@/);
    for (const value of Object.values(text_vars)) expect(text).toContain(value);
  }
  return messages.map(({ system_message_type: type, text_vars = {} }: Record<string, unknown>) => [type, text_vars]);
}

const gone = (real: ChatCaller, id: string) => granted(real.control('presence', { id, status: 'offline' }));

describe('A message names people, and never an address', () => {
  test.each<[string, (desk: Desk) => ReturnType<ChatCaller['control']>, unknown]>([
    [
      'manual_archived_agent',
      ({ real, chat: { chat_id } }) => real.control('chats/close', { chat_id }),
      { agent: 'Ann' },
    ],
    [
      'manual_archived_agent',
      ({ real, chat: { chat_id } }) => real.control('chats/close', { chat_id, author: BOB }),
      { agent: 'Bob' },
    ],
    [
      'manual_archived_customer',
      ({ real, chat: { chat_id: id } }) => real.customer('kim', 'deactivate_chat', { id }),
      { customer: 'Kim' },
    ],
    [
      'chat_transferred',
      ({ real, chat: { chat_id } }) => real.control('chats/transfer', { chat_id, to: BOB }),
      { initiator: 'Ann', targets: 'Bob' },
    ],
    [
      'chat_transferred',
      ({ real, chat: { chat_id } }) => real.control('chats/transfer', { chat_id, group_ids: [0, 1], author: BOB }),
      { initiator: 'Bob', targets: 'General, Sales' },
    ],
    [
      'routing.assigned_signed_out',
      ({ real }) => real.control('presence', { id: ANN, status: 'offline' }),
      { agent_added: 'Bob', agent_removed: 'Ann' },
    ],
    [
      'routing.assigned_deleted',
      ({ real }) => real.configure('delete_agent', { id: ANN }),
      { agent_added: 'Bob', agent_removed: 'Ann' },
    ],
    ['routing.assigned_other', ({ real }) => real.configure('suspend_agent', { id: ANN }), {}],
  ])('%s', async (type, act, vars) => {
    const one = await desk([ANN, BOB]);
    await granted(act(one));
    expect(await said(one)).toEqual([[type, vars]]);
  });

  test('routing.idle and routing.archived_inactive, with minutes', async () => {
    const one = await desk([ANN], { idleAfterMinutes: 10, archiveAfterMinutes: 30 });
    one.real.clock.now += 40 * MINUTE;
    expect(await said(one)).toEqual([
      ['routing.idle', { duration: '10' }],
      ['routing.archived_inactive', { duration: '30' }],
    ]);
  });

  test('customer_banned, with days, in each chat of the customer', async () => {
    const one = await desk([ANN], { limits: { chatsPerCustomer: 2 } });
    await granted(one.real.customer('kim', 'start_chat', { continuous: true }));
    const [kim] = one.real.emulator.snapshot().tables.customers.flatMap((row) => row.at(-1)?.value ?? []);
    await granted(one.real.control('customers/ban', { customer_id: kim?.id, days: 3 }));
    expect((await granted(one.real.control('chats'))).active).toEqual([]);
    one.real.clock.now += 4 * 24 * 60 * MINUTE;
    expect(await said(one)).toEqual([['customer_banned', { agent: 'Ann', duration: '3' }]]);
  });
});

describe('When no agent is there any more, a chat', () => {
  test('waits, and ends because nobody can be chosen, where there is a queue', async () => {
    const one = await desk([ANN]);
    await gone(one.real, ANN);
    expect(await said(one)).toEqual([
      ['routing.unassigned_signed_out', { agent: 'Ann' }],
      ['routing.archived_offline', {}],
    ]);
  });

  test.each<[string, string, object]>([
    ['routing.archived_signed_out', 'offline', { agent: 'Ann' }],
    ['routing.archived_deleted', 'deleted', { agent: 'Ann' }],
    ['routing.archived_other', 'suspended', {}],
  ])('ends with %s where there is none', async (type, how, vars) => {
    const one = await desk([ANN], { queue: false });
    if (how === 'offline') await gone(one.real, ANN);
    if (how === 'deleted') await granted(one.real.configure('delete_agent', { id: ANN }));
    if (how === 'suspended') await granted(one.real.configure('suspend_agent', { id: ANN }));
    expect(await said(one)).toEqual([[type, vars]]);
  });
});

test('A rating, a comment and a rating that is taken back are said in the chat', async () => {
  const one = await desk([ANN]);
  const { real, chat } = one;
  const rate = (rating: object) =>
    granted(real.customer('kim', 'update_thread_properties', { ...chat, properties: { rating } }));
  await rate({ score: 1, comment: 'Quick' });
  await rate({ score: 0 });
  const names = { rating: ['score', 'comment'] };
  await granted(real.customer('kim', 'delete_thread_properties', { ...chat, properties: names }));
  await granted(real.customer('kim', 'delete_thread_properties', { ...chat, properties: names }));
  expect(await said(one)).toEqual([
    ['rating.chat_rated', { customer: 'Kim', score: 'good' }],
    ['rating.chat_commented', { customer: 'Kim', comment: 'Quick' }],
    ['rating.chat_rated', { customer: 'Kim', score: 'bad' }],
    ['rating.chat_rating_canceled', { customer: 'Kim' }],
  ]);
});

test('An agent who was deleted keeps name and job title in the chats that name them', async () => {
  const one = await desk([ANN]);
  const { real, chat } = one;
  await granted(real.control('chats/reply', { chat_id: chat.chat_id, text: 'Hello' }));
  await granted(real.control('chats/close', { chat_id: chat.chat_id }));
  await granted(real.configure('delete_agent', { id: ANN }));
  await granted(real.configure('delete_agent', { id: BOB }));
  const { users } = await granted(real.customer('kim', 'get_chat', chat));
  expect(users[1]).toMatchObject({ type: 'agent', name: 'Ann', job_title: 'Support', present: false });
  const former = real.emulator.snapshot().tables.formerStaff.flatMap((row) => row.at(-1)?.value ?? []);
  expect(former.map(({ id }) => id)).toEqual([ANN]);
});
