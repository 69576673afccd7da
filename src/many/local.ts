// A fleet run of this process, with its log in a file or in a database. Only one process at a time drives a run.

import { LockedError, NotBegun, UsageError } from '../base/errors.ts';
import { until } from '../base/until.ts';
import { isInDatabase, logKey } from '../ledger/place.ts';
import { serverTime } from '../ledger/postgres/database.ts';
import { begunJobs } from '../ledger/postgres/jobs.ts';
import type { Tenure } from '../ledger/tenure.ts';
import type { FreezeWindow } from '../project/fleet-settings.ts';
import type { RunContext } from '../target/context.ts';
import { deadLeaseEnds, type Lock, whileLocked } from '../target/lock.ts';
import { type DriveOptions, driveFleet, type FleetEnd, type FleetWork, resumeEvents } from './drive.ts';
import { frozenUntil } from './freeze.ts';
import type { FleetRunEvent } from './log/events.ts';
import { resultsOf } from './log/log.ts';
import { reopenStoredRun } from './log/postgres.ts';
import { type FleetStore, memoryStore } from './log/store.ts';
import { fleetStoreAt } from './log/stores.ts';

export interface FleetRunOptions extends Pick<DriveOptions, 'retry' | 'approved' | 'approve' | 'onEvent' | 'onStep'> {
  /** The windows of the project; none for a run that goes through them. */
  readonly freeze: readonly FreezeWindow[];
  /** No target is begun before, in milliseconds since the epoch. */
  readonly notBefore?: number;
}

type DriverOptions = FleetRunOptions & Pick<DriveOptions, 'isRecovered'>;

/** What the first event of a run says of it. */
export type FleetRunFacts = Pick<FleetRunEvent, 'id' | 'command' | 'spec' | 'digest'>;

/**
 * Begins a run. `Ctrl-C` of the context lets what is under way end, so `work` must not stop at the same signal.
 * @throws UsageError when the log exists already; what `work`, `check` and the log throw
 */
export async function beginFleet(
  file: string,
  run: FleetRunFacts,
  does: FleetWork,
  options: FleetRunOptions,
  context: RunContext,
): Promise<FleetEnd> {
  return driven(file, run.command, context, async (store) => {
    if ((await store.read()).length > 0) throw new UsageError(`${file} has a fleet run already: resume it`);
    await store.append([firstEvent(run, await timeOf(file, context), context)]);
    return drive(file, store, does, options, context);
  });
}

/**
 * A run without a log: it ends with the process, and is begun again instead of resumed.
 * @throws what `work` and `check` throw
 */
export async function runFleet(
  run: FleetRunFacts,
  does: FleetWork,
  options: FleetRunOptions,
  context: RunContext,
): Promise<FleetEnd> {
  const store = memoryStore();
  await store.append([firstEvent(run, context.clock.now(), context)]);
  return drive(null, store, does, options, context);
}

/** @param now - By the clock of the run. */
export function firstEvent(run: FleetRunFacts, now: number, { self: { user, host, pid } }: RunContext): FleetRunEvent {
  return { v: 1, at: new Date(now).toISOString(), type: 'run', ...run, by: { user, host, pid } };
}

/** The clock of a run, in milliseconds since the epoch: that of its database, which all of its drivers share. */
export function timeOf(log: string, { clock, databases, ...around }: RunContext): Promise<number> {
  return isInDatabase(log) ? serverTime(databases.at(logKey(log).variable, around)) : Promise.resolve(clock.now());
}

/**
 * Goes on with a run, also one that is done where `retry` names some of its targets.
 * @throws UsageError when there is no such log; what `work`, `check` and the log throw
 */
export async function resumeFleet(
  file: string,
  does: FleetWork,
  options: FleetRunOptions,
  context: RunContext,
): Promise<FleetEnd> {
  return resumed(file, does, options, context);
}

async function resumed(file: string, does: FleetWork, options: DriverOptions, context: RunContext): Promise<FleetEnd> {
  return driven(file, 'apply --resume', context, async (store) => {
    if ((await store.read()).length === 0) throw new UsageError(`there is no fleet run in ${file}`);
    return drive(file, store, does, options, context);
  });
}

