import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { tries } from '../tries.ts';
import { callerOf, createCaller, START, seededRandom } from './caller.ts';

const ANN = { id: 'ann@example.com', name: 'Ann' };
const RULE = { access: { groups: [0] }, conditions: { url: { values: [{ value: 'x' }] } } };

test('A read shows what was committed at or before its time less the delay', async () => {
  const { call, fail, clock } = createCaller({ propagationDelay: 5000 });
  await call('create_agent', ANN);
  expect(await fail('get_agent', { id: ANN.id })).toBe('not_found');
  expect(await call('list_agents')).toHaveLength(1);
  clock.now += 4999;
  expect(await fail('get_agent', { id: ANN.id })).toBe('not_found');
  clock.now += 1;
  expect(await call('get_agent', { id: ANN.id })).toMatchObject(ANN);
});

test('A write takes effect at once for the writes after it', async () => {
  const { call, fail } = createCaller({ propagationDelay: 5000 });
  await call('create_agent', ANN);
  expect(await fail('create_agent', ANN)).toBe('already_exists');
  const { id } = await call('create_group', { name: 'x', agent_priorities: { [ANN.id]: 'first' } });
  await call('update_agent', { id: ANN.id, groups: [{ id, priority: 'last' }] });
  await call('delete_group', { id });
  expect(await fail('update_group', { id })).toBe('not_found');
});

test('Updates and deletes lag like creates, and every version is seen in its time', async () => {
  const { call, fail, clock } = createCaller({ propagationDelay: 1000, seed: { agents: [ANN] } });
  const title = async () => (await call('get_agent', { id: ANN.id, fields: ['job_title'] })).job_title;
  expect(await title()).toBe('');
  for (const job_title of ['one', 'two', 'three']) {
    await call('update_agent', { id: ANN.id, job_title });
    clock.now += 400;
  }
  expect(await title()).toBe('one');
  clock.now += 200;
  expect(await title()).toBe('two');
  await call('delete_agent', { id: ANN.id });
  clock.now += 400;
  expect(await title()).toBe('three');
  clock.now += 600;
  expect(await fail('get_agent', { id: ANN.id })).toBe('not_found');
});

test('Both views of a membership lag together', async () => {
  const { call, clock } = createCaller({ propagationDelay: 1000, seed: { agents: [ANN] } });
  await call('update_group', { id: 0, agent_priorities: { [ANN.id]: 'first' } });
  const both = async () => [
    (await call('get_agent', { id: ANN.id, fields: ['groups'] })).groups,
    (await call('get_group', { id: 0, fields: ['agent_priorities'] })).agent_priorities,
  ];
  expect(await both()).toEqual([[], { 'owner@example.com': 'normal' }]);
  clock.now += 1000;
  expect(await both()).toEqual([[{ id: 0, priority: 'first' }], { [ANN.id]: 'first' }]);
});

test('A lagging list of rules is a whole list at every moment', async () => {
  const { call, clock } = createCaller({ propagationDelay: { from: 0, to: 3000 } });
  let next_id = '';
  for (let count = 0; count < 12; count += 1) {
    next_id = (await call('add_auto_access', { ...RULE, next_id })).id;
    clock.now += 250;
    for (let read = 0; read < 20; read += 1) {
      const rules: { id: string; next_id: string }[] = await call('list_auto_accesses');
      expect(rules.map((rule) => rule.next_id)).toEqual(rules.map((_, at) => rules[at + 1]?.id ?? ''));
    }
  }
});

test('A lag out of a range is drawn for every read, and stays within it', async () => {
  const { call, clock } = createCaller({ propagationDelay: { from: 1000, to: 3000 } });
  await call('create_agent', ANN);
  const seen = async () => {
    const counts = new Set<number>();
    for (let read = 0; read < 100; read += 1) counts.add((await call('list_agents')).length);
    return Array.from(counts).sort();
  };
  clock.now += 999;
  expect(await seen()).toEqual([1]);
  clock.now += 1000;
  expect(await seen()).toEqual([1, 2]);
  clock.now += 1001;
  expect(await seen()).toEqual([2]);
});

test.each([-1, 120_001, { from: 2, to: 1 }, { from: -1, to: 1 }, Number.NaN])('The delay %j is refused', (delay) => {
  expect(() => createEmulator({ now: () => 0, random: () => 0, propagationDelay: delay })).toThrow('propagationDelay');
});

/** How many versions each agent has, in the order of the table. */
const versions = (emulator: Emulator): readonly number[] => emulator.snapshot().tables.agents.map((row) => row.length);

