// What the patient client sends again, when, and how much of it: exact pauses, by an injected clock and injected chance.

import { describe, expect, test } from 'vitest';
import type { ActionName } from '../../../src/service/configuration.ts';
import type { Exchange } from '../../../src/service/exchange.ts';
import { patient, type RetryPatience } from '../../../src/service/patience/retry.ts';
import { clientWith, failureOf, NOW, reply } from '../scripted.ts';

type End = Awaited<ReturnType<Exchange>>;

const refusal = (type: string, status: number, headers: Record<string, string> = {}) =>
  reply(status, { error: { type, message: 'as the test wants it' } }, headers);
const RESET: End = { failure: { phase: 'sent', kind: 'reset', detail: 'ECONNRESET' } };
const REFUSED: End = { failure: { phase: 'connect', kind: 'refused', detail: 'ECONNREFUSED' } };
const TIMEOUT: End = { failure: { phase: 'sent', kind: 'timeout', detail: 'no reply' } };
const UNTRUSTED: End = { failure: { phase: 'connect', kind: 'tls', detail: 'self-signed' } };
const FORBIDDEN_BY_PROXY: End = { failure: { phase: 'connect', kind: 'proxy', detail: 'Proxy response (407)' } };
const TOO_LARGE: End = { failure: { phase: 'sent', kind: 'too-large', detail: 'too large' } };
const BUSY = refusal('too_many_requests', 429);
const AWAY = refusal('service_unavailable', 503);
const BROKEN = refusal('internal', 500);
const LATE = refusal('request_timeout', 504);
const PAGE = reply(502, '<html>bad gateway</html>');

/** A patient client whose service answers with these ends, the last of them for good; what it sent, and how long it paused. */
function scene(ends: readonly End[], changes: Partial<RetryPatience> = {}) {
  const bodies: { readonly requests?: readonly unknown[] }[] = [];
  const pauses: number[] = [];
  let now = NOW;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      pauses.push(milliseconds);
      now += milliseconds;
    },
  };
  const exchange: Exchange = async ({ body }) => {
    bodies.push(JSON.parse(body));
    const end = ends[Math.min(bodies.length, ends.length) - 1];
    if (end === undefined) throw new Error('no script');
    return end;
  };
  const client = patient(clientWith({ exchange, clock }), { clock, random: () => 0.5, concurrency: 8, ...changes });
  return { client, bodies, pauses };
}

test('a request is not sent again later than `within` its first attempt, whatever else there is time for', async () => {
  const { client, bodies, pauses } = scene([BUSY], { within: 2_000 });
  await failureOf(client.call('list_groups', {}));
  await failureOf(client.call('list_groups', {}));
  expect(pauses).toEqual([250, 500, 1000, 250, 500, 1000]);
  expect(bodies).toHaveLength(8);
  const asked = scene([refusal('too_many_requests', 429, { 'retry-after': '2' })], { within: 2_000 });
  await failureOf(asked.client.call('list_groups', {}));
  expect(asked.pauses).toEqual([]);
});

describe('what is sent again', () => {
  const read: ActionName = 'list_groups';
  const update: ActionName = 'update_group';
  const remove: ActionName = 'delete_group';
  const create: ActionName = 'create_group';
  const known: ActionName = 'create_agent';
  /** Of two secrets, who knows which is the later one? */
  const reset: ActionName = 'reset_bot_secret';
  const all = [read, update, remove, create, known, reset];
  const unmaking = [read, update, remove, known];

  test.each([
    ['refused for the rate', BUSY, all],
    ['never connected', REFUSED, all],
    ['a reset in the middle', RESET, unmaking],
    ['no answer in time', TIMEOUT, unmaking],
    ['a service that is away', AWAY, unmaking],
    ['a page in place of a refusal for the rate', reply(429, 'slow down'), unmaking],
    ['a failure inside the service', BROKEN, unmaking],
    ['a time-out inside the service', LATE, unmaking],
    ['a page of a gateway', PAGE, unmaking],
    ['a certificate that is not trusted', UNTRUSTED, []],
    ['a proxy that refuses', FORBIDDEN_BY_PROXY, []],
    ['a reply that is too large', TOO_LARGE, []],
    ['a refusal', refusal('validation', 400), []],
    ['no right', refusal('authorization', 403), []],
    ['no credential', refusal('authentication', 401), []],
    ['a redirect', reply(302, ''), []],
    ['a page where an answer should be', reply(200, '<html>welcome</html>'), []],
    ['an error nobody knows', refusal('brand_new', 500), []],
  ] as const)('%s', async (_, end, again) => {
    for (const action of all) {
      const { client, bodies } = scene([end, reply(200, {})]);
      await client.call(action, {}).catch(() => null);
      expect([action, bodies.length]).toEqual([action, again.some((each) => each === action) ? 2 : 1]);
    }
  });

  test.each([
    [REFUSED, 5],
    [TIMEOUT, 5],
    [LATE, 5],
    [PAGE, 5],
    [RESET, 10],
    [BUSY, 10],
    [AWAY, 10],
    [BROKEN, 10],
  ])('%j is given up after %i attempts', async (end, attempts) => {
    const { client, bodies } = scene([end]);
    await failureOf(client.call('list_groups', {}));
    expect(bodies).toHaveLength(attempts);
  });
});

