import { describe, expect, test } from 'vitest';
import type { Scenario, SettingsInput } from '../../src/emulator/index.ts';
import { createEmulator, parseScenario, parseSettings } from '../../src/emulator/index.ts';
import { type Caller, callerOf, createCaller, START, seededRandom } from './caller.ts';
import { createCustomerCaller } from './customer/caller.ts';

type Fault = Scenario['faults'][number];

const ANN = { id: 'ann', name: 'Ann' };
const RULE = { access: { groups: [0] }, conditions: { url: { values: [{ value: 'x' }] } } };

/** A caller whose emulator plays these faults and notes how long it was made to wait. */
function struckBy(...faults: readonly Fault[]): Caller & { readonly slept: number[] } {
  const slept: number[] = [];
  const clock = { now: START };
  const sleep = async (milliseconds: number): Promise<void> => {
    slept.push(milliseconds);
    clock.now += milliseconds;
  };
  const options = { now: () => clock.now, random: seededRandom(1), sleep, seed: { agents: [ANN] } };
  return { clock, slept, ...callerOf(createEmulator({ ...options, scenario: { seed: 1, faults } })) };
}

const agents = async ({ emulator }: Caller): Promise<number> => emulator.snapshot().tables.agents.length;

describe('A fault strikes', () => {
  const failing = { type: 'error', error: 'internal' } as const;

  test('every request when it names none', async () => {
    const { fail } = struckBy(failing);
    expect(await fail('list_agents')).toBe('internal');
    expect(await fail('get_agent', { id: 'ann' })).toBe('internal');
  });

  test('the actions and versions that it names', async () => {
    const { call, fail } = struckBy({ ...failing, actions: ['list_*', 'get_bot'], versions: ['3.6'] });
    expect(await fail('list_agents')).toBe('internal');
    expect(await fail('list_groups')).toBe('internal');
    expect(await fail('get_bot', { id: 'x' })).toBe('internal');
    await call('get_agent', { id: 'ann' });
    await call('list_agents', {}, { version: '3.3' });
  });

  test('after as many requests as it skips, and as often as it says', async () => {
    const { send, emulator } = struckBy({ ...failing, skip: 1, times: 2 });
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await send('list_agents')).status);
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
    expect(emulator.faults().struck).toEqual([2]);
  });

  test('with its probability, the same requests for the same seed', async () => {
    const struck = async (seed: number): Promise<readonly number[]> => {
      const options = { scenario: { seed, faults: [{ ...failing, probability: 0.3 }] } };
      const { send } = createCaller(options);
      const statuses: number[] = [];
      for (let count = 0; count < 400; count += 1) statuses.push((await send('list_groups')).status);
      return statuses.flatMap((status, index) => (status === 500 ? [index] : []));
    };
    const once = await struck(5);
    expect(once.length).toBeGreaterThan(80);
    expect(once.length).toBeLessThan(160);
    expect(await struck(5)).toEqual(once);
    expect(await struck(6)).not.toEqual(once);
  });

  test('independently of the other faults', async () => {
    const rare = { ...failing, probability: 0.5 };
    const statuses = async (...faults: readonly Fault[]): Promise<readonly number[]> => {
      const { send } = struckBy(...faults);
      const found: number[] = [];
      for (let count = 0; count < 50; count += 1) found.push((await send('list_groups')).status);
      return found;
    };
    const shuffling = { type: 'shuffle', probability: 0.5 } as const;
    expect(await statuses(rare, shuffling)).toEqual(await statuses(rare));
  });
});

describe('Latency', () => {
  test('comes before the request takes effect unless it says after', async () => {
    const caller = struckBy({ type: 'latency', delay: { from: 250, to: 250 } });
    const pending = caller.call('create_agent', { id: 'bob', name: 'Bob' });
    expect(await agents(caller)).toBe(2);
    await pending;
    expect(caller.slept).toEqual([250]);
    expect(caller.emulator.log()[0]?.at).toBe(START);
  });

  test('is drawn out of its range', async () => {
    const { call, slept } = struckBy({ type: 'latency', delay: { from: 10, to: 20 }, when: 'after' });
    for (let count = 0; count < 100; count += 1) await call('list_agents');
    expect(Math.min(...slept)).toBe(10);
    expect(Math.max(...slept)).toBe(20);
  });
});

