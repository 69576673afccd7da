// Rules, memberships and people with days, applied day after day: what the license has on each of them.

import { expect, test } from 'vitest';
import type { Desired } from '../../src/base/model.ts';
import { loadManifest, type ManifestInput } from '../../src/manifest/load.ts';
import { callByHand } from '../laws/edits.ts';
import { type World, world } from '../world.ts';
import { memoryDisk } from './memory-disk.ts';

const DAY = 86_400_000;

/** A Sunday, 23:30 in Warsaw: there the Monday begins half an hour later, in UTC an hour and a half later. */
const BEGIN = Date.UTC(2026, 10, 29, 22, 30);

const TEXT = `version: 1
agents:
  ann@example.com: { name: Ann, role: administrator }
  eve@example.com: { name: Eve, from: 2026-12-01, until: 2026-12-03 }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first, eve@example.com: normal } }
  gifts: { name: Gifts, agent_priorities: { ann@example.com: { priority: last, from: 2026-12-02 }, eve@example.com: { priority: first, until: 2026-12-02 } } }
auto_access:
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
  - { key: campaign, from: 2026-12-01, until: 2026-12-02, access: { groups: [gifts] }, conditions: { url: { values: [{ value: /gift }] } } }
  - { key: shop, access: { groups: [sales] }, conditions: { domain: { values: [{ value: shop.example.com }] } } }
routes:
  - { when: { url: https://shop.example.com/gift }, expect: gifts, rule: campaign }
  - { when: { url: https://shop.example.com/pricing }, expect: sales }
`;

const OFF = { level: 'off', isExcepted: () => false } as const;

type Files = { readonly [name: string]: string };

async function loaded(now: number, text = TEXT, more: Partial<ManifestInput> = {}, files: Files = {}) {
  const io = memoryDisk({ 'm.yaml': text, ...files });
  return loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', zone: 'Europe/Warsaw', now, io, ...more });
}

async function desiredAt(now: number, text = TEXT, files: Files = {}): Promise<Desired> {
  const { desired, diagnostics } = await loaded(now, text, { lintOf: () => OFF }, files);
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return desired;
}

