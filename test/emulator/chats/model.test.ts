// Random sequences of what customers, agents and administrators do, against the emulator and against the model: the same chats are active, with
// the same agents and the same queue, after every step.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Seed } from '../../../src/emulator/index.ts';
import { tries } from '../../tries.ts';
import { type ChatCaller, createChatCaller, granted, outcome } from '../customer/caller.ts';
import * as model from './chat-model.ts';

type Model = model.ChatModel;
type Command = fc.AsyncCommand<Model, ChatCaller>;

const AGENTS = ['ann', 'bob', 'cyd'] as const;
const CUSTOMERS = ['kim', 'lee', 'max', 'ned', 'oda', 'pia'] as const;
const PAGES = [
  'https://shop.example/',
  'https://shop.example/pricing',
  'https://shop.example/help?x=/pricing',
] as const;
const PRESENCE = ['accepting_chats', 'not_accepting_chats', 'offline'] as const;

const PLACES = {
  ann: {
    slots: 2,
    groups: [
      [1, 'first'],
      [2, 'last'],
    ],
  },
  bob: {
    slots: 1,
    groups: [
      [1, 'normal'],
      [2, 'supervisor'],
    ],
  },
  cyd: {
    slots: 3,
    groups: [
      [2, 'normal'],
      [0, 'last'],
    ],
  },
} as const;

const SEED: Seed = {
  agents: AGENTS.map((id) => ({
    id,
    name: id,
    max_chats_count: PLACES[id].slots,
    groups: PLACES[id].groups.map(([group, priority]) => ({ id: group, priority })),
  })),
  groups: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  auto_access: [
    { id: 'prices', access: { groups: [1] }, conditions: { url: { values: [{ value: '/pricing' }] } } },
    { id: 'help', access: { groups: [2, 1] }, conditions: { url: { values: [{ value: '/help' }] } } },
  ],
};

function freshModel(prefersRecent: boolean): Model {
  return {
    agents: new Map([
      ...AGENTS.map((id): [string, model.ModelAgent] => [
        id,
        { slots: PLACES[id].slots, presence: 'offline', suspended: false, last: 0, groups: new Map(PLACES[id].groups) },
      ]),
      [
        'owner@example.com',
        { slots: 6, presence: 'offline', suspended: false, last: 0, groups: new Map([[0, 'normal']]) },
      ],
    ]),
    customers: new Map(CUSTOMERS.map((id) => [id, { recent: null, thread: undefined }])),
    rules: [
      { id: 'prices', text: '/pricing', groups: [1] },
      { id: 'help', text: '/help', groups: [2, 1] },
    ],
    prefersRecent,
    time: 0,
    turn: 0,
  };
}

const chatIds = new WeakMap<ChatCaller, Map<string, string>>();

/** An action that must end as the model says; then both are compared. */
function command(name: string, run: (known: Model, real: ChatCaller) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    run: async (known, real) => {
      known.time += 1;
      real.clock.now += 1;
      await run(known, real);
      await compare(name, known, real);
    },
  };
}

async function compare(name: string, known: Model, real: ChatCaller): Promise<void> {
  const { active, queue } = await granted(real.control('chats'));
  const names = new Map([...(chatIds.get(real) ?? [])].map(([customer, chat]) => [chat, customer]));
  const shown = active.map(
    ({ chat_id, agent, group_ids }: { chat_id: string; agent: string | null; group_ids: number[] }) => [
      names.get(chat_id),
      agent,
      group_ids,
    ],
  );
  const expected = [...known.customers].flatMap(([id, { thread }]) =>
    thread ? [[id, thread.agent, thread.groups]] : [],
  );
  const byCustomer = (rows: readonly (readonly unknown[])[]) =>
    rows.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  expect([name, byCustomer(shown)]).toEqual([name, byCustomer(expected)]);
  const waiting = model
    .queueOf(known)
    .map(([customer]) => [...known.customers].find(([, one]) => one === customer)?.[0]);
  expect([name, queue.map((chat: string) => names.get(chat))]).toEqual([name, waiting]);
}

const customerOf = (known: Model, id: string): model.ModelCustomer => {
  const found = known.customers.get(id);
  if (found === undefined) throw new Error(id);
  return found;
};
const agentOf = (known: Model, id: string): model.ModelAgent | undefined => known.agents.get(id);

const start = (id: string, page: string, continuous: boolean, access: readonly number[] | undefined): Command =>
  command(`${id} starts on ${page}${continuous ? ' for long' : ''} ${access ?? ''}`, async (known, real) => {
    const customer = customerOf(known, id);
    const chat = chatIds.get(real)?.get(id);
    const groups = model.groupsFor(known, page, access);
    const given = { ...(access === undefined ? {} : { access: { group_ids: access } }) };
    const headers = { referer: page };
    const answer =
      chat === undefined
        ? real.customer(id, 'start_chat', { continuous, chat: given }, { headers })
        : real.customer(id, 'resume_chat', { continuous, chat: { ...given, id: chat } }, { headers });
    if (chat !== undefined && customer.thread) {
      expect(await outcome(answer)).toBe('validation');
      return;
    }
    expect(await outcome(answer)).toBe(model.beginThread(known, customer, groups, continuous));
    const { body } = await answer;
    if (chat === undefined && body.chat_id !== undefined) chatIds.get(real)?.set(id, body.chat_id);
  });

