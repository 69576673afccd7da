// `chatform apply` of several targets, in the waves of chatform.yaml: all plans are shown and agreed to first, unless they were saved or --yes was given.

import { UsageError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { counted, few } from '../base/text.ts';
import type { FleetEnd, FleetWork, TargetEnd } from '../fleet/drive.ts';
import type { FleetSpec } from '../fleet/events.ts';
import { resultsOf } from '../fleet/log.ts';
import { fleetSpec } from '../fleet/spec.ts';
import { commandDocument } from '../render/documents.ts';
import { leftText, shortRun, wavesText } from '../render/text/fleet.ts';
import { beginFleet, type FleetRunOptions, resumeFleet } from '../run/fleet.ts';
import { checkGate } from '../run/fleet-gates.ts';
import * as runs from '../run/fleet-runs.ts';
import { deadLeaseEnds, type Locked } from '../run/lock.ts';
import { approvalIn } from '../run/origin.ts';
import { copyPlans, type PlanFolder, planFile, prepareFolder, readFolder } from '../run/plan-folder.ts';
import { prepareDeclared } from '../run/prepare.ts';
import type { TargetAnswer } from '../tasks/targets/schema.ts';
import type { ApplyFlags } from './apply-flags.ts';
import { requireAbsent } from './chosen-targets.ts';
import type { FlagsOfOne, Several } from './flags.ts';
import { fleetProgress } from './fleet-progress.ts';
import { confirm, lockedOut, notDone, type Result, showText } from './result.ts';
import { type Gathering, gathering, runAll, type Together } from './targets.ts';
import type { Terminal } from './terminal.ts';

/** The bodies of the commands, for one target. */
interface Bodies {
  readonly apply: (flags: FlagsOfOne<ApplyFlags>, terminal: Terminal, plan: string | undefined) => Promise<Result>;
  readonly plan: (flags: FlagsOfOne<ApplyFlags> & { readonly out: string }, terminal: Terminal) => Promise<Result>;
}

type Asked = Pick<Several<ApplyFlags, [file: string | undefined]>, 'flags' | 'args' | 'terminal'> & {
  readonly bodies: Bodies;
};

export async function applyTargets(
  { flags, args, terminal }: Several<ApplyFlags, [file: string | undefined]>,
  bodies: Bodies,
): Promise<Result> {
  const several = { flags, args, terminal, bodies };
  const [file] = args;
  const { events, secretsFile, follow, date, resume, retry } = flags;
  requireAbsent({ '--events': events, '--secrets-file': secretsFile, '--follow': follow, '--date': date });
  if (resume !== undefined) return goOn(await runs.runNamed(resume), several);
  if (retry !== undefined) throw new UsageError('--retry is about a run that stopped: name it with --resume');
  if (file === undefined && flags.approved !== undefined)
    throw new UsageError('--approved is about saved plans: name their folder, as in `chatform apply plans/`');
  if (file !== undefined) return applyFolder(await readFolder(file), several);
  return flags.yes === true ? applyAtOnce(several) : runs.withNewRun((run) => planAndApply(run, several));
}

/** Each license is planned and applied while its lease is held: the fewest requests. */
async function applyAtOnce(several: Asked): Promise<Result> {
  const gathered = await applying(null, several);
  if ('code' in gathered) return gathered;
  return runs.withNewRun((run) =>
    begin(run, { gathered, targets: gathered.targets, plans: null, digest: null }, several),
  );
}

/** A question about more targets than this names none of them: the table above it does. */
const MOST_NAMED = 5;

/** All plans first, one question, and then exactly what they say. */
async function planAndApply(run: runs.FleetRun, several: Asked): Promise<Result> {
  const { flags, terminal, bodies } = several;
  const planning = await gathering(
    'plan',
    { flags, terminal, one: (own, seat) => bodies.plan({ ...own, out: planFile(run.plans, own.target ?? '') }, seat) },
    {},
  );
  if ('code' in planning) return planning;
  await prepareFolder(run.plans, planning.targets);
  const planned = await runAll(planning, several);
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
  return begin(run, { gathered, targets: ready, plans: run.plans, digest }, several);
}

/** The run has a copy of the plans, so what it applies is what was checked, whatever happens to the folder meanwhile. */
async function applyFolder(folder: PlanFolder, several: Asked): Promise<Result> {
  const approval = approvalIn(several.flags.approved ?? []);
  if (approval.digest !== undefined && approval.digest !== folder.digest)
    throw new UsageError(
      `${folder.folder} has the digest ${folder.digest}, and ${approval.digest} was approved: plan again, and have that approved`,
    );
  return runs.withNewRun(async (run) => {
    await copyPlans(folder, run.plans);
    const gathered = await applying(run.plans, several, { among: [...folder.targets, ...folder.inSync] });
    if ('code' in gathered) return gathered;
    const inSync = new Set(folder.inSync);
    for (const target of gathered.targets) if (inSync.has(target)) gathered.restore(unchanged(target));
    const targets = gathered.targets.filter((target) => !inSync.has(target));
    return begin(run, { gathered, targets, plans: run.plans, digest: folder.digest }, several);
  });
}

function unchanged(target: string): TargetAnswer {
  return { target, state: 'in sync', exit_code: 0, figures: {}, requests: 0, seconds: 0, message: null, alike: null };
}

/** The applies of the targets that are chosen. `plans`: the folder of the approved plans; null to plan and apply at once. */
function applying(
  plans: string | null,
  { flags, terminal, bodies }: Pick<Asked, 'flags' | 'terminal' | 'bodies'>,
  together: Pick<Together<ApplyFlags>, 'opened' | 'among'> = {},
): Promise<Gathering | Result> {
  // The digest is that of all plans together; the rest is said of each.
  const approved = (flags.approved ?? []).filter((text) => !text.startsWith('digest='));
  const one = ({ approved: _, ...own }: FlagsOfOne<ApplyFlags>, seat: Asked['terminal']) =>
    bodies.apply(
      { ...own, yes: true, quiet: true, ...(approved.length === 0 ? {} : { approved }) },
      seat,
      plans === null ? undefined : planFile(plans, own.target ?? ''),
    );
  return gathering('apply', { flags, terminal, one }, { ...together, isFinished: true });
}

interface Applying {
  readonly gathered: Gathering;
  /** Those that are applied. */
  readonly targets: readonly string[];
  readonly plans: string | null;
  readonly digest: string | null;
}

/** `targets`: those that are applied; the gates of a wave also look at the others. `parallel`: of the flag, in the place of that of `fleet`. */
function specOf(
  { opened: { project }, targets: chosen }: Gathering,
  targets: readonly string[],
  { parallel }: Pick<ApplyFlags, 'parallel'>,
): FleetSpec {
  const applied = new Set(targets);
  const settings = chosen.flatMap((name) => project.targets.get(name) ?? []);
  return fleetSpec(
    parallel === undefined ? project.fleet : { ...project.fleet, parallel: { count: parallel } },
    settings.filter(({ name }) => applied.has(name)),
    settings.filter(({ name }) => !applied.has(name)),
  );
}

/** Flags of this process; all others belong to the run. */
const OF_PROCESS: readonly string[] = [
  'resume',
  'retry',
  'throughFreeze',
  'json',
  'quiet',
  'report',
  'yes',
] satisfies readonly (keyof ApplyFlags)[];

function divided(flags: ApplyFlags): { readonly ofProcess: Partial<ApplyFlags>; readonly ofRun: JsonObject } {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const isOfProcess = ([name]: readonly [string, unknown]): boolean => OF_PROCESS.includes(name);
  return {
    ofProcess: Object.fromEntries(given.filter(isOfProcess)),
    ofRun: Object.fromEntries(given.filter((entry) => !isOfProcess(entry))) as JsonObject,
  };
}

async function begin(
  run: runs.FleetRun,
  { gathered, targets, plans, digest }: Applying,
  { flags, terminal }: Asked,
): Promise<Result> {
  if (targets.length === 0) return gathered.result();
  await runs.keepRequest(run, { plans, flags: divided(flags).ofRun });
  const began = { id: run.id, command: 'apply', spec: specOf(gathered, targets, flags), digest };
  const { does, options } = workOf(gathered, { since: terminal.clock.now(), isResumed: false }, { flags, terminal });
  return ending(run, gathered, await beginFleet(run.log, began, does, options, terminal));
}

async function goOn(run: runs.FleetRun, { flags, args, terminal, bodies }: Asked): Promise<Result> {
  const { ofProcess, ofRun } = divided(flags);
  // Without --no-verify, `verify` is true although it was not given.
  const { verify: _, ...given } = ofRun;
  if (Object.keys(given).length > 0 || args[0] !== undefined)
    throw new UsageError(
      '--resume goes on with the plans and the flags of its run: give none but --retry and what is shown',
    );
  const [request, events] = await Promise.all([runs.requestOf(run), run.store.read()]);
  const [first] = events;
  if (first?.type !== 'run') throw new UsageError(`the run ${run.id} was never begun: apply again`);
  if (request.plans === null && first.digest !== null)
    throw new UsageError(
      `the run ${run.id} has approved plans, and its request.json no longer names them: plan and apply again`,
    );
  const results = resultsOf(events);
  const { finished, waves } = results;
  if (finished && waves.every(({ failed, unreachable }) => failed.size + unreachable.size === 0))
    return {
      code: 0,
      document: () => commandDocument({ run: runs.runMember(run, results) }),
      text: () => `Run ${shortRun(run.id)} is done: no target is left.\n`,
    };
  if (request.plans !== null) {
    const { digest } = await readFolder(request.plans);
    if (digest !== first.digest)
      throw new UsageError(`the plans in ${request.plans} are not those that the run began with: plan and apply again`);
  }
  const { target, label, changedSince, ...asked } = { ...request.flags, ...ofProcess, all: true } as ApplyFlags;
  const among = first.spec.waves.flatMap(({ targets }) => targets);
  const gathered = await applying(request.plans, { flags: asked, terminal, bodies }, { among });
  if ('code' in gathered) return gathered;
  const { does, options } = workOf(
    gathered,
    { since: Date.parse(first.at), isResumed: true },
    { flags: asked, terminal },
  );
  await deadLeaseEnds(run.log, terminal);
  return ending(run, gathered, await resumeFleet(run.log, does, options, terminal));
}

/** `since`: when the run began, in milliseconds since the epoch. A process of a resumed run may have been killed while it held leases. */
function workOf(
  gathered: Gathering,
  { since, isResumed }: { readonly since: number; readonly isResumed: boolean },
  { flags, terminal }: Pick<Asked, 'flags' | 'terminal'>,
): { readonly does: FleetWork; readonly options: FleetRunOptions } {
  const { opened } = gathered;
  const { retry, throughFreeze, quiet } = flags;
  return {
    does: {
      work: async (target) => {
        const planned = gathered.answers.get(target);
        if (planned !== undefined) return endOf(planned);
        const settings = opened.project.targets.get(target);
        if (isResumed && settings !== undefined) await deadLeaseEnds(settings.ledger, terminal);
        return endOf(await gathered.run(target));
      },
      check: async (gate, target) =>
        checkGate(gate, prepareDeclared({ ...choiceOf(flags), target, opened }, terminal), since, gathered.terminal),
    },
    options: {
      ...(retry === undefined ? {} : { retry: retry as readonly ('failed' | 'unreachable')[] }),
      freeze: throughFreeze === undefined ? opened.project.fleet.freeze : [],
      ...(quiet === true ? {} : fleetProgress(terminal)),
    },
  };
}

function choiceOf({ var: given, varFile }: ApplyFlags) {
  return { ...(given === undefined ? {} : { var: given }), ...(varFile === undefined ? {} : { varFile }) };
}

function endOf(answer: TargetAnswer): TargetEnd {
  const { state, message, requests } = answer;
  // A plan that a guard withholds is no error, but its target is not applied.
  const code = state === 'withheld' ? 3 : answer.exit_code;
  return {
    state: code === 0 ? 'done' : state === 'unreachable' ? 'unreachable' : 'failed',
    code,
    message: message ?? (code === 0 ? null : state),
    requests: requests ?? 0,
    summary: { ...answer, alike: null } as unknown as Json,
  };
}

async function ending(run: runs.FleetRun, gathered: Gathering, ended: FleetEnd | Locked): Promise<Result> {
  if ('lockedBy' in ended) return lockedOut(ended, 'ledger');
  const { stopped, results } = ended;
  for (const [target, { end }] of results.targets) {
    if (gathered.answers.has(target)) continue;
    // Applied before the run was resumed.
    const before = isObject(end?.summary) ? (end.summary as unknown as TargetAnswer) : null;
    if (before === null) gathered.skip(target);
    else gathered.restore(before);
  }
  const isLeft = results.waves.some(({ failed, unreachable, open }) => failed.size + unreachable.size + open.size > 0);
  if (!isLeft) await runs.forgetPlans(run);
  const { code, text, ...result } = gathered.result({ run: runs.runMember(run, results) });
  return {
    ...result,
    code: stopped !== null && (code === 0 || code === 2) ? 1 : code,
    text: (paint) => `${text?.(paint) ?? ''}${isLeft ? leftText(run.id, stopped, results, paint) : ''}`,
  };
}
