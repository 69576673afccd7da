// The real-time interface: login, ping, pages and the groups that they get, what is pushed, and how a connection ends.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  listen,
  withControl,
} from '../../../src/emulator/index.ts';
import { seededRandom } from '../caller.ts';
import { account, NOW } from './caller.ts';
import { SEED } from './rows/row.ts';

interface Told {
  readonly [member: string]: unknown;
}

const PRICES = 'https://shop.example/pricing';
const OTHER = 'https://shop.example/about';

function createWorld(options: Partial<EmulatorOptions> = {}) {
  const clock = { now: NOW };
  const sleeps: { readonly milliseconds: number; readonly wake: () => void }[] = [];
  const sleep: EmulatorOptions['sleep'] = (milliseconds, stop) =>
    new Promise((wake) => {
      sleeps.push({ milliseconds, wake });
      stop?.addEventListener('abort', () => wake());
    });
  const base = { now: () => clock.now, random: seededRandom(1), seed: SEED, sleep };
  return { clock, sleeps, emulator: createEmulator({ ...base, ...options }) };
}

/** A connection in this process, and what it was told. */
function connected(emulator: Emulator, version: string = '3.6', query = account(version)) {
  const told: Told[] = [];
  let wake = (): void => {};
  let isClosed = false;
  const open = emulator.connect({
    method: 'GET',
    origin: 'http://emulator',
    target: `/v${version}/customer/rtm/ws?${query}`,
    header: (name) => (name === 'user-agent' ? 'Tests' : null),
    bytes: async () => new Uint8Array(),
  });
  if (open === null) throw new Error('there is no real-time interface');
  const connection = open({
    send: (text) => {
      told.push(JSON.parse(text));
      wake();
    },
    close: () => {
      isClosed = true;
      wake();
    },
  });
  const next = async (): Promise<Told> => {
    while (told.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return told.shift() ?? {};
  };
  const ask = (action: string, payload: object = {}, more: object = {}): Promise<Told> => {
    connection.receive(JSON.stringify({ action, payload, ...more }));
    return next();
  };
  return { ...connection, ask, next, told, isClosed: () => isClosed };
}

const login = { token: 'Bearer dal:kim', customer_page: { url: PRICES } };
const KIM = '11111111-1111-4111-8111-111111111111';
const customerOf = (emulator: Emulator, id = KIM) =>
  emulator
    .snapshot()
    .tables.customers.map((row) => row.at(-1)?.value)
    .find((each) => each?.id === id);
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('A login says who the customer is, and that the customer is there until the last connection ends', async () => {
  const { emulator } = createWorld();
  const { ask, ended, told } = connected(emulator);
  const reply = await ask('login', login, { request_id: '1' });
  expect(reply).toMatchObject({ request_id: '1', action: 'login', type: 'response', success: true });
  expect(reply['payload']).toMatchObject({
    customer: { id: KIM, name: 'Kim', statistics: { chats_count: 1, visits_count: 1, page_views_count: 1 } },
    has_active_thread: true,
    chats: [{ chat_id: 'CHATKIM001', has_unread_events: expect.any(Boolean) }],
  });
  expect(customerOf(emulator)).toMatchObject({ logged_in: true, page: PRICES, group_ids: [1], user_agent: 'Tests' });
  const other = connected(emulator);
  await other.ask('login', login);
  await ended();
  expect(customerOf(emulator)).toMatchObject({ logged_in: true, visits: 2 });
  await other.ended();
  expect(customerOf(emulator)).toMatchObject({ logged_in: false, page: PRICES });
  expect(told).toEqual([]);
});

test.each([
  ['3.6', { groups: [{ id: 0, status: 'online' }] }],
  ['3.7', { groups: [{ id: 0, status: 'online' }] }],
  ['3.5', {}],
  ['3.3', {}],
])(
  'In %s, a page with other groups than the one before answers %j, and the same groups answer nothing',
  async (version, other) => {
    const { emulator } = createWorld();
    const { ask, told } = connected(emulator, version);
    await ask('login', login);
    const page = (url: string) => ask('update_customer_page', { url });
    expect(await page(`${PRICES}?again`)).toMatchObject({ success: true, payload: {} });
    await tick();
    expect(told).toEqual([]);
    expect((await page(OTHER))['payload']).toEqual(other);
    await tick();
    const push = {
      action: 'groups_status_updated',
      type: 'push',
      version,
      payload: { groups: [{ id: 0, status: 'online' }] },
    };
    expect(told.splice(0)).toEqual(version === '3.3' ? [] : [push]);
    expect((await page(`${OTHER}#team`))['payload']).toEqual({});
    expect(customerOf(emulator)).toMatchObject({ page: `${OTHER}#team`, group_ids: [0], page_views: 4 });
  },
);

test('A page is that of the rules which have taken effect, and a thread gets the groups of its page', async () => {
  const { emulator } = createWorld();
  const { ask } = connected(emulator);
  await ask('login', { token: 'dal:max' });
  expect((await ask('update_customer_page', { url: PRICES }))['payload']).toEqual({
    groups: [{ id: 1, status: 'online' }],
  });
  const caller = { customerId: '33333333-3333-4333-8333-333333333333', clientId: undefined, organizationId: 'org' };
  const from = { ...caller, referer: undefined, userAgent: undefined, origin: 'http://emulator' };
  const path = '/v3.6/customer/action/start_chat';
  const started = await emulator.perform({ path, caller: from, body: {} });
  const [thread] = emulator
    .snapshot()
    .tables.threads.flatMap((row) => row.at(-1)?.value ?? [])
    .filter(({ id }) => id === Object(started).thread_id);
  expect(thread?.group_ids).toEqual([1]);
});

test('What a customer says of itself at a login is kept, and told to all of its connections', async () => {
  const { emulator } = createWorld();
  const one = connected(emulator);
  const other = connected(emulator, '3.7');
  const deaf = connected(emulator);
  await other.ask('login', login);
  await deaf.ask('login', { ...login, pushes: { '3.6': ['incoming_chat'] } });
  await one.ask('login', { ...login, customer: { name: 'Kim K.' } }, { request_id: 'r' });
  await tick();
  expect(one.told).toMatchObject([
    { request_id: 'r', action: 'customer_updated', payload: { id: KIM, name: 'Kim K.' } },
  ]);
  expect(other.told).toMatchObject([{ version: '3.7', action: 'customer_updated', payload: { name: 'Kim K.' } }]);
  expect(other.told[0]).not.toHaveProperty('request_id');
  expect(deaf.told).toEqual([]);
  expect(customerOf(emulator)).toMatchObject({ name: 'Kim K.' });
});

test('What is wrong is refused in the envelope of the service, and changes nothing', async () => {
  const { emulator } = createWorld();
  const before = JSON.stringify(emulator.snapshot());
  const { ask, receive, next } = connected(emulator);
  const typeOf = async (reply: Promise<Told>) => Object(Object((await reply)['payload']).error).type;
  expect(await typeOf(ask('update_customer_page', { url: PRICES }))).toBe('authentication');
  expect(await typeOf(ask('login', {}))).toBe('authentication');
  expect(await typeOf(ask('login', { token: 'dal:zed' }))).toBe('customer_banned');
  expect(await typeOf(ask('login', { token: 'dal:kim', customer_page: 1 }))).toBe('validation');
  expect(await typeOf(ask('login', { token: 'dal:kim', group_id: 99 }))).toBe('group_not_found');
  expect(await typeOf(ask('start_chat'))).toBe('not_found');
  expect(await typeOf(ask('login', { token: 'dal:kim' }, { version: '3.5' }))).toBe('unsupported_version');
  for (const text of ['', '[]', '{}', '{"action":1}', '{"action":"ping","payload":[]}']) {
    receive(text);
    expect(await typeOf(next())).toBe('validation');
  }
  expect(JSON.stringify(emulator.snapshot())).toBe(before);
});

test.each([
  ['3.4', {}, 'unsupported_version', undefined],
  ['3.6', { organizationId: 'other' }, 'license_not_found', undefined],
  ['3.6', { licenseExpired: true }, 'license_expired', undefined],
  ['3.6', { region: 'fra' } as const, 'misdirected_connection', { region: 'fra' }],
])('A connection in %s with the settings %j is ended: %s', async (version, settings, reason, data) => {
  const { emulator } = createWorld({ settings });
  const { ask, next, isClosed } = connected(emulator, version);
  const told = await (version === '3.4' ? next() : ask('login', login));
  expect(told).toMatchObject({ action: 'customer_disconnected', type: 'push', payload: { reason } });
  expect(Object(told['payload']).data).toEqual(data);
  expect(isClosed()).toBe(true);
});

test('Who does not log in, or is silent, is disconnected after 30 seconds; a ping keeps the connection', async () => {
  const { emulator, clock, sleeps } = createWorld();
  const { ask, next } = connected(emulator);
  const silent = connected(emulator);
  await silent.ask('ping');
  await ask('login', login);
  clock.now += 20_000;
  expect(await ask('ping', {}, { request_id: '7' })).toEqual({
    request_id: '7',
    action: 'ping',
    type: 'response',
    success: true,
    payload: {},
  });
  clock.now += 10_000;
  for (const { milliseconds, wake } of sleeps.splice(0)) {
    expect(milliseconds).toBe(30_000);
    wake();
  }
  expect(await silent.next()).toMatchObject({
    action: 'customer_disconnected',
    payload: { reason: 'connection_timeout' },
  });
  clock.now += 20_000;
  for (const { milliseconds, wake } of sleeps.splice(0)) {
    expect(milliseconds).toBe(20_000);
    wake();
  }
  expect(await next()).toMatchObject({ action: 'customer_disconnected', payload: { reason: 'connection_timeout' } });
  expect(customerOf(emulator)).toMatchObject({ logged_in: false });
});

test('Faults strike messages as they strike requests, and the journal has them', async () => {
  const faults = [
    { type: 'error', actions: ['realtime/login'], error: 'too_many_requests', times: 1 },
    { type: 'reset', actions: ['realtime/update_customer_page'] },
  ] as const;
  const { emulator } = createWorld({ scenario: { faults } });
  const { ask, receive, isClosed } = connected(emulator);
  expect(await ask('login', login)).toMatchObject({
    success: false,
    payload: { error: { type: 'too_many_requests' } },
  });
  expect(await ask('login', login)).toMatchObject({ success: true });
  receive(JSON.stringify({ action: 'update_customer_page', payload: { url: OTHER } }));
  await tick();
  await tick();
  expect(isClosed()).toBe(true);
  expect(emulator.stats()).toEqual({ 'realtime/login': 2, 'realtime/update_customer_page': 1 });
  expect(customerOf(emulator)).toMatchObject({ logged_in: false });
});

test('More than ten requests at once are refused', async () => {
  const { emulator } = createWorld({ scenario: { faults: [{ type: 'latency', delay: { from: 1, to: 1 } }] } });
  const { receive, next } = connected(emulator);
  for (let count = 0; count < 11; count += 1) receive('{"action":"ping"}');
  expect(await next()).toMatchObject({ payload: { error: { type: 'pending_requests_limit_reached' } } });
});

test('A request of HTTP does not reach its actions', async () => {
  const { emulator } = createWorld();
  for (const path of ['', '/login', '/ping']) {
    const url = `http://emulator/v3.6/customer/rtm/ws${path}?organization_id=org`;
    expect((await emulator.fetch(new Request(url, { method: 'POST', body: '{}' }))).status).toBe(404);
  }
  const target = '/v3.6/customer/rtm/other';
  expect(
    emulator.connect({ method: 'GET', origin: 'http://emulator', target, header: () => null, bytes: async () => null }),
  ).toBeNull();
});

test('It is served as a WebSocket, next to the control API', async () => {
  const { emulator } = createWorld();
  const { url, close } = await listen(withControl(emulator), { port: 0, host: '127.0.0.1' });
  const at = url.replace('http', 'ws');
  const socket = new WebSocket(`${at}/v3.6/customer/rtm/ws?organization_id=org`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ action: 'login', payload: login }));
  const [data] = await once(socket, 'message');
  expect(JSON.parse(String(data))).toMatchObject({ action: 'login', success: true });
  const closed = once(socket, 'close');
  const refusals = [
    [`${at}/v3.6/customer/rtm/other`, {}, 404],
    [`${at}/v3.6/customer/rtm/ws?organization_id=org`, { origin: 'https://elsewhere.example' }, 403],
    [`${at}/v3.6/customer/rtm/ws?organization_id=org`, { headers: { host: 'elsewhere.example' } }, 403],
  ] as const;
  for (const [address, options, status] of refusals) {
    const [, response] = await once(new WebSocket(address, options), 'unexpected-response');
    expect(response.statusCode).toBe(status);
    response.resume();
  }
  await close();
  await closed;
  await tick();
  expect(customerOf(emulator)).toMatchObject({ logged_in: false });
});
