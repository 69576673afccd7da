// The work that a coordinator gives to the workers, and the ends that it waits for. Any number of coordinators of a run may ask for the same work.

import type { WorkflowStatus } from '@dbos-inc/dbos-sdk';
import { asError, assertNever, NotBegun } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import type { GateEnd, TargetEnd } from '../drive.ts';
import type { EngineConnection, EngineLog } from './connection.ts';
import { FORMAT, idOfJob, idsOfGates, idsOfTargets, type JobInput, type JobOutput, TARGET } from './names.ts';

export interface Children {
  /** Rejects with NotBegun when the work was not begun; when the work threw, and when the children are given up. */
  readonly end: (job: JobInput) => Promise<TargetEnd | GateEnd>;
  /** Cancels what is in the queue of the run. Work that a worker has taken looks at the run itself. */
  readonly halt: (run: string) => void;
  /** Rejects what is waited for with `reason`, and what is asked for later. The work itself goes on. */
  readonly giveUp: (reason: Error) => void;
}

interface Child {
  readonly job: JobInput;
  trial: number;
  readonly resolve: (end: TargetEnd | GateEnd) => void;
  readonly reject: (reason: Error) => void;
}

/** Milliseconds between two questions for all that is under way. */
const POLL = 200;

/** Milliseconds after a question that failed: the server may come back. */
const PAUSE = 500;

/** Workflows that are enqueued in one transaction. */
const BATCH = 10;

/** Workflows that one question names. */
const QUESTION = 500;

/** Trials that are offered to all workers. The next one is for this worker, which can do the run: the others may be many, and take it each time. */
const TRIALS = 2;

export interface ChildrenOptions {
  /** Does the work in this process, as one of its own targets. */
  readonly work: (job: JobInput) => Promise<JobOutput>;
  readonly clock: Clock;
  readonly log: EngineLog;
}

