// The first apply with a ledger that never saw a run: what another run may just have created must not be created twice.

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { afterTheWindow } from '../../src/apply/target.ts';
import { createEmulator, listen } from '../../src/emulator/index.ts';
import type { Planning } from '../../src/planning/planning.ts';
import { declare, desiredOf } from '../desired.ts';
import { EVERYTHING, virtualClock, world } from '../world.ts';
import { folder } from './chatform.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const group = declare('group', 'sales', { name: 'Sales' });
const agent = declare('agent', 'ann@example.com', { name: 'Ann' });

async function planningOf(declared: typeof group, how: Partial<Planning> = {}): Promise<Planning> {
  const { plan, ledger, clock, settled } = world();
  const desired = desiredOf([declared]);
  return {
    plan: await plan(desired),
    compared: (await settled(desired)).compared,
    ledger,
    events: [],
    unwritten: [],
    recovery: { recovered: [], missing: [], undecided: [] },
    live: { version: '3.6', objects: {}, ruleOrder: [], scopes: [] },
    options: EVERYTHING,
    problems: [],
    diagnostics: [],
    isFirstRun: true,
    begun: clock.now(),
    tellsLag: false,
    ...how,
  };
}

async function waits(first: Planning) {
  const clock = virtualClock(first.begun);
  const { terminal, said } = fakeTerminal(null);
  const second = await planningOf(agent);
  const result = await afterTheWindow(first, async () => second, { ...terminal, clock });
  return { waited: clock.now() - first.begun, said: said(), plansAgain: result === second };
}

test('It waits out the two minutes once before it creates what only the service names, and plans again', async () => {
  const { waited, said, plansAgain } = await waits(await planningOf(group));
  expect([waited, plansAgain]).toEqual([120_000, true]);
  expect(said).toMatch(/ledger is new.*waiting 120 s.*--assume-settled/);
});

test('It waits for nothing when a ledger, the service or the plan itself makes a twin impossible', async () => {
  const withheld = [{ guard: 'secrets-sink', addresses: [], message: '', remedy: '' }] as const;
  const { plan } = await planningOf(group);
  for (const first of [
    await planningOf(agent),
    await planningOf(group, { isFirstRun: false }),
    await planningOf(group, { tellsLag: true }),
    await planningOf(group, { plan: null }),
    await planningOf(group, { plan: plan === null ? null : { ...plan, withheld } }),
  ])
    expect(await waits(first)).toEqual({ waited: 0, said: '', plansAgain: false });
});

test('An interruption ends the wait before anything is changed', async () => {
  const first = await planningOf(group);
  const clock = virtualClock(first.begun);
  const how = { clock, notice: () => {}, signal: AbortSignal.abort() };
  await expect(afterTheWindow(first, async () => first, how)).rejects.toThrow('interrupted before anything');
});

test('--assume-settled skips it, and an emulator on a port says itself that there is nothing to wait for', async () => {
  const emulator = createEmulator({ now: Date.now, random: Math.random });
  const mute = {
    ...emulator,
    handle: async (asked: Parameters<typeof emulator.handle>[0]) => {
      const answer = await emulator.handle(asked);
      const headers = Object.entries(answer.headers).filter(([name]) => name !== 'x-emulator-propagation-delay');
      return { ...answer, headers: Object.fromEntries(headers) };
    },
  };
  for (const [service, flags] of [
    [mute, ['--assume-settled']],
    [emulator, []],
  ] as const) {
    await emulator.begin();
    const server = await listen(service, { port: 0, host: '127.0.0.1' });
    onTestFinished(() => server.close());
    const cwd = await folder({ 'manifest.yaml': 'version: 1\ngroups: { sales: { name: Sales } }\n' });
    const home = process.cwd();
    process.chdir(cwd);
    onTestFinished(() => process.chdir(home));
    const { terminal, said } = fakeTerminal(null, { CHATFORM_TOKEN: 'dal:token' });
    const target = ['-f', join(cwd, 'manifest.yaml'), '--base-url', server.url];
    expect(await atTerminal(['apply', ...target, '--yes', ...flags], terminal)).toBe(0);
    expect(said()).not.toContain('ledger is new');
  }
});
