// A service that refuses to refer to what its readings do not show yet: the call waits for it, and is sent once more.

import { describe, expect, test } from 'vitest';
import { VERSIONS } from '../../src/base/model.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { world } from '../world.ts';

const ANN = 'agent/ann@example.com';
const ann = declare('agent', 'ann@example.com', { name: 'Ann', suspended: true });
const sales = declare('group', 'sales', { name: 'Sales', agent_priorities: { [ANN]: 'normal' } });
const triage = declare('bot', 'triage', {
  name: 'Triage',
  default_group_priority: 'normal',
  groups: { 'group/sales': 'first' },
});
const rule = (key: string): Declared =>
  declare('auto_access', key, {
    access: { groups: ['group/sales'] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  });
const tier = declare('property', 'client-1/tier', {
  type: 'string',
  access: { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } },
  publish: ['read'],
});
const values = [
  declare('license_property', 'client-1/tier', { value: 'gold' }),
  declare('group_property', 'sales/client-1/tier', { value: 'silver' }),
];
const desired = desiredOf([ann, sales, triage, rule('a'), rule('b'), tier, ...values]);
const acknowledged = { options: { acknowledged: new Set(['property/client-1/tier']) } };

const PROPAGATED = { references: 'propagated' } as const;

describe.each(VERSIONS)('in version %s', (version) => {
  test('everything that refers to something new arrives in one run, each call sent at most twice', async () => {
    const made = world({ version, propagationDelay: 5000, settings: PROPAGATED });
    const plan = await made.plan(desired, acknowledged.options);
    const report = await made.apply(plan, desired, acknowledged);
    expect(report.results.filter(({ outcome }) => outcome.status !== 'done')).toEqual([]);
    expect(report).toMatchObject({ outcome: 'done', unsettled: [] });
    const sent = made.emulator.stats();
    for (const [action, count] of Object.entries(plan.requests.by_action))
      expect([action, sent[action] ?? 0]).toEqual([action, expect.toSatisfy((times) => times <= 2 * count)]);
    expect(sent['create_group']).toBe(2);
    expect((await made.plan(desired, acknowledged.options)).steps).toEqual([]);
  });

  test('with no such delay no request is sent twice', async () => {
    const made = world({ version, settings: PROPAGATED });
    const plan = await made.plan(desired, acknowledged.options);
    expect((await made.apply(plan, desired, acknowledged)).outcome).toBe('done');
    expect(made.emulator.stats()).toMatchObject(plan.requests.by_action);
  });
});

test('many calls that wait for one list read it together', async () => {
  const made = world({ propagationDelay: 5000, settings: PROPAGATED });
  const groups = Array.from({ length: 8 }, (_, index) =>
    declare('group', `g${index}`, { name: `G${index}`, agent_priorities: { [ANN]: 'normal' } }),
  );
  const wanted = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann' }), ...groups]);
  const plan = await made.plan(wanted);
  made.emulator.resetStats();
  expect((await made.apply(plan, wanted, { propagationTimeout: null })).outcome).toBe('done');
  expect(made.emulator.stats()).toMatchObject({ create_group: 16 });
  expect(made.emulator.stats()['list_agents']).toBeLessThan(9);
});

test('a call that is refused for good waits for what it refers to, is sent once more and fails', async () => {
  const made = world({ propagationDelay: 5000, settings: { limits: { groupNameLength: 3 } } });
  const wanted = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann' }), sales]);
  const report = await made.apply(await made.plan(wanted), wanted);
  expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['done', 'failed']);
  expect(made.emulator.stats()['create_group']).toBe(2);
});

test('the wait ends with the propagation limit, also where nothing can be read', async () => {
  const made = world({
    settings: { limits: { groupNameLength: 3 } },
    scenario: { faults: [{ type: 'error', error: 'authorization', actions: ['list_agents'], skip: 1 }] },
  });
  const wanted = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann' }), sales]);
  const plan = await made.plan(wanted);
  const started = made.clock.now();
  const report = await made.apply(plan, wanted, { propagationTimeout: null });
  expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['done', 'failed']);
  expect(made.clock.now() - started).toBe(120_000);
  expect(made.emulator.stats()).toMatchObject({ create_group: 2, list_agents: 2 });
});

test('an interruption ends the wait, and nothing more is sent', async () => {
  const controller = new AbortController();
  const made = world({ propagationDelay: 5000, settings: PROPAGATED });
  const wanted = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann' }), sales]);
  const report = await made.apply(await made.plan(wanted), wanted, {
    signal: controller.signal,
    onEvent: ({ type }) => {
      if (type === 'waiting') controller.abort();
    },
  });
  expect(made.emulator.stats()['create_group']).toBe(1);
  expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['done', 'failed']);
});
