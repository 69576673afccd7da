// The work of a run over several targets on one of them: it begins only while the run goes on.

import { EndedBefore, NotBegun } from '../base/errors.ts';
import { logKey } from '../ledger/place.ts';
import { beginJob, failJob, jobsOfRun, type KnownJob } from '../ledger/postgres/jobs.ts';
import type { RunContext } from '../target/context.ts';
import type { Job } from '../target/stores.ts';
import type { MayBegin, TargetEnd } from './drive.ts';
import type { FleetSpec } from './log/events.ts';
import { fleetLog, isOverOnWorkers } from './log/log.ts';
import { storedEvents } from './log/postgres.ts';
import { fleetStoreAt } from './log/stores.ts';
import { stopReason } from './next.ts';

/** Of a run that this process drives. */
export function localJob(fleetRun: string, mayBegin: MayBegin): Job {
  let isUnderWay = false;
  return {
    fleetRun,
    begin: async () => {
      if (!isUnderWay) await mayBegin();
    },
    requireOurs: async () => {},
    proceed: () => {
      isUnderWay = true;
    },
    stored: () => null,
  };
}

/** The jobs of a run in a database. */
export interface FleetJobs {
  readonly job: (target: string, attempt: number, requireOurs: () => Promise<void>) => Job;
  /** To be called before the place of a job is given to the next one: from then on, a failure binds. */
  readonly ended: (target: string, attempt: number, end: TargetEnd) => Promise<void>;
}

export function fleetJobs(log: string, spec: FleetSpec, context: RunContext): FleetJobs {
  const run = logKey(log);
  const database = context.databases.at(run.variable, context);
  /** When the run was looked at last, and went on. It begins with none. */
  let failures = 0;

  /** The failures are counted before the log is read, so that none of them is missed. */
  async function look(target: string, own: number): Promise<void> {
    const jobs = await jobsOfRun<TargetEnd>(database, run);
    const before = jobs?.failed.find((job) => job.target === target && job.attempt === own);
    if (before !== undefined) throw new EndedBefore(before.end);
    if (jobs === null || (await fleetStoreAt(log, context).cancelled()) !== null) throw new NotBegun();
    const { results, add } = fleetLog(await storedEvents(database, run, 0));
    for (const { target: other, attempt, end } of jobs.failed) {
      const known = results.targets.get(other);
      const isRecorded = known === undefined || known.attempt !== attempt || known.end?.attempt === attempt;
      if (!isRecorded) add({ ...FAILED, ...end, at: results.lastAt, target: other, attempt });
    }
    if (isOverOnWorkers(results) || stopReason(spec, results) !== null) throw new NotBegun();
    failures = jobs.failures;
  }

  return {
    job: (target, attempt, requireOurs) => {
      const known: KnownJob = { run, target, attempt, failures: () => failures, look: () => look(target, attempt) };
      let isUnderWay = false;
      return {
        fleetRun: run.name,
        begin: async () => {
          if (!isUnderWay) await beginJob(database, known);
        },
        requireOurs,
        proceed: () => {
          isUnderWay = true;
        },
        stored: () => (isUnderWay ? null : known),
      };
    },
    ended: async (target, attempt, end) => {
      const { state } = end;
      if (state !== 'done' && isCounted(spec, state)) await failJob(database, { run, target, attempt }, end);
    },
  };
}

const FAILED = { v: 1, type: 'ended', seconds: 0 } as const;

/** Whether the run, or a wave of it, has a limit of targets that end so. */
function isCounted(spec: FleetSpec, state: 'failed' | 'unreachable'): boolean {
  const limit = state === 'failed' ? 'maxFailures' : 'maxUnreachable';
  return [spec, ...spec.waves].some((limits) => limits[limit] !== null);
}
