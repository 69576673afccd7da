// Law 1 of the design: apply, then plan: empty.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leftOver } from './left-over.ts';
import { harm, untrue } from './oracle.ts';
import { recordsOf } from './records.ts';
import { scenario, settingOf, stage, writesOf } from './stage.ts';

const RUNS = Number(process.env['RUNS'] ?? 200);

describe('apply, then plan', () => {
  it('leaves nothing to do, has cost what the plan said, and makes true what the manifest says, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { world, desired, options } = await stage(given);
        const before = recordsOf(world.emulator);
        const plan = await world.plan(desired, options);
        const report = await world.apply(plan, desired, { options });
        expect(report.results.filter(({ outcome }) => outcome.status !== 'done')).toEqual([]);
        expect(report.outcome).toBe('done');
        expect(writesOf(world.emulator)).toEqual(plan.requests.by_action);
        const next = await world.plan(desired, options);
        expect(leftOver(next)).toEqual([]);
        const claim = { desired, plan: next, ...(await settingOf(world)) };
        expect(untrue(claim)).toEqual([]);
        expect(harm(before, claim.records, claim, plan.steps)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('leaves nothing to do where every read lags by up to two minutes', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { world, desired, options } = await stage(given, { propagationDelay: { from: 0, to: 120_000 } });
        const plan = await world.plan(desired, options);
        const report = await world.apply(plan, desired, { options });
        expect(report.unsettled).toEqual([]);
        expect(report.outcome).toBe('done');
        await world.clock.sleep(120_000);
        const next = await world.plan(desired, options);
        expect(leftOver(next)).toEqual([]);
        expect(untrue({ desired, plan: next, ...(await settingOf(world)) })).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
