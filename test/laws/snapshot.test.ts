// What a snapshot is for: a plan that is made from it is the plan that is made from the license. Random wishes for random licenses, on both versions.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/model.ts';
import { parseSeed } from '../../src/emulator/index.ts';
import { declaredNames, namesIn, type ShownNames, UNCHANGED } from '../../src/features/ci/snapshot-names.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { effectsOf } from '../../src/plan/saved/effects.ts';
import { secretStandings } from '../../src/planning/secret-standings.ts';
import type { Snapshot } from '../../src/planning/snapshot/snapshot.ts';
import { snapshotSource } from '../../src/planning/snapshot/source.ts';
import { declare, desiredOf } from '../desired.ts';
import { taken } from '../planning/snapshot/taken.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { EVERYTHING, world } from '../world.ts';
import { type Stage, scenario, stage } from './stage.ts';

async function planFrom(
  snapshot: Snapshot,
  { world: made, desired, options }: Stage,
  names: ShownNames,
): Promise<Plan | null> {
  const source = snapshotSource(snapshot, made.clock.now);
  const events = await source.ledger.read();
  // Who is withheld is acknowledged by the name that the snapshot gives him.
  const acknowledged = [...(options.acknowledged ?? [])].flatMap((each) =>
    each.startsWith('agent/') ? [each, names.address(each as 'agent/x')] : [each],
  );
  const all = {
    ...EVERYTHING,
    standingOf: secretStandings(made.env),
    ...options,
    acknowledged: new Set(acknowledged),
  };
  const { planned } = await source.settled({ desired, events, moved: [], options: all });
  return planned.plan;
}

/** What a plan does and what keeps it from being done, with people called as the snapshot calls them. */
function told(plan: Plan | null, names: ShownNames): readonly string[] {
  if (plan === null) return ['no plan'];
  const effects = effectsOf(plan).map((effect) => renamed(effect as unknown as Json, names));
  const vetoes = plan.withheld.map(({ guard, addresses }) => renamed([guard, ...addresses.toSorted()], names));
  return [...effects, ...vetoes, plan.scopes].map((each) => JSON.stringify(each)).sort();
}

function renamed(value: Json, names: ShownNames): Json {
  if (typeof value === 'string')
    return value.startsWith('agent/') ? names.address(value as 'agent/x') : names.id('agent', value);
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  // What a field says is no name of anybody.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === 'value' ? member : renamed(member, names)]),
  );
}

describe.each(TRIED_VERSIONS)('Version %s', (version) => {
  test('the plan of the same files is the same, and names only people whom they name', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), async (given) => {
        const staged = await stage(given);
        const { world: made, desired, options } = staged;
        const { planned } = await made.settled(desired, options);
        const { snapshot, text, live, ledger } = await taken(made, desired);
        const shownNames = declaredNames(desired, []);
        const names = namesIn(live, ledger, shownNames);
        expect(told(await planFrom(snapshot, staged, names), names)).toEqual(told(planned.plan, names));
        const people = (live.objects.agent ?? []).map(({ id }) => String(id));
        for (const id of people.filter((each) => !shownNames.has(each) && each.includes('@')))
          expect(text).not.toContain(id);
        const whole = await taken(made, desired, { full: true });
        const scopeless = (plan: Plan | null): readonly string[] =>
          told(plan === null ? null : { ...plan, scopes: [] }, UNCHANGED);
        expect(scopeless(await planFrom(whole.snapshot, staged, UNCHANGED))).toEqual(scopeless(planned.plan));
      }),
      { numRuns: tries(10, 5) },
    );
  });
});

test('A person whom the license writes in other capitals is no new one in a plan from a snapshot', async () => {
  const made = world({
    seed: parseSeed({
      agents: [{ id: 'Ann@Example.com', name: 'Ann' }],
      groups: [{ name: 'Sales', agent_priorities: { 'Ann@Example.com': 'first' } }],
    }),
  });
  const desired = desiredOf([
    declare('agent', 'ann@example.com', { name: 'Ann' }),
    declare('group', 'sales', { name: 'Sales', agent_priorities: { 'agent/ann@example.com': 'first' } }),
  ]);
  const { snapshot } = await taken(made, desired);
  const source = snapshotSource(snapshot, made.clock.now);
  const { planned } = await source.settled({ desired, events: [], moved: [], options: EVERYTHING });
  expect(planned.plan?.steps).toEqual([]);
});
