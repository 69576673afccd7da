// One target of a project that the library opened, and what a run does to it.

import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import type { Plan } from '../plan/plan.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { DriftReport } from '../tasks/drift/report.ts';
import type { SavedPlan } from '../tasks/saved/saved-plan.ts';
import { readSavedPlan } from '../tasks/saved/text.ts';
import type { CustomerView } from '../tasks/verify/schema.ts';
import { type ApplyOptions, applyTarget, type Carried } from './apply.ts';
import { type Approved, approvedIn, narrowedTo } from './approved.ts';
import { namingFiles, type OpenedProject } from './choice.ts';
import { checkDrift, type DriftOptions, NOTHING_SEEN } from './drift.ts';
import { type Approval, approvedHere, originOf } from './origin.ts';
import { planDeclared, savedPlanText } from './plan.ts';
import type { PlanningChoice } from './planning.ts';
import { type FilesChoice, prepareDeclared } from './prepare.ts';
import { misroutedByFiles } from './routes.ts';
import type { Surroundings } from './surroundings.ts';
import { type ActingOptions, verifyActing } from './verify.ts';

/** What a run says instead of chatform.yaml. */
export type RunOptions = Omit<FilesChoice & PlanningChoice, OfTarget>;

/** What is known of a target that was opened. */
type OfTarget = 'project' | 'opened' | 'target' | 'file';

/** A plan that can be applied. It is plain data: `saved` is what `chatform plan --out` writes. */
export interface TargetPlan {
  readonly plan: Plan;
  /** Warnings about the files and the plan. */
  readonly diagnostics: readonly Diagnostic[];
  readonly saved: SavedPlan;
}

export interface AppliedPlan extends Carried {
  readonly plan: Plan;
}

export interface TargetApplyOptions extends Pick<ApplyOptions, 'verify' | 'onEvent' | 'assumeSettled'> {
  readonly approved?: Approval;
}

export type TargetVerifyOptions = Pick<ActingOptions, 'afterApply' | 'predict' | 'chat'>;

export type TargetDriftOptions = Omit<FilesChoice & DriftOptions, OfTarget>;

export interface OpenTarget {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** What would change on the license. Sends reads only. @throws UsageError with every finding when the files or the plan have errors */
  readonly plan: (options?: RunOptions) => Promise<TargetPlan>;
  /**
   * Applies what `plan` approved, and proves that it took effect: reads again with the lease held, and does no more than was approved. Without
   * `plan`, applies what the files say now. `approved`: what the host says of the plan that was approved.
   * @throws UsageError when nothing was changed: another run holds the lease, the plan is of another target or job, it no longer matches, or a guard
   * withholds it
   */
  readonly apply: (
    plan?: TargetPlan | SavedPlan,
    options?: Omit<RunOptions, 'date'> & TargetApplyOptions,
  ) => Promise<AppliedPlan>;
  /**
   * What customers see of the license, next to what the files say. Changes nothing but what `predict` and `chat` leave behind.
   * @throws UsageError when the files have errors, the target lacks something, or another run holds the lease; ApiError when the service does not answer
   */
  readonly verify: (options?: RunOptions & TargetVerifyOptions) => Promise<CustomerView>;
  /** Which side changed since the last apply. Sends reads only, and remembers nothing. @throws UsageError when the files have errors */
  readonly drift: (options?: TargetDriftOptions) => Promise<DriftReport>;
}

export function openTarget(
  opened: OpenedProject,
  { name: target, labels }: Pick<TargetSettings, 'name' | 'labels'>,
  surroundings: Surroundings,
): OpenTarget {
  const chosen = <Options extends RunOptions>(options: Options) => ({
    ...options,
    opened: namingFiles(opened, options),
    target,
  });
  const declaredFor = async (choice: FilesChoice) => {
    const declared = await prepareDeclared(choice, surroundings);
    const misrouted = misroutedByFiles(declared);
    if (misrouted.length > 0) throw new UsageError('the files have errors', misrouted);
    return declared;
  };
  return {
    name: target,
    labels,
    plan: async (options = {}) => {
      const choice = chosen(options);
      const declared = await declaredFor(choice);
      const planning = await planDeclared(declared, choice, surroundings);
      const { plan, diagnostics } = planning;
      if (plan === null) throw new UsageError('the plan has errors', diagnostics);
      const { text } = savedPlanText(declared, { ...planning, plan }, choice, {
        now: surroundings.clock.now(),
        origin: await originOf(surroundings),
      });
      return { plan, diagnostics, saved: readSavedPlan(text, THE_PLAN) };
    },
    apply: async (
      plan,
      { verify = true, onEvent, assumeSettled = false, approved: approval = {}, ...options } = {},
    ) => {
      const given = chosen(options);
      const meant: Approved | null = plan === undefined ? null : approvedIn(THE_PLAN, savedIn(plan));
      const choice = meant === null ? given : narrowedTo(meant, given);
      const declared = await declaredFor(choice);
      const about = { approval, given };
      const approved = meant === null ? null : await approvedHere(meant, declared.settings, about, surroundings);
      if (approved !== null && 'foreign' in approved) throw new UsageError(approved.foreign);
      const how = { verify, assumeSettled, ...(onEvent === undefined ? {} : { onEvent }) };
      const applied = await applyTarget(declared, approved, choice, how, surroundings);
      switch (applied.outcome) {
        case 'refused':
          throw new UsageError('the plan has errors', applied.diagnostics);
        case 'mismatch':
          throw new UsageError('the approved plan no longer matches: plan again, and have that approved');
        case 'stopped':
          throw new UsageError(applied.stop.message);
        case 'applied': {
          const { plan: carried, runId, report, requests, sent } = applied;
          return { plan: carried, runId, report, requests, sent };
        }
      }
    },
    verify: async ({ afterApply = false, predict = false, chat, ...options } = {}) => {
      const declared = await prepareDeclared(chosen(options), surroundings);
      const wanted = { afterApply, predict, ...(chat === undefined ? {} : { chat }) };
      const verified = await verifyActing(declared, wanted, surroundings);
      if ('stopped' in verified) throw new UsageError(verified.stopped.message);
      return verified.view;
    },
    drift: async (options = {}) => {
      const choice = chosen(options);
      const declared = await prepareDeclared(choice, surroundings);
      return (await checkDrift(declared, NOTHING_SEEN, choice, surroundings)).report;
    },
  };
}

/** How errors name a plan that is no file. */
const THE_PLAN = 'the plan';

export function savedIn(plan: TargetPlan | SavedPlan): SavedPlan {
  return 'saved' in plan ? plan.saved : plan;
}
