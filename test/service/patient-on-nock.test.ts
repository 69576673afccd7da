// The client as a command composes it, over nock: every error type of the specification, exact pauses, the data centre, and a log without secrets.

import nock from 'nock';
import { getGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jsonLog, textLog } from '../../src/command/terminal.ts';
import { requestLog } from '../../src/license/transport.ts';
import type { ActionName } from '../../src/service/configuration.ts';
import { createRedactor } from '../../src/service/credential.ts';
import { createHttpExchange } from '../../src/service/http.ts';
import { patient } from '../../src/service/patience/retry.ts';
import { scrubbed } from '../../src/target/context.ts';
import { clientWith, failureOf, HOST, NOW } from './scripted.ts';

const TOKEN = 'fra:s3cr3t-T0ken/with+marks';
const CREDENTIAL = { kind: 'bearer', token: TOKEN } as const;
const SECRET = 'b0t-secret';
const path = (action: string): string => `/v3.6/configuration/action/${action}`;

/** Lines of the log of every test, text and JSON. */
let lines: string[] = [];

async function scene() {
  const pauses: number[] = [];
  let now = NOW;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      pauses.push(milliseconds);
      now += milliseconds;
    },
  };
  const write = (line: string): void => {
    lines.push(line);
  };
  const logs = [textLog('debug', clock.now, write), await jsonLog('debug', clock.now, write)];
  const redact = createRedactor(CREDENTIAL);
  const client = clientWith({
    credential: CREDENTIAL,
    exchange: createHttpExchange(getGlobalDispatcher()),
    clock,
    onRequest: (request) => {
      for (const log of logs) requestLog(scrubbed(log, redact))(request);
    },
  });
  return { client: patient(client, { clock, random: () => 0.5, concurrency: 8 }), pauses };
}

/** Requests as the log has them. */
function logged(): readonly unknown[] {
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

beforeAll(() => nock.disableNetConnect());
beforeEach(() => {
  lines = [];
});
afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
  const text = lines.join('');
  for (const form of [TOKEN, encodeURIComponent(TOKEN), 's3cr3t', 'T0ken', SECRET]) expect(text).not.toContain(form);
});
afterAll(() => nock.enableNetConnect());

/** Service notes, "Wire": each type, its status, and whether it is sent again for a read, an update and a create. */
const ERRORS = [
  ['authentication', 401, 1, 1, 1],
  ['authorization', 403, 1, 1, 1],
  ['already_exists', 409, 1, 1, 1],
  ['group_not_found', 404, 1, 1, 1],
  ['internal', 500, 10, 10, 1],
  ['license_expired', 403, 1, 1, 1],
  ['limit_reached', 403, 1, 1, 1],
  ['misdirected_request', 421, 1, 1, 1],
  ['not_found', 404, 1, 1, 1],
  ['too_many_requests', 429, 10, 10, 10],
  ['unsupported_version', 404, 1, 1, 1],
  ['validation', 400, 1, 1, 1],
  ['transfer_ownership', 409, 1, 1, 1],
  ['ownership_transfer', 409, 1, 1, 1],
  ['service_unavailable', 503, 10, 10, 1],
  ['request_timeout', 504, 5, 5, 1],
] as const;

describe.each(ERRORS)('%s (%i)', (type, status, reads, updates, creates) => {
  test.each([
    ['list_groups', reads],
    ['update_group', updates],
    ['create_group', creates],
  ] as const)('%s is sent %i time(s)', async (action: ActionName, times) => {
    const { client, pauses } = await scene();
    nock(HOST)
      .post(path(action))
      .times(times)
      .reply(status, { error: { type, message: `you sent ${TOKEN}` } }, { 'x-debug-id': `d-${TOKEN}` });
    expect(await failureOf(client.call(action, {}))).toMatchObject({
      type,
      status,
      message: 'you sent [token]',
      debugId: 'd-[token]',
      ambiguous: ['internal', 'request_timeout', 'service_unavailable'].includes(type),
    });
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000].slice(0, times - 1));
    expect(logged()).toEqual(
      Array.from({ length: times }, (_, index) => ({
        level: 'warn',
        time: expect.any(String),
        message: 'request',
        action,
        status,
        duration_ms: expect.any(Number),
        attempt: index + 1,
        debug_id: 'd-[token]',
        error: type,
        reason: 'you sent [token]',
      })),
    );
  });
});

