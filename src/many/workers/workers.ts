// The workers of a database: a row each, which is live as long as its worker renews it, by the clock of the database.

import type { Pool } from 'pg';
import type { LeaseHolder } from '../../ledger/lease.ts';

/** What a worker says of itself. */
export interface WorkerState {
  readonly holder: LeaseHolder;
  /** Several projects may share a database. */
  readonly project: string;
  /** How many targets it works on at once. */
  readonly parallel: number;
  /** The runs that it cannot do, and why. */
  readonly refused: readonly { readonly run: string; readonly reason: string }[];
}

export interface LiveWorker extends WorkerState {
  readonly id: string;
  /** RFC 3339. */
  readonly since: string;
}

type Query = Pick<Pool, 'query'>;

/** Makes or renews the row of a worker. `ttl`: milliseconds. */
export async function keepWorker(pool: Query, id: string, state: WorkerState, ttl: number): Promise<void> {
  await pool.query("select chatform.keep_worker($1, $2, $3 * interval '1 ms')", [id, JSON.stringify(state), ttl]);
}

export async function dropWorker(pool: Query, id: string): Promise<void> {
  await pool.query('select chatform.drop_worker($1)', [id]);
}

/** Oldest first. */
export async function workersIn(pool: Query): Promise<readonly LiveWorker[]> {
  const { rows } = await pool.query<{ id: string; state: WorkerState; since: Date }>(
    'select id, state, since from chatform.worker where until > clock_timestamp() order by since, id',
  );
  return rows.map(({ id, state, since }) => ({ id, ...state, since: since.toISOString() }));
}
