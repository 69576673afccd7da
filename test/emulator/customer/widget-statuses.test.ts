// Statuses of groups and predictions, against presence, slots, the queue, and the chats that start.

import { expect, test } from 'vitest';
import type { EmulatorOptions, Seed } from '../../../src/emulator/index.ts';
import { type ChatCaller, createChatCaller, granted, outcome } from './caller.ts';

const KIM = '11111111-1111-4111-8111-111111111111';
const SEED = {
  agents: [
    { id: 'ann', name: 'Ann', max_chats_count: 1, groups: [{ id: 1, priority: 'first' }] },
    { id: 'bob', name: 'Bob', max_chats_count: 1, groups: [{ id: 1, priority: 'last' }] },
    { id: 'sue', name: 'Sue', groups: [{ id: 2, priority: 'supervisor' }] },
  ],
  bots: [{ id: 'robin', name: 'Robin', job_title: 'Robot', groups: [{ id: 3, priority: 'normal' }] }],
  groups: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
    { id: 3, name: 'Three' },
  ],
  auto_access: [{ id: 'prices', access: { groups: [1] }, conditions: { url: { values: [{ value: '/pricing' }] } } }],
  customers: [{ id: KIM, token: 'dal:kim', logged_in: true, page: 'https://shop.example/pricing' }],
} satisfies Seed;

const callerOf = (options: Partial<EmulatorOptions> = {}): ChatCaller => createChatCaller({ seed: SEED, ...options });
const present = ({ control }: ChatCaller, id: string, status = 'accepting_chats') =>
  granted(control('presence', { id, status }));
const statuses = async ({ customer }: ChatCaller, body: object = { all: true }, version: '3.3' | '3.7' = '3.7') =>
  (await granted(customer('dal:kim', 'list_group_statuses', body, { version }))).groups_status;
const chat = ({ customer }: ChatCaller, token: string, group = 1) =>
  granted(customer(token, 'start_chat', { chat: { access: { group_ids: [group] } } }));

test('The status of a group follows presence, slots and the queue', async () => {
  for (const queue of [true, false]) {
    const caller = callerOf({ settings: { queue } });
    const full = queue ? 'online_for_queue' : 'offline';
    expect(await statuses(caller)).toEqual({ 0: 'offline', 1: 'offline', 2: 'offline', 3: 'offline' });
    await present(caller, 'ann', 'not_accepting_chats');
    expect((await statuses(caller))[1]).toBe('offline');
    await present(caller, 'ann');
    await present(caller, 'bob');
    // A supervisor gets no chats.
    await present(caller, 'sue');
    expect(await statuses(caller)).toEqual({ 0: 'online', 1: 'online', 2: 'offline', 3: 'offline' });
    await chat(caller, 'dal:one');
    expect((await statuses(caller))[1]).toBe('online');
    const { chat_id } = await chat(caller, 'dal:two');
    expect((await statuses(caller))[1]).toBe(full);
    await granted(caller.customer('dal:two', 'deactivate_chat', { id: chat_id }));
    expect((await statuses(caller))[1]).toBe('online');
    await present(caller, 'ann', 'offline');
    await present(caller, 'bob', 'offline');
    expect((await statuses(caller))[1]).toBe('offline');
  }
});

test('Statuses are those of the groups that are asked about, as far as a read sees them', async () => {
  const caller = callerOf({ propagationDelay: 1000 });
  expect(await statuses(caller, { group_ids: [3, 9, 1, 3] }, '3.3')).toEqual({ 1: 'offline', 3: 'offline' });
  expect(await statuses(caller, { group_ids: [] })).toEqual({});
  const { id } = await granted(caller.configure('create_group', { name: 'New', agent_priorities: { ann: 'first' } }));
  // Presence does not lag.
  await present(caller, 'ann');
  expect(await statuses(caller, { group_ids: [id, 1] })).toEqual({ 1: 'online' });
  caller.clock.now += 1000;
  expect(await statuses(caller, { group_ids: [id, 1] })).toEqual({ 1: 'online', [id]: 'online' });
  const before = JSON.stringify(caller.emulator.snapshot());
  await granted(caller.customer('dal:new', 'list_group_statuses', { all: true }));
  expect(JSON.stringify(caller.emulator.snapshot())).toBe(before);
});

