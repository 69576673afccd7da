// That a worker is alive: its row is renewed until it ends. Each second, it looks for work that no process does. The oldest worker tidies up, and the oldest
// of a project begins what is due.

import { asError } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import type { EngineConnection, EngineLog } from './connection.ts';
import { TARGET } from './names.ts';
import type { Watchdog } from './watchdog.ts';
import { dropWorker, keepWorker, type LiveWorker, type WorkerState, workersIn } from './workers.ts';

export interface PresenceOptions {
  readonly id: string;
  readonly state: () => WorkerState;
  /** Milliseconds that the row lasts without a renewal. */
  readonly ttl: number;
  readonly clock: Clock;
  readonly log: EngineLog;
  readonly watchdog: Watchdog;
  readonly schedule: () => Promise<void>;
}

export interface WorkerPresence {
  /** Makes the row. @throws what pg throws */
  readonly begin: () => Promise<void>;
  /** Removes the row. Never rejects: it ends by itself. */
  readonly end: () => Promise<void>;
  /** When the database last heard of the worker, in milliseconds since the epoch. */
  readonly renewed: () => number;
}

const SECOND = 1_000;
const HOUR = 3_600_000;

/** Milliseconds that a worker which ends waits for its last look. */
const LAST = 5_000;

/** Targets that a worker claims for each one that it works on: the next ones wait here until a place is free, and not for the next poll. */
const CLAIMS = 2;

export function presence(connection: EngineConnection, options: PresenceOptions): WorkerPresence {
  const { id, state, ttl, clock, log, watchdog, schedule } = options;
  const { pool, answering } = connection;
  const ending = new AbortController();
  let renewed = Number.NEGATIVE_INFINITY;
  let pruned = Number.NEGATIVE_INFINITY;
  let claims = 0;
  let loops: readonly Promise<void>[] = [];

  async function renew(): Promise<void> {
    const at = clock.now();
    await keepWorker(pool, id, state(), ttl);
    renewed = at;
  }

  /** A limit of DBOS is that of a queue, not of a worker: that of the largest one leaves no other idle. */
  async function limitClaims(workers: readonly LiveWorker[]): Promise<void> {
    const wanted = CLAIMS * Math.max(...workers.map(({ parallel }) => parallel));
    if (wanted === claims) return;
    const queue = await (await answering()).retrieveQueue(TARGET.queue);
    if (queue?.workerConcurrency !== wanted) await queue?.setWorkerConcurrency(wanted);
    claims = wanted;
  }

  async function tidyUp(workers: readonly LiveWorker[]): Promise<void> {
    await limitClaims(workers);
    const now = clock.now();
    if (now - pruned < HOUR) return;
    pruned = now;
    await forget(connection, now);
  }

  async function look(): Promise<void> {
    const workers = await workersIn(pool);
    await watchdog.look(workers.map((worker) => worker.id));
    if (workers[0]?.id === id) await tidyUp(workers);
    const { project } = state();
    const oldest = workers.find((worker) => worker.project === project);
    if (oldest?.id === id) await schedule().catch(warned('the runs that are due could not be begun'));
  }

  function warned(what: string): (error: unknown) => void {
    return (error) => log('warn', `${what}: ${asError(error).message}`);
  }

  async function repeated(pause: number, work: () => Promise<void>, what: string): Promise<void> {
    for (;;) {
      await clock.sleep(pause, ending.signal);
      if (ending.signal.aborted) return;
      await work().catch(warned(what));
    }
  }

  /** A look may have to wait for others, and a worker that does not say that it is alive is dead: the two do not wait for each other. */
  function begun(): readonly [renewing: Promise<void>, looking: Promise<void>] {
    const renewIfDue = async (): Promise<void> => {
      if (clock.now() - renewed >= ttl / 3) await renew();
    };
    return [
      repeated(Math.min(SECOND, ttl / 3), renewIfDue, 'the worker could not say that it is alive'),
      repeated(SECOND, look, 'the work of dead workers could not be looked for'),
    ];
  }

  return {
    begin: async () => {
      await renew();
      loops = begun();
    },
    end: async () => {
      ending.abort();
      const patience = new AbortController();
      await Promise.race([Promise.all(loops), clock.sleep(LAST, patience.signal)]);
      patience.abort();
      await dropWorker(pool, id).catch(() => {});
    },
    renewed: () => renewed,
  };
}

/** `now`: milliseconds since the epoch, for the workflows. Runs go by the clock of the server. */
async function forget(connection: Pick<EngineConnection, 'pool' | 'answering'>, now: number): Promise<void> {
  await forgetWorkflows(connection, now);
  await connection.pool.query('select chatform.forget_runs()');
}

/** Days for which what became of a workflow is kept. The log of the run keeps it longer. */
const KEPT_DAYS = 14;

const BATCH = 500;

async function forgetWorkflows({ answering }: Pick<EngineConnection, 'answering'>, now: number): Promise<void> {
  const client = await answering();
  const completedBefore = new Date(now - KEPT_DAYS * 86_400_000).toISOString();
  for (;;) {
    const old = await client.listWorkflows({ completedBefore, limit: BATCH, loadInput: false, loadOutput: false });
    if (old.length > 0) await client.deleteWorkflows(old.map(({ workflowID }) => workflowID));
    if (old.length < BATCH) return;
  }
}
