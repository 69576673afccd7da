// Chats of customers: who is in them, where they stand, and several chats of one customer.

import { expect, test } from 'vitest';
import { createEmulator, type Seed } from '../../../src/emulator/index.ts';
import { type ChatCaller, createChatCaller, granted, NOW, outcome } from './caller.ts';
import { SEED } from './rows/row.ts';

const LEE = '22222222-2222-4222-8222-222222222222';

function caller(settings = {}): ChatCaller {
  const found = createChatCaller({ seed: SEED, settings });
  found.clock.now = NOW;
  return found;
}

test('An older thread names its agent, who is not present', async () => {
  const real = caller();
  await granted(real.control('presence', { id: 'bob', status: 'accepting_chats' }));
  await granted(real.customer('dal:lee', 'resume_chat', { chat: { id: 'CHATLEE001', access: { group_ids: [2] } } }));
  const users = async (more: object) => {
    const chat = await granted(real.customer('dal:lee', 'get_chat', { chat_id: 'CHATLEE001', ...more }));
    return chat.users.map(({ name, present }: Record<string, unknown>) => [name, present]);
  };
  expect(await users({})).toEqual([
    ['Lee', true],
    ['Bob', true],
  ]);
  expect(await users({ thread_id: 'THREADLEE1' })).toEqual([
    ['Lee', true],
    ['Ann', false],
    ['Bob', true],
  ]);
});

test('A chat stands where its last thread stands', async () => {
  const real = caller();
  const chat = { id: 'CHATLEE001' };
  const access = async () => {
    const { access } = await granted(real.customer('dal:lee', 'get_chat', { chat_id: chat.id }));
    const { chats_info } = await granted(real.customer('dal:lee', 'list_chats'));
    expect(chats_info[0].access).toEqual(access);
    return access.group_ids;
  };
  expect(await access()).toEqual([0]);
  await granted(real.customer('dal:lee', 'resume_chat', { chat: { ...chat, access: { group_ids: [1, 0] } } }));
  expect(await access()).toEqual([1, 0]);
  await granted(real.customer('dal:lee', 'deactivate_chat', chat));
  expect(await access()).toEqual([1, 0]);
  await granted(real.customer('dal:lee', 'resume_chat', { chat }));
  expect(await access()).toEqual([0]);
  await granted(real.customer('dal:lee', 'deactivate_chat', chat));
  const headers = { referer: 'https://shop.example/pricing' };
  await granted(real.customer('dal:lee', 'resume_chat', { chat }, { headers }));
  expect(await access()).toEqual([1]);
});

test('A customer has as many chats as the setting says, and their pages can be tried', async () => {
  const real = caller({ limits: { chatsPerCustomer: 12 } });
  const started: string[] = ['CHATLEE001'];
  for (let count = 0; count < 11; count += 1) {
    real.clock.now += 1000;
    const { chat_id } = await granted(real.customer('dal:lee', 'start_chat', { continuous: true }));
    started.push(chat_id);
  }
  expect(await outcome(real.customer('dal:lee', 'start_chat', { continuous: true }))).toBe('limit_reached');
  const page = async (given: object) => {
    const list = await granted(real.customer('dal:lee', 'list_chats', given));
    expect(list.total_chats).toBe(12);
    return { ids: list.chats_info.map(({ id }: { id: string }) => id), ...list };
  };
  const first = await page({});
  expect([first.ids, first.previous_page_id]).toEqual([started.toReversed().slice(0, 10), undefined]);
  const second = await page({ page_id: first.next_page_id });
  expect([second.ids, second.next_page_id]).toEqual([started.toReversed().slice(10), undefined]);
  expect((await page({ page_id: second.previous_page_id })).ids).toEqual(first.ids);
});

test('Each of several chats is by itself: one ends, and the others go on', async () => {
  const real = caller({ limits: { chatsPerCustomer: -1 } });
  const chats: string[] = [];
  for (let count = 0; count < 3; count += 1)
    chats.push((await granted(real.customer('dal:max', 'start_chat', { continuous: true }))).chat_id);
  const state = () => real.emulator.snapshot();
  const inChat = () =>
    state()
      .tables.customers.find((row) => row.at(-1)?.value?.id.startsWith('3333'))
      ?.at(-1)?.value;
  for (const [index, id] of chats.entries()) {
    expect(inChat()?.in_chat).toBe(true);
    await granted(real.customer('dal:max', 'deactivate_chat', { id }));
    const { active } = await granted(real.control('chats'));
    const left = active.map(({ chat_id }: { chat_id: string }) => chat_id).filter((one: string) => chats.includes(one));
    expect(left).toEqual(chats.slice(index + 1));
  }
  expect(inChat()?.in_chat).toBe(false);
  const again = createEmulator({ now: () => NOW, random: Math.random, state: state() });
  expect(again.snapshot().tables.chats).toEqual(state().tables.chats);
});

test('A description has several chats of a customer where the setting allows them', () => {
  const seed: Seed = { ...SEED, chats: [...(SEED.chats ?? []), { customer: LEE }] };
  expect(() => caller().emulator && createChatCaller({ seed })).toThrow('limits.chatsPerCustomer');
  const { tables } = createChatCaller({ seed, settings: { limits: { chatsPerCustomer: 2 } } }).emulator.snapshot();
  expect(tables.chats).toHaveLength(3);
});

test('An agent starts a chat with a customer who has an active one, where another one is allowed', async () => {
  const real = caller({ limits: { chatsPerCustomer: 2 } });
  const begin = { customer_id: '11111111-1111-4111-8111-111111111111', agent: 'ann', text: 'One more thing' };
  const { chat_id } = await granted(real.control('chats/start', begin));
  expect(chat_id).not.toBe('CHATKIM001');
  expect(await outcome(real.control('chats/start', begin))).toBe('validation');
  expect(await outcome(caller().control('chats/start', begin))).toBe('validation');
});
