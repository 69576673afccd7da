// The log of a run and its lease in tables of a test: short leases by the clock of the server, and appends that only their holder makes.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { driveFleet } from '../../../src/many/drive.ts';
import type { CancelEvent, FleetEvent } from '../../../src/many/log/events.ts';
import type { FleetStore } from '../../../src/many/log/store.ts';
import type { Drive } from '../../../src/many/workers/abilities.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { ANN } from '../names.ts';

export const RUN_TABLES = `
create table run_log (run text, seq int, body json not null, primary key (run, seq));
create table run_lease (run text primary key, holder text, until timestamptz);
create table run_cancel (run text primary key, body json not null);
`;

/** Milliseconds. */
const LEASE = 2_000;

/** @param holder - Null for one that only reads, or begins the run. */
export function runStore(pool: Pool, run: string, holder: string | null): FleetStore {
  let head: number | null = null;
  let unwritten: FleetEvent[] = [];
  let writing: Promise<void> | null = null;

  async function read(): Promise<readonly FleetEvent[]> {
    const { rows } = await pool.query<{ body: FleetEvent }>('select body from run_log where run = $1 order by seq', [
      run,
    ]);
    head ??= rows.length;
    return rows.map(({ body }) => body);
  }

  /** Repeats what has no reply: only the holder writes, so an event that is there is its own. */
  async function write(seq: number, events: readonly FleetEvent[]): Promise<void> {
    for (;;) {
      try {
        const { rows } = await pool.query<{ held: boolean }>(
          `with written as (
             insert into run_log select $1, $2 + n, body::json from unnest($3::text[]) with ordinality u (body, n) on conflict do nothing)
           select holder is not distinct from $4 and until > clock_timestamp() as held from run_lease where run = $1`,
          [run, seq, events.map((event) => JSON.stringify(event)), holder],
        );
        if (holder !== null && rows[0]?.held !== true) throw new LostLease('the lease is lost');
        return;
      } catch (error) {
        if (error instanceof LostLease) throw error;
        await pause(100);
      }
    }
  }

  /** What waits leaves as one batch. */
  async function writeAll(): Promise<void> {
    await pause(0);
    head ??= (await read()).length;
    const events = unwritten;
    unwritten = [];
    writing = null;
    const seq = head;
    head += events.length;
    await write(seq, events);
  }

  let last = Promise.resolve();

  return {
    read,
    append: (events) => {
      unwritten.push(...events);
      if (writing === null) {
        last = last.then(writeAll);
        writing = last;
      }
      return writing;
    },
    cancel: async (request) => {
      await pool.query('delete from run_cancel where run = $1', [run]);
      if (request !== null) await pool.query('insert into run_cancel values ($1, $2)', [run, request]);
    },
    cancelled: async () => {
      const { rows } = await pool.query<{ body: CancelEvent }>('select body from run_cancel where run = $1', [run]);
      return rows[0]?.body ?? null;
    },
  };
}

class LostLease extends Error {}

/** What a worker of chatform does: waits for the lease, drives a run that is not over, and gives the lease back. */
export function driveOf(pool: Pool, run: string): Drive {
  return async (does, signal) => {
    const holder = randomUUID();
    const take = async (): Promise<boolean> => {
      const { rowCount } = await pool.query(
        `insert into run_lease values ($1, $2, clock_timestamp() + $3 * interval '1 ms')
         on conflict (run) do update set holder = excluded.holder, until = excluded.until
         where run_lease.holder = $2 or run_lease.until < clock_timestamp()`,
        [run, holder, LEASE],
      );
      return rowCount === 1;
    };
    while (!(await take())) {
      if (signal.aborted) throw new Error('the worker stops');
      await pause(100);
    }
    const renewal = setInterval(() => void take().catch(() => {}), LEASE / 4);
    try {
      const store = runStore(pool, run, holder);
      return await driveFleet(store, does, { clock: systemClock, signal, by: ANN, isRecovered: true });
    } finally {
      clearInterval(renewal);
      await pool
        .query('update run_lease set until = clock_timestamp() where run = $1 and holder = $2', [run, holder])
        .catch(() => {});
    }
  };
}
