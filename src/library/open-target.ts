// One target of a project that the library opened: the operations of the command line, whose failures are errors here.

import type { ApplyEvent } from '../apply/input.ts';
import { InternalError, UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { applying } from '../features/apply/operation.ts';
import type { ApplyOptions } from '../features/apply/options.ts';
import type { AppliedTarget, ApplyEnd } from '../features/apply/report.ts';
import { drifting } from '../features/drift/operation.ts';
import type { DriftOptions } from '../features/drift/options.ts';
import type { DriftReport } from '../features/drift/schema.ts';
import { type PlannedTarget, planning, THE_PLAN } from '../features/plan/operation.ts';
import type { PlanOptions } from '../features/plan/options.ts';
import { customerTesting } from '../features/test/customer/operation.ts';
import type { CustomerOptions } from '../features/test/customer/options.ts';
import type { CustomerView } from '../features/test/customer/schema.ts';
import type { Context } from '../many/operation.ts';
import type { Plan } from '../plan/plan.ts';
import type { SavedPlan } from '../plan/saved/saved-plan.ts';
import { approvedIn } from '../planning/approved.ts';
import type { Approval } from '../planning/origin.ts';
import type { TargetSettings } from '../project/settings.ts';
import { namingFiles, type OpenedProject, type TargetChoice } from '../target/choice.ts';
import type { RunContext } from '../target/context.ts';

/** What a run says instead of chatform.yaml. */
export type TargetOptions = Omit<TargetChoice, 'project' | 'opened' | 'target' | 'ledger' | 'file'>;

/** What a plan is made with. */
export type RunOptions = TargetOptions & Omit<PlanOptions, 'save' | 'pictures' | 'detailedExitcode'>;

/** A plan that can be applied. It is plain data: `saved` is what `chatform plan --out` writes. */
export interface TargetPlan {
  readonly plan: Plan;
  /** Warnings about the files and the plan. */
  readonly diagnostics: readonly Diagnostic[];
  readonly saved: SavedPlan;
}

/** A plan that was carried out, in whole or in part. */
export interface AppliedPlan extends Omit<Extract<ApplyEnd, { readonly type: 'ended' }>, 'type'> {
  readonly plan: Plan;
}

export type TargetApplyOptions = TargetOptions &
  Omit<ApplyOptions, 'approved' | 'testOnCustomer' | 'visitor'> & {
    readonly approved?: Approval;
    readonly onEvent?: (event: ApplyEvent) => void;
  };

export type TargetTestOptions = TargetOptions & Partial<CustomerOptions>;

export type TargetDriftOptions = TargetOptions & Omit<DriftOptions, 'notify' | 'isSeen' | 'sightings'>;

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
  readonly apply: (plan?: TargetPlan | SavedPlan, options?: TargetApplyOptions) => Promise<AppliedPlan>;
  /**
   * What customers see of the license, next to what the files say. Changes nothing but what `visitor`, `predict` and `chat` leave behind.
   * @throws UsageError when the files have errors, the target lacks something, or another run holds the lease; ApiError when the service does not answer
   */
  readonly testOnCustomer: (options?: TargetTestOptions) => Promise<CustomerView>;
  /** Which side changed since the last apply. Sends reads only, and remembers nothing. @throws UsageError when the files have errors */
  readonly drift: (options?: TargetDriftOptions) => Promise<DriftReport>;
}

export function openTarget(
  opened: OpenedProject,
  { name, labels }: Pick<TargetSettings, 'name' | 'labels'>,
  context: RunContext,
): OpenTarget {
  const operationContext = contextIn(context);
  const target = (options: TargetOptions): TargetChoice => choiceOf(opened, name, options);
  return {
    name,
    labels,
    plan: async (options = {}) => {
      const { value, diagnostics } = await planning.run(target(options), { ...options, ...KEPT }, operationContext);
      return planOf(value, diagnostics);
    },
    apply: async (plan, { onEvent, ...options } = {}) => {
      const meant = plan === undefined ? null : approvedIn(THE_PLAN, savedIn(plan));
      const around = { ...operationContext, report: reporting(onEvent) };
      const operation = applying('apply', async () => meant);
      return appliedIn((await operation.run(target(options), applyOptions(options), around)).value);
    },
    testOnCustomer: async (options = {}) => {
      const asked = { ...NOT_ACTING, ...options };
      return (await customerTesting.run(target(options), asked, operationContext)).value;
    },
    drift: async (options = {}) =>
      (await drifting.run(target(options), { ...options, ...UNSEEN }, operationContext)).value,
  };
}

/** The plan is kept as it would be saved. */
export const KEPT = { save: { kept: true } } as const;

export const NOT_ACTING: CustomerOptions = { predict: false, chat: null, afterApply: false };

/** Nothing is remembered, and no channel is told. */
export const UNSEEN = { sightings: false, notify: 'never' } as const;

export function choiceOf(opened: OpenedProject, target: string, options: TargetOptions): TargetChoice {
  return { ...options, opened: namingFiles(opened, options), target };
}

export function planOf({ plan, saved }: PlannedTarget, diagnostics: readonly Diagnostic[]): TargetPlan {
  if (saved?.kept === undefined) throw new InternalError('a plan was not kept');
  return { plan, diagnostics, saved: saved.kept };
}

export function savedIn(plan: TargetPlan | SavedPlan): SavedPlan {
  return 'saved' in plan ? plan.saved : plan;
}

export function applyOptions<Options extends Pick<TargetApplyOptions, 'approved'>>({ approved, ...options }: Options) {
  const given = Object.entries(approved ?? {}).map(([name, value]) => `${name}=${value}`);
  return { ...options, ...(given.length === 0 ? {} : { approved: given }) };
}

/** @throws UsageError for a plan of which nothing was sent */
function appliedIn(applied: AppliedTarget): AppliedPlan {
  const ended = endedIn(applied);
  if (ended !== null) return ended;
  const { plan, end } = applied;
  if (end.type === 'withheld') throw new UsageError(plan.withheld.map(({ message }) => message).join('; '));
  throw new UsageError('the approved plan no longer matches: plan again, and have that approved');
}

/** Null for a plan of which nothing was sent. */
export function endedIn({ plan, end }: AppliedTarget): AppliedPlan | null {
  if (end.type !== 'ended') return null;
  const { run, report, sent } = end;
  return { plan, run, report, sent };
}

/** The library has been told to do it. */
export function contextIn(context: RunContext): Context {
  return { ...context, ask: async () => 'yes', report: () => {}, afterwards: () => {} };
}

function reporting(onEvent: TargetApplyOptions['onEvent']): Context['report'] {
  return (event) => {
    if (event.type !== 'planned') onEvent?.(event);
  };
}
