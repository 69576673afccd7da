// `chatform apply` of several targets, in the waves of chatform.yaml: all plans are shown and agreed to first, unless they were saved or --yes was given.

import { UsageError } from '../../base/errors.ts';
import { counted, few } from '../../base/text.ts';
import { requireAbsent } from '../../command/chosen-targets.ts';
import { given, planningOptions } from '../../command/flags.ts';
import { contextOf } from '../../command/operate.ts';
import { openManyRun } from '../../command/operate-many.ts';
import { confirm, notDone, type Result, showDiagnostics, showText } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { runNamed, withNewRun } from '../../many/log/fleet-runs.ts';
import type { FleetRun } from '../../many/log/stored-runs.ts';
import type { Outcome } from '../../many/operation.ts';
import { rowOf } from '../../many/outputs.ts';
import { copyPlans, type PlanFolder, planFile, prepareFolder, readFolder } from '../../many/plans/folder.ts';
import { runMany } from '../../many/run.ts';
import { wavesText } from '../../many/words.ts';
import { savedPlanIn } from '../../planning/approved.ts';
import { approvalIn } from '../../planning/origin.ts';
import { plain } from '../../view/plain.ts';
import { type Planned, planning } from '../plan/operation.ts';
import { type ApplyFlags, applyOptions } from './flags.ts';
import { type Applied, unchangedBy } from './report.ts';
import { resumeRun } from './resume.ts';
import { applyAsked, beginRun, specOf } from './run.ts';

export async function applyTargets(flags: ApplyFlags, terminal: Terminal, file: string | undefined): Promise<Result> {
  const { events, secretsFile, reportAfter, date, resume, retry } = flags;
  requireAbsent({ '--events': events, '--secrets-file': secretsFile, '--report-after': reportAfter, '--date': date });
  if (resume !== undefined) return resumeRun(await runNamed(resume, terminal), flags, terminal, file);
  if (retry !== undefined) throw new UsageError('--retry is about a run that stopped: name it with --resume');
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

/** A question about more targets than this names none of them: the table above it does. */
const MOST_NAMED = 5;

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
  if (shown.code === 130 || ready.length === 0) return shown;
  if (flags.json !== true && flags.quiet !== true) {
    showDiagnostics(shown.diagnostics ?? [], terminal);
    showText(
      `${shown.text?.(terminal.paintOut) ?? ''}Waves: ${plain(wavesText(specOf(plans, ready, flags)))}\n`,
      terminal,
    );
  }
  const named = ready.length > MOST_NAMED ? '' : `: ${few(ready)}`;
  const so = `change ${counted(ready.length, 'target')}${named}`;
  const declined = await confirm({ question: '', word: 'apply', so, yes: false }, terminal);
  if (declined !== null) return notDone(declined, terminal, shown.diagnostics);
  const { digest } = await readFolder(run.plans);
  const { changedSince: _, ...rest } = flags;
  const known = { opened: chosen.opened, among: names };
  const all = await openManyRun(applyAsked(run.plans, applyOptions(flags)), rest, terminal, known);
  if ('code' in all) return all;
  // Targets in sync, and those whose plan cannot be applied, keep what their plan says.
  for (const outcome of outcomes) if (!ready.includes(outcome.target)) all.restore(notApplied(outcome));
  return beginRun(run, all, { plans: run.plans, digest }, flags);
}

/** What a plan that is not applied comes to. */
function notApplied(outcome: Outcome<Planned>): Outcome<Applied> {
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
    for (const target of folder.inSync)
      if (all.names.includes(target)) all.restore(unchangedBy(await savedPlanIn(planFile(run.plans, target), {})));
    return beginRun(run, all, { plans: run.plans, digest: folder.digest }, flags);
  });
}
