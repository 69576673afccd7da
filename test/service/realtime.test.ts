// The client of the real-time interface: what it asks, what it makes of answers and pushes, its time-outs, and that no secret shows.

import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../src/base/errors.ts';
import { createEmulator, type EmulatorOptions, listen } from '../../src/emulator/index.ts';
import { createDispatchedLine } from '../../src/service/http.ts';
import { createInProcessSockets } from '../../src/service/in-process.ts';
import { type RealtimeSettings, visitRealtime } from '../../src/service/realtime.ts';
import type { SocketCarrier, SocketListener } from '../../src/service/socket.ts';
import { openWebSocket } from '../../src/service/websocket.ts';
import { TLS } from '../certificates/tls.ts';
import { seededRandom } from '../emulator/caller.ts';

const TOKEN = 'dal:secret-0123456789';
const PRICES = 'https://shop.example/pricing';
const OTHER = 'https://shop.example/about';

const SEED = {
  agents: [{ id: 'ann', name: 'Ann' }],
  groups: [{ id: 1, name: 'Sales', agent_priorities: { ann: 'normal' } }],
  auto_access: [{ access: { groups: [1] }, conditions: { url: { values: [{ value: '/pricing' }] } } }],
  presence: { ann: 'accepting_chats' },
} as const;

const emulatorOf = (options: Partial<EmulatorOptions> = {}) =>
  createEmulator({ now: () => 0, random: seededRandom(1), seed: SEED, ...options });