/** Milliseconds between two looks at the lease of a run that another process drives. */
const PAUSE = 1_000;

/**
 * Goes on with a run for an engine: waits for the lease while another process drives the run, and until that of a dead one has ended.
 * @throws UsageError when there is no such log, and when `signal` of the context aborts while it waits; what `work`, `check` and the log throw
 */
export async function recoverFleet(
  file: string,
  does: FleetWork,
  options: Omit<FleetRunOptions, 'retry' | 'approved' | 'approve'>,
  context: RunContext,
): Promise<FleetEnd> {
  const { clock, signal } = context;
  const known = isInDatabase(file) ? withBegun(does, file, context) : does;
  const recovered = async (): Promise<FleetEnd | null> => {
    await deadLeaseEnds(file, context);
    try {
      return await resumed(file, known, { ...options, isRecovered: true }, context);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      return null;
    }
  };
  const end = await until(recovered, { clock, signal, isEnough: (found) => found !== null, pause: () => PAUSE });
  if (end === null) throw new UsageError('the worker stops');
  return end;
}

/** Of work that was not begun, the database knows whether a worker that is gone had begun it. */
function withBegun(does: FleetWork, log: string, context: RunContext): FleetWork {
  const run = logKey(log);
  return {
    ...does,
    work: async (target, attempt, mayBegin) => {
      try {
        return await does.work(target, attempt, mayBegin);
      } catch (error) {
        if (!(error instanceof NotBegun)) throw error;
        const begun = await begunJobs(context.databases.at(run.variable, context), run, target);
        throw new NotBegun(begun.some((job) => job.attempt === attempt));
      }
    },
  };
}

/** A run in a database that workers are to go on with. */
export interface Reopened {
  readonly digest: string | null;
  /** How often it was resumed. */
  readonly round: number;
}

/** Records that a person goes on with a run, also one that is done where `retry` names some of its targets. */
export function reopenRun(
  log: string,
  again: Pick<DriveOptions, 'retry' | 'approved'>,
  context: RunContext,
): Promise<Reopened> {
  const { self } = context;
  const lock: Lock = { subject: `fleet run ${log}`, ledger: log, requestTimeout: 0 };
  return whileLocked(lock, 'apply --resume', context, async () => {
    const store = fleetStoreAt(log, context);
    const events = await store.read();
    const results = resultsOf(events);
    const { user, host, pid } = self;
    const stamp = { v: 1, at: new Date(await timeOf(log, context)).toISOString() } as const;
    const more = resumeEvents(results, { by: { user, host, pid }, ...again }, stamp);
    const key = logKey(log);
    const round = await reopenStoredRun(context.databases.at(key.variable, context), key);
    await store.append(more);
    return { digest: results.run.digest, round };
  });
}

async function driven(
  file: string,
  command: string,
  context: RunContext,
  work: (store: FleetStore) => Promise<FleetEnd>,
): Promise<FleetEnd> {
  const lock: Lock = { subject: `fleet run ${file}`, ledger: file, requestTimeout: 0 };
  return whileLocked(lock, command, context, (tenure) => work(fenced(fleetStoreAt(file, context), tenure)));
}

/** Appends only with the lease: a process that was suspended for longer than it lasts must not go on next to another one. */
function fenced(store: FleetStore, tenure: Tenure): FleetStore {
  return {
    ...store,
    append: async (events) => {
      const reason = await tenure.refusal(0);
      if (reason !== null) throw new UsageError(`the fleet run stopped, because it lost its lease: ${reason}`);
      await store.append(events);
    },
  };
}

/** @param log - Null for a run without one. */
async function drive(
  log: string | null,
  store: FleetStore,
  does: FleetWork,
  { freeze, notBefore, ...options }: DriverOptions,
  context: RunContext,
): Promise<FleetEnd> {
  const {
    clock,
    signal,
    self: { user, host, pid },
  } = context;
  const frozen = await frozenUntil(freeze, notBefore);
  const now = log === null ? {} : { now: () => timeOf(log, context) };
  return driveFleet(store, does, { ...options, ...now, clock, signal, by: { user, host, pid }, frozen });
}
