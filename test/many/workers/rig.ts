// Runs on a PostgreSQL server with workers that are processes: begin, wait, kill, and count what was done.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Pool } from 'pg';
import { migrateDatabase } from '../../../src/ledger/postgres/migrate.ts';
import type { FleetEvent, FleetSpec } from '../../../src/many/log/events.ts';
import type { FleetStore } from '../../../src/many/log/store.ts';
import { migrateEngine } from '../../../src/many/workers/migrate.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { ANN, runOf, stampAt } from '../names.ts';
import { enqueueRun } from './asked.ts';
import { RUN_TABLES, runStore } from './run-store.ts';
import type { WorkerJob } from './worker-process.ts';

const TABLES = `${RUN_TABLES}
create table call (id serial primary key, target text, attempt int, worker text,
  began timestamptz default clock_timestamp(), ended timestamptz);
create table effect (target text, attempt int, primary key (target, attempt));
`;

const EMPTY = `truncate run_log, run_lease, run_cancel, call, effect, chatform.worker,
  dbos.workflow_status, dbos.workflow_input, dbos.workflow_output cascade`;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface WorkerProgram {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** @param source - A module of this folder that takes a `WorkerJob` as its argument. */
export async function workerProgram(source = 'worker-process.ts'): Promise<WorkerProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-engine-'));
  const path = join(folder, 'worker.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: path,
    plugins: [
      {
        // The folder has no packages.
        name: 'packages of the project',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^(?:pg|@dbos-inc\/dbos-sdk)$/ }, ({ path: name }) => ({
            path: fileURLToPath(import.meta.resolve(name)),
            external: true,
          }));
        },
      },
    ],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'error',
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface WorkerProcess {
  readonly id: string;
  readonly kill: () => Promise<void>;
  /** As `systemctl stop`. @returns what it printed since it was ready */
  readonly stop: () => Promise<string>;
  /** What it logged. */
  readonly log: () => string;
  readonly process: ChildProcess;
}

let workers = 0;

export type WorkerSettings = Partial<Omit<WorkerJob, 'url' | 'id'>>;

export interface Rig {
  readonly url: string;
  readonly pool: Pool;
  readonly worker: (settings?: WorkerSettings) => Promise<WorkerProcess>;
  readonly begin: (spec: FleetSpec, run?: string) => Promise<FleetStore>;
  /** A person goes on with the run, for the n-th time. */
  readonly resume: (round: number, run?: string) => Promise<void>;
  /** Kills the workers, and empties the tables. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @param user - Whom the workers and the runs are of: of tables of the engine, it has the rights that its migration gives. */
export async function rigOn(database: string, program: string, user: string | null = null): Promise<Rig> {
  await migrateDatabase({ variable: 'DATABASE_URL', env: { DATABASE_URL: database } }, { clock: systemClock });
  await migrateEngine(database);
  const address = new URL(database);
  if (user !== null) {
    address.username = user;
    const admin = new Pool({ connectionString: database, max: 1 });
    await admin.query(`grant create on schema public to ${user}`);
    await admin.end();
  }
  const url = address.href;
  const pool = new Pool({ connectionString: url, max: 5 });
  pool.on('error', () => {});
  await pool.query(TABLES);
  let all: WorkerProcess[] = [];

  async function killAll(): Promise<void> {
    const living = all.filter(({ process: { exitCode, signalCode } }) => exitCode === null && signalCode === null);
    all = [];
    await Promise.all(living.map(({ kill }) => kill()));
  }

  async function worker(settings: WorkerSettings = {}): Promise<WorkerProcess> {
    workers += 1;
    const job: WorkerJob = {
      url,
      id: `w${workers}`,
      parallel: 4,
      ttl: 3_000,
      ahead: 0,
      takes: [20, 50],
      refuses: null,
      ...settings,
    };
    const child = spawn(process.execPath, [program, JSON.stringify(job)], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString();
    });
    const ended = once(child, 'exit');
    while (!out.includes('ready\n')) {
      if (child.exitCode !== null) throw new Error(`the worker ended: ${err}`);
      await pause(20);
    }
    const made: WorkerProcess = {
      id: job.id,
      process: child,
      log: () => err,
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
      },
      stop: async () => {
        child.kill('SIGTERM');
        await ended;
        return out.slice('ready\n'.length);
      },
    };
    all.push(made);
    return made;
  }

  return {
    url,
    pool,
    worker,
    begin: async (spec, run = 'r1') => {
      const store = runStore(pool, run, null);
      await store.append([{ ...runOf(spec), id: run }]);
      await enqueueRun(url, { run, digest: null, round: 0 });
      return store;
    },
    resume: async (round, run = 'r1') => {
      await runStore(pool, run, null).append([{ ...stampAt(Date.now()), type: 'resumed', by: ANN }]);
      await enqueueRun(url, { run, digest: null, round });
    },
    clear: async () => {
      await killAll();
      await pool.query(EMPTY);
    },
    close: async () => {
      await killAll();
      await pool.end();
    },
  };
}

/** Waits for an event of the run, and asks often: the tests are about what happens in between. */
export async function eventOf(
  store: FleetStore,
  matches: (event: FleetEvent, all: readonly FleetEvent[]) => boolean,
  seconds = 60,
): Promise<readonly FleetEvent[]> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(20)) {
    const events = await store.read().catch(() => []);
    if (events.some((event) => matches(event, events))) return events;
  }
  throw new Error(`no such event: ${JSON.stringify((await store.read()).slice(-5))}`);
}

/** Waits until it is so. */
export async function until(condition: () => Promise<boolean>, seconds = 30): Promise<void> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(50)) if (await condition()) return;
  throw new Error(`not so after ${seconds} s`);
}

/** Id of the worker that drives the run. */
export async function coordinatorOf(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "select executor_id as id from dbos.workflow_status where name = 'chatform.run' and status = 'PENDING'",
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no worker drives the run');
  return row.id;
}

export const isOver = ({ type }: FleetEvent): boolean => type === 'done' || type === 'stopped';

export interface Counted {
  readonly calls: number;
  readonly effects: number;
  /** Pairs of calls of one target that ran at once. */
  readonly overlaps: number;
  readonly workers: readonly string[];
}

export async function counted(pool: Pool): Promise<Counted> {
  const { rows } = await pool.query<Counted>(`
    select (select count(*)::int from call) as calls, (select count(*)::int from effect) as effects,
      (select count(*)::int from call a join call b on a.target = b.target and a.id < b.id and b.began < a.ended) as overlaps,
      (select coalesce(json_agg(distinct worker), '[]') from call) as workers`);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}
