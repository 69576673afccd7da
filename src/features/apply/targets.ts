// `chatform apply` of several targets, in the waves of chatform.yaml: all plans are shown and agreed to first, unless they were saved or --yes was given.

import { UsageError } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import { requireAbsent } from '../../command/chosen-targets.ts';
import { given, planningOptions } from '../../command/flags.ts';
import { isForMany } from '../../command/one-or-many.ts';
import { choiceIn, contextOf } from '../../command/operate.ts';
import { type ManyRun, openManyRun, tellOfAll } from '../../command/operate-many.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { isInDatabase } from '../../ledger/place.ts';
import { requireWithin } from '../../many/caps.ts';
import { resumeFleet } from '../../many/local.ts';
import type { FleetRunEvent } from '../../many/log/events.ts';
import { runMember, runNamed, withNewRun } from '../../many/log/fleet-runs.ts';
import { resultsOf } from '../../many/log/log.ts';
import type { FleetRequest, FleetRun } from '../../many/log/stored-runs.ts';
import type { Outcome } from '../../many/operation.ts';
import { rowOf } from '../../many/outputs.ts';
import { copyPlans, type PlanFolder, planFile, prepareFolder, readFolder } from '../../many/plans/folder.ts';
import { runMany } from '../../many/run.ts';
import { outcomeIn } from '../../many/stored.ts';
import type { Plan } from '../../plan/plan.ts';
import { savedPlanIn } from '../../planning/approved.ts';
import { approvalIn } from '../../planning/origin.ts';
import { reasonOf } from '../../planning/reason.ts';
import { deadLeaseEnds } from '../../target/lock.ts';
import { commandDocument } from '../../view/documents.ts';
import { shortId } from '../../view/plain.ts';
import { type Requested, requestedWork } from '../fleet/worker-operations.ts';
import { type PlannedTarget, planning } from '../plan/operation.ts';
import { type ApplyFlags, applyOptions } from './flags.ts';
import { type AppliedTarget, unchangedBy } from './report.ts';
import { agreedToAll, applyAsked, beginRun, ending, plansIn, workOf } from './run.ts';
import { notBeforeIn, whyOf } from './waiting.ts';

export async function applyTargets(flags: ApplyFlags, terminal: Terminal, file: string | undefined): Promise<Result> {
  const { events, secretsFile, reportAfter, date, resume } = flags;
  requireAbsent({ '--events': events, '--secrets-file': secretsFile, '--report-after': reportAfter, '--date': date });
  if (resume !== undefined) return resumeRun(await runNamed(resume, terminal), flags, terminal, file);
  notBeforeIn(flags.notBefore);
  if (flags.workers === true && (flags.throughFreeze ?? flags.notBefore) !== undefined)
    throw new UsageError(
      '--through-freeze and --not-before are about a run of this process: workers begin as `fleet: freeze` says',
    );
  const why = await reasonOf(whyOf(flags), terminal);
  return begin(why === null ? flags : { ...flags, reason: why }, terminal, file);
}

/** Workers do not know what the job of this process runs for, so the flags say it. */
async function begin(flags: ApplyFlags, terminal: Terminal, file: string | undefined): Promise<Result> {
  for (const [flag, value] of [['--retry', flags.retry] as const, ['--approve-wave', flags.approveWave] as const])
    if (value !== undefined) throw new UsageError(`${flag} is about a run that stopped: name it with --resume`);
  if (file === undefined && flags.approved !== undefined)
    throw new UsageError('--approved is about saved plans: name their folder, as in `chatform apply plans/`');
  if (file !== undefined) return applyFolder(await readFolder(file), flags, terminal);
  return flags.yes === true ? applyAtOnce(flags, terminal) : withNewRun((run) => planAndApply(run, flags, terminal));
}

/** Each license is planned and applied while its lease is held: the fewest requests. */
async function applyAtOnce(flags: ApplyFlags, terminal: Terminal): Promise<Result> {
  const all = await openManyRun(applyAsked(null, applyOptions(flags)), flags, terminal);
  if ('code' in all) return all;
  return withNewRun((run) => beginRun(run, all, { plans: null, digest: null }, flags));
}

