// Brings the tables of a database up to date, and refuses to work with tables of another version.

import type { Client } from 'pg';
import { asError, UsageError } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import { until } from '../../base/until.ts';
import { addressIn, type Variable } from './address.ts';
import { codeOf, type DatabaseName, explainedFailure } from './failure.ts';
import { MIGRATIONS, ROLES } from './schema.ts';

export interface Migrated {
  /** Numbers of the migrations; 0 for a database without tables. */
  readonly before: number;
  readonly after: number;
  /** Roles that are there: none where the user may not make them. */
  readonly roles: readonly string[];
}

export interface MigrationOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Called once, when another process migrates the same database. */
  readonly onWait?: (server: string) => void;
  /** Migrates further tables at an address. It has the turn of this process, too. */
  readonly further?: (address: string) => Promise<void>;
}

/** Migrations of several processes go one after the other, also those of further tables. */
const LOCK = 0x63_68_61_74;

/** Milliseconds between two attempts to get the lock. */
const PAUSE = 250;

type Query = <R extends { readonly [column: string]: unknown }>(
  sql: string,
  values: readonly unknown[],
) => Promise<readonly R[]>;

/** @throws UsageError for tables of an older and of a newer chatform */
export async function requireSchema(query: Query, variable: string): Promise<void> {
  const number = await numberIn(query);
  if (number < MIGRATIONS.length)
    throw new UsageError(
      `the tables in ${variable} have version ${number}, and this chatform needs ${MIGRATIONS.length}: run \`chatform ledger migrate\``,
    );
  if (number > MIGRATIONS.length) throw newer(number, variable);
}

function newer(number: number, variable: string): UsageError {
  return new UsageError(
    `the tables in ${variable} have version ${number}, and this chatform knows ${MIGRATIONS.length}: use the chatform that migrated them, or a later one`,
  );
}

/**
 * Carries out the migrations that are missing: all of chatform's or none, then the further ones. A process that finds another at it waits.
 * @throws UsageError for tables of a newer chatform, and for a server that refuses or does not answer; the reason of `signal`; what `further` throws
 */
export async function migrateDatabase(given: Variable, options: MigrationOptions): Promise<Migrated> {
  const { address, name } = addressIn(given);
  const { default: pg } = await import('pg');
  const [turn, tables] = [0, 1].map(() => {
    const client = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: 10_000,
      application_name: 'chatform',
    });
    // A connection that ends is told by the statement that needed it.
    client.on('error', () => {});
    return client;
  }) as [Client, Client];
  try {
    await turn.connect();
    await takeTurn(turn, options, name.server);
    await tables.connect();
    const migrated = await migrateTables(tables, given.variable);
    await options.further?.(address);
    await turn.query('commit');
    return migrated;
  } catch (error) {
    throw codeOf(error) === FORBIDDEN ? forbidden(error, name) : explainedFailure(error, name);
  } finally {
    await Promise.all([turn.end(), tables.end()]);
  }
}

/**
 * Begins a transaction that holds the lock. It is one of a transaction, because a pooler gives each transaction another connection; and no statement waits
 * for it, because a waiting statement would stop the engine from making an index concurrently.
 */
async function takeTurn(client: Client, { clock, signal, onWait }: MigrationOptions, server: string): Promise<void> {
  let isTold = false;
  const isTaken = async (): Promise<boolean> => {
    signal?.throwIfAborted();
    await client.query('begin isolation level read committed');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    // Without a parameter: the portal of a statement with one keeps its snapshot, for which indexes wait as well.
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as taken`);
    if (rows[0]?.taken === true) return true;
    await client.query('rollback');
    return false;
  };
  await until(isTaken, {
    clock,
    signal,
    isEnough: (taken) => taken,
    pause: () => PAUSE,
    onWait: () => {
      if (!isTold) onWait?.(server);
      isTold = true;
    },
  });
  signal?.throwIfAborted();
}

const FORBIDDEN = '42501';

function forbidden(error: unknown, { variable, server, user, database }: DatabaseName): UsageError {
  const said = asError(error).message;
  return new UsageError(
    `the user ${user} of ${variable} may not make or change the tables in ${database} at ${server}: ${said}; let the owner of the database run this, or the user who ran it first`,
  );
}

async function migrateTables(client: Client, variable: string): Promise<Migrated> {
  await client.query('begin');
  try {
    const { rows: found } = await client.query<{ there: boolean }>(
      "select to_regclass('chatform.migration') is not null as there",
    );
    const before = found[0]?.there === true ? await numberIn(async (sql) => (await client.query(sql)).rows) : 0;
    if (before > MIGRATIONS.length) throw newer(before, variable);
    for (const [index, sql] of MIGRATIONS.entries()) {
      if (index < before) continue;
      await client.query(sql);
      await client.query('insert into chatform.migration (number) values ($1)', [index + 1]);
    }
    // Also without a migration: a user with more rights may make the roles later.
    await client.query(ROLES);
    const { rows: roles } = await client.query<{ rolname: string }>(
      "select rolname from pg_roles where rolname in ('chatform_apply', 'chatform_read') order by 1",
    );
    await client.query('commit');
    return { before, after: MIGRATIONS.length, roles: roles.map(({ rolname }) => rolname) };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function numberIn(query: Query): Promise<number> {
  const [row] = await query<{ number: number | null }>('select max(number) as number from chatform.migration', []);
  return row?.number ?? 0;
}