describe('Slow items', () => {
  const bob = { id: 'bob', name: 'Bob' };

  test('take their time one after the other, each its own', async () => {
    const { call, slept } = struckBy({ type: 'slow_items', delay: { from: 5, to: 7 } });
    await call('batch_create_agents', { requests: [bob, { id: 'cid', name: 'Cid' }, { id: 'dan' }] });
    await call('list_agents');
    expect(slept).toHaveLength(2);
    expect(slept[0]).toBeGreaterThanOrEqual(15);
    expect(slept[0]).toBeLessThanOrEqual(21);
    expect(slept[1]).toBeLessThanOrEqual(7);
  });

  test('delay nothing but the reply: a request that is refused as a whole has none', async () => {
    const caller = struckBy({ type: 'slow_items', delay: { from: 5, to: 5 } });
    const pending = caller.call('create_agent', bob);
    await caller.fail('create_agent', {});
    expect(caller.slept).toEqual([5]);
    await pending;
    expect(await agents(caller)).toBe(3);
  });
});

describe('A reset connection', () => {
  test.each([
    ['before', 2],
    ['after', 3],
  ] as const)('%s the request takes effect leaves %i agents, and looks the same', async (when, count) => {
    const caller = struckBy({ type: 'reset', when, times: 1 });
    await expect(caller.send('create_agent', { id: 'bob', name: 'Bob' })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await agents(caller)).toBe(count);
    expect(caller.emulator.log()).toMatchObject([{ action: 'create_agent', status: null, faults: ['reset'] }]);
    expect(caller.emulator.stats()).toEqual({ create_agent: 1 });
  });
});

describe('An error', () => {
  test('is answered in the envelope, with the status of its type', async () => {
    const { send } = struckBy({ type: 'error', error: 'too_many_requests', message: 'slow down' });
    const { status, headers, body } = await send('list_agents');
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe(null);
    expect(body).toEqual({ error: { type: 'too_many_requests', message: 'slow down' } });
  });

  test('of an unknown type is a 500 unless it says otherwise', async () => {
    expect((await struckBy({ type: 'error', error: 'odd' }).send('list_agents')).status).toBe(500);
    expect((await struckBy({ type: 'error', error: 'odd', status: 418 }).send('list_agents')).status).toBe(418);
  });

  test('can say when to come back, in seconds or as a date', async () => {
    const busy = { type: 'error', error: 'too_many_requests', retry_after: 90 } as const;
    expect((await struckBy(busy).send('list_agents')).headers.get('retry-after')).toBe('90');
    const dated = await struckBy({ ...busy, retry_after_as: 'date' }).send('list_agents');
    expect(dated.headers.get('retry-after')).toBe(new Date(START + 90_000).toUTCString());
  });

  test('without an envelope is a page of a gateway', async () => {
    const { emulator } = struckBy({ type: 'error', error: 'internal', status: 502, envelope: false });
    const reply = await emulator.fetch(new Request('http://x/v3.6/configuration/action/list_agents'));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await reply.text()).toContain('<html>');
  });

  test('can come although the request took effect', async () => {
    const caller = struckBy({ type: 'error', error: 'request_timeout', when: 'after' });
    expect((await caller.send('create_agent', { id: 'bob', name: 'Bob' })).status).toBe(504);
    expect(await agents(caller)).toBe(3);
  });
});

