// Law: undo takes a random license back to what it was, but for what it said; and the undo of that undo brings it forward again.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VERSIONS } from '../../../src/base/model.ts';
import type { PlanOptions } from '../../../src/plan/input.ts';
import type { ResourceUndo } from '../../../src/tasks/undo/undo.ts';
import { scenario, stage } from '../../laws/stage.ts';
import { tries } from '../../tries.ts';
import type { World } from '../../world.ts';
import { applyImaged, undoOf } from './imaged.ts';
import { differences, pictureOf } from './picture.ts';

const RUNS = tries(25);

/** What undo said would not be as it was. */
function excused(...rulings: readonly ResourceUndo[]): ReadonlySet<string> {
  const less = rulings.filter(({ verdict }) => verdict !== 'reversible' && verdict !== 'as_before');
  return new Set(less.map(({ address }) => address));
}

/** Whatever the ledger has ever heard of may be taken back. */
async function unafraid({ ledger }: World, options: Partial<PlanOptions>): Promise<Partial<PlanOptions>> {
  const addresses = (await ledger.read()).flatMap((event) => ('address' in event ? [event.address] : []));
  return { ...options, acknowledged: new Set([...(options.acknowledged ?? []), ...addresses]) };
}

describe.each(VERSIONS)('on a random license, in version %s,', (version) => {
  it('undo leads back to what was, but for what it says, and its undo forward again', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), async (given) => {
        const { world, desired, options } = await stage(given);
        const before = await pictureOf(world, desired);
        const plan = await world.plan(desired, options);
        if (plan.steps.length === 0) return;
        const run = await applyImaged(world, plan, desired, options);
        const after = await pictureOf(world, desired);
        const fearless = await unafraid(world, options);
        const undoing = await undoOf(world, run, fearless);
        if (undoing.plan.steps.length === 0) return;
        const undo = await applyImaged(world, undoing.plan, undoing.desired, undoing.options);
        const back = await pictureOf(world, desired);
        expect(differences(before, back, await world.ledger.read(), excused(...undoing.rulings))).toEqual([]);
        const redoing = await undoOf(world, undo, fearless);
        if (redoing.plan.steps.length === 0) return;
        await applyImaged(world, redoing.plan, redoing.desired, redoing.options);
        const forward = await pictureOf(world, desired);
        const rulings = [...undoing.rulings, ...redoing.rulings];
        expect(differences(after, forward, await world.ledger.read(), excused(...rulings))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
