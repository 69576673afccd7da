// Law of destroy on random licenses: what chatform created is gone, and every other object is as it was.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { KindName, ObjectId } from '../../src/base/model.ts';
import { KINDS, kindOf } from '../../src/kinds/index.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import type { World } from '../world.ts';
import { recordedIn } from './kinds/index.ts';
import { leftOver } from './left-over.ts';
import { type Records, recordsOf } from './records.ts';
import { scenario, stage } from './stage.ts';

const RUNS = tries(500, 8);
const DAY = 86_400_000;

/** Objects with an id, without what links them to others. */
function objectsIn(records: Records): ReadonlyMap<string, unknown> {
  const { agents, groups, bots, templates, rules } = records;
  const named = (kind: KindName, rows: readonly { readonly id: ObjectId }[]) =>
    rows.map((row) => [`${kind} ${row.id}`, row] as const);
  return new Map<string, unknown>([
    ...named('agent', agents),
    ...named('group', groups),
    ...named('bot', bots),
    ...named('bot_template', templates),
    ...named(
      'auto_access',
      rules.map(({ previous: _, next: __, groups: ___, ...rule }) => rule),
    ),
    ...recordedIn(records).map(({ kind, id, fields: { groups: _, ...fields } }) => [`${kind} ${id}`, fields] as const),
  ]);
}

/** A greeting and a canned response go with their group. */
function goesWith(made: ReadonlySet<string>, object: unknown): boolean {
  return isObject(object) && object['group'] !== undefined && made.has(`group ${object['group']}`);
}

async function created({ ledger }: World): Promise<ReadonlySet<string>> {
  const { bindings } = foldLedger(await ledger.read());
  const made = [...bindings].filter(
    ([address, { origin }]) => origin === 'created' && KINDS[kindOf(address)].incomplete === undefined,
  );
  return new Set(made.map(([address, { id }]) => `${kindOf(address)} ${id}`));
}

describe.each(TRIED_VERSIONS)('a random license, in version %s,', (version) => {
  it('keeps after a destroy exactly what chatform did not create', async () => {
    let gone = 0;
    await fc.assert(
      fc.asyncProperty(scenario(version), async (given) => {
        const { world, desired, options } = await stage(given);
        await world.apply(await world.plan(desired, options), desired, { options });
        await world.clock.sleep(DAY);
        const made = await created(world);
        const before = objectsIn(recordsOf(world.emulator));

        const nothing = { ...desired, resources: [], externals: [], ruleOrder: [], complete: [] };
        const destroying = { ...options, prune: {}, destroying: { adopted: false } };
        const plan = await world.plan(nothing, destroying);
        expect(plan.withheld).toEqual([]);
        const report = await world.apply(plan, nothing, { options: destroying });
        expect(report.outcome).toBe('done');

        const after = objectsIn(recordsOf(world.emulator));
        const kept = [...before].filter(([name, object]) => !made.has(name) && !goesWith(made, object));
        expect(after).toEqual(new Map(kept));
        gone += before.size - after.size;
        expect(leftOver(await world.plan(nothing, destroying))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(gone).toBeGreaterThan(0);
  });
});
