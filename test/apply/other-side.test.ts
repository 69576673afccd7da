// A service that adds to a written map instead of replacing it: removed members are removed from their own side, once, and it is said.

import { expect, test } from 'vitest';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { world } from '../world.ts';

const ANN = 'agent/ann@example.com';
const BOB = 'agent/bob@example.com';

const agents = [
  declare('agent', 'ann@example.com', { name: 'Ann' }),
  declare('agent', 'bob@example.com', { name: 'Bob' }),
];
const sales = (members: { readonly [agent: string]: string }) =>
  declare('group', 'sales', { name: 'Sales', agent_priorities: members });
const everyoneElse = declare('group', 'all', { name: 'General', agent_priorities: {} }, 0);

const BEFORE = desiredOf([...agents, sales({ [ANN]: 'first', [BOB]: 'normal' }), everyoneElse]);
const AFTER = desiredOf([...agents, sales({ [ANN]: 'first' }), everyoneElse]);

test('a member that a merged map keeps is removed from the side of the agent', async () => {
  const license = world({ settings: { membershipWrite: 'merge' } });
  await license.apply(await license.plan(BEFORE), BEFORE, { propagationTimeout: 3_000 });
  // Only a write of the group can be in vain; a rename makes it the side that is written.
  const renamed = desiredOf([
    ...agents,
    declare('group', 'sales', { name: 'Shop', agent_priorities: { [ANN]: 'first' } }),
    everyoneElse,
  ]);
  const plan = await license.plan(renamed);
  expect(plan.steps.map(({ id }) => id)).toEqual(['update group/sales']);
  const report = await license.apply(plan, renamed, { propagationTimeout: 3_000 });
  expect(report).toMatchObject({ outcome: 'done', unsettled: [], rewritten: ['group/sales'] });
  expect((await license.plan(renamed)).steps).toEqual([]);
});

test('where the other side may not be written, the membership is named as not settled', async () => {
  const license = world({ settings: { membershipWrite: 'merge' } });
  const partly = (name: string, members: { readonly [agent: string]: string }) =>
    desiredOf([...agents, declare('group', 'sales', { name, agent_priorities: members })]);
  const first = partly('Sales', { [ANN]: 'first', [BOB]: 'normal' });
  await license.apply(await license.plan(first), first, { propagationTimeout: 3_000 });
  const second = partly('Shop', { [ANN]: 'first' });
  const report = await license.apply(await license.plan(second), second, { propagationTimeout: 3_000 });
  expect(report).toMatchObject({ outcome: 'unsettled', rewritten: [] });
  expect(report.unsettled.map(({ address }) => address)).toEqual(['group/sales']);
});

test('what is merely not listed yet is not created again for the sake of its memberships', async () => {
  const license = world({ propagationDelay: 120_000 });
  const desired = desiredOf([...agents, sales({ [ANN]: 'first' })]);
  const report = await license.apply(await license.plan(desired), desired, { propagationTimeout: 3_000 });
  expect(report).toMatchObject({ outcome: 'unsettled', rewritten: [] });
  expect(license.client.requests()).toMatchObject({ batch_create_agents: 1, create_group: 1 });
});

test('a second write that fails has removed no membership, and is not said to have', async () => {
  let refusing = false;
  const license = world({
    settings: { membershipWrite: 'merge' },
    wrap: (exchange) => async (request) =>
      refusing && request.url.endsWith('/batch_update_agents')
        ? { status: 403, headers: {}, body: '{"error":{"type":"authorization","message":"no"}}' }
        : exchange(request),
  });
  await license.apply(await license.plan(BEFORE), BEFORE, { propagationTimeout: 3_000 });
  refusing = true;
  const renamed = desiredOf([
    ...agents,
    declare('group', 'sales', { name: 'Shop', agent_priorities: { [ANN]: 'first' } }),
    everyoneElse,
  ]);
  const report = await license.apply(await license.plan(renamed), renamed, { propagationTimeout: 3_000 });
  expect(report).toMatchObject({ outcome: 'unsettled', rewritten: [] });
  expect(report.unsettled.map(({ address }) => address)).toEqual(['group/sales']);
});

test('a map that replaces needs no second write', async () => {
  const license = world();
  await license.apply(await license.plan(BEFORE), BEFORE);
  const report = await license.apply(await license.plan(AFTER), AFTER);
  expect(report).toMatchObject({ outcome: 'done', rewritten: [] });
});

test('a membership written at the agent belongs to the group that declares it: when that write fails, the group is not done', async () => {
  const license = world();
  await license.apply(await license.plan(BEFORE), BEFORE);
  const plan = await license.plan(AFTER);
  expect(plan.steps.map(({ id, serves }) => [id, serves])).toEqual([['update agent/bob@example.com', ['group/sales']]]);
  await license.client.call('delete_agent', { id: 'bob@example.com' });
  const report = await license.apply(plan, AFTER, { propagationTimeout: null });
  expect(report.outcome).toBe('failed');
});

test('what only lags is neither created again nor written once more', async () => {
  const license = world({ propagationDelay: 60_000 });
  const plan = await license.plan(BEFORE);
  license.emulator.resetStats();
  const report = await license.apply(plan, BEFORE, { propagationTimeout: 3_000 });
  expect(report).toMatchObject({ outcome: 'unsettled' });
  expect(license.emulator.stats()).toMatchObject({ batch_create_agents: 1, create_group: 1 });
});

test('a membership that is kept in one group does not create again what lags beside it', async () => {
  const license = world({ settings: { membershipWrite: 'merge' }, propagationDelay: 60_000 });
  const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
  const chief = { address: 'agent/owner', kind: 'agent', id: 'owner@example.com', name: null, place } as const;
  const declared = (name: string, members: { readonly [agent: string]: string }, more: readonly Declared[] = []) =>
    desiredOf(
      [
        ...agents,
        ...more,
        declare('group', 'sales', { name, agent_priorities: members }),
        declare('group', 'all', { name: 'General', agent_priorities: { 'agent/owner': 'normal' } }, 0),
      ],
      [chief],
    );
  const first = declared('Sales', { [ANN]: 'first', [BOB]: 'normal' });
  await license.apply(await license.plan(first), first);
  await license.clock.sleep(120_000);
  const second = declared('Shop', { [ANN]: 'first' }, [
    declare('group', 'new', { name: 'New', agent_priorities: { [BOB]: 'first' } }),
    declare('agent', 'eve@example.com', { name: 'Eve' }),
  ]);
  const plan = await license.plan(second);
  license.emulator.resetStats();
  const report = await license.apply(plan, second, { propagationTimeout: 3_000 });
  expect(report.outcome).toBe('unsettled');
  expect(license.emulator.stats()).toMatchObject({ batch_create_agents: 1, create_group: 1 });
  await license.clock.sleep(120_000);
  expect((await license.plan(second)).steps).toEqual([]);
});