const deactivate = (id: string): Command =>
  command(`${id} ends`, async (known, real) => {
    const customer = customerOf(known, id);
    const chat = chatIds.get(real)?.get(id) ?? 'NONE';
    const expected = customer.thread ? 'granted' : chat === 'NONE' ? 'authorization' : 'chat_inactive';
    expect(await outcome(real.customer(id, 'deactivate_chat', { id: chat }))).toBe(expected);
    if (customer.thread) customer.thread = null;
    model.follow(known);
  });

const presence = (id: string, status: model.Presence): Command =>
  command(`${id} is ${status}`, async (known, real) => {
    const agent = agentOf(known, id);
    expect(await outcome(real.control('presence', { id, status }))).toBe(
      agent === undefined ? 'validation' : 'granted',
    );
    if (agent !== undefined) agent.presence = status;
    model.follow(known);
  });

const limit = (id: string, slots: number): Command =>
  command(`${id} takes ${slots}`, async (known, real) => {
    const agent = agentOf(known, id);
    const answer = real.configure('update_agent', { id, max_chats_count: slots });
    expect(await outcome(answer)).toBe(agent === undefined ? 'not_found' : 'granted');
    if (agent !== undefined) agent.slots = slots;
    model.follow(known);
  });

const suspend = (id: string, suspended: boolean): Command =>
  command(`${id} is ${suspended ? '' : 'not '}suspended`, async (known, real) => {
    const agent = agentOf(known, id);
    const answer = real.configure(suspended ? 'suspend_agent' : 'unsuspend_agent', { id });
    expect(await outcome(answer)).toBe(agent === undefined ? 'not_found' : 'granted');
    if (agent !== undefined) agent.suspended = suspended;
    model.follow(known);
  });

const remove = (id: string): Command =>
  command(`${id} is deleted`, async (known, real) => {
    expect(await outcome(real.configure('delete_agent', { id }))).toBe(known.agents.has(id) ? 'granted' : 'not_found');
    known.agents.delete(id);
    model.follow(known);
  });

const move = (id: string, next: string): Command =>
  command(`rule ${id} moves before ${next}`, async (known, real) => {
    await granted(real.configure('update_auto_access', { id, next_id: next }));
    const rule = known.rules.filter((one) => one.id === id);
    const rest = known.rules.filter((one) => one.id !== id);
    known.rules = next === '' ? [...rest, ...rule] : [...rule, ...rest];
  });

const transfer = (id: string, to: string): Command =>
  command(`the chat of ${id} goes to ${to}`, async (known, real) => {
    const { thread } = customerOf(known, id);
    const chat = chatIds.get(real)?.get(id) ?? 'NONE';
    const agent = agentOf(known, to);
    const possible = thread && agent !== undefined && !agent.suspended && agent.presence !== 'offline';
    expect(await outcome(real.control('chats/transfer', { chat_id: chat, to }))).toBe(
      possible ? 'granted' : 'validation',
    );
    if (!possible) return;
    model.handOver(known, customerOf(known, id), to);
    model.follow(known);
  });

const send = (id: string): Command =>
  command(`${id} says something`, async (known, real) => {
    const chat = chatIds.get(real)?.get(id) ?? 'NONE';
    const { thread } = customerOf(known, id);
    const expected = thread ? 'granted' : chat === 'NONE' ? 'authorization' : 'chat_inactive';
    expect(
      await outcome(real.customer(id, 'send_event', { chat_id: chat, event: { type: 'message', text: 'x' } })),
    ).toBe(expected);
  });

const customer = fc.constantFrom(...CUSTOMERS);
const agent = fc.constantFrom(...AGENTS);
const access = fc.option(fc.constantFrom([1], [2], [1, 2], [0]), { nil: undefined, freq: 2 });

const commands = fc.commands(
  [
    fc.tuple(customer, fc.constantFrom(...PAGES), fc.boolean(), access).map((of) => start(...of)),
    customer.map(deactivate),
    customer.map(send),

    fc.tuple(agent, fc.constantFrom(...PRESENCE, 'accepting_chats' as const)).map((of) => presence(...of)),
    fc.tuple(agent, fc.integer({ min: 0, max: 3 })).map((of) => limit(...of)),
    fc.tuple(agent, fc.boolean()).map((of) => suspend(...of)),
    fc.tuple(customer, agent).map((of) => transfer(...of)),
    fc
      .constantFrom(['prices', 'help'], ['help', 'prices'], ['prices', ''], ['help', ''])
      .map(([id = '', next = '']) => move(id, next)),
    agent.map(remove),
  ],
  { maxCommands: 40 },
);

test.each([
  ['every agent alike', false],
  ["the customer's last agent first", true],
])('Chats go where the model sends them: %s', async (_, prefersRecent) => {
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      const real = createChatCaller({
        seed: { ...SEED, ...(prefersRecent ? { license_properties: { chats: { prefer_recent_agent: true } } } : {}) },
      });
      chatIds.set(real, new Map());
      await fc.asyncModelRun(() => ({ model: freshModel(prefersRecent), real }), steps);
    }),
    { numRuns: tries(500) },
  );
});
