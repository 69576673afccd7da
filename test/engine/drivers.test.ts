// The specs of the drivers on PostgreSQL: two workers carry out all runs at once; a spec that loses its worker has a database of its own.

import { beforeAll, test } from 'vitest';
import type { DriverSpec } from '../fleet/drivers/spec.ts';
import { SPECS } from '../fleet/drivers/specs.ts';
import { migratedDatabase } from '../postgres/migrated.ts';
import { IS_FULL } from '../tries.ts';
import { conforms } from './driver-runs.ts';
import { rigOn } from './rig.ts';
import { describeRuns } from './suite.ts';

const isLosing = ({ rounds }: DriverSpec): boolean => rounds[0]?.end === undefined;
const named = (matches: (spec: DriverSpec) => boolean) =>
  SPECS.filter((spec) => matches(spec) && (IS_FULL || spec.isQuick === true)).map(
    (spec) => [spec.title, spec] as const,
  );

await describeRuns('The driver on PostgreSQL', { source: 'driver-worker.ts' }, (on) => {
  beforeAll(() => Promise.all([on.rig.worker({ parallel: 16 }), on.rig.worker({ parallel: 16 })]));

  test.concurrent.each(named((spec) => !isLosing(spec)))('%s', (_, spec) => conforms(spec, on.rig));

  test.each(named(isLosing))('%s', async (_, spec) => {
    const own = await rigOn(await migratedDatabase(on.server), on.program.path);
    try {
      const workers = { url: own.url, first: await own.worker(), startNext: own.worker };
      await conforms(spec, workers);
    } finally {
      await own.close();
    }
  });
});
