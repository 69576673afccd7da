// Reports of what is really found on random licenses after edits by hand: the document fits its schema, and each report tells of every difference.

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, reportOf } from '../../../src/features/drift/judge.ts';
import { type DriftCheck, type DriftItem, driftSchema } from '../../../src/features/drift/schema.ts';
import { driftRenderers } from '../../features/drift/outputs.ts';
import { editByHand, edits } from '../../laws/edits.ts';
import { scenario, stage } from '../../laws/stage.ts';
import { tries } from '../../tries.ts';

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(driftSchema);

const AT = '2026-11-21T12:00:00.000Z';

function looked(differences: Parameters<typeof judge>[0]): DriftCheck {
  const settings = { failOn: 'warning', severity: [], ignore: [] } as const;
  const { judged, notes } = judge(differences, { target: 'page', settings, today: '2026-11-21', addresses: [] });
  const items = judged.map((item): DriftItem => ({ ...item, first_seen: AT }));
  const about = { version: '3.6', target: 'page', at: AT, failOn: 'warning', requests: 1 } as const;
  return { outcome: 'seen', report: reportOf({ ...about, items, notes, kinds: [] }) };
}

test('Whatever a look finds fits the schema, and is told by every report', async () => {
  await fc.assert(
    fc.asyncProperty(scenario('3.6'), edits, async (given, byHand) => {
      const { world, desired, options } = await stage(given);
      await world.apply(await world.plan(desired, options), desired, { options });
      await world.clock.sleep(86_400_000);
      await editByHand(world.emulator, byHand);
      await world.clock.sleep(86_400_000);
      const differences = await world.differences(desired, options);
      const look = looked(differences);
      expect(fits(JSON.parse(driftRenderers.json(look))) ? [] : fits.errors).toEqual([]);
      for (const { address } of differences.slice(0, 5)) {
        const silent = (['text', 'markdown', 'html', 'csv', 'junit', 'sarif'] as const).filter(
          (format) => !driftRenderers[format](look).includes(address),
        );
        expect([address, silent]).toEqual([address, []]);
      }
    }),
    { numRuns: tries(20, 5) },
  );
});