/** Applies on a day of December 2026, and again, which must find nothing to do; returns what the license has. */
async function onDay(made: World, date: number, text = TEXT, files: Files = {}) {
  await made.clock.sleep(Date.UTC(2026, 11, date, 9) - made.clock.now());
  const desired = await desiredAt(made.clock.now(), text, files);
  expect((await made.apply(await made.plan(desired), desired)).outcome).toBe('done');
  const again = await made.plan(desired);
  expect(again.steps).toEqual([]);
  const { live } = await made.settled(desired);
  const { agent = [], group = [], auto_access: rules = [] } = live.objects;
  const eve = agent.find(({ id }) => id === 'eve@example.com');
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const membersOf = (name: string) => group.find((each) => each.name === name)?.spec['agent_priorities'];
  return {
    rules: live.ruleOrder.map(
      (id) => JSON.stringify(byId.get(id)?.spec['conditions']).match(/\/?\w[\w.]*(?="}\])/)?.[0],
    ),
    eve: eve === undefined ? null : eve.spec['suspended'],
    sales: membersOf('Sales'),
    gifts: membersOf('Gifts'),
    next: again.hours?.next_change?.date ?? null,
  };
}

async function begun(): Promise<World> {
  const made = world({ settings: { approval: 'open' } });
  await made.clock.sleep(BEGIN - made.clock.now());
  return made;
}

const [ANN, EVE] = ['ann@example.com', 'eve@example.com'];
const FEW = ['/pricing', 'shop.example.com'];
const ALL = ['/pricing', '/gift', 'shop.example.com'];

test('each day has its rules in their places, its members and its people', async () => {
  const made = await begun();
  expect(await onDay(made, 0)).toEqual({
    rules: FEW,
    eve: null,
    sales: { [ANN]: 'first' },
    gifts: {},
    next: '2026-12-01',
  });
  const sales = { [ANN]: 'first', [EVE]: 'normal' };
  expect(await onDay(made, 1)).toEqual({
    rules: ALL,
    eve: false,
    sales,
    gifts: { [EVE]: 'first' },
    next: '2026-12-02',
  });
  const both = { [ANN]: 'last', [EVE]: 'first' };
  expect(await onDay(made, 2)).toEqual({ rules: ALL, eve: false, sales, gifts: both, next: '2026-12-03' });
  expect(await onDay(made, 3)).toEqual({ rules: FEW, eve: false, sales, gifts: { [ANN]: 'last' }, next: '2026-12-04' });
  expect(await onDay(made, 4)).toEqual({ rules: FEW, eve: true, sales, gifts: { [ANN]: 'last' }, next: null });
  const later = TEXT.replace('from: 2026-12-01, until: 2026-12-03', 'from: 2026-12-06, until: 2026-12-09');
  expect((await onDay(made, 5, later)).eve).toBe(true);
  expect((await onDay(made, 6, later)).eve).toBe(false);
});

test('a rule that is made by hand outside of the days stays unmanaged', async () => {
  const made = await begun();
  await onDay(made, 4);
  const groups = (await made.settled(await desiredAt(made.clock.now()))).live.objects.group ?? [];
  const gifts = groups.find(({ name }) => name === 'Gifts')?.id ?? null;
  const rule = { access: { groups: [gifts] }, conditions: { url: { values: [{ value: '/gift' }] } } };
  expect(await callByHand(made.emulator, 'add_auto_access', rule)).toBe(true);
  await made.clock.sleep(DAY / 24);
  expect((await onDay(made, 5)).rules).toEqual([...FEW, '/gift']);
});

test('a day begins in the zone of the target, and a test of a rule that is not there says nothing', async () => {
  const before = await loaded(BEGIN + DAY);
  expect(before.desired?.ruleOrder).toEqual(['auto_access/pricing', 'auto_access/shop']);
  expect(before.routes.map(({ rule }) => rule)).toEqual([null]);
  const after = await loaded(BEGIN + DAY + DAY / 24);
  expect(after.desired?.ruleOrder).toEqual(['auto_access/pricing', 'auto_access/campaign', 'auto_access/shop']);
  expect(after.routes.map(({ rule }) => rule)).toEqual(['auto_access/campaign', null]);
  const later = await loaded(BEGIN + DAY + DAY / 24, TEXT, { zone: 'UTC' });
  expect(later.desired?.ruleOrder).toEqual(before.desired?.ruleOrder);
});

test('what is over is named at its last day', async () => {
  const { diagnostics } = await loaded(Date.UTC(2026, 11, 4, 9));
  expect(diagnostics.map(({ code, place, message }) => `${place.line} ${code} ${message}`)).toEqual([
    '4 expired the last day of agent/eve@example.com was 2026-12-03',
    '7 expired the last day of eve@example.com in group/gifts was 2026-12-02',
    '10 expired the last day of auto_access/campaign was 2026-12-02',
  ]);
});

test('who is in for some days only is taken out of a group that keeps the others', async () => {
  const text = TEXT.replace(
    '{ priority: last, from: 2026-12-02 }',
    '{ priority: last, until: 2026-12-02 }, others: keep',
  );
  const made = await begun();
  expect((await onDay(made, 2, text)).gifts).toEqual({ [ANN]: 'last', [EVE]: 'first' });
  expect((await onDay(made, 3, text)).gifts).toEqual({});
});

test('seasonal people of a table are there on the days of their rows', async () => {
  const entry = `  eve@example.com: { name: Eve, from: 2026-12-01, until: 2026-12-03 }\n`;
  const columns = '{ name: name, from: begins, until: ends }';
  const text = `${TEXT.replace(entry, '')}agents_from: { csv: people.csv, columns: ${columns}, leavers: suspend }\n`;
  const made = await begun();
  const eveOn = async (date: number, row: string) => {
    const table = { 'people.csv': `email,name,begins,ends\n${row}\n` };
    return (await onDay(made, date, text, table)).eve;
  };
  const row = 'eve@example.com,Eve,2026-12-01,2026-12-03';
  expect(await eveOn(0, row)).toBe(null);
  expect(await eveOn(1, row)).toBe(false);
  expect(await eveOn(3, row)).toBe(false);
  expect(await eveOn(4, row)).toBe(true);
  expect(await eveOn(5, 'eve@example.com,Eve,,')).toBe(false);
});
