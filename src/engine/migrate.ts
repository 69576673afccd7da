// Makes the tables of the engine, and brings them up to date. A worker and the command line never do that by themselves.

import { connect, dbosLogger, type EngineLog, SHOWN_ADDRESS } from './connection.ts';
import { loadDbos } from './dbos.ts';
import { APPLICATION, FORMAT, RUN, TARGET } from './names.ts';

/** Milliseconds between two questions of a worker to a queue. */
const POLLING = 200;

/** Coordinators of one worker: each waits most of the time. */
const COORDINATORS = 64;

/** Targets that a worker claims at once, until a worker says how many it works on. */
const CLAIMS = 32;

const LOCK = 0x63_68_65_6e;

/** Rights of the role that works with the tables, if it is there. */
const GRANTS = `
do $$
begin
  if exists (select from pg_roles where rolname = 'chatform_apply') then
    grant usage on schema dbos to chatform_apply;
    grant all on all tables in schema dbos to chatform_apply;
    grant all on all sequences in schema dbos to chatform_apply;
    grant execute on all functions in schema dbos to chatform_apply;
  end if;
end $$;
`;

/**
 * Also when the tables are there. Not next to a worker of the same process.
 * @throws UsageError when DBOS is not installed; what pg throws
 */
export async function migrateEngine(url: string, log: EngineLog = () => {}): Promise<void> {
  const { DBOS } = await loadDbos();
  const connection = await connect(url, log);
  try {
    // `DBOS.migrate` writes to the standard output, and tries to create the database.
    DBOS.setConfig({
      name: APPLICATION,
      systemDatabaseUrl: SHOWN_ADDRESS,
      systemDatabasePool: connection.pool,
      executorID: 'migration',
      applicationVersion: FORMAT,
      useListenNotify: false,
      runMigrations: true,
      listenQueues: [],
      logger: dbosLogger(log),
    });
    try {
      await DBOS.launch();
      for (const [{ queue }, workerConcurrency] of [
        [RUN, COORDINATORS],
        [TARGET, CLAIMS],
      ] as const)
        await DBOS.registerQueue(queue, {
          workerConcurrency,
          minPollingIntervalMs: POLLING,
          onConflict: 'never_update',
        });
    } finally {
      await DBOS.shutdown();
    }
    // One transaction. Of two processes that migrate, one waits.
    await connection.pool.query(`select pg_advisory_xact_lock(${LOCK}); ${GRANTS}`);
  } finally {
    await connection.close();
  }
}