function settingsWith(changes: Partial<RealtimeSettings> & Pick<RealtimeSettings, 'carrier'>): RealtimeSettings {
  return {
    baseUrl: 'http://emulator.localhost',
    version: '3.6',
    credential: { kind: 'bearer', token: TOKEN },
    account: { organization_id: 'org' },
    clock: { now: () => 0, sleep: () => new Promise(() => {}) },
    timeout: 5_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

const inProcess = (options: Partial<EmulatorOptions> = {}) => {
  const emulator = emulatorOf(options);
  return { emulator, settings: settingsWith({ carrier: createInProcessSockets(emulator.connect) }) };
};

/** The network, to `url`. */
function networked(url: string, changes: Partial<RealtimeSettings> = {}): RealtimeSettings {
  const { dispatcher, close } = createDispatchedLine({});
  onTestFinished(close);
  const open: SocketCarrier['open'] = (...given) => openWebSocket(dispatcher, ...given);
  return settingsWith({ baseUrl: url, carrier: { open, canLose: true }, ...changes });
}

async function served(options: Partial<EmulatorOptions> = {}, where: object = {}) {
  const emulator = emulatorOf(options);
  const { url, close } = await listen(emulator, { port: 0, host: '127.0.0.1', ...where });
  onTestFinished(close);
  return { emulator, url };
}

/** A carrier whose other end answers as `script` says: texts at once, or nothing. */
function scripted(script: (message: { readonly [member: string]: unknown }) => readonly object[] | null) {
  const sent: { readonly [member: string]: unknown }[] = [];
  const carrier: SocketCarrier = {
    canLose: true,
    open: async (_, { onMessage, onEnd }: SocketListener) => ({
      send: (text) => {
        const message = JSON.parse(text);
        sent.push(message);
        const told = script(message);
        queueMicrotask(() => {
          if (told === null) onEnd(`gone with ${TOKEN}`);
          else for (const each of told) onMessage(JSON.stringify(each));
        });
      },
      close: async () => {},
    }),
  };
  return { carrier, sent };
}

const answerTo = ({ request_id, action }: { readonly [member: string]: unknown }, payload: object = {}) => ({
  request_id,
  action,
  type: 'response',
  success: true,
  payload,
});

async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  expect(JSON.stringify([error.message, error.failure, error.stack])).not.toContain('secret-0123456789');
  return error.failure;
}

test.each(['in this process', 'over the network'])(
  'A visit %s tells the groups of each page that has others than the one before',
  async (where) => {
    const { emulator, settings } = inProcess();
    const { url, emulator: there } = await served();
    const [license, how] = where === 'in this process' ? [emulator, settings] : [there, networked(url)];
    const visit = await visitRealtime(how);
    expect(await visit.update(OTHER)).toBeNull();
    expect(await visit.update(PRICES)).toEqual([{ id: 1, status: 'online' }]);
    expect(await visit.update(`${PRICES}?a`)).toBeNull();
    expect(await visit.update(OTHER)).toEqual([{ id: 0, status: 'online' }]);
    await visit.ping();
    expect(visit.requests()).toEqual({ login: 1, update_customer_page: 4, ping: 1 });
    expect(license.stats()).toEqual({ 'realtime/login': 1, 'realtime/update_customer_page': 4, 'realtime/ping': 1 });
    const customers = () => license.snapshot().tables.customers.map((row) => row.at(-1)?.value);
    expect(customers()).toMatchObject([{ logged_in: true, page: OTHER }]);
    await visit.close();
    // The other end of a network learns it by itself.
    await expect.poll(customers).toMatchObject([{ logged_in: false, page: OTHER }]);
  },
);

test('Groups that are not told are no change, and those of another form are an error', async () => {
  for (const [groups, expected] of [
    [undefined, null],
    [[{ id: 4, status: 'offline' }], [{ id: 4, status: 'offline' }]],
  ] as const) {
    const { carrier } = scripted((message) => [
      { type: 'push', action: 'groups_status_updated', payload: { groups: [{ id: 9, status: 'online' }] } },
      answerTo(message, groups === undefined ? {} : { groups }),
    ]);
    expect(await (await visitRealtime(settingsWith({ carrier }))).update(PRICES)).toEqual(expected);
  }
  for (const groups of [[], null, {}, [1], [{ id: '1', status: 'online' }]]) {
    const { carrier } = scripted((message) => [answerTo(message, { groups })]);
    const visit = await visitRealtime(settingsWith({ carrier }));
    expect(await failureOf(visit.update(PRICES))).toMatchObject({ action: 'update_customer_page', type: 'protocol' });
  }
});

test('A refusal has its type and message, without the token', async () => {
  const error = { type: 'customer_banned', message: `Customer of ${TOKEN} is banned`, data: { token: TOKEN } };
  const { carrier } = scripted(({ request_id, action }) => [
    { request_id, action, type: 'response', success: false, payload: { error } },
  ]);
  expect(await failureOf(visitRealtime(settingsWith({ carrier })))).toMatchObject({
    api: 'real-time interface',
    action: 'login',
    type: 'customer_banned',
    message: 'Customer of [token] is banned',
    status: null,
  });
  const { settings } = inProcess({ settings: { customerTokens: 'known' } });
  expect(await failureOf(visitRealtime(settings))).toMatchObject({ type: 'authentication', ambiguous: false });
});

test('A login follows the data centre that the service names, once', async () => {
  const { settings } = inProcess({ settings: { region: 'fra' } });
  const visit = await visitRealtime(settings);
  expect(await visit.update(PRICES)).toEqual([{ id: 1, status: 'online' }]);
  const regions: (string | undefined)[] = [];
  const { carrier } = scripted(() => [
    {
      type: 'push',
      action: 'customer_disconnected',
      payload: { reason: 'misdirected_connection', data: { region: 'dal' } },
    },
  ]);
  const open: SocketCarrier['open'] = (request, listener) => {
    regions.push(request.headers['x-region']);
    return carrier.open(request, listener);
  };
  const credential = { kind: 'bearer', token: `fra:${TOKEN}` } as const;
  const elsewhere = settingsWith({ carrier: { open, canLose: true }, credential });
  expect(await failureOf(visitRealtime(elsewhere))).toMatchObject({
    type: 'misdirected_request',
    data: { region: 'dal' },
  });
  expect(regions).toEqual(['fra', 'dal']);
});

test.each([
  ['license_expired', 'license_expired'],
  ['access_token_revoked', 'authentication'],
  ['connection_timeout', 'connection'],
  [`odd ${TOKEN}`, 'connection'],
])('What ends the connection with the reason %s is a failure of the type %s', async (reason, type) => {
  const { carrier } = scripted((message) =>
    message['action'] === 'login'
      ? [answerTo(message)]
      : [{ type: 'push', action: 'customer_disconnected', payload: { reason } }],
  );
  const visit = await visitRealtime(settingsWith({ carrier }));
  expect(await failureOf(visit.update(PRICES))).toMatchObject({ action: 'update_customer_page', type });
  expect(await failureOf(visit.ping())).toMatchObject({ action: 'ping', type });
});

test('A connection that is lost is a failure of each request that waits, and of each later one', async () => {
  const { carrier } = scripted((message) => (message['action'] === 'login' ? [answerTo(message)] : null));
  const visit = await visitRealtime(settingsWith({ carrier }));
  for (const work of [() => visit.update(PRICES), () => visit.ping()])
    expect(await failureOf(work())).toMatchObject({
      type: 'connection',
      ambiguous: true,
      message: 'gone with [token]',
    });
});

test('An answer that does not come in time, and an interruption, are failures; the clock is the one that is given', async () => {
  const waits: { readonly milliseconds: number; readonly wake: () => void }[] = [];
  const clock: RealtimeSettings['clock'] = {
    now: () => 0,
    sleep: (milliseconds, signal) =>
      new Promise((wake) => {
        waits.push({ milliseconds, wake });
        signal?.addEventListener('abort', () => wake());
      }),
  };
  const { carrier } = scripted((message) => (message['action'] === 'login' ? [answerTo(message)] : []));
  const stop = new AbortController();
  const visit = await visitRealtime(settingsWith({ carrier, clock, signal: stop.signal }));
  waits.splice(0);
  const late = failureOf(visit.update(PRICES));
  expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([5_000]);
  waits[0]?.wake();
  expect(await late).toMatchObject({ type: 'timeout', message: 'no answer within 5000 ms' });
  const interrupted = failureOf(visit.update(PRICES));
  stop.abort();
  expect(await interrupted).toMatchObject({ type: 'aborted', message: 'interrupted' });
  const never: SocketCarrier = { canLose: true, open: () => new Promise(() => {}) };
  const opening = failureOf(visitRealtime(settingsWith({ carrier: never, clock })));
  waits.at(-1)?.wake();
  expect(await opening).toMatchObject({ type: 'timeout', ambiguous: false, message: 'no connection within 5000 ms' });
});

test('After 15 seconds of silence a ping goes before the next page', async () => {
  let now = 0;
  const { carrier, sent } = scripted((message) => [answerTo(message)]);
  const clock = { now: () => now, sleep: () => new Promise<void>(() => {}) };
  const visit = await visitRealtime(settingsWith({ carrier, clock }));
  now += 14_999;
  await visit.update(PRICES);
  now += 15_000;
  await visit.update(OTHER);
  expect(sent.map(({ action }) => action)).toEqual(['login', 'update_customer_page', 'ping', 'update_customer_page']);
});

test('What keeps a connection from being opened is said as for any request', async () => {
  const refuses = createServer((_, response) => response.writeHead(401).end('no'));
  await new Promise<void>((resolve) => refuses.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void refuses.close());
  const { port } = Object(refuses.address());
  const { url: secure } = await served({}, { tls: TLS });
  const { url } = await served();
  const gone = await listen(emulatorOf(), { port: 0, host: '127.0.0.1' });
  await gone.close();
  for (const [address, type, message] of [
    [gone.url, 'connection', 'ECONNREFUSED'],
    ['http://nowhere.invalid', 'connection', 'nowhere.invalid'],
    [`http://127.0.0.1:${port}`, 'protocol', 'HTTP 401 in the place of a WebSocket'],
    [secure, 'tls', 'NODE_EXTRA_CA_CERTS'],
    [`${url}/elsewhere`, 'protocol', 'HTTP 404'],
  ] as const) {
    const failure = await failureOf(visitRealtime(networked(address)));
    expect([failure.type, failure.message]).toEqual([type, expect.stringContaining(message)]);
  }
  const stop = new AbortController();
  stop.abort();
  expect(await failureOf(visitRealtime(networked(url, { signal: stop.signal })))).toMatchObject({ type: 'aborted' });
  await expect(visitRealtime(networked('ftp://service.example'))).rejects.toThrow('base_url is not');
});

test('A server that closes the connection, or goes away, ends the visit', async () => {
  const emulator = emulatorOf();
  const { url, close } = await listen(emulator, { port: 0, host: '127.0.0.1' });
  const visit = await visitRealtime(networked(url));
  await visit.update(PRICES);
  await close();
  expect(await failureOf(visit.update(OTHER))).toMatchObject({ type: 'connection' });
  await visit.close();
});
