// A run of `chatform apply` over several targets, from its first license to its result.

import { isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import type { FleetEnd, FleetWork, TargetEnd } from '../fleet/drive.ts';
import type { FleetSpec } from '../fleet/events.ts';
import type { FleetResults } from '../fleet/log.ts';
import { fleetSpec } from '../fleet/spec.ts';
import { leftText } from '../render/text/fleet.ts';
import { beginFleet, type FleetRunOptions } from '../run/fleet.ts';
import { checkGate } from '../run/fleet-gates.ts';
import { localJob } from '../run/fleet-job.ts';
import { keepRequest, runMember } from '../run/fleet-runs.ts';
import { deadLeaseEnds } from '../run/lock.ts';
import { planFile } from '../run/plan-folder.ts';
import { prepareDeclared } from '../run/prepare.ts';
import type { FleetRun } from '../run/stored-runs.ts';
import type { TargetAnswer } from '../tasks/targets/schema.ts';
import { type ApplyFlags, divided } from './apply-flags.ts';
import type { KnownTargets } from './chosen-targets.ts';
import { type FlagsOfOne, ON_POSTGRES, type Several } from './flags.ts';
import { fleetProgress } from './fleet-progress.ts';
import type { Result } from './result.ts';
import type { Gathering } from './target-results.ts';
import { gathering } from './targets.ts';
import type { Terminal } from './terminal.ts';

/** The bodies of the commands, for one target. */
interface Bodies {
  readonly apply: (flags: FlagsOfOne<ApplyFlags>, terminal: Terminal, plan: string | undefined) => Promise<Result>;
  readonly plan: (flags: FlagsOfOne<ApplyFlags> & { readonly out: string }, terminal: Terminal) => Promise<Result>;
}

/** What the command was asked to do. */
export type Asked = Pick<Several<ApplyFlags, [file: string | undefined]>, 'flags' | 'args' | 'terminal'> & {
  readonly bodies: Bodies;
};

/** The applies of the targets that are chosen. `plans`: the folder of the approved plans; null to plan and apply at once. */
export function applying(
  plans: string | null,
  { flags, terminal, bodies }: Pick<Asked, 'flags' | 'terminal' | 'bodies'>,
  together: KnownTargets = {},
): Promise<Gathering | Result> {
  // The digest is that of all plans together; the rest is said of each.
  const approved = (flags.approved ?? []).filter((text) => !text.startsWith('digest='));
  const one = ({ approved: _, ...own }: FlagsOfOne<ApplyFlags>, seat: Terminal) =>
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
export function specOf(
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

/** Applies the targets in their waves. Without targets, nothing begins. */
export async function beginRun(
  run: FleetRun,
  { gathered, targets, plans, digest }: Applying,
  { flags, terminal }: Asked,
): Promise<Result> {
  if (targets.length === 0) return gathered.result();
  const spec = specOf(gathered, targets, flags);
  if (flags.on === ON_POSTGRES) {
    const { onWorkers, recorderOf, requestedFlags } = await import('./on-workers.ts');
    const finish = (stored: FleetRun, end: FleetEnd): Promise<Result> => ending(stored, gathered, end);
    const asked = {
      command: 'apply',
      request: requestedFlags(flags),
      recorder: recorderOf(gathered),
      spec,
      digest,
      plans,
    };
    return onWorkers({ ...asked, project: gathered.opened.project, finish }, { flags, terminal });
  }
  await keepRequest(run, { plans, flags: divided(flags).ofRun, commit: null });
  const began = { id: run.id, command: 'apply', spec, digest };
  const { does, options } = workOf(gathered, { since: terminal.clock.now(), isResumed: false }, { flags, terminal });
  return ending(run, gathered, await beginFleet(run.log, began, does, options, terminal));
}

/** What the run does with each target. `since`: when the run began, in milliseconds since the epoch. A process of a resumed run may have been killed while it held leases. */
export function workOf(
  gathered: Gathering,
  { since, isResumed }: { readonly since: number; readonly isResumed: boolean },
  { flags, terminal }: Pick<Asked, 'flags' | 'terminal'>,
): { readonly does: FleetWork; readonly options: FleetRunOptions } {
  const { opened } = gathered;
  const { retry, throughFreeze, quiet } = flags;
  return {
    does: {
      work: async (target, _attempt, mayBegin) => {
        const planned = gathered.answers.get(target);
        if (planned !== undefined) return endOf(planned);
        const settings = opened.project.targets.get(target);
        if (isResumed && settings !== undefined) await deadLeaseEnds(settings.ledger, terminal);
        return endOf(await gathered.run(target, { job: localJob(mayBegin) }));
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

export function endOf(answer: TargetAnswer): TargetEnd {
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

/** Whether a person may go on with a run, or try again where it failed. */
export function isLeft({ waves }: FleetResults): boolean {
  return waves.some(({ failed, unreachable, open }) => failed.size + unreachable.size + open.size > 0);
}

/** The result of all targets, also of those that an earlier process applied. */
export async function ending(run: FleetRun, gathered: Gathering, ended: FleetEnd): Promise<Result> {
  const { stopped, results } = ended;
  for (const [target, { end }] of results.targets) {
    if (gathered.answers.has(target)) continue;
    // Applied before the run was resumed.
    const before = isObject(end?.summary) ? (end.summary as unknown as TargetAnswer) : null;
    if (before === null) gathered.skip(target);
    else gathered.restore(before);
  }
  const left = isLeft(results);
  if (!left) await run.forgetPlans();
  const { code, text, ...result } = gathered.result({ run: runMember(run, results) });
  return {
    ...result,
    code: stopped !== null && (code === 0 || code === 2) ? 1 : code,
    text: (paint) => `${text?.(paint) ?? ''}${left ? leftText(run.id, stopped, results, paint) : ''}`,
  };
}