/** All plans first, one question, and then exactly what they say. */
async function planAndApply(run: FleetRun, flags: ApplyFlags, terminal: Terminal): Promise<Result> {
  const { newLicense, testOnCustomer } = flags;
  const options = { ...planningOptions(flags), ...given({ newLicense, testOnCustomer }), save: { folder: run.plans } };
  const asked = { operation: planning, options };
  // Plans that a person is to read are made here, and their reports are those of the apply.
  const { workers, detach, report, ...here } = flags;
  const plans = await openManyRun(asked, here, terminal);
  if ('code' in plans) return plans;
  const { chosen, names, choice } = plans;
  await prepareFolder(run.plans, names);
  const around = contextOf(chosen.terminal, flags, false);
  await runMany(planning, { opened: chosen.opened, names }, choice, asked.options, around, {
    ...(flags.parallel === undefined ? {} : { parallel: flags.parallel }),
    onEnded: plans.record,
  });
  const outcomes = names.flatMap((name) => plans.outcomes.get(name) ?? []);
  const ready = outcomes.filter((outcome) => rowOf(asked, outcome).state === 'changes').map(({ target }) => target);
  const shown = await plans.result();
  if (shown.code === 130) return shown;
  if (ready.length === 0) {
    const applied = new Map(outcomes.map((outcome) => [outcome.target, notApplied(outcome)]));
    await tellOfAll({ ...plans, asked: applyAsked(null, applyOptions(flags)), outcomes: applied }, null);
    return shown;
  }
  requireWithin(plansOf(outcomes.filter(({ target }) => ready.includes(target))), chosen.opened.project.fleet);
  const question = { word: 'apply', flags, so: (targets: string) => `change ${targets}` };
  const declined = await agreedToAll(plans, shown, ready, question);
  if (declined !== null) return declined;
  const { digest } = await readFolder(run.plans);
  const { changedSince: _, ...rest } = flags;
  const known = { opened: chosen.opened, among: names };
  const all = await openManyRun(applyAsked(run.plans, applyOptions(flags)), rest, terminal, known);
  if ('code' in all) return all;
  // Targets in sync, and those whose plan cannot be applied, keep what their plan says.
  for (const outcome of outcomes) if (!ready.includes(outcome.target)) all.restore(notApplied(outcome));
  return beginRun(run, all, { plans: run.plans, digest }, flags);
}

function plansOf(outcomes: readonly Outcome<PlannedTarget>[]): readonly Plan[] {
  return outcomes.flatMap((outcome) => (outcome.state === 'known' ? [outcome.value.plan] : []));
}

/** What a plan that is not applied comes to. */
function notApplied(outcome: Outcome<PlannedTarget>): Outcome<AppliedTarget> {
  if (outcome.state !== 'known') return { ...outcome, operation: 'apply' };
  const { plan } = outcome.value;
  const end = { type: plan.withheld.length > 0 ? 'withheld' : 'unchanged' } as const;
  return { ...outcome, operation: 'apply', value: { plan, end, customers: null } };
}

/** The run has a copy of the plans, so what it applies is what was checked, whatever happens to the folder meanwhile. */
async function applyFolder(folder: PlanFolder, flags: ApplyFlags, terminal: Terminal): Promise<Result> {
  const approval = approvalIn(flags.approved ?? []);
  if (approval.digest !== undefined && approval.digest !== folder.digest)
    throw new UsageError(
      `${folder.folder} has the digest ${folder.digest}, and ${approval.digest} was approved: plan again, and have that approved`,
    );
  return withNewRun(async (run) => {
    await copyPlans(folder, run.plans);
    const known = { among: [...folder.targets, ...folder.inSync] };
    const all = await openManyRun(applyAsked(run.plans, applyOptions(flags)), flags, terminal, known);
    if ('code' in all) return all;
    const { fleet } = all.chosen.opened.project;
    if (Object.keys(fleet.caps).length > 0) {
      const meant = all.names.filter((name) => folder.targets.includes(name));
      const saved = await Promise.all(meant.map((name) => savedPlanIn(planFile(run.plans, name), {})));
      requireWithin(
        saved.map(({ plan }) => plan),
        fleet,
      );
    }
    for (const target of folder.inSync)
      if (all.names.includes(target)) all.restore(unchangedBy(await savedPlanIn(planFile(run.plans, target), {})));
    return beginRun(run, all, { plans: run.plans, digest: folder.digest }, flags);
  });
}

