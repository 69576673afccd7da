// A worker: it takes runs to drive and targets to work on from the queues, and says that it is alive. One in each process.

import type { WorkflowStatus } from '@dbos-inc/dbos-sdk';
import { asError, assertNever, EndedBefore, NotBegun, UsageError } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import { until } from '../../base/until.ts';
import type { LeaseHolder } from '../../ledger/lease.ts';
import type { GateEnd, TargetEnd } from '../drive.ts';
import { type Ability, abilitiesOf, type IsOurs, type RunWork } from './abilities.ts';
import { bodiesOf, WRITING } from './bodies.ts';
import {
  absentTables,
  askedAgain,
  connect,
  dbosLogger,
  type EngineLog,
  PLAIN_JSON,
  SHOWN_ADDRESS,
  serverAnswers,
} from './connection.ts';
import { coordinate } from './coordinator.ts';
import { loadDbos } from './dbos.ts';
import { APPLICATION, FORMAT, type JobInput, type JobOutput, RUN, type RunInput, TARGET } from './names.ts';
import { presence } from './presence.ts';
import { slotsOf } from './slots.ts';
import { putBack, watchdog } from './watchdog.ts';

export interface WorkerOptions {
  readonly url: string;
  /** Unlike that of any other worker, and of an earlier start of this one. */
  readonly id: string;
  readonly holder: LeaseHolder;
  /** Name of the project in the database. */
  readonly project: string;
  /** Targets that it works on at once. */
  readonly parallel: number;
  /** Milliseconds after which a worker that says nothing counts as dead. */
  readonly ttl?: number;
  readonly clock: Clock;
  /** What it says again is said once a minute. */
  readonly log: EngineLog;
  readonly work: (run: string) => Promise<Ability>;
  /** Begins the runs that are due. Called about each second while this worker is the oldest one of its project. */
  readonly schedule: () => Promise<void>;
}

export interface WorkerStatus {
  /** Targets under way. */
  readonly working: number;
  /** Targets that were claimed, and wait for their turn. */
  readonly waiting: number;
  /** Runs that it drives. */
  readonly runs: number;
  /** Since the start. */
  readonly ended: number;
  /** Because their runs were cancelled, or had stopped. */
  readonly notBegun: number;
  readonly refused: number;
  readonly broken: number;
  /** Milliseconds since the epoch: when the database last heard of it. */
  readonly renewed: number;
}

export interface Worker {
  /** Once: takes nothing more, ends the targets under way, gives back everything else, and is gone. */
  readonly stop: () => Promise<void>;
  readonly status: () => WorkerStatus;
}

/** Milliseconds after which a worker that says nothing counts as dead. */
export const TTL = 15_000;

/** Milliseconds between two looks at them. */
const WRITTEN = 100;

const never = new Promise<never>(() => {});

