// Laws 1, 3, 5 and 6 of the design on random licenses: what a plan depends on, what planning sends, what applying leaves.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { fetchLive } from '../../src/license/reading/live.ts';
import { viewOf } from '../../src/license/reading/view.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { secretStandings } from '../../src/planning/secret-standings.ts';
import { readsOnly } from '../../src/service/client.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { EVERYTHING, seededRandom } from '../world.ts';
import { contradictions } from './edges.ts';
import { isUnprovable, leftOver } from './left-over.ts';
import { harm, intruding, untrue } from './oracle.ts';
import { recordsOf } from './records.ts';
import { reordered } from './shuffle.ts';
import { type Stage, scenario, settingOf, stage, writesOf } from './stage.ts';

const RUNS = tries(500, 8);

async function inputOf({ world, desired, options }: Stage): Promise<PlanInput> {
  const ledger = foldLedger(await world.ledger.read());
  const reader = readsOnly(world.client);
  const { version } = world;
  const view = viewOf(desired, ledger, version);
  const live = await fetchLive((action, body) => reader.call(action, body), view, version);
  return { desired, live, ledger, options: { ...EVERYTHING, standingOf: secretStandings(world.env), ...options } };
}

/** Law 3: equal bytes for every order of the input. Law 5: each edge is said once. */
function planTwice(input: PlanInput, seed: number): Plan {
  const { plan, problems } = makePlan(input);
  expect(problems).toEqual([]);
  const other = makePlan(reordered(input, seededRandom(seed)));
  expect(JSON.stringify(other.plan)).toBe(JSON.stringify(plan));
  if (plan === null) throw new Error('no plan and no problem');
  expect(contradictions(plan, input.live)).toEqual([]);
  return plan;
}

describe.each(TRIED_VERSIONS)('a random license, in version %s,', (version) => {
  it('is planned with reads alone, whatever the order of the lists, and applied for what the plan said, completely and to nobody`s harm', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), fc.integer(), async (given, seed) => {
        const staged = await stage(given);
        const { world, desired, options } = staged;
        const plan = planTwice(await inputOf(staged), seed);
        expect(writesOf(world.emulator)).toEqual({});

        const before = recordsOf(world.emulator);
        const report = await world.apply(plan, desired, { options });
        expect(report.results.filter(({ outcome }) => outcome.status !== 'done')).toEqual([]);
        if (!(await isUnprovable(world, report))) expect(report.outcome).toBe('done');
        expect(writesOf(world.emulator)).toEqual(plan.requests.by_action);
        expect(plan.requests.total).toBe(plan.requests.plan.length);

        const next = await world.plan(desired, options);
        expect(leftOver(next)).toEqual([]);
        const claim = { desired, plan: next, ...(await settingOf(world)) };
        expect(untrue(claim)).toEqual([]);
        expect(intruding(claim)).toEqual([]);
        expect(harm(before, claim.records, claim, plan.steps)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
