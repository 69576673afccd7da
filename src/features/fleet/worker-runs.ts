// What a worker does for a run: its operation, for one target at a time, with the files of its commit. Several commits may be under way.

import { asError, EndedBefore, InternalError, NotBegun, UsageError } from '../../base/errors.ts';
import { until } from '../../base/until.ts';
import { withEngine } from '../../command/engine.ts';
import { tellNews } from '../../command/news.ts';
import type { Terminal } from '../../command/terminal.ts';
import { isInDatabase, logKey } from '../../ledger/place.ts';
import type { FleetEnd } from '../../many/drive.ts';
import { windowsFor } from '../../many/freeze.ts';
import type { DiskAt } from '../../many/git/checkout.ts';
import { fleetJobs } from '../../many/jobs.ts';
import { type FleetRunOptions, recoverFleet } from '../../many/local.ts';
import type { FleetSpec } from '../../many/log/events.ts';
import { storedPlan } from '../../many/log/postgres.ts';
import { type FleetRun, storedRun } from '../../many/log/stored-runs.ts';
import type { Outcome } from '../../many/operation.ts';
import { type Asked, rowOf } from '../../many/outputs.ts';
import { contextOf, failedOutcome, notBegun, runOne } from '../../many/run.ts';
import { endOf, outcomeIn } from '../../many/stored.ts';
import type { Ability, Drive, RunWork } from '../../many/workers/abilities.ts';
import { readSavedPlan } from '../../plan/saved/text.ts';
import { approvedIn } from '../../planning/approved.ts';
import { gatePlace } from '../../project/fleet-settings.ts';
import type { LedgerStore, Project } from '../../project/project.ts';
import { budgetsOf } from '../../target/budgets.ts';
import { type OpenedProject, openProjectOn } from '../../target/choice.ts';
import { deadLeaseEnds } from '../../target/lock.ts';
import { prepareDeclared } from '../../target/prepare.ts';
import { type Job, leaseAt } from '../../target/stores.ts';
import type { ApprovedPlans } from '../apply/operation.ts';
import { isLeft } from '../apply/run.ts';
import { checkGate } from './gates.ts';
import { type Requested, requestedWork } from './worker-operations.ts';

export interface RunPlace {
  readonly store: LedgerStore;
  readonly diskAt: DiskAt;
}

/** Milliseconds between two looks at the lease of a target that another worker holds. */
const PAUSE = 1_000;

/** What a worker does for a run of its project, as the engine asks for it. */
export async function abilityFor(id: string, { store, diskAt }: RunPlace, terminal: Terminal): Promise<Ability> {
  const run = storedRun(id, store, terminal);
  const driveWith =
    (options: FleetRunOptions, ended: (end: FleetEnd) => Promise<void> = async () => {}): Drive =>
    async (does, stop) => {
      const end = await recoverFleet(run.log, does, options, { ...terminal, signal: stop });
      // The run is over, whatever becomes of its news.
      const untold = (error: unknown) => terminal.log('warn', `no channel was told: ${asError(error).message}`);
      if (end.stopped?.kind !== 'interrupted') await ended(end).catch(untold);
      if (end.results.finished && !isLeft(end.results)) await run.forgetPlans();
      return end;
    };
  const refused = async (reason: string): Promise<Ability> => {
    // Perhaps no worker can do the run.
    const isCancelled = (await run.store.cancelled()) !== null;
    return { refused: reason, drive: isCancelled ? driveWith({ freeze: [] }) : null };
  };
  const [request, events] = await Promise.all([run.request(), run.store.read()]);
  const first = events[0];
  if (first?.type !== 'run') return refused(`the run ${run.id} is not one of this project`);
  const { commit, plans } = request;
  if (commit === null) return refused(`the run ${run.id} names no commit: begin another run`);
  const opened = await diskAt(commit)
    .then((system) => openProjectOn(system, terminal))
    .catch(asError);
  if (opened instanceof Error) return refused(opened.message);
  const { project } = opened;
  if (project === null) return refused(errorsAt(commit, opened));
  const ofRun = { run, spec: first.spec, since: Date.parse(first.at), opened: { ...opened, project } };
  const planFor: ApprovedPlans = async (target) =>
    plans === null || target === undefined ? null : approvedOf(run, target, terminal);
  const work = await requestedWork(first.command, request.flags, planFor, (requested) => ({
    ...workFor(requested, ofRun, terminal),
    drive: driveWith({ freeze: windowsFor(requested.asked.operation, project.fleet) }, (end) =>
      tell(requested.asked, end, ofRun, terminal),
    ),
  }));
  return typeof work === 'string' ? refused(work) : work;
}

/** Channels are told once for the whole run, by the worker that drives it. */
async function tell<Options, Value>(
  asked: Asked<Options, Value>,
  { results }: FleetEnd,
  { run, opened }: OfRun,
  terminal: Terminal,
): Promise<void> {
  const outcomes = Array.from(results.targets, ([name, { end }]) =>
    end === null ? notBegun(asked.operation.name, name, terminal) : outcomeIn<Value>(end.summary),
  );
  const { user, host } = results.run.by;
  const of = { run: run.id, by: { user, host } };
  const problems = await tellNews(asked, outcomes, (name) => opened.project.targets.get(name), of, terminal);
  for (const { message } of problems) terminal.log('warn', message, { run: run.id });
}

