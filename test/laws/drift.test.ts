// What a drift tells, on random licenses: nothing after an apply, however stale the readings; what a person changed, and only that; and never less than
// what a plan would do.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address, KindName } from '../../src/base/model.ts';
import { KINDS } from '../../src/kinds/index.ts';
import { splitName } from '../../src/kinds/namespaced.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import type { Difference } from '../../src/plan/differences/difference.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import type { World } from '../world.ts';
import { editByHand, edits } from './edits.ts';
import { manifestOf } from './manifest.ts';
import { recordsOf } from './records.ts';
import { fearless, scenario, settingOf, stage } from './stage.ts';
import { wishFor } from './version.ts';
import { wish } from './wish.ts';

const RUNS = tries(500, 3);
const DAY = 86_400_000;

/** What an apply would end, or what the license did behind our backs; strangers are always told. */
function telling(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(
    ({ status, kind, ways_out: ways }) =>
      ways.includes('apply') || (['drift', 'conflict', 'converged'].includes(status) && kind !== 'unmanaged'),
  );
}

/** Somebody unregistered the property that it is a value of, and the manifest does not register it: the service takes no value. */
function lacksDefinition(address: string, { emulator }: World): boolean {
  const [kind, key] = splitName(address as Address);
  const definition = KINDS[kind as KindName].definition?.of(key);
  if (definition === undefined) return false;
  return !recordsOf(emulator).properties.some(({ namespace, name }) => definition === `property/${namespace}/${name}`);
}

describe.each(TRIED_VERSIONS)('a drift, in version %s,', (version) => {
  it('tells nothing right after an apply, although readings are stale by up to two minutes', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), async (given) => {
        const { world, desired, options } = await stage(given, { propagationDelay: { from: 0, to: 120_000 } });
        const report = await world.apply(await world.plan(desired, options), desired, {
          options,
          propagationTimeout: null,
        });
        expect(report.outcome).toBe('done');
        const told = telling(await world.differences(desired, options));
        // A person changed it by a newer version, and this one has no way back.
        expect(told.filter(({ reach }) => reach !== 'unreachable')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('tells of what a plan would do, and of nothing else that an apply could end', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), async (given) => {
        const { world, desired, options } = await stage(given);
        const plan = await world.plan(desired, options);
        const closable = (await world.differences(desired, options)).filter((each) => each.ways_out.includes('apply'));
        expect(closable.length > 0).toBe(plan.steps.length > 0);
        const served = new Set(plan.steps.flatMap(({ serves }) => serves as readonly string[]));
        expect(
          closable.map(({ address }) => address).filter((address) => address.includes('/') && !served.has(address)),
        ).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('says of what was changed by hand that the license moved, and of a new wish that the repository did', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), edits, wish, async (given, byHand, wanted) => {
        const { world, desired, options } = await stage(given);
        await world.apply(await world.plan(desired, options), desired, { options });
        await world.clock.sleep(DAY);

        const next = manifestOf(wishFor(version, wanted), await settingOf(world));
        // Of what was let go, the ledger remembers what was applied to it long ago.
        const declared = new Set<string>(desired.resources.map(({ address }) => address));
        const moved = (await world.differences(next, fearless([desired, next]))).filter(({ address }) =>
          declared.has(address),
        );
        // What somebody changed before, and this version cannot put back, is told until it is declared as it is.
        expect(
          moved.filter(
            ({ status, kind, reach }) =>
              ['drift', 'conflict'].includes(status) && kind !== 'unmanaged' && reach !== 'unreachable',
          ),
        ).toEqual([]);

        await editByHand(world.emulator, byHand);
        await world.clock.sleep(DAY);
        // A wish that is out of reach differs from what was applied: somebody who changes or deletes it then contradicts both, or does as it says.
        const found = (await world.differences(desired, options)).filter(({ address }) => declared.has(address));
        // Of an object in the place of one that somebody deleted, nothing is known that cannot be read.
        const { bindings } = foldLedger(await world.ledger.read());
        const isAnother = (address: string, id: Difference['id']) => bindings.get(address as Address)?.id !== id;
        expect(
          telling(found).filter(
            ({ address, id, status, kind, reach }) =>
              !['drift', 'converged'].includes(status) &&
              !(status === 'unknown' && isAnother(address, id)) &&
              !(status === 'conflict' && (kind === 'missing' || reach === 'unreachable')),
          ),
        ).toEqual([]);

        // Put back, there is nothing left to tell; the next apply has recorded it.
        const { plan: back } = await world.planned(desired, options);
        // What an `id:` names was deleted, or what is to be done is withheld: a person has to decide.
        if (back === null || back.withheld.length > 0) return;
        await world.apply(back, desired, { options });
        await world.clock.sleep(DAY);
        const left = telling(await world.differences(desired, options));
        const isOpen = ({ address, reach }: Difference) => reach !== 'unreachable' && !lacksDefinition(address, world);
        expect(left.filter(isOpen)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
