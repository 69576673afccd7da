// Finds work that no process does any more, and puts it back into its queue. DBOS does that only for a worker that comes back under the same id.
//
// A worker dies, or the reply to its claim is lost: then it has work that it never begins. Both are seen twice before they count, because a claim comes
// a moment before its work. A false alarm is harmless: the lease of a target admits one. A delay of DBOS ends by the clocks of the workers, which may be
// wrong: it is seen so often at most.

import type { WorkflowStatus } from '@dbos-inc/dbos-sdk';
import type { EngineConnection } from './connection.ts';

export interface Watchdog {
  /** To be asked each second. @param live - Ids of the live workers, oldest first: only the oldest looks after the dead. */
  readonly look: (live: readonly string[]) => Promise<void>;
}

/** Looks, a second apart, in which a delay that is meant to last 5 s must have ended. */
const LOOKS = 8;

/** @param isHere - Whether this process works on a workflow, or did a moment ago. */
export function watchdog(
  { answering }: Pick<EngineConnection, 'answering'>,
  own: string,
  isHere: (workflow: string) => boolean,
): Watchdog {
  let suspects: ReadonlySet<string> = new Set();
  let delayed: ReadonlyMap<string, number> = new Map();

  async function endDelays(): Promise<void> {
    const client = await answering();
    const found = await client.listWorkflows({ status: 'DELAYED', loadInput: false, loadOutput: false });
    delayed = new Map(found.map(({ workflowID }) => [workflowID, (delayed.get(workflowID) ?? 0) + 1]));
    await putBack(
      { answering },
      found.filter(({ workflowID }) => (delayed.get(workflowID) ?? 0) > LOOKS),
    );
  }

  return {
    look: async (live) => {
      const all = live[0] === own;
      if (all) await endDelays();
      const client = await answering();
      const claimed = await client.listWorkflows({
        status: 'PENDING',
        ...(all ? {} : { executorId: own }),
        loadInput: false,
        loadOutput: false,
      });
      const alive = new Set(live);
      const lost = claimed.filter(({ workflowID, executorId = '' }) =>
        executorId === own ? !isHere(workflowID) : all && !alive.has(executorId),
      );
      const seen = suspects;
      suspects = new Set(lost.map(claimOf));
      await putBack(
        { answering },
        lost.filter((workflow) => seen.has(claimOf(workflow))),
      );
    },
  };
}

/** The same workflow may be claimed again by a worker that does it. */
function claimOf({ workflowID, executorId, dequeuedAt }: WorkflowStatus): string {
  return `${workflowID} ${executorId} ${dequeuedAt}`;
}

/** Without the name of its queue, DBOS would take work past the limits of the workers. */
export async function putBack(
  { answering }: Pick<EngineConnection, 'answering'>,
  workflows: readonly WorkflowStatus[],
): Promise<void> {
  const queues = new Map<string, string[]>();
  for (const { queueName, workflowID } of workflows) {
    if (queueName === undefined) continue;
    const ids = queues.get(queueName) ?? [];
    ids.push(workflowID);
    queues.set(queueName, ids);
  }
  const client = await answering();
  for (const [queueName, ids] of queues) await client.resumeWorkflows(ids, { queueName });
}
