// Law 1 of the design where no read can be trusted to see the last write.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { isUnprovable, leftOver } from './left-over.ts';
import { untrue } from './oracle.ts';
import { scenario, settingOf, stage } from './stage.ts';

const RUNS = tries(100);

describe.each(TRIED_VERSIONS)(
  'a license whose reads lag by up to two minutes, each by another time, in version %s,',
  (version) => {
    it('is applied completely, and the plan that follows is empty', async () => {
      await fc.assert(
        fc.asyncProperty(scenario(version), async (given) => {
          const { world, desired, options } = await stage(given, { propagationDelay: { from: 0, to: 120_000 } });
          const report = await world.apply(await world.plan(desired, options), desired, { options });
          if (!(await isUnprovable(world, report))) expect([report.outcome, report.unsettled]).toEqual(['done', []]);
          await world.clock.sleep(120_000);
          const next = await world.plan(desired, options);
          expect(leftOver(next)).toEqual([]);
          expect(untrue({ desired, plan: next, ...(await settingOf(world)) })).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    });
  },
);