/** @throws UsageError for other flags, and for a run that cannot go on */
async function resumeRun(
  run: FleetRun,
  flags: ApplyFlags,
  terminal: Terminal,
  file: string | undefined,
): Promise<Result> {
  const { target, workers, detach, ...others } = flags;
  const given = { ...choiceIn(others), ...applyOptions(flags) };
  const isChosen = isForMany(others) || target !== undefined || flags.parallel !== undefined;
  if (Object.keys(given).length > 0 || isChosen || file !== undefined)
    throw new UsageError(
      '--resume goes on with the plans and the flags of its run: give none but --retry, --approve-wave and what is shown',
    );
  const [request, events] = await Promise.all([run.request(), run.store.read()]);
  const [first] = events;
  if (first?.type !== 'run') throw new UsageError(`the run ${run.id} was never begun: apply again`);
  if (request.plans === null && first.digest !== null)
    throw new UsageError(
      `the run ${run.id} has approved plans, and its request.json no longer names them: plan and apply again`,
    );
  const results = resultsOf(events);
  const { finished, waves } = results;
  const unknown = (flags.approveWave ?? []).find((wave) => first.spec.waves.every(({ name }) => name !== wave));
  if (unknown !== undefined)
    throw new UsageError(
      `--approve-wave ${unknown}: the run has no such wave; it has ${few(first.spec.waves.map(({ name }) => name))}`,
    );
  if (finished && waves.every(({ failed, unreachable }) => failed.size + unreachable.size === 0))
    return {
      code: 0,
      document: () => commandDocument({ run: runMember(run, results) }),
      text: () => `Run ${shortId(run.id)} is done: no target is left.\n`,
    };
  const among = first.spec.waves.flatMap(({ targets }) => targets);
  const { target: _, ...ofEach } = choiceIn(request.flags);
  const resumed = async <Options, Value>({ asked }: Requested<Options, Value>): Promise<Result> => {
    const all = await openManyRun(asked, { ...others, ...ofEach, all: true }, terminal, { among });
    return 'code' in all ? all : goOn(run, all, { request, first }, flags);
  };
  const result = await requestedWork(first.command, request.flags, plansIn(request.plans), resumed);
  if (typeof result === 'string')
    throw new UsageError(`the request of the run ${run.id} is damaged, or of another version: plan and apply again`);
  return result;
}

async function goOn<Options, Value>(
  run: FleetRun,
  all: ManyRun<Options, Value>,
  { request, first }: { readonly request: FleetRequest; readonly first: FleetRunEvent },
  flags: ApplyFlags,
): Promise<Result> {
  const { terminal } = all.chosen;
  if (isInDatabase(run.log)) {
    const { resumeOnWorkers } = await import('../../command/on-workers.ts');
    return resumeOnWorkers(
      run,
      {
        recorder: (_, summary) => all.record(outcomeIn(summary)),
        finish: (of, end) => ending(of, all, end),
      },
      { flags, terminal },
    );
  }
  if (request.plans !== null) {
    const { digest } = await readFolder(request.plans);
    if (digest !== first.digest)
      throw new UsageError(`the plans in ${request.plans} are not those that the run began with: plan and apply again`);
  }
  const { targets } = resultsOf(await run.store.read());
  const before = [...targets.values()].flatMap(({ end }) => (end === null ? [] : [outcomeIn(end.summary)]));
  const about = { run: run.id, since: Date.parse(first.at), before };
  const { does, options: how } = workOf(all, about, flags);
  await deadLeaseEnds(run.log, terminal);
  return ending(run, all, await resumeFleet(run.log, does, how, terminal));
}
