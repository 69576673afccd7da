// Archived records of a license in memory: what a snapshot leaves out, and what every read still finds.

import { expect, test } from 'vitest';
import { withControl } from '../../../src/emulator/engine/control.ts';
import { createLicenseEmulator, type EngineOptions } from '../../../src/emulator/engine/emulator.ts';
import { START, seededRandom } from '../caller.ts';
import { ended, opened, plainApi, type Tickets, ticketApi, ticketsOf } from './tickets.ts';

const DELAY = 1000;

function started(options: Partial<EngineOptions> = {}, api = ticketApi): Tickets & { readonly clock: { now: number } } {
  const clock = { now: START };
  const emulator = createLicenseEmulator([api], { now: () => clock.now, random: seededRandom(1), ...options });
  return { clock, ...ticketsOf(emulator) };
}

test('A snapshot leaves ended records out and says how many, unless it is asked for them', async () => {
  const { emulator, put, rows, seen, sizes } = started();
  await put(opened('a1'), ended('a2'), ended('b1'));
  expect(rows()).toEqual(['a1']);
  expect(emulator.snapshot().archive).toEqual({ records: 2 });
  expect(rows(true)).toEqual(['a2', 'b1', 'a1']);
  expect(emulator.snapshot({ archived: true })).not.toHaveProperty('archive');
  expect(await seen()).toHaveLength(3);
  expect(await seen('a')).toEqual([opened('a1'), ended('a2')]);
  expect(await sizes()).toEqual([3, 2]);
});

test('Without ended records the snapshot is, byte for byte, that of a table which archives none', async () => {
  const [archiving, plain] = [started(), started({}, plainApi)];
  for (const { put, drop, emulator, clock } of [archiving, plain]) {
    emulator.setFaults({ faults: [{ type: 'stale', lag: { from: 0, to: DELAY } }] });
    await put(opened('a1'), opened('a2'));
    clock.now += 10;
    await put(opened('a1', 'changed'));
    await drop('a2');
  }
  const text = JSON.stringify(plain.emulator.snapshot());
  expect(text).toContain('changed');
  for (const archived of [true, false]) expect(JSON.stringify(archiving.emulator.snapshot({ archived }))).toBe(text);
});

test('A record is archived once no older version of it can be read, at the next write', async () => {
  const { clock, put, rows, seen, get } = started({ propagationDelay: DELAY });
  await put(opened('a1'), ended('b1'));
  clock.now += 400;
  await put(ended('a1'));
  // Until then nothing of `b1` could be read, which is an older version also.
  expect(await seen()).toEqual([]);
  expect(rows()).toEqual(['a1', 'b1']);
  clock.now += 600;
  expect(await get('a1')).toEqual(opened('a1'));
  await put(opened('c1'));
  expect(rows()).toEqual(['a1', 'c1']);
  clock.now += 399;
  await put(opened('c2'));
  expect(rows()).toEqual(['a1', 'c1', 'c2']);
  expect(await get('a1')).toEqual(opened('a1'));
  clock.now += 1;
  expect(await get('a1')).toEqual(ended('a1'));
  await put(opened('c3'));
  expect(rows()).toEqual(['c1', 'c2', 'c3']);
  expect(rows(true)).toEqual(['b1', 'a1', 'c1', 'c2', 'c3']);
});

test('An ended record that changes propagates like any other, and is archived again', async () => {
  const { clock, put, drop, rows, get, sizes } = started({ propagationDelay: DELAY, seed: { tickets: [ended('a1')] } });
  expect(rows()).toEqual([]);
  await put(ended('a1', 'new'));
  expect(rows()).toEqual(['a1']);
  expect(await get('a1')).toEqual(ended('a1'));
  clock.now += DELAY;
  expect(await get('a1')).toEqual(ended('a1', 'new'));
  await drop('b1');
  expect(rows()).toEqual(['a1']);
  await put(opened('b1'));
  expect(rows()).toEqual(['b1']);
  await drop('a1');
  expect(rows()).toEqual(['b1', 'a1']);
  expect(await sizes()).toEqual([1, 0]);
  expect(await get('a1')).toEqual(ended('a1', 'new'));
  clock.now += DELAY;
  expect(await get('a1')).toBeUndefined();
  await put(opened('b1', 'again'));
  expect(rows(true)).toEqual(['b1']);
});

