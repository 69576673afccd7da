// Law 1 of the design where a write can refer only to what readings show: whatever is created waits for what it needs.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { leftOver } from './left-over.ts';
import { scenario, stage } from './stage.ts';

const RUNS = tries(30, 3);

describe.each(TRIED_VERSIONS)(
  'a license that cannot refer to what does not read back yet, in version %s,',
  (version) => {
    it.each([1000, 120_000])(
      'is applied completely when that takes %i ms, and the plan that follows is empty',
      async (delay) => {
        await fc.assert(
          fc.asyncProperty(scenario(version), async (given) => {
            const settings = { ...given.settings, references: 'propagated' as const };
            const { world, desired, options } = await stage(
              { ...given, before: null, settings },
              { propagationDelay: delay },
            );
            const report = await world.apply(await world.plan(desired, options), desired, { options });
            expect(report.results.filter(({ outcome }) => outcome.status !== 'done')).toEqual([]);
            expect(report.outcome).toBe('done');
            await world.clock.sleep(120_000);
            expect(leftOver(await world.plan(desired, options))).toEqual([]);
          }),
          { numRuns: RUNS },
        );
      },
    );
  },
);
