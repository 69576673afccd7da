// Runs over several targets in the database of a project, and what a run is wherever it is kept.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import { logKey, runPlaceName } from '../../ledger/place.ts';
import type { LedgerStore } from '../../project/project.ts';
import { openProjectFile, PROJECT_FILE } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { forgetStoredPlans, storedRequest, storedRuns } from './postgres.ts';
import type { FleetStore } from './store.ts';
import { fleetStoreAt } from './stores.ts';

/** Relative to the folder of chatform.yaml. */
export const RUNS = join('.chatform', 'fleet');

export interface FleetRun {
  readonly id: string;
  /** A path, or a name in a database (ledger/place.ts). */
  readonly log: string;
  /** Files of the run on this machine. */
  readonly folder: string;
  /** Where the plans are that were approved for it, unless it was given a folder of them. */
  readonly plans: string;
  readonly store: FleetStore;
  /** @throws UsageError when it cannot be read */
  readonly request: () => Promise<FleetRequest>;
  /** The plans of a run that is over are of no use. A folder that it was given stays. */
  readonly forgetPlans: () => Promise<void>;
}

/** What a run was asked to do, so that another process can go on. Holds no credential. */
export interface FleetRequest {
  /** Folder of the approved plans; null where each license is planned and applied at once. */
  readonly plans: string | null;
  /** The flags of the command. */
  readonly flags: JsonObject;
  /** The commit of the files; null for a run of this checkout. */
  readonly commit: string | null;
}

/** Null for a request that is damaged. */
export function requestOf({ plans = null, flags, commit = null }: JsonObject): FleetRequest | null {
  const isText = (value: Json): value is string | null => value === null || typeof value === 'string';
  return isObject(flags) && isText(plans) && isText(commit) ? { plans, flags, commit } : null;
}

export function runFolder(id: string): string {
  return join(RUNS, id);
}

export function storedRun(id: string, { variable, project }: LedgerStore, context: RunContext): FleetRun {
  const log = runPlaceName({ variable, project, name: id });
  const key = logKey(log);
  const database = context.databases.at(variable, context);
  const folder = runFolder(id);
  return {
    id,
    log,
    folder,
    plans: join(folder, 'plans'),
    store: fleetStoreAt(log, context),
    request: async () => {
      const found = await storedRequest(database, key);
      const request = found === null ? null : requestOf(found);
      if (request === null) throw new UsageError(`the run ${id} in ${variable} is damaged: begin another run`);
      return request;
    },
    forgetPlans: () => forgetStoredPlans(database, key),
  };
}

/**
 * Those of the project in this folder, newest first; none where it has no database.
 * @param begunBy - `people`: also jobs, but not the workers, which begin the checks that are due.
 * @throws UsageError for a chatform.yaml whose errors hide the database: runs in it may be under way
 */
export async function storedRunsHere(
  context: RunContext,
  begunBy: 'anyone' | 'people' = 'anyone',
): Promise<readonly FleetRun[]> {
  const opened = existsSync(PROJECT_FILE) ? await openProjectFile({}, context) : null;
  if (opened === null) return [];
  const { ledgerStore: store, diagnostics } = opened;
  if (store === undefined) throw new UsageError('the files have errors', diagnostics);
  if (store === null) return [];
  const runs = await storedRuns(context.databases.at(store.variable, context), store.project);
  return runs
    .filter(({ isScheduled }) => begunBy === 'anyone' || !isScheduled)
    .map(({ id }) => storedRun(id, store, context));
}
