// A copy of a license against the license it was read from: it reads the same, and a plan for it is the same plan.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Desired, KindName, Live, ObjectId } from '../../../src/base/model.ts';
import { parseSeed } from '../../../src/emulator/index.ts';
import { callsAfter, seedOf } from '../../../src/features/emulate/seed.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { fetchLive } from '../../../src/license/reading/live.ts';
import { wholeView } from '../../../src/license/reading/view.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { readsOnly } from '../../../src/service/client.ts';
import { CLIENTS, oddity } from '../../laws/oddities.ts';
import { SEED, scenario, stage } from '../../laws/stage.ts';
import { TRIED_VERSIONS, tries } from '../../tries.ts';
import { type World, world } from '../../world.ts';

const DAY = 86_400_000;
const RUNS = tries(60);

async function reading({ client, ledger, version }: World, desired: Desired): Promise<Live> {
  const view = wholeView(
    { ...desired, namespaces: [...new Set([...desired.namespaces, ...CLIENTS])] },
    foldLedger(await ledger.read()),
    version,
  );
  const reader = readsOnly(client);
  return fetchLive((action, body) => reader.call(action, body), view, version);
}

/** Accounts are made up by each emulator for itself; what a template made, each makes by itself. Fields that `like` could not read are left out. */
function comparable({ objects, ruleOrder }: Live, like: Live): unknown {
  const kinds = Object.entries(objects).map(([kind, list]) => {
    const others = new Map((like.objects[kind as KindName] ?? []).map((object) => [object.id, object.spec]));
    const told = (list ?? [])
      .filter(({ facts }) => facts.derived !== true)
      .map(({ id, name, spec, facts: { account: _, ...facts } }) => {
        const fields = Object.entries(spec).filter(([field]) => others.get(id)?.[field] !== null);
        return [String(id), { name, spec: Object.fromEntries(fields), facts }];
      });
    return [kind, Object.fromEntries(told)];
  });
  return { objects: Object.fromEntries(kinds), ruleOrder };
}

/** Without what the license hides, such as hours that a newer version wrote: the copy shows what it has. */
function comparableSteps({ steps }: Plan, { objects }: Live): readonly unknown[] {
  const hidden = (type: KindName, id: ObjectId | null, field: string): boolean =>
    objects[type]?.find((object) => object.id === id)?.spec[field] === null;
  return steps.flatMap(({ fields, ...step }) => {
    const shown = Object.entries(fields).filter(([field]) => !hidden(step.type, step.object, field));
    return step.operation === 'update' && shown.length === 0 ? [] : [{ ...step, fields: Object.fromEntries(shown) }];
  });
}

function leadsNowhere({ objects }: Live): boolean {
  return (objects.auto_access ?? []).some(({ spec }) => JSON.stringify(spec['access']) === '{"groups":[]}');
}

describe.each(TRIED_VERSIONS)('the copy of a random license, in version %s,', (version) => {
  it('reads as the license reads, and is planned as it is', async () => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(scenario(version), oddity, async (given, odd) => {
        const lists = ['agents', 'groups', 'bots', 'auto_access'] as const;
        const joined = lists.map((name) => [name, [...(SEED[name] ?? []), ...(odd[name] ?? [])]]);
        const {
          world: original,
          desired,
          options,
        } = await stage(given, {
          seed: { ...SEED, ...odd, ...Object.fromEntries(joined) },
        });
        const live = await reading(original, desired);
        const copy = world({ version, seed: parseSeed(seedOf(live)), settings: given.settings });
        for (const { action, body } of callsAfter(live)) await copy.client.call(action, body);
        await copy.clock.sleep(DAY);
        await copy.ledger.append(await original.ledger.read());
        if (leadsNowhere(live)) return;
        expect(comparable(await reading(copy, desired), live)).toEqual(comparable(live, live));
        const [there, here] = [await original.plan(desired, options), await copy.plan(desired, options)];
        expect(comparableSteps(here, live)).toEqual(comparableSteps(there, live));
        steps += there.steps.length;
      }),
      { numRuns: RUNS },
    );
    expect(steps).toBeGreaterThan(RUNS);
  });
});
