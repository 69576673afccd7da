// What the database of a fleet says of a run while it goes on.

import { setTimeout as pause } from 'node:timers/promises';
import type { FleetEvent } from '../../src/many/log/events.ts';
import { ask } from '../ledger/postgres/migrated.ts';
import type { Fleet, WorkerProcess } from './fleet.ts';

/** An event of a run, and when it was written: milliseconds since the epoch. */
export interface Written {
  readonly event: FleetEvent;
  readonly at: number;
}

/** @param run - What its id begins with. */
export async function runLog({ url }: Fleet, run: string): Promise<readonly Written[]> {
  const rows = await ask(
    url(),
    `select e.body as event, extract(epoch from e.at)::float8 * 1000 as at
       from chatform.log l join chatform.event e on e.log = l.id where l.kind = 'run' and starts_with(l.name, $1) order by e.seq`,
    [run],
  );
  return rows as unknown as readonly Written[];
}

/** The worker that drives the run, once one does, and the others. */
export async function drivenBy(fleet: Fleet, workers: readonly WorkerProcess[]) {
  return until(30, async () => {
    const [row] = await ask(
      fleet.url(),
      `select (w.state -> 'holder' ->> 'pid')::int as pid from dbos.workflow_status s join chatform.worker w on w.id = s.executor_id
        where s.name = 'chatform.run' and s.status = 'PENDING'`,
    );
    const coordinator = workers.find(({ process }) => process.pid === row?.['pid']);
    const other = workers.find((each) => each !== coordinator);
    return coordinator === undefined || other === undefined ? null : { coordinator, other };
  });
}

/** The log of a run that is over. One whose coordinator was told to stop goes on with another. */
export function overIn(fleet: Fleet, run: string, seconds: number): Promise<readonly Written[]> {
  return until(seconds, async () => {
    const [row] = await ask(
      fleet.url(),
      `select from chatform.log l join chatform.event e on e.log = l.id
        where l.kind = 'run' and starts_with(l.name, $1) and e.seq = l.head and e.body ->> 'type' in ('done', 'stopped')
          and e.body -> 'because' ->> 'kind' is distinct from 'interrupted'`,
      [run],
    );
    return row === undefined ? null : runLog(fleet, run);
  });
}

/** What `look` finds, as soon as it does. A server that is away is asked again. */
export async function until<T>(seconds: number, look: () => Promise<T | null>): Promise<T> {
  let failure: unknown = null;
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(100)) {
    try {
      const found = await look();
      if (found !== null) return found;
    } catch (error) {
      failure = error;
    }
  }
  throw new Error(`not so after ${seconds} s${failure === null ? '' : `: ${String(failure)}`}`);
}
