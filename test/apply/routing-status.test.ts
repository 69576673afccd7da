// The routing status of bots: set in the run that makes them, after the create, and seen when it was changed behind the repository.

import { expect, test } from 'vitest';
import type { Json } from '../../src/base/model.ts';
import { VERSIONS } from '../../src/base/model.ts';
import type { Seed } from '../../src/emulator/index.ts';
import { endedApply } from '../../src/features/apply/report.ts';
import { applyView } from '../../src/features/apply/view.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { plainText } from '../../src/view/blocks.ts';
import { declare, desiredOf } from '../desired.ts';
import { type World, world } from '../world.ts';

const CLIENT = 'test-client';
const BOT = { name: 'Triage', owner_client_id: CLIENT };
const wish = (spec: { readonly [field: string]: Json } = {}) =>
  desiredOf([declare('bot', 'triage', { ...BOT, routing_status: 'accepting_chats', ...spec })]);
const HOURS = { timezone: 'UTC', schedule: [{ day: 'monday', enabled: true, start: '20:00', end: '21:00' }] };

const actionsOf = ({ requests }: Plan): readonly string[] => requests.plan.map(({ action }) => action);

/** The id of the only bot. */
async function madeBot({ ledger }: World): Promise<string> {
  return String(foldLedger(await ledger.read()).bindings.get('bot/triage')?.id);
}

async function statusOf({ client }: World, id: string): Promise<Json> {
  const listed = await client.call('list_routing_statuses', {});
  return (Array.isArray(listed) ? listed : []).find((each) => each.agent_id === id)?.status;
}

const PERSONAL = { kind: 'basic', accountId: 'account', token: 't' } as const;

/** A license that accepts one token, with these scopes. */
function scoped(scopes: readonly string[]): World {
  const tokens: Seed['tokens'] = [{ token: 't', kind: 'personal', account_id: 'account', scopes: [...scopes] }];
  return world({ credential: PERSONAL, seed: { tokens } });
}

const MAKES = ['agents-bot--my:rw', 'agents-bot--all:ro'];

test.each(VERSIONS)(
  'Version %s: a new bot takes chats in the run that makes it, and the second plan is empty',
  async (version) => {
    const license = world({ version, credential: PERSONAL });
    const plan = await license.plan(wish());
    expect(actionsOf(plan)).toEqual([version === '3.3' ? 'create_bot' : 'batch_create_bots', 'set_routing_status']);
    expect(plan.notes.filter(({ kind }) => kind === 'manual-step')).toEqual([]);
    const { outcome } = await license.apply(plan, wish());
    expect(outcome).toBe('done');
    expect(await statusOf(license, await madeBot(license))).toBe('accepting_chats');
    expect(actionsOf(await license.plan(wish()))).toEqual([]);
  },
);

test('A bot that a person switched off is drift, and an apply switches it on again with one request', async () => {
  const license = world({ credential: PERSONAL });
  await license.apply(await license.plan(wish()), wish());
  const id = await madeBot(license);
  await license.client.call('set_routing_status', { agent_id: id, status: 'offline' });
  await license.clock.sleep(200_000);
  const plan = await license.plan(wish());
  expect(actionsOf(plan)).toEqual(['set_routing_status']);
  expect((await license.differences(wish())).length).toBe(1);
  expect((await license.apply(plan, wish())).outcome).toBe('done');
  expect(await statusOf(license, id)).toBe('accepting_chats');
});

test('Outside of its hours a bot may be listed as offline, which is no difference', async () => {
  const license = world({ credential: PERSONAL });
  const wished = wish({ work_scheduler: HOURS });
  await license.apply(await license.plan(wished), wished);
  const id = await madeBot(license);
  await license.client.call('set_routing_status', { agent_id: id, status: 'offline' });
  await license.clock.sleep(200_000);
  expect(actionsOf(await license.plan(wished))).toEqual([]);
});

test('A token that may not set the status makes the bot, names the scope that is missing, and the next plan tries again', async () => {
  const license = scoped([...MAKES, 'agents--all:ro']);
  const plan = await license.plan(wish());
  expect(plan.scopes).toContain('agents-bot--all:rw');
  const report = await license.apply(plan, wish());
  expect(report.outcome).toBe('partial');
  const failed = report.results.flatMap(({ outcome }) => (outcome.status === 'failed' ? [outcome.error.message] : []));
  expect(failed).toEqual([expect.stringContaining('agents-bot--all:rw')]);
  expect(license.kept.has('bot/triage')).toBe(true);
  const end = { type: 'ended', run: 'r', sent: {}, report: endedApply(report) } as const;
  expect(plainText(applyView('apply', { plan, end, customers: null }).result)).toContain('1 added, 0 changed');
  await license.clock.sleep(200_000);
  expect(actionsOf(await license.plan(wish()))).toEqual(['set_routing_status']);
});

test('A token that may not list statuses sets that of a new bot, and says of an unknown one that it cannot be read', async () => {
  const license = scoped(['agents-bot--all:rw']);
  const plan = await license.plan(wish());
  expect(actionsOf(plan)).toEqual(['batch_create_bots', 'set_routing_status']);
  expect((await license.apply(plan, wish())).outcome).toBe('done');
  await license.clock.sleep(200_000);
  expect(actionsOf(await license.plan(wish()))).toEqual([]);
});

/** Offline by hand, while its hours hide that. */
async function hidden(): Promise<World> {
  const license = world({ credential: PERSONAL });
  const wished = wish({ work_scheduler: HOURS });
  await license.apply(await license.plan(wished), wished);
  await license.client.call('set_routing_status', { agent_id: await madeBot(license), status: 'offline' });
  await license.clock.sleep(200_000);
  return license;
}

test('A bot that is adopted while its hours hide its status gets the declared one, once', async () => {
  const license = await hidden();
  const id = await madeBot(license);
  await license.ledger.append([
    { v: 1, run: 'r', at: '2026-01-05T09:00:00Z', type: 'forgotten', address: 'bot/triage' },
  ]);
  const wished = wish({ work_scheduler: HOURS });
  const plan = await license.plan(wished);
  expect(actionsOf(plan)).toEqual(['set_routing_status']);
  expect(plan.resource_changes[0]?.fields[0]?.reason).toContain('set once to be sure');
  expect((await license.apply(plan, wished)).outcome).toBe('done');
  expect(actionsOf(await license.plan(wished))).toEqual([]);
  await license.client.call('update_bot', { id, work_scheduler: { timezone: 'UTC', schedule: [] } });
  await license.clock.sleep(200_000);
  expect(await statusOf(license, id)).toBe('accepting_chats');
});

test('A change of the hours sets the status again, because it may show another one', async () => {
  const license = await hidden();
  const always = wish({ work_scheduler: { timezone: 'UTC', schedule: [] } });
  const plan = await license.plan(always);
  expect(actionsOf(plan)).toEqual(['batch_update_bots', 'set_routing_status']);
  expect((await license.apply(plan, always)).outcome).toBe('done');
  expect(await statusOf(license, await madeBot(license))).toBe('accepting_chats');
  await license.clock.sleep(200_000);
  expect(actionsOf(await license.plan(always))).toEqual([]);
});