test('Without a delay there is never any history', async () => {
  const { call, emulator } = createCaller({ seed: { agents: [ANN] } });
  await call('update_agent', { id: ANN.id, job_title: 'x' });
  expect(versions(emulator)).toEqual([1, 1]);
  await call('delete_agent', { id: ANN.id });
  expect(versions(emulator)).toEqual([1]);
});

test('What has settled leaves no history behind, also after a restart', async () => {
  const { call, clock, emulator } = createCaller({ propagationDelay: 1000, seed: { agents: [ANN] } });
  await call('update_group', { id: 0, name: 'one' });
  await call('update_agent', { id: ANN.id, job_title: 'one' });
  await call('update_agent', { id: ANN.id, job_title: 'one and the same moment' });
  expect(versions(emulator)).toEqual([1, 2]);
  await call('create_agent', { id: 'b', name: 'B' });
  clock.now += 100;
  await call('update_agent', { id: ANN.id, job_title: 'two' });
  await call('delete_agent', { id: 'b' });
  expect(versions(emulator)).toEqual([1, 3, 2]);

  const there = { now: clock.now };
  const options = { now: () => there.now, random: seededRandom(1), propagationDelay: 1000, state: emulator.snapshot() };
  const restarted = { clock: there, emulator: createEmulator(options) };
  const [early, late] = [clock.now + 950, clock.now + 1000];
  for (const one of [
    { call, clock, emulator },
    { ...restarted, ...callerOf(restarted.emulator) },
  ]) {
    // A write drops it: what is kept does not depend on reads.
    one.clock.now = early;
    await one.call('create_bot', { name: 'early' });
    expect(one.emulator.snapshot().tables.groups[0]).toHaveLength(1);
    expect(versions(one.emulator)).toHaveLength(3);
    one.clock.now = late;
    await one.call('create_bot', { name: 'late' });
    expect(versions(one.emulator)).toEqual([1, 1]);
  }
});

test('Requests that only read change no byte of the snapshot, however long they take', async () => {
  const { call, clock, emulator } = createCaller({ propagationDelay: 1000, seed: { agents: [ANN] } });
  await call('update_agent', { id: ANN.id, job_title: 'one' });
  await call('delete_agent', { id: ANN.id });
  const before = JSON.stringify(emulator.snapshot());
  expect(emulator.snapshot().now).toBe(START);
  const restarted = createCaller({ propagationDelay: 1000, state: JSON.parse(before) });
  const after = JSON.stringify(restarted.emulator.snapshot());
  expect(JSON.parse(after)).toEqual(JSON.parse(before));
  for (const pause of [0, 400, 600, 1, 5000]) {
    clock.now += pause;
    restarted.clock.now += pause;
    const shown = clock.now < START + 1000 ? 2 : 1;
    for (const one of [call, restarted.call]) expect(await one('list_agents')).toHaveLength(shown);
    expect(JSON.stringify(emulator.snapshot())).toBe(before);
    expect(JSON.stringify(restarted.emulator.snapshot())).toBe(after);
  }
  await call('create_bot', { name: 'B' });
  expect(emulator.snapshot().now).toBe(clock.now);
  expect(versions(emulator)).toEqual([1]);
});

test('A clock that runs backwards takes nothing back', async () => {
  const { call, clock } = createCaller({ propagationDelay: 1000 });
  await call('create_agent', ANN);
  clock.now += 1000;
  expect(await call('list_agents')).toHaveLength(2);
  clock.now -= 500_000;
  expect(await call('list_agents')).toHaveLength(2);
  await call('update_agent', { id: ANN.id, job_title: 'x' });
});

test('A thousand agents in batches under a delay cost less than a second of work', async () => {
  const { call, clock } = createCaller({ propagationDelay: 5000 });
  const before = process.cpuUsage();
  for (let batch = 0; batch < 10; batch += 1) {
    const requests = Array.from({ length: 100 }, (_, at) => ({
      id: `agent${batch}-${at}@example.com`,
      name: 'A',
      groups: [{ id: 0, priority: 'normal' }],
    }));
    const { responses } = await call('batch_create_agents', { requests });
    expect(responses).toHaveLength(100);
    clock.now += 100;
    await call('list_agents', { fields: ['groups'] });
  }
  clock.now += 5000;
  expect(await call('list_agents', { fields: ['groups'] })).toHaveLength(1001);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(1);
});

