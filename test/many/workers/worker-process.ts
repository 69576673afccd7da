// A worker as a process of its own, which tests kill. Its work is to wait, and to write a row with an idempotency key.

import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { startWorker } from '../../../src/many/workers/worker.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { driveOf } from './run-store.ts';

export interface WorkerJob {
  readonly url: string;
  readonly id: string;
  readonly parallel: number;
  readonly ttl: number;
  /** Milliseconds by which its clock is ahead. */
  readonly ahead: number;
  /** Milliseconds that the work on a target takes, from and to. */
  readonly takes: readonly [number, number];
  /** Why it can do no run; null when it can. */
  readonly refuses: string | null;
}

const job = JSON.parse(process.argv[2] ?? '') as WorkerJob;
const pool = new Pool({ connectionString: job.url, max: 5 });
pool.on('error', () => {});

async function apply(target: string, attempt: number) {
  const [least, most] = job.takes;
  const before = await patiently('select from call where target = $1', [target]);
  const { rows } = await patiently('insert into call (target, attempt, worker) values ($1, $2, $3) returning id', [
    target,
    attempt,
    job.id,
  ]);
  await pause(least + Math.random() * (most - least));
  if (target === 'once' && before.rows.length === 0) throw new Error(`${target} is broken`);
  await patiently('insert into effect values ($1, $2) on conflict do nothing', [target, attempt]);
  await patiently('update call set ended = clock_timestamp() where id = $1', [rows[0]?.['id']]);
  return { state: 'done', code: 0, message: null, requests: 1, summary: { worker: job.id } } as const;
}

/** As a ledger waits for a server that comes back. */
async function patiently(sql: string, values: readonly unknown[]) {
  for (;;) {
    try {
      return await pool.query<{ readonly [column: string]: unknown }>(sql, [...values]);
    } catch {
      await pause(100);
    }
  }
}

const worker = await startWorker({
  url: job.url,
  id: job.id,
  parallel: job.parallel,
  ttl: job.ttl,
  holder: { user: 'ann', host: hostname(), pid: process.pid, command: 'fleet worker' },
  clock: systemClock,
  log: (level, message) => process.stderr.write(`${level} ${message}\n`),
  work: async (run) =>
    job.refuses === null
      ? {
          apply,
          check: async (gate, target) => ({ passed: true, message: `${gate} ${target} ${job.id}` }),
          drive: driveOf(pool, run),
        }
      : { refused: job.refuses, drive: null },
  project: 'chatform',
  schedule: async () => {},
});

process.once('SIGTERM', () => {
  void worker.stop().then(async () => {
    await pool.end();
    process.stdout.write(`stopped ${JSON.stringify(worker.status())}\n`);
  });
});
process.stdout.write('ready\n');
