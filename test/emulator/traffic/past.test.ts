// Plays before the present: on a license that was just made, that has chats, and that is in a file.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../src/emulator/engine/random.ts';
import { createEmulator, type Emulator, openStateFile } from '../../../src/emulator/index.ts';
import { folder } from '../../cli/chatform.ts';
import { DAY, HOUR, isTaken, OFFICE, SHOP, START, shop, stateOf, threadsOf } from './played.ts';

const TRAFFIC = { days: 3, visitors: { prices: { page: 'https://shop.example/pricing', per_day: 60 } } };
const UNTIL_NOW = { ...TRAFFIC, to: '2026-01-29' };

async function configure(emulator: Emulator, action: string, body: object): Promise<void> {
  const reply = await emulator.fetch(
    new Request(`http://emulator/v3.6/configuration/action/${action}`, {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  if (!reply.ok) throw new Error(await reply.text());
}

test.each([0, 60_000])(
  'With a delay of %s ms, a license that was just configured was so all the time',
  async (delay) => {
    let now = START - 5000;
    const emulator = createEmulator({ now: () => now, random: seededRandom(1), propagationDelay: delay });
    await configure(emulator, 'create_agent', {
      id: 'ann@example.com',
      name: 'Ann',
      role: 'normal',
      awaiting_approval: false,
      work_scheduler: OFFICE,
    });
    await configure(emulator, 'create_group', { name: 'Sales', agent_priorities: { 'ann@example.com': 'normal' } });
    await configure(emulator, 'add_auto_access', {
      description: 'Prices',
      access: { groups: [1] },
      conditions: { url: { values: [{ value: '/pricing' }] } },
    });
    now = START;
    const reply = await emulator.play(UNTIL_NOW);
    expect([reply.from, reply.to]).toEqual(['2026-01-26T00:00:00.000000Z', '2026-01-29T00:00:00.000000Z']);
    const threads = threadsOf(emulator);
    expect(threads.length).toBe(reply.chats);
    expect(threads.every(({ group_ids }) => group_ids.join() === '1')).toBe(true);
    expect(threads.filter(isTaken).length).toBeGreaterThan(50);
    expect([Math.min(...threads.map((one) => one.created_at)) < START - 2 * DAY, emulator.now()]).toEqual([
      true,
      START,
    ]);
    expect(threads.filter(({ closed_at = Infinity }) => closed_at > START)).toEqual([]);
  },
);

test('What was played, or has chats, is not played again: the next play goes on where they end', async () => {
  let now = START;
  const emulator = createEmulator({ now: () => now, random: seededRandom(1), seed: SHOP });
  const first = await emulator.play(UNTIL_NOW);
  expect(await emulator.play(UNTIL_NOW)).toMatchObject({ from: first.to, to: first.to, visitors: 0, chats: 0 });
  now = START + 10 * HOUR;
  const visitor = new Request('http://emulator/v3.7/customer/action/start_chat?organization_id=o', {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: '{"continuous":true}',
  });
  expect((await emulator.fetch(visitor)).status).toBe(200);
  now = START + DAY;
  const next = await emulator.play({ days: 3, to: '2026-01-30' });
  // The chat became idle after twenty minutes.
  expect([next.from, next.to]).toEqual(['2026-01-29T10:20:00.000000Z', '2026-01-30T00:00:00.000000Z']);
  const moments = threadsOf(emulator).map(({ created_at }) => created_at);
  expect(moments).toHaveLength(first.chats + 1 + next.chats);
  expect(moments.filter((at) => START <= at && at < START + 10 * HOUR)).toEqual([]);
});

/** Seconds in which an agent accepted chats, from Monday to Wednesday: ten hours each day are thirty. */
async function acceptedBy(emulator: Emulator, agent: string): Promise<number | undefined> {
  const reply = await emulator.fetch(
    new Request('http://emulator/v3.4/reports/agents/performance', {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: JSON.stringify({ filters: { from: '2026-01-26T00:00:00Z', to: '2026-01-28T23:59:59Z' } }),
    }),
  );
  const { records } = (await reply.json()) as { records: Record<string, { accepting_chats_time?: number }> };
  return records[agent]?.accepting_chats_time;
}

test('Attendance is that of the play: agents were there in their working hours', async () => {
  const emulator = shop();
  await emulator.control('presence', { id: 'agent0@example.com', status: 'not_accepting_chats' });
  await emulator.play(UNTIL_NOW);
  expect(await acceptedBy(emulator, 'agent2@example.com')).toBe(30 * 3600);
});

test.each([1, 60_000, DAY])('Attendance stays when another process plays until now, %d ms later', async (later) => {
  const path = join(await folder(), 'license.json');
  let now = START;
  const open = () => openStateFile(path, { now: () => (now += 1), random: seededRandom(2), seed: SHOP });
  const first = await open();
  await first.play(UNTIL_NOW);
  expect(await acceptedBy(first, 'agent2@example.com')).toBe(30 * 3600);
  for (let start = 0; start < 3; start += 1) {
    now += later;
    const again = await open();
    await again.play({ ...TRAFFIC, to: new Date(now).toISOString() });
    expect([start, await acceptedBy(again, 'agent2@example.com')]).toEqual([start, 30 * 3600]);
  }
});

test('What was said of an agent before a play holds until the play begins', async () => {
  let now = START - DAY;
  const emulator = createEmulator({ now: () => now, random: seededRandom(1), seed: SHOP });
  await emulator.control('presence', { id: 'agent2@example.com', status: 'accepting_chats' });
  now = START;
  await emulator.control('presence', { id: 'agent2@example.com', status: 'offline' });
  const { visitors } = TRAFFIC;
  await emulator.play({ visitors, from: '2026-01-28T12:00:00Z', to: '2026-01-29T00:00:00Z' });
  // Accepting from Wednesday 00:00 to 12:00; what was said last holds from then on.
  expect(await acceptedBy(emulator, 'agent2@example.com')).toBe(12 * 3600);
});

test('A greeting that the license does not have is refused before anything is played', async () => {
  const emulator = shop();
  const before = JSON.stringify(stateOf(emulator));
  const visitors = { prices: { ...TRAFFIC.visitors.prices, greeting: { id: 8, share: 1 } } };
  await expect(emulator.play({ visitors })).rejects.toThrow(
    '`visitors.prices.greeting.id` names greeting 8, which does not exist',
  );
  expect(JSON.stringify(stateOf(emulator))).toBe(before);
});

test('The state file holds the play, and another process goes on with the same visitors', async () => {
  const path = join(await folder(), 'license.json');
  const open = (now: number) => openStateFile(path, { now: () => now, random: seededRandom(2), seed: SHOP });
  const first = await open(START);
  await first.play(UNTIL_NOW);
  const kept = stateOf(first);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '').traffic).toMatchObject({ until: START, description: UNTIL_NOW });
  const second = await open(START + DAY);
  expect(stateOf(second)).toEqual(kept);
  const [here, there] = [await second.play({ to: '2026-01-30', days: 3 }), shop()];
  expect(here.from).toBe('2026-01-29T00:00:00.000000Z');
  await there.play(UNTIL_NOW);
  expect((await there.play({ days: 1 })).chats).toBe(here.chats);
  const chats = (emulator: Emulator) =>
    threadsOf(emulator).map(({ created_at, customer_id }) => [created_at, customer_id]);
  expect(chats(second)).toEqual(chats(there));
  expect(await readdir(join(path, '..'))).toEqual(['license.json']);
});
