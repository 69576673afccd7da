// Runs over several targets in a database: their logs, what they were asked to do, and their approved plans.

import { UsageError } from '../../base/errors.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import type { JsonObject } from '../../base/model.ts';
import type { LogKey } from '../../ledger/place.ts';
import type { Database } from '../../ledger/postgres/database.ts';
import { databaseLog, type Fence } from '../../ledger/postgres/log.ts';
import type { FleetEvent, FleetRunEvent } from './events.ts';
import { RUN_LOG } from './file-store.ts';
import type { FleetStore } from './store.ts';
import { cancel as isCancel } from './validator.ts';

/** Its driver appends, and so needs the lease of the run. */
export function databaseStore(database: Database, key: LogKey, fence: Fence): FleetStore {
  const { read, append } = databaseLog<FleetEvent>(database, key, {
    format: RUN_LOG,
    fence,
    announces: () => false,
  });
  return {
    read,
    append,
    cancel: async (request) => {
      const asked = request === null ? null : JSON.stringify(request);
      await database.query('select chatform.cancel_run($1, $2, $3)', [key.project, key.name, asked]);
    },
    cancelled: async () => {
      const [row] = await database.query<{ cancel: string | null }>(
        "select cancel::text as cancel from chatform.log where project = $1 and kind = 'run' and name = $2",
        [key.project, key.name],
      );
      const asked = row?.cancel ?? null;
      const request = asked === null ? null : jsonIn(asked);
      if (request === null || isCancel(request)) return request;
      throw new UsageError(`the request to cancel the run ${key.name} is damaged: cancel it again`);
    },
  };
}

/** What a run begins with. */
export interface BegunRun {
  readonly first: FleetRunEvent;
  /** The rule that was due; null for a run that a person began. */
  readonly schedule: string | null;
  readonly request: JsonObject;
  /** Approved plans, by target; none where each license is planned and applied at once. */
  readonly plans: ReadonlyMap<string, string>;
}

/** A run that is there already stays as it is. */
export async function beginStoredRun(database: Database, { project, name }: LogKey, run: BegunRun): Promise<void> {
  const { first, schedule, request, plans } = run;
  await database.query('select chatform.begin_run($1, $2, $3, $4, $5, $6, $7)', [
    project,
    name,
    schedule,
    JSON.stringify(request),
    RUN_LOG.write(first),
    [...plans.keys()],
    [...plans.values()],
  ]);
}

/** Null for a run that the database does not have. */
export async function storedRequest(database: Database, { project, name }: LogKey): Promise<JsonObject | null> {
  const [row] = await database.query<{ request: string | null }>(
    "select request::text as request from chatform.log where project = $1 and kind = 'run' and name = $2",
    [project, name],
  );
  const request = jsonIn(row?.request ?? 'null');
  return isObject(request) ? request : null;
}

/** The events of a run after the first so many. */
export async function storedEvents(
  database: Database,
  { project, name }: LogKey,
  after: number,
): Promise<readonly FleetEvent[]> {
  const rows = await database.query<{ body: string }>(
    `select e.body::text as body from chatform.log l join chatform.event e on e.log = l.id
     where l.project = $1 and l.kind = 'run' and l.name = $2 and e.seq > $3 order by e.seq`,
    [project, name, after],
  );
  return RUN_LOG.read(name, Buffer.from(rows.map(({ body }) => `${body}\n`).join('')));
}

/** The approved plan of a target; null where there is none. */
export async function storedPlan(
  database: Database,
  { project, name }: LogKey,
  target: string,
): Promise<string | null> {
  const [row] = await database.query<{ body: string }>(
    `select p.body from chatform.fleet_plan p join chatform.log l on l.id = p.run
     where l.project = $1 and l.kind = 'run' and l.name = $2 and p.target = $3`,
    [project, name, target],
  );
  return row?.body ?? null;
}

export async function forgetStoredPlans(database: Database, { project, name }: LogKey): Promise<void> {
  await database.query('select chatform.forget_plans($1, $2)', [project, name]);
}

export interface StoredRun {
  readonly id: string;
  /** Workers began it, because it was due. */
  readonly isScheduled: boolean;
}

/** The runs of a project, newest first. */
export async function storedRuns(database: Database, project: string): Promise<readonly StoredRun[]> {
  return database.query<{ readonly id: string; readonly isScheduled: boolean }>(
    `select l.name as id, l.schedule is not null as "isScheduled" from chatform.log l
     where l.project = $1 and l.kind = 'run' order by l.id desc`,
    [project],
  );
}

/** A run that is not over. */
export interface OpenRun {
  readonly id: string;
  /** How often a person went on with it. */
  readonly round: number;
}

/** Those of a project whose last event is less than a day old. */
export async function openRuns(database: Database, project: string): Promise<readonly OpenRun[]> {
  const rows = await database.query<{ name: string; round: number; last: string }>(
    `select l.name, l.round, e.body::text as last from chatform.log l join chatform.event e on e.log = l.id and e.seq = l.head
     where l.project = $1 and l.kind = 'run' and e.at > clock_timestamp() - interval '1 day' order by l.id`,
    [project],
  );
  return rows.flatMap(({ name, round, last }) => (isEnd(name, last) ? [] : [{ id: name, round }]));
}

/** A run that a stopping worker interrupted is gone on with by another one. */
function isEnd(name: string, line: string): boolean {
  const [last] = RUN_LOG.read(name, Buffer.from(`${line}\n`));
  return last?.type === 'done' || (last?.type === 'stopped' && last.because.kind !== 'interrupted');
}

/** Takes back a request to cancel. @returns how often a person went on with the run */
export async function reopenStoredRun(database: Database, { project, name }: LogKey): Promise<number> {
  const [row] = await database.query<{ round: number }>('select chatform.reopen_run($1, $2) as round', [project, name]);
  return row?.round ?? 0;
}

/** The newest run of a rule. */
export interface ScheduledRun {
  readonly id: string;
  readonly isOver: boolean;
}

export async function newestScheduled(
  database: Database,
  project: string,
  schedule: string,
): Promise<ScheduledRun | null> {
  const [row] = await database.query<{ name: string; last: string }>(
    `select l.name, e.body::text as last from chatform.log l join chatform.event e on e.log = l.id and e.seq = l.head
     where l.project = $1 and l.kind = 'run' and l.schedule = $2 order by l.id desc limit 1`,
    [project, schedule],
  );
  if (row === undefined) return null;
  return { id: row.name, isOver: isEnd(row.name, row.last) };
}