describe('the pause', () => {
  test('is half the ceiling when chance is one half, and the ceiling doubles up to 20 seconds', async () => {
    const { client, pauses } = scene([BUSY]);
    await failureOf(client.call('list_groups', {}));
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  });

  test('can be nothing, and can be the ceiling', async () => {
    for (const [chance, pause] of [
      [0, 0],
      [0.999, 500],
    ]) {
      const { client, pauses } = scene([RESET, reply(200, [])], { random: () => chance ?? 0 });
      await client.call('list_groups', {});
      expect(pauses).toEqual([pause]);
    }
  });

  test('is never shorter than Retry-After, in seconds or as a date', async () => {
    const date = new Date(NOW + 90_000).toUTCString();
    for (const [value, pause] of [
      ['7', 7000],
      [date, 90_000],
      ['0', 250],
      ['soon', 250],
      [new Date(NOW - 90_000).toUTCString(), 250],
    ] as const) {
      const { client, pauses } = scene([refusal('too_many_requests', 429, { 'retry-after': value }), reply(200, [])]);
      await client.call('list_groups', {});
      expect([value, pauses]).toEqual([value, [pause]]);
    }
  });

  test('that Retry-After asks for holds the others too, so that they are not sent to be refused', async () => {
    const { client, bodies, pauses } = scene(
      [refusal('too_many_requests', 429, { 'retry-after': '30' }), reply(200, [])],
      {
        concurrency: 1,
      },
    );
    await Promise.all([client.call('list_groups', {}), client.call('list_agents', {})]);
    expect(bodies).toHaveLength(3);
    // Whoever comes first waits; afterwards the time has passed for both.
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(30_000);
  });

  test.each(['301', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'is not begun when Retry-After (%s) asks for more than five minutes',
    async (value) => {
      const { client, bodies } = scene([refusal('too_many_requests', 429, { 'retry-after': value })]);
      expect(await failureOf(client.call('list_groups', {}))).toMatchObject({ type: 'too_many_requests' });
      expect(bodies).toHaveLength(1);
    },
  );

  test('that would end after the deadline is not begun', async () => {
    const { client, bodies, pauses } = scene([refusal('too_many_requests', 429, { 'retry-after': '100' })], {
      deadline: NOW + 60_000,
    });
    expect(await failureOf(client.call('list_groups', {}))).toMatchObject({ type: 'too_many_requests' });
    expect([bodies.length, pauses]).toEqual([1, []]);
  });

  test('is told, with the attempt that came before it', async () => {
    const told: unknown[] = [];
    const { client } = scene([BUSY, BROKEN, reply(200, [])], {
      onWait: ({ action, milliseconds, failure, attempt }) => told.push([action, milliseconds, failure.type, attempt]),
    });
    await client.call('list_groups', {});
    expect(told).toEqual([
      ['list_groups', 250, 'too_many_requests', 1],
      ['list_groups', 500, 'internal', 2],
    ]);
  });
});

describe('a batch', () => {
  const slots = (...responses: readonly unknown[]) => reply(200, { responses });
  const failed = (type: string) => ({ error: { type, message: '' } });
  const ids = [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }];

  test('sends again those slots alone that never started, whatever they are', async () => {
    const { client, bodies } = scene([
      slots({ id: '1' }, failed('too_many_requests'), failed('validation'), failed('too_many_requests')),
      slots({ id: '2' }, failed('too_many_requests')),
      slots({ id: '4' }),
    ]);
    const outcomes = await client.batch('create_bot', ids);
    expect(bodies.map(({ requests }) => requests)).toEqual([ids, [{ id: 'b' }, { id: 'd' }], [{ id: 'd' }]]);
    expect(outcomes).toEqual([
      { ok: { id: '1' } },
      { ok: { id: '2' } },
      { error: expect.objectContaining({ type: 'validation', action: 'create_bot' }) },
      { ok: { id: '4' } },
    ]);
  });

  test.each([
    ['create_bot', 1],
    ['create_agent', 2],
    ['update_agent', 2],
    ['delete_bot', 2],
  ] as const)('sends slots of %s that may have started %i time(s)', async (action, times) => {
    const { client, bodies } = scene([slots({}, failed('internal')), slots({})]);
    const outcomes = await client.batch(action, ids.slice(0, 2));
    expect(bodies).toHaveLength(times);
    expect('ok' in (outcomes[1] ?? {})).toBe(times === 2);
  });

  test('is sent again as a whole when it was refused or lost as a whole, and thrown when that does not help', async () => {
    const lost = scene([RESET, slots({}, {})]);
    expect(await lost.client.batch('update_agent', ids.slice(0, 2))).toEqual([{ ok: {} }, { ok: {} }]);
    expect(lost.bodies).toHaveLength(2);
    const created = scene([RESET, slots({}, {})]);
    expect(await failureOf(created.client.batch('create_bot', ids.slice(0, 2)))).toMatchObject({
      type: 'connection',
      ambiguous: true,
    });
    expect(created.bodies).toHaveLength(1);
  });

  test('whose rest is lost as a whole keeps the slots that ended before', async () => {
    const { client } = scene([slots({ id: '1' }, failed('too_many_requests')), refusal('authorization', 403)]);
    expect(await client.batch('create_bot', ids.slice(0, 2))).toEqual([
      { ok: { id: '1' } },
      { error: expect.objectContaining({ type: 'authorization' }) },
    ]);
  });

  test('whose slots were refused for the rate narrows the way for everybody', async () => {
    let busy = 0;
    let most = 0;
    const exchange: Exchange = async ({ url }) => {
      most = Math.max(most, ++busy);
      await null;
      busy -= 1;
      return url.includes('batch') ? slots(failed('too_many_requests')) : reply(200, []);
    };
    const clock = { now: () => NOW, sleep: async () => {} };
    const client = patient(clientWith({ exchange, clock }), { clock, random: () => 0, concurrency: 4 });
    await client.batch('update_agent', [{ id: 'a' }]);
    most = 0;
    await Promise.all(Array.from({ length: 2 }, () => client.call('list_groups', {})));
    expect(most).toBe(1);
  });
});

