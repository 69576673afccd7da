// What customers say of themselves, when it takes effect, and what is kept about them: confirmed e-mails, goals, greetings.

import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions, Seed } from '../../../src/emulator/index.ts';
import { type ChatCaller, createChatCaller, granted, outcome } from './caller.ts';

const KIM = '11111111-1111-4111-8111-111111111111';
const LEE = '22222222-2222-4222-8222-222222222222';
const SEED = {
  agents: [{ id: 'ann', name: 'Ann' }],
  groups: [{ id: 1, name: 'One' }],
  presence: { ann: 'accepting_chats' },
  customers: [
    { id: KIM, token: 'dal:kim' },
    { id: LEE, token: 'dal:lee', name: 'Lee', email: 'lee@example.com', email_verified: true },
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
  goals: [
    { id: 1, name: 'Bought', url: { value: '/thanks' } },
    { id: 2, name: 'At home', url: { value: 'https://shop.example/', exact_match: true } },
    { id: 3, name: 'Is gold', group_ids: [1], session_field: { key: 'tier', value: 'gold' } },
    { id: 4, name: 'Both', url: { value: '/thanks' }, session_field: { key: 'tier', value: 'gold' } },
  ],
} satisfies Seed;

const callerOf = (options: Partial<EmulatorOptions> = {}): ChatCaller => createChatCaller({ seed: SEED, ...options });

const OLD = { version: '3.3' } as const;
type VersionOf = Parameters<ChatCaller['customer']>[3];

const read = ({ customer }: ChatCaller, token = 'dal:kim', how: VersionOf = {}) =>
  granted(customer(token, 'get_customer', {}, how));
const update = ({ customer }: ChatCaller, body: object, how: VersionOf = {}, token = 'dal:kim') =>
  granted(customer(token, 'update_customer', body, how));

test('A customer reads what was set, and nothing of what was not', async () => {
  const caller = callerOf();
  expect(await read(caller)).toEqual({ id: KIM, type: 'customer', omnichannel: {} });
  expect(await read(caller, 'dal:kim', OLD)).toEqual({ id: KIM, type: 'customer' });
  const omnichannel = { sms: { phone_number: '112' }, messenger: { id: 'm', is_verified_user: true } };
  const address = { city: 'Oslo', country: 'Norway' };
  const body = {
    name: 'Kim',
    avatar: 'https://shop.example/k.png',
    session_fields: [{ a: '1' }],
    omnichannel,
    address,
  };
  await update(caller, body);
  expect(await read(caller)).toEqual({ id: KIM, type: 'customer', ...body });
  const { omnichannel: _, address: __, ...older } = body;
  expect(await read(caller, 'dal:kim', OLD)).toEqual({ id: KIM, type: 'customer', ...older });
  const chatapp = { id: 'c', phone_number: '+4721234567' };
  await update(caller, {
    omnichannel: { chatapp, sms: { phone_number: '113' } },
    address: { city: 'Bergen', state: 'V' },
  });
  expect(await read(caller)).toMatchObject({
    omnichannel: { messenger: omnichannel.messenger, chatapp, sms: { phone_number: '113' } },
    address: { city: 'Bergen', country: 'Norway', state: 'V' },
  });
});

const NUMBER = '+48221234567';

test('`phone_number` is kept and cleared, or ignored as the setting says', async () => {
  const kept = callerOf();
  await update(kept, { phone_number: NUMBER });
  expect((await read(kept)).phone_number).toBe(NUMBER);
  await update(kept, { phone_number: '' });
  expect((await read(kept)).phone_number).toBeUndefined();
  const ignoring = callerOf({ settings: { phoneNumberOnUpdate: 'ignored' } });
  await update(ignoring, { name: 'Kim', phone_number: NUMBER });
  expect((await read(ignoring)).phone_number).toBeUndefined();
  expect(await outcome(ignoring.customer('dal:kim', 'update_customer', { phone_number: NUMBER }))).toBe('validation');
});

test('An empty text in 3.6 is refused, or clears as the setting says', async () => {
  const given = { name: '', email: '' };
  const version = { version: '3.6' } as const;
  const strict = callerOf();
  expect(await outcome(strict.customer('dal:lee', 'update_customer', given, version))).toBe('validation');
  const clearing = callerOf({ settings: { emptyTextIn36: 'cleared' } });
  await update(clearing, given, version, 'dal:lee');
  expect(await read(clearing, 'dal:lee')).toEqual({ id: LEE, type: 'customer', omnichannel: {} });
  expect(await outcome(clearing.customer('dal:lee', 'update_customer', given, OLD))).toBe('validation');
});

test('`omnichannel` reads as it was sent, or in the lists of the public sample', async () => {
  const omnichannel = {
    messenger: { id: 'm', first_name: 'Kim', is_verified_user: true },
    sms: { phone_number: '112' },
    chatapp: { id: 'c', phone_number: NUMBER },
  };
  const caller = callerOf({ settings: { omnichannelReading: 'listed' } });
  expect((await read(caller)).omnichannel).toEqual({});
  await update(caller, { omnichannel });
  expect((await read(caller)).omnichannel).toEqual({
    fb_messenger: [{ ID: 'm', FirstName: 'Kim', IsVerifiedUser: true }],
    twilio: [{ '112': { phone_number: '112' } }],
  });
});

test('A token that has done nothing is a customer of its own, of whom reading keeps nothing', async () => {
  const caller = callerOf();
  const before = caller.emulator.snapshot();
  const { id } = await read(caller, 'dal:new');
  expect(await read(caller, 'dal:other')).not.toEqual({ id });
  expect(caller.emulator.snapshot()).toEqual(before);
  await update(caller, { name: 'New' }, {}, 'dal:new');
  expect(await read(caller, 'dal:new')).toMatchObject({ id, name: 'New' });
});

test('In 3.7, an empty string clears a name, an e-mail and the components of an address', async () => {
  const caller = callerOf();
  await update(caller, { name: 'Kim', email: 'kim@example.com', address: { city: 'Oslo', state: 'O' } });
  await update(caller, { name: '', email: '', address: { city: '' } });
  expect(await read(caller)).toEqual({ id: KIM, type: 'customer', omnichannel: {}, address: { state: 'O' } });
  await update(caller, { address: { state: '' } });
  expect(await read(caller)).not.toHaveProperty('address');
  expect(await outcome(caller.customer('dal:kim', 'update_customer', { avatar: '' }))).toBe('validation');
});

test.each([
  ['merge', [{ a: '1' }, { b: '9' }, { b: '8' }, { c: '3' }, { d: '4' }]],
  ['replace', [{ b: '9' }, { d: '4' }, { b: '8' }]],
] as const)('An update of session fields has the way of the settings: %s', async (sessionFieldsOnUpdate, expected) => {
  const caller = callerOf({ settings: { sessionFieldsOnUpdate } });
  await granted(
    caller.customer('dal:kim', 'set_customer_session_fields', {
      session_fields: [{ a: '1' }, { b: '2' }, { c: '3' }, { b: '2' }],
    }),
  );
  await update(caller, { session_fields: [{ b: '9' }, { d: '4' }, { b: '8' }] });
  expect((await read(caller)).session_fields).toEqual(expected);
});

test('Session fields are replaced by set_customer_session_fields, and no update makes them more than the limit', async () => {
  const caller = callerOf({ settings: { limits: { sessionFields: 3 } } });
  const { customer, emulator } = caller;
  const set = (session_fields: object) => customer('dal:kim', 'set_customer_session_fields', { session_fields });
  const three = [{ a: '1' }, { b: '2' }, { c: '3' }];
  await granted(set([{ z: '0' }]));
  await granted(set(three));
  expect((await read(caller)).session_fields).toEqual(three);
  expect(await outcome(set([...three, { d: '4' }]))).toBe('validation');
  expect(await outcome(customer('dal:kim', 'update_customer', { session_fields: [{ d: '4' }] }))).toBe('validation');
  await update(caller, { session_fields: [{ c: '4' }] });
  expect((await read(caller)).session_fields).toEqual([{ a: '1' }, { b: '2' }, { c: '4' }]);
  await granted(
    customer(
      'dal:kim',
      'set_customer_session_fields',
      { session_fields: [] },
      { headers: { 'user-agent': 'Browser/1', referer: 'https://shop.example/from' } },
    ),
  );
  const rows = emulator.snapshot().tables.customers;
  const kim = rows.map((row) => row.at(-1)?.value).find((one) => one?.id === KIM);
  expect(kim).toMatchObject({ user_agent: 'Browser/1', referrer: 'https://shop.example/from', session_fields: [] });
});

describe('During an active chat, an update of 3.3', () => {
  const chatting = async (options: Partial<EmulatorOptions> = {}) => {
    const caller = callerOf(options);
    const { chat_id } = await granted(caller.customer('dal:kim', 'start_chat'));
    return { caller, chat_id };
  };

  test('takes effect after the chat, also where the agent ends it, and outlives the process', async () => {
    for (const end of ['customer', 'agent'] as const) {
      const { caller, chat_id } = await chatting();
      await update(caller, { name: 'Kim', email: 'kim@example.com' }, OLD);
      await update(caller, { name: 'Kimberly', session_fields: [{ a: '1' }] }, OLD);
      await update(caller, { session_fields: [{ b: '2' }] }, OLD);
      expect(await read(caller)).toEqual({ id: KIM, type: 'customer', omnichannel: {} });
      const state = JSON.parse(JSON.stringify(caller.emulator.snapshot()));
      const again = createChatCaller({ state });
      if (end === 'customer') await granted(again.customer('dal:kim', 'deactivate_chat', { id: chat_id }));
      else await granted(again.control('chats/close', { chat_id }));
      expect(await read(again)).toMatchObject({
        name: 'Kimberly',
        email: 'kim@example.com',
        session_fields: [{ a: '1' }, { b: '2' }],
      });
      expect(again.emulator.snapshot().tables.waitingUpdates).toEqual([]);
    }
  });

  test('takes effect when silence ends the chat', async () => {
    const { caller } = await chatting({ settings: { archiveAfterMinutes: 10 } });
    await update(caller, { name: 'Kim' }, OLD);
    caller.clock.now += 9 * 60_000;
    expect(await read(caller)).not.toHaveProperty('name');
    caller.clock.now += 60_000;
    expect((await read(caller)).name).toBe('Kim');
  });

  test('gives way to what is set at once later', async () => {
    const { caller, chat_id } = await chatting();
    await update(caller, { name: 'First', avatar: 'https://shop.example/1.png', session_fields: [{ a: '1' }] }, OLD);
    await update(caller, { name: 'Second' });
    await granted(caller.customer('dal:kim', 'set_customer_session_fields', { session_fields: [] }, OLD));
    await granted(caller.customer('dal:kim', 'deactivate_chat', { id: chat_id }));
    const avatar = 'https://shop.example/1.png';
    expect(await read(caller)).toMatchObject({ name: 'Second', avatar, session_fields: [] });
  });

  test('takes effect at once where the settings say so, as one of 3.7 does', async () => {
    const { caller } = await chatting({ settings: { updateDuringChat: 'at_once' } });
    await update(caller, { name: 'Kim' }, OLD);
    expect((await read(caller)).name).toBe('Kim');
    const { caller: other } = await chatting();
    await update(other, { name: 'Kim' });
    expect((await read(other)).name).toBe('Kim');
  });
});

describe('A confirmed e-mail', () => {
  const DAY = 86_400_000;
  const START = 'http://127.0.0.1:9/';

  /** A caller whose callbacks are kept, as `[address, payload]`. */
  function listening(options: Partial<EmulatorOptions> = {}) {
    const told: Promise<readonly [string, unknown]>[] = [];
    const fetch = (request: Request): Promise<Response> => {
      told.push(request.json().then((payload) => [request.url, payload]));
      return Promise.resolve(new Response());
    };
    const caller = callerOf({ fetch, ...options });
    const ask = (path = '', token = 'dal:kim') =>
      caller.customer(token, 'request_email_verification', { callback_uri: START + path });
    const confirm = (customer_id = KIM) => caller.control('customers/verify', { customer_id });
    return { caller, ask, confirm, told: () => Promise.all(told) };
  }
  const payload = { email: 'kim@example.com' };

  test('is told to those who asked, once, and is no longer one when it changes', async () => {
    const { caller, ask, confirm, told } = listening();
    await update(caller, { email: 'kim@example.com' });
    expect((await confirm()).status).toBe(400);
    await granted(ask('a'));
    await granted(ask('b'));
    expect((await read(caller)).email_verified).toBe(false);
    expect(await told()).toEqual([]);
    expect(await granted(confirm())).toEqual({ callbacks: 2 });
    expect(await told()).toEqual([
      [`${START}a`, payload],
      [`${START}b`, payload],
    ]);
    expect((await read(caller)).email_verified).toBe(true);
    expect((await confirm()).status).toBe(400);
    await update(caller, { name: 'Kim', email: 'kim@example.com' });
    expect((await read(caller)).email_verified).toBe(true);
    // Told at once, where it is confirmed already.
    await granted(ask('c'));
    expect((await told()).at(-1)).toEqual([`${START}c`, payload]);
    await update(caller, { email: 'other@example.com' });
    expect((await read(caller)).email_verified).toBe(false);
    expect(await told()).toHaveLength(3);
  });

  test('is told to the ten most recent requests', async () => {
    const { caller, ask, confirm, told } = listening();
    await update(caller, { email: 'kim@example.com' });
    for (let at = 0; at < 12; at += 1) {
      caller.clock.now += 1;
      await granted(ask(String(at)));
    }
    expect(await granted(confirm())).toEqual({ callbacks: 10 });
    expect((await told()).map(([url]) => url)).toEqual(Array.from({ length: 10 }, (_, at) => START + (at + 2)));
  });

  test('is not told any more seven days after the last request', async () => {
    for (const [later, callbacks] of [
      [7 * DAY - 1, 2],
      [7 * DAY, 0],
    ] as const) {
      const { caller, ask, confirm, told } = listening();
      await update(caller, { email: 'kim@example.com' });
      await granted(ask('a'));
      caller.clock.now += 7 * DAY - 1;
      await granted(ask('b'));
      caller.clock.now += later;
      expect(await granted(confirm())).toEqual({ callbacks });
      expect(await told()).toHaveLength(callbacks);
      expect((await read(caller)).email_verified).toBe(true);
    }
  });

  test('is not told to requests that were void when another one came', async () => {
    const { caller, ask, confirm, told } = listening();
    await update(caller, { email: 'kim@example.com' });
    await granted(ask('a'));
    caller.clock.now += 7 * DAY;
    await granted(ask('b'));
    expect(await granted(confirm())).toEqual({ callbacks: 1 });
    expect((await told()).map(([url]) => url)).toEqual([`${START}b`]);
  });

  test('is the present one: a link to an earlier address confirms nothing', async () => {
    const { caller, ask, confirm, told } = listening();
    await update(caller, { email: 'kim@example.com' });
    await granted(ask('a'));
    await update(caller, { email: 'other@example.com' });
    expect((await confirm()).status).toBe(400);
    expect((await read(caller)).email_verified).toBe(false);
    await granted(ask('b'));
    await granted(confirm());
    expect(await told()).toEqual([[`${START}b`, { email: 'other@example.com' }]]);
  });

  test('is asked for of an address, and told where the settings allow', async () => {
    const { caller, ask, told } = listening({ settings: { emailCallbacks: 'anywhere' } });
    expect(await outcome(ask())).toBe('validation');
    const callback_uri = 'https://shop.example/verified';
    await granted(caller.customer('dal:lee', 'request_email_verification', { callback_uri }));
    expect(await told()).toEqual([[callback_uri, { email: 'lee@example.com' }]]);
    expect(await outcome(callerOf().customer('dal:lee', 'request_email_verification', { callback_uri }))).toBe(
      'validation',
    );
  });

  test('is told by a request of which the journal keeps the address, and no answer waits for it', async () => {
    const fetch = (): Promise<Response> => new Promise(() => {});
    const { caller, ask } = listening({ fetch });
    await granted(ask('never', 'dal:lee'));
    const failing = listening({ fetch: () => Promise.reject(new TypeError('fetch failed')) });
    await granted(failing.ask('failing', 'dal:lee'));
    await expect.poll(() => failing.caller.emulator.log()).toHaveLength(2);
    expect(failing.caller.emulator.log()).toContainEqual({
      at: failing.caller.clock.now,
      version: '3.7',
      action: 'customer/email_verification_callback',
      status: null,
      error: 'unreachable',
      faults: [],
      to: `${START}failing`,
    });
    expect(caller.emulator.stats()).toEqual({ 'customer/request_email_verification': 1 });
  });

  test('is told by the platform itself, which follows no redirect', async () => {
    const received: string[] = [];
    const server = createServer((request, response) => {
      received.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
      response.writeHead(307, { location: '/elsewhere' }).end('moved');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = Object(server.address());
    const { customer, emulator } = callerOf();
    const callback_uri = `http://127.0.0.1:${port}/verified`;
    await granted(customer('dal:lee', 'request_email_verification', { callback_uri }));
    await expect.poll(() => emulator.log().map(({ to, status }) => [to, status])).toContainEqual([callback_uri, 307]);
    expect(received).toEqual(['POST /verified application/json']);
  });

  test('is still to be told after a restart, and not beyond this machine if the settings have changed', async () => {
    const { caller, ask } = listening({ settings: { emailCallbacks: 'anywhere' } });
    await update(caller, { email: 'kim@example.com' });
    await granted(ask('here'));
    const callback_uri = 'https://shop.example/verified';
    await granted(caller.customer('dal:kim', 'request_email_verification', { callback_uri }));
    const state = JSON.parse(JSON.stringify(caller.emulator.snapshot()));
    const sent: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      sent.push(request.url);
      return new Response();
    };
    const again = createChatCaller({ state, fetch });
    await granted(again.control('customers/verify', { customer_id: KIM }));
    await expect
      .poll(() => again.emulator.log().map(({ to, error }) => [to, error]))
      .toEqual([
        [callback_uri, 'withheld'],
        [`${START}here`, null],
      ]);
    expect(sent).toEqual([`${START}here`]);
  });
});

describe('Goals', () => {
  const check = ({ customer }: ChatCaller, page_url: string, group_id = 0, fields: object = [], token = 'dal:kim') =>
    customer(token, 'check_goals', { page_url, group_id, session_fields: fields });
  const reached = ({ emulator }: ChatCaller) => emulator.snapshot().tables.reachedGoals.map((row) => row.at(-1)?.value);
  const idsOf = (caller: ChatCaller) => reached(caller).map((one) => one?.goal_id);
  const THANKS = 'https://shop.example/thanks';

  test.each<[string, number, object, readonly number[]]>([
    [THANKS, 0, [], [1]],
    [THANKS, 0, [{ tier: 'gold' }], [1, 4]],
    [THANKS, 1, [{ tier: 'silver' }, { tier: 'gold' }], [1, 3, 4]],
    [THANKS, 1, [{ tier: 'Gold' }], [1]],
    ['https://shop.example/', 1, [], [2]],
    ['https://shop.example/x', 1, [], []],
  ])('%s in group %i with %j reaches those whose conditions all hold', async (page, group, fields, expected) => {
    const caller = callerOf();
    await granted(check(caller, page, group, fields));
    expect(idsOf(caller)).toEqual(expected);
  });

  test('are reached once by each customer, and kept with the greeting that was accepted last', async () => {
    const caller = callerOf();
    const { clock, control, customer } = caller;
    await granted(check(caller, THANKS, 1, [], 'dal:lee'));
    const uniqueIds = [];
    for (const greeting_id of [7, 8, 7]) {
      clock.now += 1;
      const { unique_id } = await granted(control('greetings/show', { customer_id: KIM, greeting_id }));
      uniqueIds.push(unique_id);
      if (uniqueIds.length < 3) await granted(customer('dal:kim', 'accept_greeting', { greeting_id, unique_id }));
    }
    const at = clock.now;
    await granted(check(caller, THANKS));
    clock.now += 1;
    await granted(check(caller, THANKS));
    expect(reached(caller)).toEqual([
      { goal_id: 1, customer_id: LEE, group_id: 1, at: at - 3 },
      { goal_id: 1, customer_id: KIM, group_id: 0, at, greeting: uniqueIds[1] },
    ]);
  });

  test('are for customers who are offline', async () => {
    const caller = callerOf();
    await granted(caller.control('customers/login', { customer_id: KIM }));
    await granted(check(caller, THANKS));
    expect(reached(caller)).toEqual([]);
    await granted(caller.control('customers/logout', { customer_id: KIM }));
    await granted(check(caller, THANKS));
    expect(idsOf(caller)).toEqual([1]);
    const strict = callerOf({ settings: { goalsOfOnlineCustomer: 'validation' } });
    await granted(strict.control('customers/login', { customer_id: KIM }));
    expect(await outcome(check(strict, THANKS))).toBe('validation');
  });

  test.each<[string, Seed]>([
    ['goals[0]', { goals: [{ id: 1, name: 'Nothing' }] }],
    ['goals[0]', { goals: [{ id: 1, name: 'G', group_ids: [9], url: { value: 'x' } }] }],
    [
      'two goals',
      {
        goals: [
          { id: 1, name: 'A', url: { value: 'x' } },
          { id: 1, name: 'B', url: { value: 'y' } },
        ],
      },
    ],
    ['greetings[0]', { greetings: [{ id: 1, name: 'G', group: 9 }] }],
    [
      'two greetings',
      {
        greetings: [
          { id: 1, name: 'A' },
          { id: 1, name: 'B' },
        ],
      },
    ],
    [
      'shown_greetings[0]',
      { shown_greetings: [{ unique_id: 'u', greeting_id: 1, customer: 'x', shown_at: '2026-01-01T00:00:00Z' }] },
    ],
  ])('are refused in a seed for a wrong %s', (said, seed) => {
    expect(() => createChatCaller({ seed })).toThrow(said);
  });
});

test('A greeting is accepted, clicked and cancelled by the customer who was shown it, and all of it is kept', async () => {
  const caller = callerOf();
  const { clock, control, customer, emulator } = caller;
  const at = clock.now;
  const show = (greeting_id: number) => granted(control('greetings/show', { customer_id: KIM, greeting_id }));
  const { unique_id } = await show(7);
  expect((await show(7)).unique_id).not.toBe(unique_id);
  const accept = (token: string, greeting_id = 7) =>
    outcome(customer(token, 'accept_greeting', { greeting_id, unique_id }));
  const click = (button_id: string, token = 'dal:kim') =>
    outcome(customer(token, 'send_greeting_button_clicked', { greeting_unique_id: unique_id, button_id }));
  const cancel = (token: string) => outcome(customer(token, 'cancel_greeting', { unique_id }));
  expect([await accept('dal:lee'), await accept('dal:kim', 8)]).toEqual(['greeting_not_found', 'greeting_not_found']);
  expect([await click('yes', 'dal:lee'), await cancel('dal:lee')]).toEqual([
    'greeting_not_found',
    'greeting_not_found',
  ]);
  clock.now += 10;
  expect(await accept('dal:kim')).toBe('granted');
  clock.now += 10;
  // Seen once.
  expect(await accept('dal:kim')).toBe('granted');
  expect(await click('yes')).toBe('granted');
  expect(await click('maybe')).toBe('validation');
  clock.now += 10;
  expect(await click('yes')).toBe('granted');
  expect(await cancel('dal:kim')).toBe('granted');
  expect([await accept('dal:kim'), await click('yes'), await cancel('dal:kim')]).toEqual(
    Array.from({ length: 3 }, () => 'greeting_not_found'),
  );
  const [first] = emulator.snapshot().tables.shownGreetings.map((row) => row.at(-1)?.value);
  expect(first).toEqual({
    unique_id,
    greeting_id: 7,
    customer_id: KIM,
    group_id: 1,
    shown_at: at,
    accepted_at: at + 10,
    cancelled_at: at + 30,
    clicks: [
      { button_id: 'yes', at: at + 20 },
      { button_id: 'yes', at: at + 30 },
    ],
  });
  const wrong = { customer_id: 'none', greeting_id: 7 };
  expect((await control('greetings/show', wrong)).status).toBe(400);
  expect((await control('greetings/show', { customer_id: KIM, greeting_id: 9 })).status).toBe(400);
  await granted(caller.configure('delete_group', { id: 1 }));
  expect((await control('greetings/show', { customer_id: KIM, greeting_id: 7 })).status).toBe(400);
});

test('The pages of links are those of the seed, and otherwise made of their addresses', async () => {
  const url = 'https://shop.example/shoe?size=40';
  const seed = { ...SEED, url_info: { [url]: { title: 'A shoe', image_url: 'https://cdn.example/s.webp' } } };
  const { customer } = callerOf({ seed });
  const ask = (of: string) => granted(customer('dal:kim', 'get_url_info', { url: of }));
  expect(await ask(url)).toMatchObject({ title: 'A shoe', image_url: 'https://cdn.example/s.webp', url });
  const [one, same, other] = [
    await ask('https://a.example/x'),
    await ask('https://a.example/y'),
    await ask('https://b.example/'),
  ];
  expect(one).toEqual({
    url: 'https://a.example/x',
    title: 'a.example',
    description: '',
    image_url: expect.stringMatching(/^https:/),
    image_original_url: 'https://a.example/favicon.ico',
    image_width: 32,
    image_height: 32,
  });
  expect(same.image_url).toBe(one.image_url);
  expect(other.image_url).not.toBe(one.image_url);
});
