// Reading a license that lags behind the last run: what was just created must be neither created again nor forgotten.

import { expect, test } from 'vitest';
import type { Desired, Spec } from '../../../src/base/model.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { type Ask, askAhead } from '../../../src/license/reading/live.ts';
import { planSettled, type SettledPlan } from '../../../src/license/reading/settled.ts';
import { declaredView } from '../../../src/license/reading/view.ts';
import type { Exchange } from '../../../src/service/exchange.ts';
import { declare, desiredOf } from '../../desired.ts';
import { doomed } from '../../laws/crash.ts';
import { EVERYTHING, type World, world } from '../../world.ts';

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
): Promise<SettledPlan & { readonly waits: readonly number[] }> {
  const waits: number[] = [];
  const reading = await planSettled({
    ask: (action, body) => made.client.call(action, body),
    desired,
    events: await made.ledger.read(),
    options: EVERYTHING,
    version: '3.6',
    clock: made.clock,
    delay: () => ({ window: 120_000, underWay: 30_000 }),
    signal,
    onWait: ({ elapsed }) => waits.push(elapsed),
  });
  return { ...reading, waits };
}

async function planned(made: World, desired: Desired) {
  return (await read(made, desired)).planned.plan;
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
  expect(await read(made, all)).toMatchObject({ waits: [], doubts: [] });
});

test('a canned response that leaves a group which goes is not made again while no list shows it', async () => {
  let hidden = 0;
  const none = { status: 200, headers: {}, body: '{"canned_responses":[],"found_canned_responses":0}' };
  const wrap =
    (exchange: Exchange): Exchange =>
    async (request) =>
      // Only the groups that are there can be asked for, and the reading still has it in the one that went.
      request.url.endsWith('/list_canned_responses') && made.clock.now() < hidden ? none : exchange(request);
  const made = world({ version: '3.7', wrap, propagationDelay: 60_000 });
  const hours = { text: 'At 9.', tags: ['hours'] };
  const old = declare('group', 'old', { name: 'Old' });
  const before = desiredOf([sales, old, declare('canned_response', 'hours', { ...hours, group: 'group/old' })]);
  await made.apply(await made.plan(before), before);
  await made.clock.sleep(86_400_000);
  const after = desiredOf([sales, declare('canned_response', 'hours', { ...hours, group: 'group/sales' })]);
  const options = { acknowledged: new Set(['deletes', 'group/old']) };
  await made.apply(await made.plan(after, options), after, { options, propagationTimeout: null });
  hidden = made.clock.now() + 50_000;
  expect((await made.plan(after)).steps).toEqual([]);
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
  const { doubts, waits } = await read(made, all, AbortSignal.abort());
  expect(waits).toEqual([]);
  expect(doubts.map(({ subject }) => subject).sort()).toEqual(['auto_access/a', 'bot/triage', 'group/sales']);
});

const rules = (...keys: readonly string[]): Desired =>
  desiredOf([
    sales,
    ...keys.map((key) =>
      declare('auto_access', key, {
        access: { groups: ['group/sales'] },
        conditions: { url: { values: [{ value: `/${key}` }] } },
      }),
    ),
  ]);
const ann = (spec: Spec): Desired => desiredOf([declare('agent', 'ann@example.com', { name: 'Ann', ...spec })]);

/** `first` is applied and shows; then `second` is, a moment ago. Readings lag behind it. */
async function lately(first: Desired, second: Desired): Promise<World> {
  const made = world({ propagationDelay: 100_000 });
  await made.apply(await made.plan(first), first);
  await made.clock.sleep(86_400_000);
  const report = await made.apply(await made.plan(second), second, { propagationTimeout: 1_000 });
  expect(report.outcome).toBe('unsettled');
  return made;
}

test('what was just changed is not planned again, although it reads as before', async () => {
  const made = await lately(ann({ max_chats_count: 3 }), ann({ max_chats_count: 4 }));
  const { planned: next, waits } = await read(made, ann({ max_chats_count: 4 }));
  expect(next.plan?.steps).toEqual([]);
  expect(waits.length).toBeGreaterThan(0);
});

test('what was just changed and is to be as before is changed back, although it reads as if it were', async () => {
  const made = await lately(ann({ max_chats_count: 3 }), ann({ max_chats_count: 4 }));
  expect((await planned(made, ann({ max_chats_count: 3 })))?.steps.map(({ id }) => id)).toEqual([
    'update agent/ann@example.com',
  ]);
});