function errorsAt(commit: string, { diagnostics }: OpenedProject): string {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const said = first === undefined ? 'the project has errors' : `${first.place.file}: ${first.message}`;
  return `at commit ${commit.slice(0, 8)}, ${said}`;
}

/** The approved plan of a target, which the run keeps. */
async function approvedOf(run: FleetRun, target: string, terminal: Terminal) {
  const key = logKey(run.log);
  const text = await storedPlan(terminal.databases.at(key.variable, terminal), key, target);
  if (text === null) throw new UsageError(`the run ${run.id} has no plan of ${target}`);
  const file = `the plan of ${target}`;
  return approvedIn(file, readSavedPlan(text, file));
}

interface OfRun {
  readonly run: FleetRun;
  readonly spec: FleetSpec;
  /** When it began, in milliseconds since the epoch. */
  readonly since: number;
  readonly opened: OpenedProject & { readonly project: Project };
}

function workFor<Options, Value>(
  { asked, choice, answer }: Requested<Options, Value>,
  { run, spec, since, opened }: OfRun,
  terminal: Terminal,
): Pick<RunWork, 'apply' | 'check'> {
  const { operation, options } = asked;
  const jobs = fleetJobs(run.log, spec, terminal);
  const budgets = budgetsOf(opened.project, terminal);
  const around = { ...terminal, ask: async () => answer, report: () => {}, budgets };
  const changesLicense = operation.changes === 'license';
  return {
    apply: async (target, attempt, _digest, isOurs) => {
      const job = jobs.job(target, attempt, async () => {
        if (!(await isOurs())) throw new UsageError('another worker has this target now, so nothing was done here');
      });
      const ledger = opened.project.targets.get(target)?.ledger;
      if (changesLicense && ledger !== undefined) await deadLeaseEnds(ledger, terminal);
      const context = contextOf(target, { ...around, job });
      const perform = () => runOne(operation, { ...choice, target, opened }, options, context);
      // What changes a license begins with its lease.
      const outcome = changesLicense
        ? await afterTwins(perform, (each) => rowOf(asked, each).code === LOCKED, ledger, terminal)
        : await begun(job, perform, (error) => failedOutcome(operation.name, target, error, context));
      const end = endOf(asked, outcome);
      const { state, message } = rowOf(asked, outcome);
      const said = `${target}: ${state}${message === undefined ? '' : `: ${message}`}`;
      terminal.log('info', said, { run: run.id, target, state });
      // The coordinator knows it from the end, too, if a moment later.
      await jobs.ended(target, attempt, end).catch((error: unknown) => {
        const why = asError(error).message;
        terminal.log('warn', `the failure could not be counted at once: ${why}`, { run: run.id, target });
      });
      return end;
    },
    check: async (gate, target, wave) => {
      if (!changesLicense) throw new InternalError(`${operation.name} has no gate ${gate}`);
      const declared = prepareDeclared({ ...choice, target, opened }, terminal);
      const place = gatePlace(opened.project.fleet, wave, gate);
      return checkGate(gate, declared, { since, place }, { ...terminal, budgets });
    },
  };
}

/** The work of a job that begins by itself. */
async function begun<T>(job: Job, work: () => Promise<T>, failed: (error: unknown) => T): Promise<T> {
  try {
    await job.begin();
  } catch (error) {
    if (error instanceof NotBegun || error instanceof EndedBefore) throw error;
    return failed(error);
  }
  job.proceed();
  return work();
}

/**
 * A worker that counts as dead may live, and hold the lease of the target for the same attempt: then this one comes after it. Any other holder is a
 * result.
 */
async function afterTwins<Value>(
  perform: () => Promise<Outcome<Value>>,
  isLocked: (outcome: Outcome<Value>) => boolean,
  ledger: string | undefined,
  terminal: Terminal,
): Promise<Outcome<Value>> {
  const first = await perform();
  if (!isLocked(first) || ledger === undefined || !isInDatabase(ledger)) return first;
  return withEngine(logKey(ledger).variable, terminal, async (engine) => {
    let known: Outcome<Value> | null = first;
    const look = async (): Promise<{ readonly outcome: Outcome<Value>; readonly isTwins: boolean }> => {
      const outcome = known ?? (await perform());
      known = null;
      if (!isLocked(outcome)) return { outcome, isTwins: false };
      const [record, workers] = await Promise.all([leaseAt(ledger, terminal).read(), engine.workers()]);
      const holder = record?.until === null ? undefined : record?.holder;
      const isTwin = workers.some(({ holder: { host, pid } }) => host === holder?.host && pid === holder.pid);
      return { outcome, isTwins: holder === undefined || isTwin };
    };
    const { clock, signal } = terminal;
    const { outcome } = await until(look, { clock, signal, isEnough: ({ isTwins }) => !isTwins, pause: () => PAUSE });
    return outcome;
  });
}

/** The exit code of what another run locked out. */
const LOCKED = 4;
