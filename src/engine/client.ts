// What the command line asks of the engine. It works on nothing itself.

import type { WorkflowStatus } from '@dbos-inc/dbos-sdk';
import { assertNever } from '../base/errors.ts';
import { absentTables, type Connection, connect, type EngineLog } from './connection.ts';
import { FORMAT, idOfRun, idsOfRun, RUN, type RunInput, type RunOutput } from './names.ts';
import { type LiveWorker, workersIn } from './workers.ts';

/**
 * Asks the workers to drive a run whose log is there. A second request for the same round is none.
 * @throws UsageError when DBOS is not installed, or the tables are missing; what pg throws
 */
export async function enqueueRun(
  url: string,
  run: Pick<RunInput, 'run' | 'digest' | 'round'>,
  log: EngineLog = () => {},
): Promise<void> {
  const input: RunInput = { ...run, trial: 1, refusedBy: [] };
  await connected(url, log, async ({ answering }) => {
    const client = await answering();
    await client.enqueue(
      { queueName: RUN.queue, workflowName: RUN.name, workflowID: idOfRun(input), appVersion: FORMAT },
      input,
    );
  });
}

/** Oldest first. @throws UsageError when DBOS is not installed, or the tables are missing; what pg throws */
export async function liveWorkers(url: string, log: EngineLog = () => {}): Promise<readonly LiveWorker[]> {
  return connected(url, log, ({ pool }) => workersIn(pool));
}

/** Where the coordinator of a run is. What the run has done is in its log. */
export type RunState =
  /** No worker was asked to drive it, or that is long ago. */
  | { readonly state: 'absent' }
  /** `refused`: why the last worker that took it gave it to others; null when none did. */
  | { readonly state: 'waiting'; readonly refused: string | null }
  | { readonly state: 'driven'; readonly worker: string }
  | { readonly state: 'ended' }
  /** Work threw, or the run could not be driven: a person has to resume it. */
  | { readonly state: 'broken'; readonly message: string };

/** @throws UsageError when DBOS is not installed, or the tables are missing; what pg throws */
export async function runState(url: string, run: string, log: EngineLog = () => {}): Promise<RunState> {
  return connected(url, log, async ({ answering }) => {
    const client = await answering();
    return stateOf(
      await client.listWorkflows({ workflow_id_prefix: idsOfRun(run), sortDesc: true, limit: 2, loadInput: false }),
    );
  });
}

async function connected<T>(url: string, log: EngineLog, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(url, log);
  try {
    return await work(connection);
  } catch (error) {
    throw absentTables(error);
  } finally {
    await connection.close();
  }
}

/** @param found - The newest coordinators, newest first. */
function stateOf([newest, before]: readonly WorkflowStatus[]): RunState {
  if (newest === undefined) return { state: 'absent' };
  const { status, executorId = '' } = newest;
  if (status === 'PENDING') return { state: 'driven', worker: executorId };
  if (status === 'ENQUEUED' || status === 'DELAYED') return { state: 'waiting', refused: refusalOf(before) };
  if (status !== 'SUCCESS') return { state: 'broken', message: `its workflow is ${status}` };
  const output = newest.output as RunOutput;
  switch (output.type) {
    case 'ended':
      return { state: 'ended' };
    case 'broken':
      return { state: 'broken', message: output.message };
    // The next trial is enqueued before.
    case 'refused':
      return { state: 'waiting', refused: output.reason };
    default:
      return assertNever(output);
  }
}

function refusalOf(workflow: WorkflowStatus | undefined): string | null {
  const output = workflow?.status === 'SUCCESS' ? (workflow.output as RunOutput) : null;
  return output?.type === 'refused' ? output.reason : null;
}
