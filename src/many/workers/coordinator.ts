// The coordinator of a run: it drives the waves, and gives the work on targets to the workers.
//
// It makes no steps of DBOS, so nothing of it is replayed: a coordinator that another worker goes on with is begun again from its first line. That is
// right, because the log of the run knows what was begun and how it ended, and because the work on a target has the same id each time: what is under
// way or done is not begun twice. With steps, the order of the ids in which DBOS replays them would have to be the same each time, and targets end in
// any order.

import { randomUUID } from 'node:crypto';
import { asError, NotBegun } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import type { FleetWork, GateEnd, TargetEnd } from '../drive.ts';
import type { Abilities, Drive } from './abilities.ts';
import { childrenOf } from './children.ts';
import { type EngineConnection, type EngineLog, serverAnswers } from './connection.ts';
import { FORMAT, idOfRun, type JobInput, type JobOutput, RUN, type RunInput, type RunOutput } from './names.ts';
import { workersIn } from './workers.ts';

export interface CoordinatorOptions {
  /** Id of this worker. */
  readonly worker: string;
  /** As for work that the queue brings. */
  readonly work: (job: JobInput) => Promise<JobOutput>;
  readonly abilities: Abilities;
  readonly clock: Clock;
  readonly log: EngineLog;
  /** Aborts when the worker stops. */
  readonly stop: AbortSignal;
}

/** Seconds after which a run that all workers refused is offered again: a new worker, or a commit that was fetched, can do it. */
const LATER = 5;

/** Trials in a row without a pause. */
const TRIALS = 30;

/** Failures in a row after which a run is left to a person; a server that is away does not count. */
const FAILURES = 8;

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Null when another worker has to go on with the run. */
export async function coordinate(
  connection: EngineConnection,
  input: RunInput,
  { worker, work, abilities, clock, log, stop }: CoordinatorOptions,
): Promise<RunOutput | null> {
  const { run, digest } = input;

  /** The worker that drives a run can do it, so its work is never refused by all workers. */
  async function drivenIfAble(): Promise<RunOutput | null> {
    const ability = await abilities.of(run);
    if (!('refused' in ability)) return driven(ability.drive, null);
    if (ability.drive !== null) return driven(ability.drive, ability.refused);
    await offerAgain(connection, input, worker);
    return { type: 'refused', reason: ability.refused };
  }

  /** @param refused - Why this worker can only end the run, which is cancelled; null when it can do it. */
  async function driven(drive: Drive, refused: string | null): Promise<RunOutput | null> {
    const children = childrenOf(connection, { work, clock, log });
    const broken = new Set<unknown>();
    const round = randomUUID();
    const marked = <T>(end: Promise<T>): Promise<T> =>
      end.catch((error: unknown) => {
        if (!(error instanceof NotBegun)) broken.add(error);
        throw error;
      });
    const asked = (job: JobInput): Promise<TargetEnd | GateEnd> =>
      marked(refused === null ? children.end(job) : Promise.reject(new Error(refused)));
    const does: FleetWork = {
      work: (target, attempt) => asked({ type: 'apply', run, target, attempt, digest }) as Promise<TargetEnd>,
      check: (gate, target, wave) => asked({ type: 'check', run, target, gate, wave, round }) as Promise<GateEnd>,
      halt: () => children.halt(run),
    };
    const giveUp = (): void => children.giveUp(new Error('the worker of the coordinator stops'));
    stop.addEventListener('abort', giveUp);
    try {
      const { stopped } = await drive(does, stop);
      return stop.aborted && stopped?.kind === 'interrupted' ? null : { type: 'ended' };
    } catch (error) {
      if (stop.aborted || !broken.has(error)) throw error;
      return { type: 'broken', message: asError(error).message };
    } finally {
      stop.removeEventListener('abort', giveUp);
      giveUp();
    }
  }

  let failure = '';
  let pause = FIRST_PAUSE;
  for (let failures = 0; failures < FAILURES; failures += 1) {
    if (stop.aborted) return null;
    try {
      return await drivenIfAble();
    } catch (error) {
      failure = asError(error).message;
    }
    if (stop.aborted) return null;
    log('warn', `the coordinator of run ${run} failed, and begins again: ${failure}`);
    await clock.sleep(pause, stop);
    await serverAnswers(connection.pool, clock, stop);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
  log('error', `the coordinator of run ${run} failed ${FAILURES} times: resume the run once the cause is gone`);
  return { type: 'broken', message: failure };
}

/**
 * Enqueues the run for other workers: at once while one of them has not refused it, and otherwise later. Of trials that were refused, the first stays:
 * with it, a second request for the run is none.
 */
async function offerAgain(connection: EngineConnection, input: RunInput, worker: string): Promise<void> {
  const refusedBy = [...new Set([...input.refusedBy, worker])];
  const workers = await workersIn(connection.pool);
  // One that lives and takes no work would be waited for with one trial after the other.
  const isLater = workers.every(({ id }) => refusedBy.includes(id)) || input.trial % TRIALS === 0;
  const next: RunInput = { ...input, trial: input.trial + 1, refusedBy: isLater ? [] : refusedBy };
  const client = await connection.answering();
  await client.enqueue(
    {
      queueName: RUN.queue,
      workflowName: RUN.name,
      workflowID: idOfRun(next),
      appVersion: FORMAT,
      ...(isLater ? { delaySeconds: LATER } : {}),
    },
    next,
  );
  // The end of the one before may not be written yet.
  if (input.trial > 3) await client.deleteWorkflows([idOfRun({ ...input, trial: input.trial - 2 })]);
}
