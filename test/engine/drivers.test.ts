// The specs of the drivers on PostgreSQL: two workers carry out all runs at once; a spec that loses its worker has a database of its own.

import { afterAll, beforeAll, describe, test } from 'vitest';
import type { DriverSpec } from '../fleet/drivers/spec.ts';
import { SPECS } from '../fleet/drivers/specs.ts';
import { migratedDatabase } from '../postgres/migrated.ts';
import { type PostgresServer, postgresServer } from '../postgres/server.ts';
import { IS_FULL } from '../tries.ts';
import { conforms } from './driver-runs.ts';
import { type Rig, rigOn, type WorkerProgram, workerProgram } from './rig.ts';

const found = await postgresServer();
const missing = 'missing' in found ? found.missing : null;
const isLosing = ({ rounds }: DriverSpec): boolean => rounds[0]?.end === undefined;
const named = (matches: (spec: DriverSpec) => boolean) =>
  SPECS.filter((spec) => matches(spec) && (IS_FULL || spec.isQuick === true)).map(
    (spec) => [spec.title, spec] as const,
  );

describe.skipIf(missing !== null)(`The driver on PostgreSQL${missing === null ? '' : `, skipped: ${missing}`}`, () => {
  let server: PostgresServer;
  let program: WorkerProgram;
  let rig: Rig;

  beforeAll(async () => {
    if ('missing' in found) return;
    server = found;
    program = await workerProgram('driver-worker.ts');
    rig = await rigOn(await migratedDatabase(server), program.path);
    await Promise.all([rig.worker({ parallel: 16 }), rig.worker({ parallel: 16 })]);
  });
  afterAll(async () => {
    await rig.close();
    await server.stop();
    await program.remove();
  });

  test.concurrent.each(named((spec) => !isLosing(spec)))('%s', (_, spec) => conforms(spec, rig));

  test.each(named(isLosing))('%s', async (_, spec) => {
    const own = await rigOn(await migratedDatabase(server), program.path);
    try {
      const workers = { url: own.url, first: await own.worker(), startNext: own.worker };
      await conforms(spec, workers);
    } finally {
      await own.close();
    }
  });
});
