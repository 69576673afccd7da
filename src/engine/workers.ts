// The workers of a database: a row each, which is live as long as its worker renews it, by the clock of the database.

import type { Pool } from 'pg';
import type { LeaseHolder } from '../ledger/lease.ts';

/** What a worker says of itself. */
export interface WorkerState {
  readonly holder: LeaseHolder;
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

/** Made with the tables of the engine. The functions are what a role needs that may not write to tables. */
export const WORKER_TABLES = `
create schema if not exists chatform;
create table if not exists chatform.worker (
  id text primary key,
  state json not null,
  since timestamptz not null default clock_timestamp(),
  until timestamptz not null
);
create or replace function chatform.keep_worker(p_id text, p_state json, p_ttl interval) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into chatform.worker (id, state, until) values (p_id, p_state, clock_timestamp() + p_ttl)
  on conflict (id) do update set state = excluded.state, until = excluded.until;
  delete from chatform.worker where until < clock_timestamp() - interval '1 day';
$$;
create or replace function chatform.drop_worker(p_id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from chatform.worker where id = p_id;
$$;
`;

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
