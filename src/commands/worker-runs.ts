// What a worker does for a run: the command of the run, for one target at a time, with the files of its commit. Several commits may be under way.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { explained, writeWhole } from '../base/disk.ts';
import { asError, EndedBefore, NotBegun, UsageError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { until } from '../base/until.ts';
import type { Ability, Drive, RunWork } from '../engine/abilities.ts';
import type { TargetEnd } from '../fleet/drive.ts';
import { isInDatabase, logKey } from '../ledger/place.ts';
import { storedPlan } from '../postgres/fleet-store.ts';
import type { LedgerStore } from '../project/project.ts';
import type { DiskAt } from '../run/checkout.ts';
import { type OpenedProject, openProjectOn } from '../run/choice.ts';
import { type FleetRunOptions, recoverFleet } from '../run/fleet.ts';
import { fleetJobs } from '../run/fleet-job.ts';
import { deadLeaseEnds } from '../run/lock.ts';
import { planFile } from '../run/plan-folder.ts';
import { type FleetRun, storedRun } from '../run/stored-runs.ts';
import type { Job } from '../run/stores.ts';
import { leaseAt } from '../run/stores.ts';
import { apply } from './apply.ts';
import { applying, endOf, isLeft, workOf } from './apply-run.ts';
import type { CommonFlags, KnownTargets } from './chosen-targets.ts';
import { withEngine } from './engine.ts';
import { planOne } from './plan.ts';
import { portable, type Wanted } from './portable.ts';
import { type Result, resultOf } from './result.ts';
import { answerOf, type Gathering, type Performed } from './target-results.ts';
import { gathering } from './targets.ts';
import type { Terminal } from './terminal.ts';
import { operationOf } from './worker-operations.ts';

export interface Place {
  readonly store: LedgerStore;
  readonly diskAt: DiskAt;
  /** A folder for the plans of targets under way. */
  readonly scratch: string;
}

/** Milliseconds between two looks at the lease of a target that another worker holds. */
const PAUSE = 1_000;

/** What a worker does for a run of its project, as the engine asks for it. */
export async function abilityFor(id: string, { store, diskAt, scratch }: Place, terminal: Terminal): Promise<Ability> {
  const run = storedRun(id, store, terminal);
  const driveWith =
    (options: FleetRunOptions): Drive =>
    async (does, stop) => {
      const end = await recoverFleet(run.log, does, options, { ...terminal, signal: stop });
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
  const { commit } = request;
  if (commit === null) return refused(`the run ${run.id} names no commit: begin another run`);
  const opened = await diskAt(commit)
    .then((system) => openProjectOn(system, terminal))
    .catch(asError);
  if (opened instanceof Error) return refused(opened.message);
  const workFor = await operationOf(first.command, request.flags);
  if (typeof workFor === 'string') return refused(workFor);
  if (workFor !== null) {
    const { project } = opened;
    if (project === null) return refused(errorsAt(commit, opened));
    const work = workFor({ run, spec: first.spec, opened: { ...opened, project } }, terminal);
    return { ...work, drive: driveWith({ freeze: [] }) };
  }
  const { wanted, ...given } = request.flags;
  const flags = { ...given, all: true, quiet: true, yes: true } as unknown as CommonFlags;
  const plans = request.plans === null ? null : join(scratch, run.id);
  const among = first.spec.waves.flatMap(({ targets }) => targets);
  const gathered = await gatheringOf(first.command, { flags, plans, among, opened }, terminal);
  if ('code' in gathered) return refused(gathered.error ?? errorsAt(commit, opened));
  const { does, options } = workOf(
    gathered,
    { since: Date.parse(first.at), isResumed: true },
    { flags: flags as never, terminal },
  );
  const jobs = fleetJobs(run.log, first.spec, terminal);
  const work: RunWork['apply'] = async (target, attempt, _digest, isOurs): Promise<TargetEnd> => {
    const job = jobs.job(target, attempt, async () => {
      if (!(await isOurs())) throw new UsageError('another worker has this target now, so nothing was done here');
    });
    if (plans !== null) await fetchPlan(run, target, planFile(plans, target), terminal);
    const settings = gathered.opened.project.targets.get(target);
    if (first.command === 'apply' && settings !== undefined) await deadLeaseEnds(settings.ledger, terminal);
    const perform = (): Promise<Performed> => gathered.perform(target, { job });
    // An apply begins with the lease of its target.
    const performed =
      first.command === 'apply'
        ? await afterTwins(perform, settings?.ledger, terminal)
        : await begun(job, terminal, perform);
    if (plans !== null) await rm(planFile(plans, target), { force: true });
    const answer = answerOf(target, performed);
    const { state, message } = answer;
    terminal.log('info', `${target}: ${state}${message === null ? '' : `: ${message}`}`, {
      run: run.id,
      target,
      state,
    });
    // A check that finds differences has done its work; an apply that leaves some has not.
    const found = first.command !== 'apply' && answer.exit_code === 2 ? DONE : {};
    const end = { ...endOf(answer), ...found, summary: portable(performed, wantedOf(wanted)) };
    // The coordinator knows it from the end, too, if a moment later.
    await jobs.ended(target, attempt, end).catch((error: unknown) => {
      terminal.log('warn', `the failure could not be counted at once: ${asError(error).message}`, {
        run: run.id,
        target,
      });
    });
    return end;
  };
  // Windows hold changes, and only an apply makes any.
  const freeze = first.command === 'apply' ? options.freeze : [];
  return { apply: work, check: does.check, drive: driveWith({ ...options, freeze }) };
}

const DONE = { state: 'done', message: null } as const;

interface Meant {
  readonly flags: CommonFlags;
  readonly plans: string | null;
  readonly among: readonly string[];
  readonly opened: OpenedProject;
}

function errorsAt(commit: string, { diagnostics }: OpenedProject): string {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const said = first === undefined ? 'the project has errors' : `${first.place.file}: ${first.message}`;
  return `at commit ${commit.slice(0, 8)}, ${said}`;
}

function gatheringOf(
  command: string,
  { flags, plans, among, opened }: Meant,
  terminal: Terminal,
): Promise<Gathering | Result> {
  const together: KnownTargets = { among, opened };
  switch (command) {
    case 'apply':
      return applying(plans, { flags: flags as never, terminal, bodies: { apply, plan: planOne } }, together);
    case 'plan':
      return gathering('plan', { flags, terminal, one: planOne as never }, together);
    default:
      throw new UsageError(`this chatform cannot do \`${command}\` for a run: update the worker`);
  }
}

function wantedOf(value: Json | undefined): Wanted {
  const { texts, documents } = isObject(value) ? value : ({} as JsonObject);
  return { texts: texts === true, documents: documents === true };
}

/** The work of a job that begins by itself. */
async function begun(job: Job, terminal: Terminal, perform: () => Promise<Performed>): Promise<Performed> {
  try {
    await job.begin();
  } catch (error) {
    if (error instanceof NotBegun || error instanceof EndedBefore) throw error;
    return { result: resultOf(error, terminal), seconds: 0 };
  }
  job.proceed();
  return perform();
}

/**
 * A worker that counts as dead may live, and hold the lease of the target for the same attempt: then this one comes after it. Any other holder is a
 * result.
 */
async function afterTwins(
  perform: () => Promise<Performed>,
  ledger: string | undefined,
  terminal: Terminal,
): Promise<Performed> {
  const first = await perform();
  if (first.result.code !== LOCKED || ledger === undefined || !isInDatabase(ledger)) return first;
  return withEngine(logKey(ledger).variable, terminal, async (engine) => {
    let known: Performed | null = first;
    const look = async (): Promise<{ readonly performed: Performed; readonly isTwins: boolean }> => {
      const performed = known ?? (await perform());
      known = null;
      if (performed.result.code !== LOCKED) return { performed, isTwins: false };
      const [record, workers] = await Promise.all([leaseAt(ledger, terminal).read(), engine.workers()]);
      const holder = record?.until === null ? undefined : record?.holder;
      const isTwin = workers.some(({ holder: { host, pid } }) => host === holder?.host && pid === holder.pid);
      return { performed, isTwins: holder === undefined || isTwin };
    };
    const { clock, signal } = terminal;
    const { performed } = await until(look, { clock, signal, isEnough: ({ isTwins }) => !isTwins, pause: () => PAUSE });
    return performed;
  });
}

/** The exit code of a command that another run locked out. */
const LOCKED = 4;

/** Puts the approved plan of a target where an apply looks for it. */
async function fetchPlan(run: FleetRun, target: string, file: string, terminal: Terminal): Promise<void> {
  const key = logKey(run.log);
  const plan = await storedPlan(terminal.databases.at(key.variable, terminal), key, target);
  if (plan === null) throw new UsageError(`the run ${run.id} has no plan of ${target}`);
  await explained(file, 'written', () => writeWhole(file, plan, 'owner'));
}
