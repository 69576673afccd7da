// What the command line asks of the engine. It works on nothing itself.

import type { WorkflowStatus } from '@dbos-inc/dbos-sdk';
import { assertNever } from '../../base/errors.ts';
import { absentTables, connect, type EngineLog } from './connection.ts';
import { FORMAT, idOfRun, idsOfRound, idsOfRun, RUN, type RunInput, type RunOutput } from './names.ts';
import { type LiveWorker, workersIn } from './workers.ts';

/** What a command asks, by one connection. Each question throws a UsageError when the tables are missing, and what pg throws. */
export interface EngineClient {
  /** Asks the workers to drive a run whose log is there. A second request for the same round is none. */
  readonly enqueue: (run: Pick<RunInput, 'run' | 'digest' | 'round'>) => Promise<void>;
  /** Oldest first. Once it has answered, all tables are there, so that a run which begins now can be offered. */
  readonly workers: () => Promise<readonly LiveWorker[]>;
  readonly stateOf: (run: string) => Promise<RunState>;
  /** Whether the workers were asked for a round of the run. */
  readonly isEnqueued: (run: string, round: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** @throws UsageError when DBOS is not installed */
export async function engineClient(url: string, log: EngineLog = () => {}): Promise<EngineClient> {
  const { pool, answering, close } = await connect(url, log);
  const asked = <T>(question: Promise<T>): Promise<T> =>
    question.catch((error: unknown) => {
      throw absentTables(error);
    });
  return {
    enqueue: (run) => {
      const input: RunInput = { ...run, trial: 1, refusedBy: [] };
      const place = { queueName: RUN.queue, workflowName: RUN.name, workflowID: idOfRun(input), appVersion: FORMAT };
      return asked(answering().then(async (client) => void (await client.enqueue(place, input))));
    },
    workers: async () => {
      const dbos = answering().then((client) =>
        client.listWorkflows({ limit: 1, loadInput: false, loadOutput: false }),
      );
      const [workers] = await asked(Promise.all([workersIn(pool), dbos]));
      return workers;
    },
    stateOf: async (run) => {
      const newest = { workflow_id_prefix: idsOfRun(run), sortDesc: true, limit: 2, loadInput: false };
      return stateOf(await asked(answering().then((client) => client.listWorkflows(newest))));
    },
    isEnqueued: async (run, round) => {
      const one = { workflow_id_prefix: idsOfRound(run, round), limit: 1, loadInput: false, loadOutput: false };
      return (await asked(answering().then((client) => client.listWorkflows(one)))).length > 0;
    },
    close,
  };
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
