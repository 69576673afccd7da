// What is done to a run: to its workers, to the server, and to what is between them.

import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../ledger/postgres/migrated.ts';
import type { PostgresServer } from '../ledger/postgres/server.ts';
import type { Fleet, WorkerProcess } from './fleet.ts';

export interface Harmed {
  readonly fleet: Fleet;
  readonly server: PostgresServer;
  readonly workers: readonly WorkerProcess[];
  /** The worker that drives the run. */
  readonly coordinator: WorkerProcess;
  readonly other: WorkerProcess;
}

export interface Harm {
  /** Resolves at its end, such as the return of a server. */
  readonly act: (harmed: Harmed) => Promise<unknown>;
  /** Runs that it is done to, each at another moment. */
  readonly moments: number;
  /** Workers reach the server through pgbouncer. */
  readonly isPooled?: boolean;
  /** Workers that are ended by it. */
  readonly ends?: 'coordinator' | 'other' | 'both';
  readonly suspends?: 'coordinator' | 'other';
  /** Targets may fail: a person goes on with the run then. */
  readonly stops?: boolean;
}

/** Milliseconds that a server is away. */
const AWAY = 30_000;

/** Milliseconds for which its disk is full. */
const FULL = 4_000;

const ENDED =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

async function endConnections({ fleet }: Harmed): Promise<void> {
  for (let time = 0; time < 5; time += 1) {
    await ask(fleet.url(), ENDED);
    await pause(50 + 200 * Math.random());
  }
}

async function fillDisk({ fleet }: Harmed): Promise<void> {
  await ask(
    fleet.url(),
    `create function public.disk_full() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
     create trigger disk_full before insert on chatform.event for each row execute function public.disk_full()`,
  );
  await pause(FULL);
  await ask(fleet.url(), 'drop trigger disk_full on chatform.event');
}

export const HARMS: Readonly<Record<string, Harm>> = {
  worker: { moments: 20, ends: 'other', act: ({ other }) => other.kill() },
  coordinator: { moments: 20, ends: 'coordinator', act: ({ coordinator }) => coordinator.kill() },
  both: {
    moments: 20,
    ends: 'both',
    act: async ({ fleet, workers }) => {
      await Promise.all(workers.map(({ kill }) => kill()));
      await fleet.worker();
    },
  },
  suspended: { moments: 20, suspends: 'other', act: async ({ other }) => other.process.kill('SIGSTOP') },
  'coordinator-suspended': {
    moments: 20,
    suspends: 'coordinator',
    act: async ({ coordinator }) => coordinator.process.kill('SIGSTOP'),
  },
  stopped: { moments: 10, ends: 'coordinator', act: ({ coordinator }) => coordinator.stop() },
  server: { moments: 20, act: ({ server }) => server.restart('immediate') },
  away: {
    moments: 3,
    act: async ({ server }) => {
      await server.pause('immediate');
      await pause(AWAY);
      await server.start();
    },
  },
  connections: { moments: 10, act: endConnections },
  pgbouncer: { moments: 10, isPooled: true, act: endConnections },
  full: { moments: 6, stops: true, act: fillDisk },
};