test.each([0, DELAY])(
  'A snapshot with everything begins the same license again, with a delay of %i ms',
  async (propagationDelay) => {
    const { clock, emulator, put } = started({ propagationDelay });
    await put(ended('a1'), opened('a2'), ended('b1'));
    clock.now += DELAY;
    await put(opened('a2', 'changed'), ended('b1', 'changed'));
    const state = JSON.parse(JSON.stringify(emulator.snapshot({ archived: true })));
    const again = started({ propagationDelay, state });
    for (const archived of [true, false])
      expect(again.emulator.snapshot({ archived })).toEqual(emulator.snapshot({ archived }));
    again.clock.now = clock.now + DELAY;
    expect(await again.seen('a')).toEqual([ended('a1'), opened('a2', 'changed')]);
    expect(await again.seen('b')).toEqual([ended('b1', 'changed')]);
    await again.emulator.begin({ state: emulator.snapshot({ archived: true }) });
    expect(again.emulator.snapshot({ archived: true })).toEqual(emulator.snapshot({ archived: true }));
  },
);

test('A snapshot that lacks records begins no license', async () => {
  const { emulator, put } = started();
  await put(ended('a1'));
  const state = emulator.snapshot();
  expect(() => started({ state })).toThrow('not a valid state: it lacks its archived records');
  await expect(emulator.begin({ state })).rejects.toThrow('take a snapshot with them, or open the state file itself');
  expect(emulator.snapshot()).toEqual(state);
});

test('The control API gives a snapshot with or without ended records, takes the first, and refuses other queries', async () => {
  const { emulator, put, drop, rows } = started();
  await put(opened('a1'), ended('a2'));
  const { fetch } = withControl(emulator);
  const ask = async (query: string, body?: unknown): Promise<readonly [number, ReturnType<typeof JSON.parse>]> => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const reply = await fetch(new Request(`http://emulator/_emulator/snapshot${query}`, init));
    return [reply.status, await reply.json()];
  };
  expect(await ask('')).toEqual([200, emulator.snapshot()]);
  const [status, whole] = await ask('?archived=true');
  expect([status, whole]).toEqual([200, emulator.snapshot({ archived: true })]);
  for (const query of ['?archived=false', '?archived', '?archived=true&archived=1', '?archive=true', '?archived=TRUE'])
    expect(await ask(query)).toMatchObject([400, { error: { type: 'validation' } }]);
  expect((await ask('?archive=true'))[1].error.message).toBe(
    'a snapshot has no `archive=true`: ask for it without a query, or with archived=true',
  );
  expect(await ask('', (await ask(''))[1])).toMatchObject([400, { error: { type: 'validation' } }]);
  await drop('a2');
  expect(await ask('', whole)).toEqual([200, {}]);
  expect(rows(true)).toEqual(['a2', 'a1']);
});

test('A longer lag that is set later finds every record, those in the archive also', async () => {
  const { clock, emulator, put, seen, rows } = started();
  await put(ended('a1'), opened('a2'));
  emulator.setFaults({ faults: [{ type: 'stale', lag: { from: DELAY, to: DELAY } }] });
  clock.now += DELAY;
  await put(ended('a2'));
  expect(rows()).toEqual(['a2']);
  clock.now += DELAY - 1;
  expect(await seen()).toEqual([ended('a1'), opened('a2')]);
  clock.now += 1;
  expect(await seen()).toEqual([ended('a1'), ended('a2')]);
});

test('A snapshot costs as much as what is not archived', async () => {
  const { emulator, put, sizes } = started();
  const tickets = Array.from({ length: 100_000 }, (_, at) => ended(`a${at}`));
  await put(...tickets, opened('b1'));
  expect(await sizes()).toEqual([100_001, 100_000]);
  const before = process.cpuUsage();
  for (let count = 0; count < 1000; count += 1) emulator.snapshot();
  const { user, system } = process.cpuUsage(before);
  // Walking over the archive would take 100,000,000 steps.
  expect((user + system) / 1e6).toBeLessThan(0.2);
});