test('A create that names what it makes, and meets it after an attempt without an answer, says so', async () => {
  const { client } = scene([RESET, refusal('already_exists', 409)]);
  expect(await failureOf(client.call('create_agent', { id: 'a' }))).toMatchObject({
    type: 'already_exists',
    repeated: true,
  });
  const fresh = scene([BUSY, refusal('already_exists', 409)]);
  expect(await failureOf(fresh.client.call('create_agent', { id: 'a' }))).not.toHaveProperty('repeated');
});

describe('giving up', () => {
  test('ends the pauses, and the failure that began them is the one that is told', async () => {
    const controller = new AbortController();
    const { client, bodies } = scene([BUSY], { onWait: () => controller.abort() });
    const failure = await failureOf(client.call('list_groups', {}, { signal: controller.signal }));
    expect([failure.type, bodies.length]).toEqual(['too_many_requests', 1]);
  });

  test('keeps what waits for its turn from being sent', async () => {
    const { client, bodies } = scene([reply(200, [])]);
    for (const how of [{ stop: AbortSignal.abort() }, { signal: AbortSignal.abort('the time is up') }]) {
      const failure = await failureOf(client.call('list_groups', {}, how));
      expect(failure).toMatchObject({ type: 'aborted', ambiguous: false });
    }
    expect(bodies).toEqual([]);
  });
});