test('A failing item of a batch takes no effect, and its siblings do', async () => {
  const caller = struckBy({ type: 'slot', error: 'internal', actions: ['batch_create_agents'], skip: 1, times: 1 });
  const requests = ['a', 'b', 'c'].map((id) => ({ id, name: id }));
  const { responses } = await caller.call('batch_create_agents', { requests });
  expect(responses.filter((slot: object) => 'error' in slot)).toEqual([
    { error: { type: 'internal', message: expect.any(String) } },
  ]);
  expect(await agents(caller)).toBe(4);
});

test('A stale read shows the past, and the next one may show the present', async () => {
  const { call, fail, clock } = struckBy({ type: 'stale', lag: { from: 60_000, to: 60_000 }, times: 1 });
  await call('create_group', { name: 'x', agent_priorities: {} });
  clock.now += 30_000;
  expect(await fail('get_group', { id: 1 })).toBe('not_found');
  await call('get_group', { id: 1 });
});

test('Lists come in another order, with all that is in them', async () => {
  const seed = { agents: Array.from({ length: 20 }, (_, index) => ({ id: `a${index}`, name: 'A' })) };
  const { call, emulator } = createCaller({ seed, scenario: { faults: [{ type: 'shuffle' }] } });
  const shuffled: { id: string }[] = await call('list_agents');
  emulator.setFaults({ faults: [] });
  const regular: { id: string }[] = await call('list_agents');
  expect(shuffled).not.toEqual(regular);
  expect(shuffled.map(({ id }) => id).sort()).toEqual(regular.map(({ id }) => id).sort());
});

test.each([
  ['two_heads', ['c', 'c', '']],
  ['cycle', ['b', 'c', 'a']],
  ['unknown_next', ['b', 'c', 'no-such-rule']],
] as const)('A chain of rules is broken by %s, in what is read alone', async (as, next) => {
  const seed = { auto_access: ['a', 'b', 'c'].map((id) => ({ ...RULE, id })) };
  const { call, emulator } = createCaller({ seed, scenario: { faults: [{ type: 'broken_chain', as, times: 1 }] } });
  const before = emulator.snapshot();
  const listed = async (): Promise<readonly string[]> =>
    (await call('list_auto_accesses')).map((rule: { next_id: string }) => rule.next_id);
  expect(await listed()).toEqual(next);
  expect(await listed()).toEqual(['b', 'c', '']);
  expect(emulator.snapshot().tables).toEqual(before.tables);
});

test('The date of a response is the emulator`s own, unless its clock is off', async () => {
  const { send } = struckBy({ type: 'clock_skew', by: -60_000, times: 1 });
  const date = async (): Promise<number> => Date.parse((await send('list_agents')).headers.get('date') ?? '');
  expect(await date()).toBe(START - 60_000);
  expect(await date()).toBe(START);
});

test('A slow body takes the time that its bytes take', async () => {
  const { emulator, slept } = struckBy({ type: 'slow_body', bytes_per_second: 100 });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer x' };
  const request = new Request('http://x/v3.6/configuration/action/list_agents', {
    method: 'POST',
    headers,
    body: '{}',
  });
  const bytes = (await (await emulator.fetch(request)).arrayBuffer()).byteLength;
  expect(slept.length).toBeGreaterThan(5);
  expect(slept.reduce((sum, time) => sum + time, 0)).toBeCloseTo(bytes * 10, 3);
});

describe('A scenario that is wrong is refused, and the member named', () => {
  test.each<[string, object]>([
    ['`faults` is required', {}],
    ['`faults[0].type` is required', { faults: [{}] }],
    ['`faults[0].type` must be one of', { faults: [{ type: 'earthquake' }] }],
    ['`faults[0].dellay` is not a known member', { faults: [{ type: 'latency', dellay: 5 }] }],
    ['`faults[0].delay` must not end before it begins', { faults: [{ type: 'latency', delay: { from: 2, to: 1 } }] }],
    ['`faults[0].probability` must be a number between 0 and 1', { faults: [{ type: 'reset', probability: 2 }] }],
    ['`faults[0].lag` must be between 0 and 120000', { faults: [{ type: 'stale', lag: 120_001 }] }],
    ['`faults[1].as` is required', { faults: [{ type: 'shuffle' }, { type: 'broken_chain' }] }],
    ['`sead` is not a known member', { sead: 1, faults: [] }],
  ])('%s', (message, scenario) => {
    expect(() => parseScenario(scenario)).toThrow(message);
  });
});