test.each([
  ['seconds', '12', 12_000],
  ['a date', new Date(NOW + 12_000).toUTCString(), 12_000],
])('Retry-After in %s is waited for, and then the request succeeds', async (_, value, pause) => {
  const { client, pauses } = await scene();
  const busy = { error: { type: 'too_many_requests', message: '' } };
  nock(HOST).post(path('create_group')).reply(429, busy, { 'retry-after': value });
  nock(HOST).post(path('create_group')).reply(200, { id: 7 });
  expect(await client.call('create_group', {})).toEqual({ id: 7 });
  expect(pauses).toEqual([pause]);
});

describe('the data centre', () => {
  const misdirected = { error: { type: 'misdirected_request', message: '', data: { region: 'dal' } } };

  test('of the token comes first, the one that the service names is followed once at once, and remembered', async () => {
    const { client, pauses } = await scene();
    nock(HOST).post(path('create_group')).matchHeader('x-region', 'fra').reply(421, misdirected);
    nock(HOST).post(path('create_group')).matchHeader('x-region', 'dal').reply(200, { id: 7 });
    nock(HOST).post(path('list_groups')).matchHeader('x-region', 'dal').reply(200, []);
    expect(await client.call('create_group', {})).toEqual({ id: 7 });
    await client.call('list_groups', {});
    expect(pauses).toEqual([]);
    expect(logged()).toMatchObject([
      { action: 'create_group', status: 421, error: 'misdirected_request', level: 'warn' },
      { action: 'create_group', status: 200, level: 'info' },
      { action: 'list_groups', status: 200, level: 'info' },
    ]);
  });

  test('that answers a second time that it is another one is an error', async () => {
    const { client } = await scene();
    nock(HOST).post(path('list_groups')).twice().reply(421, misdirected);
    expect(await failureOf(client.call('list_groups', {}))).toMatchObject({ type: 'misdirected_request' });
  });
});

describe('a reply that is not of this API', () => {
  test.each([
    [200, '<html>sign in</html>', 'protocol', 1, 1],
    [502, '<html>bad gateway</html>', 'protocol', 5, 1],
    [503, '<html>away</html>', 'service_unavailable', 10, 1],
    [429, 'slow down', 'too_many_requests', 10, 1],
    [302, '', 'protocol', 1, 1],
    [404, '<html>nothing here</html>', 'protocol', 1, 1],
    [200, '{"cut": ', 'protocol', 1, 1],
  ] as const)('with %i and the body %j is %s', async (status, body, type, reads, creates) => {
    for (const [action, times] of [
      ['list_groups', reads],
      ['create_group', creates],
    ] as const) {
      const { client } = await scene();
      nock(HOST).post(path(action)).times(times).reply(status, `${body}`);
      expect(await failureOf(client.call(action, {}))).toMatchObject({ type, status });
    }
  });

  test('quotes neither the token nor, where a secret would have come, anything at all', async () => {
    const { client } = await scene();
    nock(HOST)
      .post(path('list_groups'))
      .reply(200, `<html>${encodeURIComponent(TOKEN)}</html>`);
    expect((await failureOf(client.call('list_groups', {}))).message).toContain('[token]');
    nock(HOST).post(path('create_bot')).reply(200, `{"id": "b", "secret": "${SECRET}"`);
    expect((await failureOf(client.call('create_bot', {}))).message).not.toContain(SECRET);
    nock(HOST).post(path('create_bot')).reply(200, { id: 'b', secret: SECRET });
    expect(await client.call('create_bot', {})).toEqual({ id: 'b', secret: SECRET });
  });
});

test('A batch sends only those slots again that never started', async () => {
  const { client, pauses } = await scene();
  const failed = (type: string) => ({ error: { type, message: TOKEN } });
  nock(HOST)
    .post(path('batch_create_bots'), { requests: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })
    .reply(200, { responses: [{ id: '1', secret: SECRET }, failed('too_many_requests'), failed('internal')] });
  nock(HOST)
    .post(path('batch_create_bots'), { requests: [{ name: 'b' }] })
    .reply(200, { responses: [{ id: '2', secret: SECRET }] });
  expect(await client.batch('create_bot', [{ name: 'a' }, { name: 'b' }, { name: 'c' }])).toEqual([
    { ok: { id: '1', secret: SECRET } },
    { ok: { id: '2', secret: SECRET } },
    { error: expect.objectContaining({ type: 'internal', message: '[token]', ambiguous: true }) },
  ]);
  expect(pauses).toEqual([250]);
});
