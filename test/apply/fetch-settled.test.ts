// Reading a license that lags behind the last run: what was just created must be neither created again nor forgotten.

import { expect, test } from 'vitest';
import { fetchSettled, type SettledLive } from '../../src/apply/fetch-settled.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import type { Desired } from '../../src/model.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import { declare, desiredOf } from '../desired.ts';
import { EVERYTHING, type World, world } from '../world.ts';

const sales = declare('group', 'sales', { name: 'Sales' });
const all = desiredOf([
  sales,
  declare('bot', 'triage', { name: 'Triage' }),
  declare('auto_access', 'a', {
    access: { groups: ['group/sales'] },
    conditions: { url: { values: [{ value: '/a' }] } },
  }),
]);

async function read(
  made: World,
  desired: Desired,
  signal: AbortSignal = new AbortController().signal,
): Promise<SettledLive & { readonly waits: readonly number[] }> {
  const waits: number[] = [];
  const reading = await fetchSettled({
    ask: (action, body) => made.client.call(action, body),
    desired,
    events: await made.ledger.read(),
    version: '3.6',
    clock: made.clock,
    window: 120_000,
    signal,
    onWait: ({ elapsed }) => waits.push(elapsed),
  });
  return { ...reading, waits };
}

async function planned(made: World, desired: Desired) {
  const { live } = await read(made, desired);
  return makePlan({ desired, live, ledger: foldLedger(await made.ledger.read()), options: EVERYTHING }).plan;
}

async function lagging(): Promise<World> {
  const made = world({ propagationDelay: 60_000 });
  const report = await made.apply(await made.plan(all), all, { propagationTimeout: 1_000 });
  expect(report.outcome).toBe('unsettled');
  return made;
}

test('what an apply has just created is not created again by the next run', async () => {
  const made = await lagging();
  expect((await planned(made, all))?.steps).toEqual([]);
});

test('what an apply has just created and nothing declares any more is not forgotten, but deleted', async () => {
  const made = await lagging();
  const plan = await planned(made, desiredOf([sales]));
  expect(plan?.bindings.forget).toEqual([]);
  expect(plan?.steps.map(({ id }) => id)).toEqual(['delete auto_access/a', 'delete bot/triage']);
});

test('a reading that shows it is not waited for', async () => {
  const made = world();
  await made.apply(await made.plan(all), all);
  expect(await read(made, all)).toMatchObject({ waits: [], hidden: [] });
});

test('what somebody deleted in the meantime counts as gone once the window is over, and not before', async () => {
  const made = world();
  await made.apply(await made.plan(all), all);
  const created = made.clock.now();
  const id = foldLedger(await made.ledger.read()).bindings.get('bot/triage')?.id ?? '';
  await made.client.call('delete_bot', { id });
  expect((await planned(made, all))?.steps.map((step) => step.id)).toEqual(['create bot/triage']);
  expect(made.clock.now() - created).toBe(120_000);
  expect((await read(made, all)).waits).toEqual([]);
});

test('an interruption ends the waiting, and says what is not to be planned', async () => {
  const made = await lagging();
  const { hidden, waits } = await read(made, all, AbortSignal.abort());
  expect(waits).toEqual([]);
  expect([...hidden].sort()).toEqual(['auto_access/a', 'bot/triage', 'group/sales']);
});