const predict = ({ customer }: ChatCaller, token = 'dal:kim') =>
  customer(token, 'get_predicted_agent', {}, { version: '3.3' });
const welcome = ({ customer }: ChatCaller, body: object = {}, token = 'dal:kim') =>
  customer(token, 'request_welcome_message', body);

test('The predicted agent is the one who gets the chat', async () => {
  const caller = callerOf();
  expect(await outcome(predict(caller))).toBe('group_offline');
  await present(caller, 'bob');
  await present(caller, 'ann');
  for (const name of ['Ann', 'Bob']) {
    const { agent, queue } = await granted(predict(caller));
    expect([agent.name, agent.is_bot, agent.type, queue]).toEqual([name, false, 'agent', false]);
    expect(agent).not.toHaveProperty('bot_type');
    const { chat_id } = await chat(caller, `dal:${name}`);
    const { users } = await granted(caller.customer(`dal:${name}`, 'get_chat', { chat_id }));
    expect(users.map((user: { readonly id: string }) => user.id)).toContain(agent.id);
  }
  // The best of those who are busy serves the queue.
  expect(await granted(predict(caller))).toMatchObject({ agent: { name: 'Ann' }, queue: true });
  const { chat_id } = await chat(caller, 'dal:waits');
  expect((await granted(caller.customer('dal:waits', 'get_chat', { chat_id }))).thread.queue.position).toBe(1);
});

test('Without a queue, a group whose members are all busy is unavailable', async () => {
  const caller = callerOf({ settings: { queue: false } });
  await present(caller, 'ann');
  await chat(caller, 'dal:one');
  expect(await outcome(predict(caller))).toBe('group_unavailable');
  expect(await outcome(welcome(caller, { group_id: 1 }))).toBe('group_unavailable');
});

test('A welcome message names a group or follows the page, and says which kind of bot writes it', async () => {
  const caller = callerOf();
  await present(caller, 'ann');
  await present(caller, 'robin');
  const first = await granted(welcome(caller));
  expect(first).toMatchObject({ id: expect.stringMatching(/./), predicted_agent: { name: 'Ann' }, queue: false });
  expect((await granted(welcome(caller))).id).not.toBe(first.id);
  expect(await granted(welcome(caller, { id: 'mine', group_id: 3 }))).toEqual({
    id: 'mine',
    predicted_agent: {
      id: 'robin',
      name: 'Robin',
      avatar: '',
      is_bot: true,
      bot_type: 'chatbot',
      job_title: 'Robot',
      type: 'agent',
    },
    queue: false,
  });
  const older = callerOf({ settings: { botType: 'ai_agent' } });
  await present(older, 'robin');
  expect((await granted(welcome(older, { group_id: 3 }))).predicted_agent.bot_type).toBe('ai_agent');
  const typed = callerOf({ seed: { ...SEED, bots: (SEED.bots ?? []).map((bot) => ({ ...bot, type: 'greeter' })) } });
  await present(typed, 'robin');
  expect((await granted(welcome(typed, { group_id: 3 }))).predicted_agent.bot_type).toBe('greeter');
  await granted(older.control('customers/page', { customer_id: KIM, page: 'https://shop.example/' }));
  // Group 0 is everyone, also a bot; 3.3 does not say of which kind.
  const { agent } = await granted(predict(older));
  expect([agent.name, agent.is_bot, 'bot_type' in agent]).toEqual(['Robin', true, false]);
});

test('Predictions are for customers who are logged in, or guess from the page of the request', async () => {
  const strict = callerOf();
  await present(strict, 'ann');
  expect(await outcome(predict(strict, 'dal:new'))).toBe('authorization');
  expect(await outcome(welcome(strict, {}, 'dal:new'))).toBe('authorization');
  const guessing = callerOf({ settings: { predictionsNeedLogin: 'guessed' } });
  await present(guessing, 'ann');
  const headers = { referer: 'https://shop.example/pricing' };
  const guessed = guessing.customer('dal:new', 'get_predicted_agent', {}, { version: '3.3', headers });
  expect((await granted(guessed)).agent.name).toBe('Ann');
});
