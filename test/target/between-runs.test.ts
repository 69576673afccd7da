// A look and a run that writes at the same time: what is seen in the middle of the run is never what the look says.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { betweenRuns } from '../../src/features/drift/read-drift.ts';
import type { LeaseRecord } from '../../src/ledger/lease.ts';
import { fileLease } from '../../src/ledger/lease-file.ts';
import { folder } from '../cli/chatform.ts';
import { fakeTerminal } from '../cli/terminal.ts';
import { virtualClock } from '../world.ts';

const START = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

/** A ledger that a run holds until `until`, milliseconds after the start; null: nobody does. */
async function scene(until: number | null) {
  const controller = new AbortController();
  const fake = fakeTerminal(null);
  const terminal = { ...fake.terminal, clock: virtualClock(START), signal: controller.signal };
  const ledger = join(await folder({}), 'ledger.ndjson');
  const lease = fileLease(ledger);
  let generation = 0;
  const hold = async (end: number | null): Promise<void> => {
    generation += 1;
    const at = new Date(START).toISOString();
    const record: LeaseRecord = {
      generation,
      run: 'other',
      holder: { user: 'ann', host: 'ci', pid: 7, command: 'apply' },
      since: at,
      renewed: at,
      until: end === null ? null : new Date(START + end).toISOString(),
    };
    await lease.replace(record);
  };
  if (until !== null) await hold(until);
  const settings = { name: 't', ledger, runTimeout: 10 * MINUTE };
  return { terminal, said: fake.said, settings, hold, controller, elapsed: () => terminal.clock.now() - START };
}

test('Without another run the look is made at once, and once', async () => {
  const { terminal, settings, elapsed, said } = await scene(null);
  let looks = 0;
  expect(await betweenRuns(settings, async () => ++looks, terminal)).toBe(1);
  expect([elapsed(), said()]).toEqual([0, '']);
});

test('A look waits for a run to end, and says once for whom', async () => {
  const { terminal, settings, elapsed, said } = await scene(MINUTE);
  await betweenRuns(settings, async () => {}, terminal);
  expect(elapsed()).toBeGreaterThanOrEqual(MINUTE);
  expect(said().match(/ann@ci \(pid 7, chatform apply\)/g)).toHaveLength(1);
});

test('A look is made again when a run began in the middle of it', async () => {
  const { terminal, settings, hold } = await scene(null);
  let looks = 0;
  const look = async (): Promise<number> => {
    looks += 1;
    if (looks === 1) await hold(null);
    return looks;
  };
  expect(await betweenRuns(settings, look, terminal)).toBe(2);
});

test('A run that does not end makes the look fail when its time is up, without a request', async () => {
  const { terminal, settings } = await scene(60 * MINUTE);
  let looks = 0;
  await expect(betweenRuns(settings, async () => ++looks, terminal)).rejects.toThrow(/ann@ci.*time of the check is up/);
  expect(looks).toBe(0);
});

test('Whoever waits can be interrupted', async () => {
  const { terminal, settings, controller } = await scene(60 * MINUTE);
  controller.abort();
  await expect(betweenRuns(settings, async () => {}, terminal)).rejects.toThrow(/interrupted/);
});
