// A connection to the database of the engine: one pool for DBOS, its client and the tables of the workers.

import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';
import { loadDbos } from './dbos.ts';
import { APPLICATION } from './names.ts';

/** Messages for the log of the process. Those of DBOS name workflows and what failed. */
export type EngineLog = (level: 'error' | 'warn', message: string) => void;

export interface Connection {
  readonly pool: Pool;
  readonly client: DBOSClient;
  readonly close: () => Promise<void>;
}

/** Connections of one process: DBOS polls with three, and its client and the outcomes take the others. A server has 100 by default. */
const CONNECTIONS = 10;

/** DBOS wants an address of a certain form, also where it is given a pool, and shows it in its messages. */
export const SHOWN_ADDRESS = 'postgresql://chatform@database/chatform';

/** @throws UsageError when DBOS is not installed. The first statement connects. */
export async function connect(url: string, log: EngineLog): Promise<Connection> {
  const { DBOSClient } = await loadDbos();
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'chatform fleet',
  });
  // An idle connection that ends is no error: the next statement makes another one. Without a listener, the process would die.
  pool.on('error', () => {});
  const client = await DBOSClient.create({
    systemDatabaseUrl: SHOWN_ADDRESS,
    systemDatabasePool: pool,
    applicationName: APPLICATION,
    logger: dbosLogger(log),
  });
  return {
    pool,
    client,
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
    warn: (entry: unknown) => log('warn', textOf(entry)),
    error: (entry: unknown) => log('error', textOf(entry)),
  };
}

export function textOf(entry: unknown): string {
  return entry instanceof Error ? entry.message : String(entry);
}
