// A run over several targets that changes them, in the waves of chatform.yaml: what a person agrees to, its first license, and its result.

import { UsageError } from '../../base/errors.ts';
import { counted, few } from '../../base/text.ts';
import type { CommonFlags } from '../../command/chosen-targets.ts';
import { fleetProgress } from '../../command/fleet-progress.ts';
import { contextOf, type OutputFlags } from '../../command/operate.ts';
import { type ManyRun, requestOf, requireWorkers, tellOfAll } from '../../command/operate-many.ts';
import { confirm, notDone, type Result, showDiagnostics, showText } from '../../command/result.ts';
import { isInDatabase } from '../../ledger/place.ts';
import { type RunCaps, runCaps } from '../../many/caps.ts';
import { type FleetEnd, type FleetWork, resumedBy } from '../../many/drive.ts';
import { windowsFor } from '../../many/freeze.ts';
import { localJob } from '../../many/jobs.ts';
import { beginFleet, type FleetRunOptions } from '../../many/local.ts';
import type { Cap, FleetSpec } from '../../many/log/events.ts';
import { keepRequest, runMember } from '../../many/log/fleet-runs.ts';
import type { FleetResults } from '../../many/log/log.ts';
import type { FleetRun } from '../../many/log/stored-runs.ts';
import type { Context, Outcome } from '../../many/operation.ts';
import type { Asked } from '../../many/outputs.ts';
import { planFile } from '../../many/plans/folder.ts';
import { contextOf as contextNaming, notBegun, runOne, unheard } from '../../many/run.ts';
import { fleetSpec } from '../../many/spec.ts';
import { endOf, outcomeIn } from '../../many/stored.ts';
import { overText, resultText, wavesText } from '../../many/words.ts';
import type { Plan } from '../../plan/plan.ts';
import { approvedIn, savedPlanIn } from '../../planning/approved.ts';
import { gatePlace } from '../../project/fleet-settings.ts';
import { deadLeaseEnds } from '../../target/lock.ts';
import { prepareDeclared } from '../../target/prepare.ts';
import { plain } from '../../view/plain.ts';
import { blocksText } from '../../view/writers/terminal.ts';
import { checkGate } from '../fleet/gates.ts';
import type { ApplyFlags } from './flags.ts';
import { type ApprovedPlans, applying } from './operation.ts';
import type { ApplyOptions } from './options.ts';
import type { AppliedTarget } from './report.ts';
import { notBeforeIn } from './waiting.ts';

/** The plans of a folder; null applies what the files say now. */
export function applyAsked(plans: string | null, options: ApplyOptions): Asked<ApplyOptions, AppliedTarget> {
  const { approved = [], ...own } = options;
  // The digest is that of all plans together; the rest is said of each.
  const ofEach = approved.filter((text) => !text.startsWith('digest='));
  return {
    operation: applying('apply', plansIn(plans)),
    options: { ...own, ...(ofEach.length === 0 ? {} : { approved: ofEach }) },
  };
}

/** The plans of a folder; null for none. */
export function plansIn(folder: string | null): ApprovedPlans {
  return async (target) => {
    if (folder === null || target === undefined) return null;
    const file = planFile(folder, target);
    return approvedIn(file, await savedPlanIn(file, {}));
  };
}

/** Of the flags, what a run that changes targets needs. */
type RunFlags = CommonFlags &
  OutputFlags &
  Partial<Pick<ApplyFlags, 'retry' | 'approveWave' | 'throughFreeze' | 'notBefore'>>;

/** A question about more targets than this names none of them: the table above it does. */
const MOST_NAMED = 5;

/** Shows all plans and the waves, and asks once. Null to go ahead. @param ready - The targets that are changed. */
export async function agreedToAll(
  plans: Pick<ManyRun<never, never>, 'chosen'>,
  shown: Result,
  ready: readonly string[],
  { word, flags, so }: { readonly word: string; readonly flags: RunFlags; readonly so: (targets: string) => string },
): Promise<Result | null> {
  const { terminal } = plans.chosen;
  if (flags.json !== true && flags.quiet !== true) {
    showDiagnostics(shown.diagnostics ?? [], terminal);
    showText(
      `${shown.text?.(terminal.paintOut) ?? ''}Waves: ${plain(wavesText(specOf(plans, ready, flags)))}\n`,
      terminal,
    );
  }
  const named = ready.length > MOST_NAMED ? '' : `: ${few(ready)}`;
  const about = { question: '', word, so: so(`${counted(ready.length, 'target')}${named}`), yes: flags.yes === true };
  const declined = await confirm(about, terminal);
  return declined === null ? null : notDone(declined, terminal, shown.diagnostics);
}

/** `targets`: those that are applied; the gates of a wave also look at the others. `parallel`: of the flag, in the place of that of `fleet`. */
export function specOf(
  { chosen: { opened, scope } }: Pick<ManyRun<never, never>, 'chosen'>,
  targets: readonly string[],
  { parallel }: Pick<RunFlags, 'parallel'>,
): FleetSpec {
  const applied = new Set(targets);
  const { fleet } = opened.project;
  return fleetSpec(
    parallel === undefined ? fleet : { ...fleet, parallel: { count: parallel } },
    scope.targets.filter(({ name }) => applied.has(name)),
    scope.targets.filter(({ name }) => !applied.has(name)),
  );
}

interface Begun {
  /** Folder of the approved plans; null to plan and apply at once. */
  readonly plans: string | null;
  readonly digest: string | null;
}