describe('A reply that takes as long as the API waits', () => {
  const slow = (delay: number, more: object = {}): Fault => ({
    type: 'latency',
    delay: { from: delay, to: delay },
    actions: ['customer/*'],
    ...more,
  });

  async function updated(settings: SettingsInput, ...faults: readonly Fault[]) {
    const slept: number[] = [];
    const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
    const options = { settings, sleep, scenario: { faults } };
    const { send, emulator } = createCustomerCaller(options);
    const { status, body } = await send('update_customer', { name: 'Nora' });
    const kim = emulator.snapshot().tables.customers.flatMap((row) => row.at(-1)?.value ?? []);
    return [
      status,
      body.error?.type,
      slept.reduce((sum, one) => sum + one, 0),
      kim.some(({ name }) => name === 'Nora'),
    ];
  }

  test('is `request_timeout` after 15 s, whether the request took effect or not', async () => {
    expect(await updated({}, slow(14_999))).toEqual([200, undefined, 14_999, true]);
    expect(await updated({}, slow(15_000))).toEqual([504, 'request_timeout', 15_000, false]);
    expect(await updated({}, slow(60_000, { when: 'after' }))).toEqual([504, 'request_timeout', 15_000, true]);
    expect(await updated({}, slow(9_000), slow(9_000, { when: 'after' }))).toEqual([
      504,
      'request_timeout',
      15_000,
      true,
    ]);
    const slowItems = { type: 'slow_items', delay: { from: 20_000, to: 20_000 } } as const;
    expect(await updated({}, slowItems)).toEqual([504, 'request_timeout', 15_000, true]);
  });

  test('is answered late where `limits.replySeconds` says so, and by APIs without the error', async () => {
    expect(await updated({ limits: { replySeconds: -1 } }, slow(60_000))).toEqual([200, undefined, 60_000, true]);
    expect(await updated({ limits: { replySeconds: 2 } }, slow(60_000))).toEqual([
      504,
      'request_timeout',
      2_000,
      false,
    ]);
    const caller = struckBy({ type: 'latency', delay: { from: 60_000, to: 60_000 } });
    await caller.call('list_agents');
    expect(caller.slept).toEqual([60_000]);
  });
});

describe('`misdirected_request`', () => {
  const misdirected = { type: 'error', error: 'misdirected_request' } as const;

  test('names a region: its own, that of the license, or the one that is not asked', async () => {
    const data = async (fault: Fault, settings: SettingsInput = {}) => {
      const { send } = createCustomerCaller({ settings, scenario: { faults: [fault] } });
      return (await send('get_customer')).body.error;
    };
    const error = { type: 'misdirected_request', message: 'Wrong region' };
    expect(await data(misdirected)).toEqual({ ...error, data: { region: 'fra' } });
    expect(await data(misdirected, { region: 'dal' })).toEqual({ ...error, data: { region: 'dal' } });
    expect(await data({ ...misdirected, region: 'fra-a' })).toEqual({ ...error, data: { region: 'fra-a' } });
  });

  test('comes from a license in any region, whose tokens have its prefix', async () => {
    const { send } = createCustomerCaller({ settings: { region: 'fra-a' } });
    const at = (region: string) => send('get_customer', {}, { headers: { 'x-region': region } });
    expect((await at('fra')).body.error.data).toEqual({ region: 'fra-a' });
    expect((await at('fra-a')).status).toBe(200);
    expect(() => parseSettings({ region: 'Fra:' })).toThrow('`region` must be letters, such as dal or fra-a');
  });
});
