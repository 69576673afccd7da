// Law 7 of the design: kill a run at any of its effects, and the next one ends at desired, with no duplicate, no orphan, and a reset offered for
// exactly the secrets that were in flight. test/crash kills real processes, at any of their requests.

import { describe, expect, it } from 'vitest';
import { type Desired, VERSIONS, type Version } from '../../src/base/model.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { tries } from '../tries.ts';
import { type World, world } from '../world.ts';
import { doomed, type Moment } from './crash.ts';
import { expectEnded, namesOn } from './ended.ts';
import { leftOver } from './left-over.ts';
import { acknowledged, after, before, CLIENT, desiredIn } from './upheaval.ts';

async function prepared(version: Version, delay: number): Promise<World> {
  const made = world({ version, propagationDelay: delay, seed: { installed_clients: [CLIENT] } });
  const desired = await desiredIn(before(version), version);
  const report = await made.apply(await made.plan(desired), desired);
  if (report.outcome !== 'done') throw new Error(JSON.stringify(report.results));
  await made.clock.sleep(86_400_000);
  return made;
}

const options = (desired: Desired): Partial<PlanOptions> => ({
  acknowledged: new Set(['deletes', ...acknowledged(desired)]),
  prune: { agent: 'owned' },
});

/** Runs the change, killed at an effect; what the effects were. */
async function killed(made: World, desired: Desired, at: number, moment: Moment): Promise<readonly string[]> {
  const plan = await made.plan(desired, options(desired));
  const { effects, ...how } = doomed(made, at, moment);
  await made.apply(plan, desired, { ...how, options: options(desired) }).catch(() => {});
  return effects();
}

async function provesItself(made: World, desired: Desired, reference: readonly string[]): Promise<void> {
  await made.clock.sleep(70_000);
  const plan = await made.plan(desired, options(desired));
  const report = await made.apply(plan, desired, { options: options(desired) });
  expect(report.results.filter(({ outcome }) => outcome.status !== 'done')).toEqual([]);
  expect(report).toMatchObject({ outcome: 'done', failure: null });
  const { version, emulator, ledger, kept } = made;
  const events = await ledger.read();
  await expectEnded({ version, emulator, desired, events, holds: async (address) => kept.has(address), reference });
  await made.clock.sleep(86_400_000);
  expect(leftOver(await made.plan(desired, options(desired)))).toEqual([]);
}

const DELAYS = [0, 120_000];
/** Every so many effects. */
const STRIDE = tries(1, 9);

describe.each(VERSIONS)('a run that is killed, in version %s,', (version) => {
  it.each(DELAYS)('leaves nothing that the next run does not end, with readings that lag by %i ms', async (delay) => {
    const desired = await desiredIn(after(version), version);
    const whole = await prepared(version, delay);
    const effects = await killed(whole, desired, Number.POSITIVE_INFINITY, 'after');
    await provesItself(whole, desired, namesOn(whole.emulator));
    const reference = namesOn(whole.emulator);
    expect(effects.filter((effect) => !effect.startsWith('ledger')).length).toBeGreaterThan(20);
    for (let at = 0; at < effects.length; at += 1) {
      for (const [turn, moment] of (['before', 'after'] as const).entries()) {
        if ((2 * at + turn) % STRIDE !== 0) continue;
        const made = await prepared(version, delay);
        await killed(made, desired, at, moment);
        await provesItself(made, desired, reference).catch((error: unknown) => {
          throw new Error(`killed ${moment} effect ${at}, ${effects[at]}: ${String(error)}`);
        });
      }
    }
  });
});