test('After any sequence of writes, any read equals the state of its moment, also in another process', async () => {
  const step = fc.record({
    pause: fc.integer({ min: 0, max: 900 }),
    kind: fc.constantFrom('create', 'title', 'delete'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), fc.nat({ max: 15 }), async (steps, restartAt) => {
      const clock = { now: START };
      const options = { now: () => clock.now, random: seededRandom(1), propagationDelay: 1000 };
      let { call, emulator } = callerOf(createEmulator(options));
      const states: { at: number; title: string | undefined }[] = [{ at: -Infinity, title: undefined }];
      for (const [index, { pause, kind }] of steps.entries()) {
        clock.now += pause;
        if (index === restartAt) {
          const state = JSON.parse(JSON.stringify(emulator.snapshot()));
          ({ call, emulator } = callerOf(createEmulator({ ...options, state })));
        }
        const exists = states.at(-1)?.title !== undefined;
        if (kind === 'create' && !exists) await call('create_agent', { ...ANN, job_title: 'new' });
        if (kind === 'title' && exists) await call('update_agent', { id: ANN.id, job_title: `t${index}` });
        if (kind === 'delete' && exists) await call('delete_agent', { id: ANN.id });
        if ((kind === 'create') !== exists)
          states.push({ at: clock.now, title: { create: 'new', title: `t${index}`, delete: undefined }[kind] });
        const visible = states.filter(({ at }) => at <= clock.now - 1000).at(-1)?.title;
        const found = (await call('list_agents', { fields: ['job_title'] })).slice(1);
        expect(found.map(({ job_title }: { job_title: string }) => job_title)).toEqual(
          visible === undefined ? [] : [visible],
        );
      }
    }),
    { numRuns: tries(300) },
  );
});

test('Where only what is propagated can be referred to, every reference waits for its object, and no delete does', async () => {
  const settings = { references: 'propagated' } as const;
  const { call, fail, clock } = createCaller({ propagationDelay: 5000, settings });
  await call('create_agent', ANN);
  const { id: group } = await call('create_group', { name: 'x', agent_priorities: {} });
  const { id: rule } = await call('add_auto_access', RULE);
  const { id: bot } = await call('create_bot', { name: 'Bot' });
  const definition = { name: 'tier', owner_client_id: 'me', type: 'string' };
  await call('register_property', { ...definition, access: { license: { agent: ['read', 'write'] } } });
  const template = {
    owner_client_id: 'me',
    ...(await call('create_bot_template', { name: 'T', owner_client_id: 'me' })),
  };
  const writes: readonly (readonly [action: string, body: object, error: string])[] = [
    ['create_group', { name: 'y', agent_priorities: { [ANN.id]: 'first' } }, 'validation'],
    ['update_group', { id: 0, agent_priorities: { [ANN.id]: 'first' } }, 'validation'],
    ['update_group', { id: group, name: 'z' }, 'not_found'],
    ['update_agent', { id: ANN.id, job_title: 'x' }, 'not_found'],
    ['suspend_agent', { id: ANN.id }, 'not_found'],
    ['create_agent', { id: 'bob', name: 'Bob', groups: [{ id: group, priority: 'first' }] }, 'group_not_found'],
    ['create_bot', { name: 'B', groups: [{ id: group, priority: 'first' }] }, 'group_not_found'],
    ['update_bot', { id: bot, name: 'B' }, 'not_found'],
    ['add_auto_access', { ...RULE, access: { groups: [group] } }, 'group_not_found'],
    ['add_auto_access', { ...RULE, next_id: rule }, 'validation'],
    ['update_auto_access', { id: rule, description: 'x' }, 'not_found'],
    ['update_license_properties', { properties: { me: { tier: 'gold' } } }, 'not_found'],
    ['publish_property', { name: 'tier', owner_client_id: 'me', access_type: ['read'] }, 'not_found'],
    ['update_group_properties', { group_id: group, properties: {} }, 'group_not_found'],
    ['update_bot_template', { owner_client_id: 'me', id: template.id, name: 'U' }, 'not_found'],
  ];
  clock.now += 4999;
  for (const [action, body, error] of writes) expect([action, await fail(action, body)]).toEqual([action, error]);
  clock.now += 1;
  for (const [action, body] of writes) await call(action, body);
  const { id: fresh } = await call('create_group', { name: 'w', agent_priorities: {} });
  await call('delete_group', { id: fresh });
  expect(await fail('update_group', { id: fresh })).toBe('not_found');
  await call('delete_group', { id: group });
  expect(await fail('update_group', { id: group })).toBe('not_found');
});
