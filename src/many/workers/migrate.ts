// Makes the tables of the engine, and brings them up to date. A worker and the command line never do that by themselves.

import type { Pool } from 'pg';
import { connect, dbosLogger, type EngineLog, migrationIn, SHOWN_ADDRESS } from './connection.ts';
import { loadDbos } from './dbos.ts';
import { APPLICATION, FORMAT, RUN, TARGET } from './names.ts';

/** Milliseconds between two questions of a worker to a queue. */
const POLLING = 200;

/** Coordinators of one worker: each waits most of the time. */
const COORDINATORS = 64;

/** Targets that a worker claims at once, until a worker says how many it works on. */
const CLAIMS = 32;

/** Rights of the roles that work with the tables, and look at them, if they are there. */
const GRANTS = `
do $$
begin
  if exists (select from pg_roles where rolname = 'chatform_apply') then
    grant usage on schema dbos to chatform_apply;
    grant all on all tables in schema dbos to chatform_apply;
    grant all on all sequences in schema dbos to chatform_apply;
    grant execute on all functions in schema dbos to chatform_apply;
  end if;
  if exists (select from pg_roles where rolname = 'chatform_read') then
    grant usage on schema dbos to chatform_read;
    grant select on all tables in schema dbos to chatform_read;
  end if;
end $$;
`;

/**
 * Also when the tables are there. Not next to a worker of the same process, and not twice at once: the caller holds the lock of migrations.
 * @throws UsageError when DBOS is not installed, and for tables of a newer engine; what pg throws
 */
export async function migrateEngine(url: string, log: EngineLog = () => {}): Promise<void> {
  const { DBOS } = await loadDbos();
  const connection = await connect(url, log);
  try {
    await prepareTables(connection.pool, log);
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
    await connection.pool.query(GRANTS);
  } finally {
    await connection.close();
  }
}

/**
 * The number of the last migration of DBOS is in one row. Several migrations at once, which nothing but the lock prevents, left a row each, and DBOS then
 * fails for good: it sets all of them to its next number. It goes on from the lowest, and passes over what is there already.
 * @throws UsageError for tables of a newer DBOS
 */
async function prepareTables(pool: Pool, log: EngineLog): Promise<void> {
  const { rows } = await pool.query("select to_regclass('dbos.dbos_migrations') is not null as there");
  if (rows[0].there !== true) return;
  await migrationIn(pool);
  const { rowCount } = await pool.query(
    'delete from dbos.dbos_migrations where version > (select min(version) from dbos.dbos_migrations)',
  );
  if (rowCount !== 0)
    log('warn', 'migrations at once left the tables of the fleet engine half made: this one makes the rest');
}
