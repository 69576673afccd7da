// Law 7 of the design: kill a run at any of its effects, and the next one ends at desired, with no duplicate, no orphan, and a reset offered for
// exactly the secrets that were in flight. An undo then takes both back. test/crash kills real processes, at any of their requests.

import { describe, expect, it } from 'vitest';
import type { Address, Desired, Live, Version } from '../../src/base/model.ts';
import { KINDS, kindOf } from '../../src/kinds/index.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import type { PlannerOptions } from '../../src/plan/input.ts';
import { applyImaged, excused, unafraid, undoOf } from '../features/undo/imaged.ts';
import { differences, pictureOf } from '../features/undo/picture.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { type World, world } from '../world.ts';
import { doomed, type Moment } from './crash.ts';
import { callByHand } from './edits.ts';
import { expectEnded, namesOn } from './ended.ts';
import { leftOver } from './left-over.ts';
import { recordsOf } from './records.ts';
import { acknowledged, after, BY_HAND, before, CLIENT, desiredIn } from './upheaval.ts';

interface Prepared {
  readonly made: World;
  /** Id of a rule that a person made. */
  readonly byHand: string;
  readonly picture: Live;
}

async function prepared(version: Version, delay: number): Promise<Prepared> {
  const made = world({ version, propagationDelay: delay, seed: { installed_clients: [CLIENT] } });
  const desired = await desiredIn(before(version), version);
  const report = await made.apply(await made.plan(desired, options(desired)), desired, { options: options(desired) });
  if (report.outcome !== 'done') throw new Error(JSON.stringify(report.results));
  const { bindings } = foldLedger(await made.ledger.read());
  await callByHand(made.emulator, 'add_auto_access', { ...BY_HAND, next_id: bindings.get('auto_access/b')?.id ?? '' });
  await made.clock.sleep(86_400_000);
  const byHand =
    recordsOf(made.emulator).rules.find(({ description }) => description === BY_HAND.description)?.id ?? '';
  return { made, byHand, picture: await pictureOf(made, desired) };
}

const options = (desired: Desired): Partial<PlannerOptions> => ({
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

async function provesItself({ made, byHand }: Prepared, desired: Desired, reference: readonly string[]): Promise<void> {
  await made.clock.sleep(70_000);
  const plan = await made.plan(desired, options(desired));
  const report = await made.apply(plan, desired, { options: options(desired) });
  expect(report.results.filter(({ outcome }) => outcome.status !== 'done')).toEqual([]);
  expect(report).toMatchObject({ outcome: 'done', failure: null });
  const { version, emulator, ledger, kept } = made;
  const events = await ledger.read();
  const holds = async (address: Address) => kept.has(address);
  await expectEnded({ version, emulator, desired, events, holds, reference, byHand });
  await made.clock.sleep(86_400_000);
  expect(leftOver(await made.plan(desired, options(desired)))).toEqual([]);
}

/** The killed run and the one that finished it are taken back together, rules of others in their places. */
async function comesBack({ made, picture }: Prepared, desired: Desired): Promise<void> {
  const undoing = await undoOf(made, null, await unafraid(made, options(desired)));
  const { plan, resources, orderChangedSince } = undoing;
  expect(orderChangedSince).toBe(false);
  // A value that reads as a default may be one that a person set, if the ledger does not know the default.
  const left = resources.filter(({ address, outcome }) => outcome === 'left_out' && !isValue(address));
  expect(left).toEqual([]);
  await applyImaged(made, plan, undoing.desired, undoing.options);
  const less = excused(...resources.filter(({ address }) => kindOf(address) !== 'auto_access'));
  expect(differences(picture, await pictureOf(made, desired), await made.ledger.read(), less)).toEqual([]);
}

function isValue(address: Address): boolean {
  return KINDS[kindOf(address)].definition !== undefined;
}

const DELAYS = [0, 120_000];
/** Every so many effects. */
const STRIDE = tries(1, 73);

describe.each(TRIED_VERSIONS)('a run that is killed, in version %s,', (version) => {
  it.each(DELAYS)('leaves nothing that the next run does not end, with readings that lag by %i ms', async (delay) => {
    const desired = await desiredIn(after(version), version);
    const whole = await prepared(version, delay);
    const effects = await killed(whole.made, desired, Number.POSITIVE_INFINITY, 'after');
    const reference = namesOn(whole.made.emulator);
    await provesItself(whole, desired, reference);
    await comesBack(whole, desired);
    expect(effects.filter((effect) => !effect.startsWith('ledger')).length).toBeGreaterThan(20);
    for (let at = 0; at < effects.length; at += 1) {
      for (const [turn, moment] of (['before', 'after'] as const).entries()) {
        if ((2 * at + turn) % STRIDE !== 0) continue;
        const one = await prepared(version, delay);
        await killed(one.made, desired, at, moment);
        const proof = provesItself(one, desired, reference).then(() => comesBack(one, desired));
        await proof.catch((error: unknown) => {
          throw new Error(`killed ${moment} effect ${at}, ${effects[at]}: ${String(error)}`, { cause: error });
        });
      }
    }
  });
});
