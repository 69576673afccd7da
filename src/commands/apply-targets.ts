// `chatform apply` of several targets, in the waves of chatform.yaml: all plans are shown and agreed to first, unless they were saved or --yes was given.

import { UsageError } from '../base/errors.ts';
import { counted, few } from '../base/text.ts';
import { wavesText } from '../render/text/fleet.ts';
import { runNamed, withNewRun } from '../run/fleet-runs.ts';
import { approvalIn } from '../run/origin.ts';
import { copyPlans, type PlanFolder, planFile, prepareFolder, readFolder } from '../run/plan-folder.ts';
import type { FleetRun } from '../run/stored-runs.ts';
import type { TargetAnswer } from '../tasks/targets/schema.ts';
import type { ApplyFlags } from './apply-flags.ts';
import { resumeRun } from './apply-resume.ts';
import { type Asked, applying, beginRun, specOf } from './apply-run.ts';
import { requireAbsent } from './chosen-targets.ts';
import type { Several } from './flags.ts';
import { confirm, notDone, type Result, showText } from './result.ts';
import { gathering, runAll } from './targets.ts';

export async function applyTargets(
  { flags, args, terminal }: Several<ApplyFlags, [file: string | undefined]>,
  bodies: Asked['bodies'],
): Promise<Result> {
  const several = { flags, args, terminal, bodies };
  const [file] = args;
  const { events, secretsFile, follow, date, resume, retry } = flags;
  requireAbsent({ '--events': events, '--secrets-file': secretsFile, '--follow': follow, '--date': date });
  if (resume !== undefined) return resumeRun(await runNamed(resume, terminal), several);
  if (retry !== undefined) throw new UsageError('--retry is about a run that stopped: name it with --resume');
  if (file === undefined && flags.approved !== undefined)
    throw new UsageError('--approved is about saved plans: name their folder, as in `chatform apply plans/`');
  if (file !== undefined) return applyFolder(await readFolder(file), several);
  return flags.yes === true ? applyAtOnce(several) : withNewRun((run) => planAndApply(run, several));
}

/** Each license is planned and applied while its lease is held: the fewest requests. */
async function applyAtOnce(several: Asked): Promise<Result> {
  const gathered = await applying(null, several);
  if ('code' in gathered) return gathered;
  return withNewRun((run) =>
    beginRun(run, { gathered, targets: gathered.targets, plans: null, digest: null }, several),
  );
}

/** Plans that a person is to read are made here. */
function inThisProcess({ on, detach, ...flags }: ApplyFlags): ApplyFlags {
  return flags;
}

/** A question about more targets than this names none of them: the table above it does. */
const MOST_NAMED = 5;

/** All plans first, one question, and then exactly what they say. */
async function planAndApply(run: FleetRun, several: Asked): Promise<Result> {
  const { flags, terminal, bodies } = several;
  const planning = await gathering(
    'plan',
    { flags, terminal, one: (own, seat) => bodies.plan({ ...own, out: planFile(run.plans, own.target ?? '') }, seat) },
    {},
  );
  if ('code' in planning) return planning;
  await prepareFolder(run.plans, planning.targets);
  const planned = await runAll('plan', planning, { flags: inThisProcess(flags), terminal });
  const ready = planning.targets.filter((target) => planning.answers.get(target)?.state === 'changes');
  if (planned.code === 130 || ready.length === 0) return planned;
  if (flags.json !== true && flags.quiet !== true) {
    const waves = wavesText(specOf(planning, ready, flags));
    showText(`${planned.text?.(terminal.paintOut) ?? ''}${waves}`, terminal);
  }
  const named = ready.length > MOST_NAMED ? '' : `: ${few(ready)}`;
  const so = `change ${counted(ready.length, 'target')}${named}`;
  const declined = await confirm({ question: '', word: 'apply', so, yes: false }, terminal);
  if (declined !== null) return notDone(declined, terminal, planned.diagnostics);
  const { digest } = await readFolder(run.plans);
  const { changedSince: _, ...chosen } = flags;
  const together = { opened: planning.opened, among: planning.targets };
  const gathered = await applying(run.plans, { flags: chosen, terminal, bodies }, together);
  if ('code' in gathered) return gathered;
  // Targets in sync, and those whose plan cannot be applied, keep the row of their plan.
  for (const [target, answer] of planning.answers) if (!ready.includes(target)) gathered.restore(answer);
  return beginRun(run, { gathered, targets: ready, plans: run.plans, digest }, several);
}

/** The run has a copy of the plans, so what it applies is what was checked, whatever happens to the folder meanwhile. */
async function applyFolder(folder: PlanFolder, several: Asked): Promise<Result> {
  const approval = approvalIn(several.flags.approved ?? []);
  if (approval.digest !== undefined && approval.digest !== folder.digest)
    throw new UsageError(
      `${folder.folder} has the digest ${folder.digest}, and ${approval.digest} was approved: plan again, and have that approved`,
    );
  return withNewRun(async (run) => {
    await copyPlans(folder, run.plans);
    const gathered = await applying(run.plans, several, { among: [...folder.targets, ...folder.inSync] });
    if ('code' in gathered) return gathered;
    const inSync = new Set(folder.inSync);
    for (const target of gathered.targets) if (inSync.has(target)) gathered.restore(unchanged(target));
    const targets = gathered.targets.filter((target) => !inSync.has(target));
    return beginRun(run, { gathered, targets, plans: run.plans, digest: folder.digest }, several);
  });
}

function unchanged(target: string): TargetAnswer {
  return { target, state: 'in sync', exit_code: 0, figures: {}, requests: 0, seconds: 0, message: null, alike: null };
}