export function childrenOf({ pool, answering }: EngineConnection, { work, clock, log }: ChildrenOptions): Children {
  /** Enqueued, by id. */
  const waiting = new Map<string, Child>();
  let unsent: Child[] = [];
  let given: Error | null = null;
  let halting = false;
  let sending = false;
  let polling = false;

  function end(job: JobInput): Promise<TargetEnd | GateEnd> {
    return new Promise((resolve, reject) => {
      if (given !== null) {
        reject(given);
        return;
      }
      unsent.push({ job, trial: 1, resolve, reject });
      if (!sending) void send();
    });
  }

  /** One batch after the other: what arrives meanwhile shares the next transaction. */
  async function send(): Promise<void> {
    sending = true;
    while (unsent.length > 0) {
      const batch = unsent.slice(0, BATCH);
      try {
        await skipTrials(batch);
        await enqueue(batch);
        // `giveUp` may have emptied it.
        unsent = unsent.filter((child) => !batch.includes(child));
        if (given === null) for (const child of batch) waiting.set(idOfChild(child), child);
        if (!polling) void poll();
      } catch (error) {
        log('warn', `work could not be enqueued, and is enqueued again: ${asError(error).message}`);
        await clock.sleep(PAUSE);
      }
    }
    sending = false;
  }

  /** Trials that ended without a result under an earlier coordinator are not asked again. */
  async function skipTrials(batch: readonly Child[]): Promise<void> {
    for (let open = batch; open.length > 0; ) {
      const found = await statusesOf(open.map(idOfChild));
      open = open.filter((child) => {
        const status = found.get(idOfChild(child));
        const isSpent = status !== undefined && isOver(status) && outputOf(status).type !== 'ended';
        if (isSpent) child.trial += 1;
        return isSpent;
      });
    }
  }

  /** An id that is there stays as it is: its work is under way, or done. */
  async function enqueue(batch: readonly Child[]): Promise<void> {
    const client = await answering();
    const connection = await pool.connect();
    let failure: Error | undefined;
    // A connection that ends while it is idle in here.
    const onError = (error: Error): void => {
      failure = error;
    };
    connection.on('error', onError);
    try {
      await connection.query('begin');
      for (const [place, child] of batch.entries()) {
        await client.enqueueInTransaction(
          connection,
          {
            queueName: TARGET.queue,
            workflowName: TARGET.name,
            workflowID: idOfChild(child),
            appVersion: FORMAT,
            // The queue of a long run is behind the first targets of a short one.
            priority: child.job.type === 'check' ? 0 : waiting.size + place + 1,
          },
          child.job,
        );
      }
      await connection.query('commit');
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      connection.off('error', onError);
      connection.release(failure);
    }
  }

  async function statusesOf(ids: readonly string[]): Promise<ReadonlyMap<string, WorkflowStatus>> {
    const client = await answering();
    const found = new Map<string, WorkflowStatus>();
    for (let start = 0; start < ids.length; start += QUESTION) {
      const workflowIDs = ids.slice(start, start + QUESTION);
      for (const status of await client.listWorkflows({ workflowIDs, loadInput: false })) {
        found.set(status.workflowID, status);
      }
    }
    return found;
  }

  /** One question for all of them. */
  async function poll(): Promise<void> {
    polling = true;
    while (waiting.size > 0) {
      await clock.sleep(POLL);
      try {
        const asked = [...waiting];
        const found = await statusesOf(asked.map(([id]) => id));
        for (const [id, child] of asked) if (waiting.has(id)) settle(id, child, found.get(id));
      } catch (error) {
        log('warn', `the ends of work could not be read, and are read again: ${asError(error).message}`);
        await clock.sleep(PAUSE);
      }
    }
    polling = false;
  }

  function settle(id: string, child: Child, status: WorkflowStatus | undefined): void {
    if (status !== undefined && !isOver(status)) return;
    waiting.delete(id);
    // The tables of the engine were emptied.
    if (status === undefined) {
      again(child);
      return;
    }
    conclude(child, outputOf(status));
  }

  function conclude(child: Child, output: JobOutput): void {
    switch (output.type) {
      case 'ended':
        child.resolve(output.end);
        return;
      case 'not begun':
        child.reject(new NotBegun());
        return;
      case 'refused':
        child.trial += 1;
        if (child.trial <= TRIALS) again(child);
        else void work(child.job).then((own) => conclude(child, own), child.reject);
        return;
      case 'broken':
        child.reject(new Error(output.message));
        return;
      default:
        assertNever(output);
    }
  }

  /** Nothing is begun that is in the queue now: whatever stops the run was committed before. */
  async function cancelQueued(ids: string): Promise<void> {
    const client = await answering();
    for (;;) {
      const queued = await client.listWorkflows({
        workflow_id_prefix: ids,
        status: ['ENQUEUED', 'DELAYED'],
        limit: QUESTION,
        loadInput: false,
        loadOutput: false,
      });
      if (queued.length > 0) await client.cancelWorkflows(queued.map(({ workflowID }) => workflowID));
      if (queued.length < QUESTION) return;
    }
  }

  function again(child: Child): void {
    unsent.push(child);
    if (!sending) void send();
  }

  return {
    end,
    halt: (run) => {
      if (halting) return;
      halting = true;
      for (const { reject } of unsent) reject(new NotBegun());
      unsent = [];
      void Promise.all([idsOfTargets(run), idsOfGates(run)].map(cancelQueued)).catch((error: unknown) => {
        // Asked again.
        halting = false;
        log('warn', `queued work could not be cancelled: ${asError(error).message}`);
      });
    },
    giveUp: (reason) => {
      given = reason;
      const all = [...waiting.values(), ...unsent];
      waiting.clear();
      unsent = [];
      for (const { reject } of all) reject(reason);
    },
  };
}

const OPEN = new Set(['PENDING', 'ENQUEUED', 'DELAYED']);

function isOver({ status }: WorkflowStatus): boolean {
  return !OPEN.has(status);
}

function idOfChild({ job, trial }: Child): string {
  return idOfJob(job, trial);
}

/** What is over without an output was ended from outside, or could not be begun. */
function outputOf({ status, output, error }: WorkflowStatus): JobOutput {
  if (status === 'SUCCESS') return output as JobOutput;
  if (status === 'CANCELLED') return { type: 'not begun' };
  return { type: 'broken', message: error instanceof Error ? error.message : `its workflow is ${status}` };
}
