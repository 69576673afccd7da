// The specs of the drivers on PostgreSQL: two workers carry out all runs at once; a spec that loses its worker, fills it, or has a window, has a
// database of its own.

import { beforeAll, test } from 'vitest';
import { migratedDatabase } from '../../ledger/postgres/migrated.ts';
import { IS_FULL } from '../../tries.ts';
import type { DriverSpec } from '../drivers/spec.ts';
import { SPECS } from '../drivers/specs.ts';
import { conforms } from './driver-runs.ts';
import { rigOn } from './rig.ts';
import { describeRuns } from './suite.ts';

const isAlone = ({ rounds, slots, freeze }: DriverSpec): boolean =>
  rounds[0]?.end === undefined || slots !== undefined || freeze !== undefined;

const MINUTE = 60_000;
/** The clocks of the workers are wrong: nothing goes by them. */
const AHEAD = { ahead: 10 * MINUTE };
const BEHIND = { ahead: -7 * MINUTE };
const named = (matches: (spec: DriverSpec) => boolean) =>
  SPECS.filter((spec) => matches(spec) && (IS_FULL || spec.isQuick === true)).map(
    (spec) => [spec.title, spec] as const,
  );

await describeRuns('The driver on PostgreSQL', { source: 'driver-worker.ts' }, (on) => {
  beforeAll(() => Promise.all([on.rig.worker({ parallel: 16, ...AHEAD }), on.rig.worker({ parallel: 16, ...BEHIND })]));

  test.concurrent.each(named((spec) => !isAlone(spec)))('%s', (_, spec) => conforms(spec, on.rig));

  test.each(named(isAlone))('%s', async (_, spec) => {
    const own = await rigOn(await migratedDatabase(on.server), on.program.path);
    try {
      const workers = {
        url: own.url,
        first: await own.worker(spec.slots === undefined ? AHEAD : { parallel: spec.slots, ...AHEAD }),
        startNext: () => own.worker(BEHIND),
      };
      await conforms(spec, workers);
    } finally {
      await own.close();
    }
  });
});