/** Changes the targets without an outcome in their waves. Without any, nothing begins. */
export async function beginRun<Options, Value>(
  run: FleetRun,
  all: ManyRun<Options, Value>,
  { plans, digest }: Begun,
  flags: RunFlags,
): Promise<Result> {
  const { asked, chosen, names, outcomes } = all;
  const command = asked.operation.name;
  const { terminal, opened } = chosen;
  requireWorkers(flags);
  const targets = names.filter((name) => !outcomes.has(name));
  if (targets.length === 0) {
    await tellOfAll(all, null);
    return all.result();
  }
  const spec = specOf(all, targets, flags);
  // The person who began the run has agreed to it.
  const request = requestOf(all, { yes: true });
  if (flags.workers === true) {
    if (digest === null && Object.keys(opened.project.fleet.caps).length > 0)
      throw new UsageError(
        '`fleet` limits deletes or visitors of the whole run, and workers plan one license at a time: save the plans with `plan --out FOLDER`, and apply the folder',
      );
    const { onWorkers } = await import('../../command/on-workers.ts');
    return onWorkers(
      {
        command,
        project: opened.project,
        request,
        recorder: (_, summary) => all.record(outcomeIn(summary)),
        spec,
        digest,
        plans,
        finish: (stored, end) => ending(stored, all, end),
      },
      { flags, terminal },
    );
  }
  await keepRequest(run, { plans, flags: request, commit: null });
  const began = { id: run.id, command, spec, digest };
  const { does, options } = workOf(all, { run: run.id, since: terminal.clock.now(), before: null }, flags);
  return ending(run, all, await beginFleet(run.log, began, does, options, terminal));
}

/** A run that begins, or goes on. */
interface RunSoFar {
  readonly run: string;
  /** When it began, in milliseconds since the epoch. */
  readonly since: number;
  /** Outcomes of an earlier process, which may have been killed while it held leases; null for a run that begins. */
  readonly before: readonly Outcome<unknown>[] | null;
}

/** What is asked about a plan that was made just now is refused where a limit of the run does not allow it. */
function cappedContext(around: Omit<Context, 'afterwards'>, caps: RunCaps, target: string) {
  let plan: Plan | null = null;
  let over: Cap | null = null;
  const context: typeof around = {
    ...around,
    report: (event) => {
      if (event.type === 'planned') plan = event.plan;
    },
    ask: async () => {
      over = plan === null ? null : caps.take([plan]);
      if (over === null) return 'yes';
      throw new UsageError(`nothing was changed: ${overText(over, target)}`);
    },
  };
  return { context, over: (): Cap | null => over };
}

/** What the run does with each target. */
export function workOf<Options, Value>(
  { asked, chosen, choice, outcomes, record }: ManyRun<Options, Value>,
  { run, since, before }: RunSoFar,
  { throughFreeze, notBefore, quiet, ...flags }: RunFlags,
): { readonly does: FleetWork; readonly options: FleetRunOptions } {
  const { opened, terminal } = chosen;
  const moment = notBeforeIn(notBefore);
  const caps = runCaps(opened.project.fleet, [...outcomes.values(), ...(before ?? [])]);
  // A target that was begun is finished.
  const around = { ...contextOf(terminal, { yes: true }, false), signal: unheard() };
  return {
    does: {
      work: async (target, _attempt, mayBegin) => {
        const known = outcomes.get(target);
        if (known !== undefined) return endOf(asked, known);
        const settings = opened.project.targets.get(target);
        if (before !== null && settings !== undefined) await deadLeaseEnds(settings.ledger, terminal);
        const capped = cappedContext(around, caps, target);
        const context = contextNaming(target, { ...capped.context, job: localJob(run, mayBegin) });
        const found = await runOne(asked.operation, { ...choice, target, opened }, asked.options, context);
        const over = capped.over();
        const outcome = over === null ? found : notBegun(asked.operation.name, target, terminal);
        record(outcome);
        return { ...endOf(asked, outcome), ...(over === null ? {} : { over }) };
      },
      check: async (gate, target, wave) => {
        const place = gatePlace(opened.project.fleet, wave, gate);
        return checkGate(gate, prepareDeclared({ ...choice, target, opened }, terminal), { since, place }, terminal);
      },
    },
    options: {
      ...resumedBy(flags),
      approve: async (wave) =>
        (await terminal.ask(`Type ${terminal.paintErr('strong', wave)} to begin wave ${plain(wave)}: `))?.trim() ===
        wave,
      freeze: throughFreeze === undefined ? windowsFor(asked.operation, opened.project.fleet) : [],
      ...(moment === undefined ? {} : { notBefore: moment }),
      ...(quiet === true ? {} : fleetProgress(terminal)),
    },
  };
}

/** Whether a person may go on with a run, or try again where it failed. */
export function isLeft({ waves }: FleetResults): boolean {
  return waves.some(({ failed, unreachable, open }) => failed.size + unreachable.size + open.size > 0);
}

/** The result of all targets, also of those that an earlier process applied. */
export async function ending<Options, Value>(
  run: FleetRun,
  all: ManyRun<Options, Value>,
  { stopped, results }: FleetEnd,
): Promise<Result> {
  for (const [target, { end }] of results.targets)
    if (!all.outcomes.has(target) && end !== null) all.restore(outcomeIn(end.summary));
  const left = isLeft(results);
  if (!left) await run.forgetPlans();
  // Of their own runs, workers tell.
  if (!isInDatabase(run.log)) await tellOfAll(all, run.id);
  const { code, text, ...result } = await all.result({ run: runMember(run, results) });
  return {
    ...result,
    code: stopped !== null && (code === 0 || code === 2) ? 1 : code,
    text: (paint) =>
      `${text?.(paint) ?? ''}${left ? blocksText([{ type: 'text', text: resultText(results) }], paint) : ''}`,
  };
}
