// A suite about runs on a PostgreSQL server of its own; skipped, saying why, where there is none.

import { afterAll, beforeAll, describe } from 'vitest';
import { migratedDatabase } from '../../ledger/postgres/migrated.ts';
import { type PostgresServer, postgresServer } from '../../ledger/postgres/server.ts';
import { type Rig, rigOn, type WorkerProgram, workerProgram } from './rig.ts';

/** There once the tests run. */
export interface Suite {
  readonly server: PostgresServer;
  readonly program: WorkerProgram;
  readonly rig: Rig;
}

/** @param source - As of `workerProgram`. */
export async function describeRuns(
  title: string,
  { durable = false, source }: { readonly durable?: boolean; readonly source?: string },
  tests: (suite: Suite) => void,
): Promise<void> {
  const found = await postgresServer({ durable });
  const missing = 'missing' in found ? found.missing : null;
  const suite = {} as { -readonly [member in keyof Suite]: Suite[member] };

  describe.skipIf(missing !== null)(`${title}${missing === null ? '' : `, skipped: ${missing}`}`, () => {
    beforeAll(async () => {
      if ('missing' in found) return;
      suite.server = found;
      suite.program = await workerProgram(source);
      suite.rig = await rigOn(await migratedDatabase(found), suite.program.path);
    });
    afterAll(async () => {
      await suite.rig.close();
      await suite.server.stop();
      await suite.program.remove();
    });
    tests(suite);
  });
}
