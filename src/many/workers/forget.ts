// What is deleted with time: runs that ended long ago, and the rows of their workflows.

import type { Connection } from './connection.ts';

/** `now`: milliseconds since the epoch, for the workflows. Runs go by the clock of the server. */
export async function forget(connection: Pick<Connection, 'pool' | 'answering'>, now: number): Promise<void> {
  await forgetWorkflows(connection, now);
  await connection.pool.query('select chatform.forget_runs()');
}

/** Days for which what became of a workflow is kept. The log of the run keeps it longer. */
const KEPT_DAYS = 14;

const BATCH = 500;

async function forgetWorkflows({ answering }: Pick<Connection, 'answering'>, now: number): Promise<void> {
  const client = await answering();
  const completedBefore = new Date(now - KEPT_DAYS * 86_400_000).toISOString();
  for (;;) {
    const old = await client.listWorkflows({ completedBefore, limit: BATCH, loadInput: false, loadOutput: false });
    if (old.length > 0) await client.deleteWorkflows(old.map(({ workflowID }) => workflowID));
    if (old.length < BATCH) return;
  }
}
