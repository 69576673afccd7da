// A connection to the database of the engine: one pool for DBOS, its client and the tables of the workers.

import type { DBOSClient, DBOSConfig } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';
import { asError, UsageError } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import { until } from '../../base/until.ts';
import { isLost } from '../../ledger/postgres/failure.ts';
import { openPool } from '../../ledger/postgres/pool.ts';
import { loadDbos } from './dbos.ts';
import { APPLICATION } from './names.ts';

/** Messages for the log of the process. Those of DBOS name workflows and what failed. */
export type EngineLog = (level: 'error' | 'warn', message: string) => void;

export interface EngineConnection {
  readonly pool: Pool;
  /**
   * The client of DBOS, once the server answered and has the tables of this engine. DBOS asks a server that is away again after ever longer pauses of up to
   * 90 s, and so long after it is back. @throws UsageError for tables of another engine; what pg throws
   */
  readonly answering: () => Promise<DBOSClient>;
  readonly close: () => Promise<void>;
}

/** Connections of one process: DBOS polls with three, and its client and the outcomes take the others. A server has 100 by default. */
const CONNECTIONS = 10;

/**
 * Milliseconds that a transaction may do nothing. The one of a process that is suspended, or whose machine is gone, has locked work that others must put
 * back. DBOS sets this for its own connections only.
 */
const IDLE_TIMEOUT = 5_000;

/** DBOS wants an address of a certain form, also where it is given a pool, and shows it in its messages. */
export const SHOWN_ADDRESS = 'postgresql://chatform@database/chatform';

/** Inputs and outputs are plain JSON. The serializer of DBOS walks each of them four times, for dates and functions that none has. */
export const PLAIN_JSON: NonNullable<DBOSConfig['serializer']> = {
  name: () => 'chatform_json',
  stringify: (value) => JSON.stringify(value ?? null),
  parse: (text) => JSON.parse(text ?? 'null') as unknown,
};

/** @throws UsageError when DBOS is not installed. The first statement connects. */
export async function connect(url: string, log: EngineLog): Promise<EngineConnection> {
  const { DBOSClient } = await loadDbos();
  const pool = await openPool(url, {
    max: CONNECTIONS,
    application_name: 'chatform fleet',
    // As a statement, because poolers refuse it as a parameter of the connection.
    onConnect: async (connection) => {
      await connection.query(`set idle_in_transaction_session_timeout = ${IDLE_TIMEOUT}`);
    },
  });
  const client = await DBOSClient.create({
    systemDatabaseUrl: SHOWN_ADDRESS,
    systemDatabasePool: pool,
    applicationName: APPLICATION,
    serializer: PLAIN_JSON,
    logger: dbosLogger(log),
  });
  return {
    pool,
    answering: async () => {
      if ((await migrationIn(pool)) < MIGRATIONS) throw new UsageError(UNMIGRATED);
      return client;
    },
    close: async () => {
      await client.destroy();
      await pool.end();
    },
  };
}

/** Drops what is only of interest to those who work on DBOS. */
export function dbosLogger(log: EngineLog) {
  return {
    debug: () => {},
    info: () => {},
    warn: (entry: unknown) => log('warn', asError(entry).message),
    error: (entry: unknown) => log('error', asError(entry).message),
  };
}

/** Milliseconds between two questions to a server that is away. */
const PAUSE = 1_000;

/** Milliseconds in which a server may come back. */
const PATIENCE = 60_000;

/** Resolves once the server answers, or `signal` aborts. */
export async function serverAnswers(pool: Pick<Pool, 'query'>, clock: Clock, signal: AbortSignal): Promise<void> {
  const look = (): Promise<boolean> =>
    pool.query('select').then(
      () => true,
      () => false,
    );
  await until(look, { clock, signal, isEnough: (isThere) => isThere, pause: () => PAUSE });
}

/** The answer to a question that may be asked twice: it is asked again while the connection is lost. */
export async function askedAgain<T>(ask: () => Promise<T>, clock: Clock): Promise<T> {
  const look = (): Promise<{ readonly answer: T } | { readonly lost: unknown }> =>
    ask().then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (isLost(error)) return { lost: error };
        throw error;
      },
    );
  const isEnough = (seen: object): boolean => 'answer' in seen;
  const seen = await until(look, { clock, isEnough, deadline: clock.now() + PATIENCE, pause: () => PAUSE });
  if ('lost' in seen) throw seen.lost;
  return seen.answer;
}

/** PostgreSQL's codes for a schema, a table and a function that are not there. */
const ABSENT_TABLES = new Set(['3F000', '42P01', '42883']);

/** The migrations of DBOS 5.3. */
export const MIGRATIONS = 123;

const UNMIGRATED = 'the database does not have the tables of the fleet engine: run `chatform ledger migrate`';

/**
 * The number of the last migration of DBOS in a database.
 * @throws UsageError for tables of a newer DBOS, which this one would work with regardless; what pg throws, where there are none
 */
export async function migrationIn(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query('select coalesce(max(version), 0)::int as version from dbos.dbos_migrations');
  const version: number = rows[0].version;
  if (version > MIGRATIONS)
    throw new UsageError(
      `the tables of the fleet engine have version ${version}, and @dbos-inc/dbos-sdk 5.3 knows ${MIGRATIONS}: use the chatform and the @dbos-inc/dbos-sdk that migrated them, or later ones`,
    );
  return version;
}

/** The error for a person, of a database without the tables of the engine; any other error as it is. */
export function absentTables(error: unknown): unknown {
  const isAbsent = error instanceof Error && 'code' in error && ABSENT_TABLES.has(String(error.code));
  return isAbsent ? new UsageError(UNMIGRATED) : error;
}