/** @throws UsageError when DBOS is not installed or another worker runs in this process; what DBOS throws for tables that are missing or old */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { url, id, parallel, ttl = TTL, clock, work, schedule, holder, project } = options;
  const log = sparingLog(options.log, clock.now);
  const { DBOS } = await loadDbos();
  if (DBOS.isInitialized()) throw new UsageError('a worker runs in this process already: start another process');
  const connection = await connect(url, log);
  const abilities = abilitiesOf(work, clock.now);
  const stopping = new AbortController();
  const closing = new AbortController();
  const slots = slotsOf(parallel);
  const here = bodiesOf(clock);
  const counts = { working: 0, runs: 0, ended: 0, 'not begun': 0, refused: 0, broken: 0 };
  /** The bodies that end before the worker does. */
  const underWay = new Set<Promise<unknown>>();

  function awaited<T>(body: Promise<T>): Promise<T> {
    const settled = body.then(
      () => void underWay.delete(settled),
      () => void underWay.delete(settled),
    );
    underWay.add(settled);
    return body;
  }

  /** `workflow`: null for work that no queue brought. */
  async function job(input: JobInput, workflow: string | null): Promise<JobOutput> {
    const claimed = clock.now();
    const ability = await abilities.of(input.run);
    if ('refused' in ability) return { type: 'refused', reason: ability.refused };
    return slots.during(input.run, async () => {
      // Its row goes back to the queue.
      if (stopping.signal.aborted) return never;
      const isOurs = async (): Promise<boolean> => workflow === null || isClaimed(workflow);
      // DBOS writes no output of a claim that is lost.
      if (clock.now() - claimed >= ttl / 2 && !(await isOurs()))
        return { type: 'refused', reason: 'another worker has it' };
      counts.working += 1;
      return awaited(outputOf(input, ability, isOurs)).finally(() => {
        counts.working -= 1;
      });
    });
  }

  /** The work of a worker that was suspended goes to others, and what it changes may be changed again by a later run. */
  async function isClaimed(workflow: string): Promise<boolean> {
    const [found] = await askedAgain(async () => {
      const client = await connection.answering();
      return client.listWorkflows({ workflowIDs: [workflow], loadInput: false, loadOutput: false });
    }, clock);
    return found?.status === 'PENDING' && found.executorId === id;
  }

  async function run(input: RunInput) {
    counts.runs += 1;
    const output = await awaited(
      coordinate(connection, input, {
        worker: id,
        work: (own) => job(own, null),
        abilities,
        clock,
        log,
        stop: stopping.signal,
      }),
    ).finally(() => {
      counts.runs -= 1;
    });
    return output ?? never;
  }

  /** Nothing of this is replayed, so that it needs no steps: see coordinator.ts. */
  function counted<I, O extends { readonly type: JobOutput['type']; readonly message?: string }>(
    body: (input: I) => Promise<O>,
  ) {
    return (input: I): Promise<O> =>
      here.during(DBOS.workflowID ?? '', async () => {
        const output = await body(input);
        counts[output.type] += 1;
        if (output.type === 'broken') log('error', `${DBOS.workflowID ?? 'work'} broke: ${output.message}`);
        // DBOS writes it next: see `answering`.
        await serverAnswers(connection.pool, clock, closing.signal);
        return output;
      });
  }

  const claimedJob = (input: JobInput): Promise<JobOutput> => job(input, DBOS.workflowID ?? null);
  DBOS.registerWorkflow(counted(claimedJob), { name: TARGET.name });
  DBOS.registerWorkflow(counted(run), { name: RUN.name });
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: SHOWN_ADDRESS,
    systemDatabasePool: connection.pool,
    executorID: id,
    applicationVersion: FORMAT,
    serializer: PLAIN_JSON,
    // Nothing of it is used, and poolers do not pass notifications on.
    useListenNotify: false,
    runMigrations: false,
    listenQueues: [RUN.queue, TARGET.queue],
    logger: dbosLogger(log),
  });
  const present = presence(connection, {
    id,
    state: () => ({ holder, project, parallel, refused: abilities.refused() }),
    ttl,
    clock,
    log,
    watchdog: watchdog(connection, id, here.has),
    schedule,
  });

  async function close(): Promise<void> {
    await present.end();
    closing.abort();
    await connection.close();
    // Another worker may follow in this process.
    await DBOS.shutdown({ deregister: true });
  }

  try {
    await connection.answering();
    // Before it claims anything: a claim of a worker without a row would be put back.
    await present.begin();
    await DBOS.launch();
  } catch (error) {
    await DBOS.shutdown();
    await close();
    throw absentTables(error);
  }

  /** The workflows that DBOS counts as ours once everything has ended here. */
  async function left(): Promise<readonly WorkflowStatus[]> {
    const claimed = async (): Promise<readonly WorkflowStatus[]> => {
      const client = await connection.answering();
      return client.listWorkflows({ status: 'PENDING', executorId: id, loadInput: false, loadOutput: false });
    };
    return until(claimed, {
      clock,
      deadline: clock.now() + WRITING,
      isEnough: (statuses) => !statuses.some(({ workflowID }) => here.endedLately(workflowID)),
      pause: () => WRITTEN,
    });
  }

  async function stop(): Promise<void> {
    stopping.abort();
    // Claims nothing more. It does not wait for what is under way, and leaves our connections alone.
    await DBOS.shutdown();
    while (underWay.size > 0) await Promise.all(underWay);
    try {
      await putBack(connection, await left());
    } catch (error) {
      log(
        'warn',
        `the work that was not begun could not be given back, and other workers find it: ${asError(error).message}`,
      );
    }
    await close();
  }

  let stopped: Promise<void> | null = null;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    status: () => {
      const { working, runs, 'not begun': notBegun, ...since } = counts;
      return { ...since, notBegun, working, waiting: slots.waiting(), runs, renewed: present.renewed() };
    },
  };
}

async function outputOf(job: JobInput, ability: RunWork, isOurs: IsOurs): Promise<JobOutput> {
  try {
    return { type: 'ended', end: await resultOf(job, ability, isOurs) };
  } catch (error) {
    if (error instanceof NotBegun) return { type: 'not begun' };
    if (error instanceof EndedBefore) return { type: 'ended', end: error.end as TargetEnd };
    return { type: 'broken', message: asError(error).message };
  }
}

function resultOf(job: JobInput, { apply, check }: RunWork, isOurs: IsOurs): Promise<TargetEnd | GateEnd> {
  switch (job.type) {
    case 'apply':
      return apply(job.target, job.attempt, job.digest, isOurs);
    case 'check':
      return check(job.gate, job.target, job.wave);
    default:
      return assertNever(job);
  }
}

/** Milliseconds. */
const MINUTE = 60_000;

export function sparingLog(log: EngineLog, now: () => number): EngineLog {
  const said = new Map<string, number>();
  return (level, message) => {
    for (const [old, at] of said) if (now() - at >= MINUTE) said.delete(old);
    if (said.has(message)) return;
    said.set(message, now());
    log(level, message);
  };
}