test('a person whose row is missing and who was just suspended is not suspended again', async () => {
  const place = { file: 'manifest.yaml', line: 6, column: 1, length: 1 };
  const without: Desired = { ...desiredOf([sales]), leavers: { kind: 'agent', table: 'people.csv', place } };
  const made = await lately(desiredOf([sales, declare('agent', 'ann@example.com', { name: 'Ann' })]), without);
  const { planned: next, waits } = await read(made, without);
  expect(next.plan?.steps).toEqual([]);
  expect(waits.length).toBeGreaterThan(0);
});

test('an order that was just changed is neither changed again nor taken for the old one', async () => {
  const made = await lately(rules('a', 'b', 'c'), rules('c', 'a', 'b'));
  expect((await planned(made, rules('c', 'a', 'b')))?.steps).toEqual([]);
  const back = await lately(rules('a', 'b', 'c'), rules('c', 'a', 'b'));
  expect((await planned(back, rules('a', 'b', 'c')))?.reorder?.moved).toEqual(['auto_access/c']);
});

test('an object that was just deleted is no stranger, and is not adopted when it is declared again', async () => {
  const made = await lately(all, rules());
  expect((await planned(made, rules()))?.unmanaged).toEqual([]);
  const again = await lately(all, rules());
  const plan = await planned(again, all);
  expect(plan?.bindings.adopt).toEqual([]);
  expect(plan?.steps.map(({ id }) => id)).toEqual(['create bot/triage', 'create auto_access/a']);
});

test('an agent that was just deleted and is declared again is waited for until it is gone', async () => {
  const made = world({ propagationDelay: 100_000 });
  const desired = ann({});
  await made.apply(await made.plan(desired), desired);
  await made.clock.sleep(86_400_000);
  const none = desiredOf([]);
  await made.apply(await made.plan(none, { prune: { agent: 'owned' } }), none, {
    propagationTimeout: 1_000,
    options: { prune: { agent: 'owned' } },
  });
  const plan = await planned(made, desired);
  expect(plan?.steps.map(({ id }) => id)).toEqual(['create agent/ann@example.com']);
});

test('what somebody else changed right after us is waited for, and then taken for what it is', async () => {
  const made = world();
  const desired = ann({ max_chats_count: 4 });
  await made.apply(await made.plan(desired), desired);
  const applied = made.clock.now();
  await made.client.call('update_agent', { id: 'ann@example.com', max_chats_count: 2 });
  expect((await planned(made, desired))?.steps).toHaveLength(1);
  expect(made.clock.now() - applied).toBeLessThanOrEqual(120_000);
});

test('a run that was killed in the middle of a change is waited for before its opposite is called done', async () => {
  const made = await lately(ann({ max_chats_count: 3 }), ann({ max_chats_count: 3, job_title: 'Chef' }));
  await made.clock.sleep(86_400_000);
  const desired = ann({ max_chats_count: 9 });
  const { effects: _, ...how } = doomed(made, 2, 'before');
  await made.apply(await made.plan(desired), desired, how).catch(() => {});
  const back = ann({ max_chats_count: 3 });
  expect((await planned(made, back))?.steps.map(({ id }) => id)).toEqual(['update agent/ann@example.com']);
});

test('a request that the service refused leaves nothing to wait for', async () => {
  const made = world();
  await made.apply(await made.plan(ann({ max_chats_count: 3 })), ann({ max_chats_count: 3 }));
  await made.clock.sleep(86_400_000);
  made.emulator.setFaults({ faults: [{ type: 'error', error: 'authorization', actions: ['batch_update_agents'] }] });
  const desired = ann({ max_chats_count: 4 });
  await made.apply(await made.plan(desired), desired);
  made.emulator.setFaults({ faults: [] });
  expect((await read(made, ann({ max_chats_count: 3 }))).waits).toEqual([]);
});

test('what somebody writes between the first question and the ledger is not taken for gone, even where a write shows at once', async () => {
  const made = world();
  const asked: string[] = [];
  const ask: Ask = (action, body) => {
    asked.push(action);
    return made.client.call(action, body);
  };
  const ahead = askAhead(ask, declaredView(all, '3.6'), '3.6', made.clock.now());
  await new Promise((resolve) => setImmediate(resolve));
  await made.clock.sleep(5);
  await made.apply(await made.plan(all), all);
  const { planned } = await planSettled({
    ask,
    ahead,
    desired: all,
    events: await made.ledger.read(),
    options: EVERYTHING,
    version: '3.6',
    clock: made.clock,
    delay: () => ({ window: 0, underWay: 0 }),
    signal: new AbortController().signal,
    onWait: () => {},
  });
  expect(planned.plan?.steps).toEqual([]);
  expect(asked.filter((action) => action === 'list_groups')).toHaveLength(2);
});
