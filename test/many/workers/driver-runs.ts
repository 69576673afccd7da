// Runs of the specs of the drivers on workers: begin, cancel and resume as the commands do, and wait for their ends.

import { setTimeout as pause } from 'node:timers/promises';
import { logKey, runPlaceName } from '../../../src/ledger/place.ts';
import { reopenRun } from '../../../src/many/local.ts';
import type { FleetEvent } from '../../../src/many/log/events.ts';
import { resultsOf } from '../../../src/many/log/log.ts';
import { beginStoredRun } from '../../../src/many/log/postgres.ts';
import type { FleetStore } from '../../../src/many/log/store.ts';
import { fleetStoreAt } from '../../../src/many/log/stores.ts';
import { type RunContext, systemContext } from '../../../src/target/context.ts';
import { ask } from '../../ledger/postgres/migrated.ts';
import { beginOf, CANCEL, labelOf } from '../drivers/script.ts';
import type { DriverSpec, Moment, Round } from '../drivers/spec.ts';
import { SPECS } from '../drivers/specs.ts';
import { endText, expectAsSpecified } from '../drivers.conformance.ts';
import { ANN, runOf, stampAt } from '../names.ts';
import { enqueueRun, runState } from './asked.ts';
import { until, type WorkerProcess } from './rig.ts';

/** Of the worker's environment. */
export const VARIABLE = 'DATABASE_URL';

/** What a worker needs to know of a run. */
export type SpecRequest = {
  /** Its place in SPECS. */
  readonly spec: number;
};

export function logOf(run: string): string {
  return runPlaceName({ variable: VARIABLE, project: 'specs', name: run });
}

/** Workers of one database. */
export interface Workers {
  readonly url: string;
  /** The worker of a spec that loses it. */
  readonly first?: WorkerProcess;
  readonly startNext?: () => Promise<unknown>;
}

/** Milliseconds between two looks. */
const LOOK = 200;

/** Milliseconds that a round takes at most: the lease of a killed worker lasts for 16 s. */
const LONGEST = 60_000;

interface SpecRun {
  readonly id: string;
  readonly store: FleetStore;
  readonly workers: Workers;
  readonly around: RunContext;
}

async function happens({ store }: SpecRun, moment: Moment): Promise<void> {
  await until(async () => (await store.read()).some((event) => labelOf(event) === moment));
}

/** Until no worker drives the run any more. @returns why it stopped */
async function stops({ id, store, workers }: SpecRun): Promise<string> {
  for (const end = Date.now() + LONGEST; ; await pause(LOOK)) {
    const state = await runState(workers.url, id);
    if (state.state === 'broken') return `broken: ${state.message}`;
    const events = await store.read();
    if (state.state === 'ended') return endOf(events);
    if (Date.now() > end) throw new Error(`${id} is ${state.state} after ${events.map(labelOf).join(', ')}`);
  }
}

function endOf(events: readonly FleetEvent[]): string {
  const { finished, stopped } = resultsOf(events);
  return finished || stopped !== null ? endText(stopped) : 'the worker ended the run, and its log does not say why';
}

async function goOn(
  run: SpecRun,
  { by = 'person', retry = [], approved = [] }: Round,
  isFirst: boolean,
): Promise<void> {
  const { id, workers, around } = run;
  if (by === 'engine') {
    await workers.startNext?.();
    return;
  }
  if (isFirst) return enqueueRun(workers.url, { run: id, digest: null, round: 0 });
  const reopened = await reopenRun(logOf(id), { retry, approved }, around);
  await enqueueRun(workers.url, { run: id, digest: null, round: reopened.round });
}

async function isBegun({ id, workers }: SpecRun, target: string): Promise<boolean> {
  const found = await ask(
    workers.url,
    'select from chatform.job j join chatform.log l on l.id = j.run where l.name = $1 and target = $2',
    [id, target],
  );
  return found.length > 0;
}

async function cancelAt(run: SpecRun, moment: Moment, { waits = {} }: DriverSpec): Promise<void> {
  if (moment === 'later') await pause(1_500);
  else if (moment !== 'before') await happens(run, moment);
  // Once those that wait for it are under way.
  for (const [target, waited] of Object.entries(waits))
    if (waited === 'cancel' && moment !== 'before') await until(() => isBegun(run, target));
  await run.store.cancel(CANCEL);
}

async function endOfRound(run: SpecRun, spec: DriverSpec, round: Round, isFirst: boolean): Promise<string | null> {
  const { cancel, kill, stop } = round;
  const { first } = run.workers;
  const isBefore = cancel === 'before';
  if (isBefore) await cancelAt(run, cancel, spec);
  await goOn(run, round, isFirst);
  if (cancel !== undefined && !isBefore) await cancelAt(run, cancel, spec);
  if (stop !== undefined) {
    await happens(run, stop);
    await first?.stop();
    return null;
  }
  if (kill === undefined) return stops(run);
  await until(async () => first?.process.signalCode === 'SIGKILL');
  return null;
}

export async function conforms(spec: DriverSpec, workers: Workers): Promise<void> {
  const place = SPECS.indexOf(spec);
  const around = { ...systemContext(), env: { [VARIABLE]: workers.url }, self: ANN };
  const id = `spec-${place}`;
  const log = logOf(id);
  const database = around.databases.at(VARIABLE, around);
  const run: SpecRun = { id, workers, around, store: fleetStoreAt(log, around) };
  const begin = beginOf(spec);
  const request: SpecRequest = { spec: place };
  // Runs go by the clock of their database.
  if (spec.freeze !== undefined)
    await ask(
      workers.url,
      `create or replace function chatform.now() returns timestamptz language sql volatile
         as $$select clock_timestamp() + interval '${begin - Date.now()} ms'$$`,
    );
  await beginStoredRun(database, logKey(log), {
    first: { ...runOf(spec.run), ...stampAt(begin), id },
    schedule: null,
    request,
    plans: new Map(),
  });
  try {
    const ends: (string | null)[] = [];
    for (const [index, round] of spec.rounds.entries()) ends.push(await endOfRound(run, spec, round, index === 0));
    await expectAsSpecified(spec, ends, await run.store.read());
  } finally {
    await around.databases.close();
  }
}
