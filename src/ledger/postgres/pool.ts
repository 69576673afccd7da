// Connections of one process to a server. pg is loaded with the first of them.

import type { Pool, PoolConfig } from 'pg';

/** Milliseconds that a statement may take: longer ones have lost their server. */
const STATEMENT_TIMEOUT = 60_000;

/** Milliseconds after which an idle connection is tried: the default of the system is two hours. */
const KEEP_ALIVE = 10_000;

export type PoolSettings = Pick<PoolConfig, 'max' | 'application_name' | 'allowExitOnIdle' | 'onConnect'>;

/** The first statement connects. */
export async function openPool(address: string, settings: PoolSettings): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    ...settings,
    connectionString: address,
    connectionTimeoutMillis: 10_000,
    query_timeout: STATEMENT_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
  });
  // An idle connection that ends is no error: the next statement makes another one. Without a listener, the process would die.
  pool.on('error', () => {});
  return pool;
}
