// Several targets of a project that the library opened: one call for all of them, with a result for each. A target that fails stops no other, but for
// the budgets of `fleet`.

import { randomUUID } from 'node:crypto';
import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { applying } from '../features/apply/operation.ts';
import { type AppliedTarget, unchangedBy } from '../features/apply/report.ts';
import { drifting } from '../features/drift/operation.ts';
import type { DriftReport } from '../features/drift/schema.ts';
import { checkGate } from '../features/fleet/gates.ts';
import { planning } from '../features/plan/operation.ts';
import { customerTesting } from '../features/test/customer/operation.ts';
import type { CustomerView } from '../features/test/customer/schema.ts';
import { localJob } from '../many/jobs.ts';
import { runFleet } from '../many/local.ts';
import type { StopReason } from '../many/log/events.ts';
import type { Outcome } from '../many/operation.ts';
import { type Asked, rowOf } from '../many/outputs.ts';
import { isNothing } from '../many/plans/plans.ts';
import { contextOf, forEach, notBegun, runMany, runOne, unheard } from '../many/run.ts';
import type { TargetState } from '../many/schema.ts';
import { fleetSpec } from '../many/spec.ts';
import { endOf } from '../many/stored.ts';
import type { SavedPlan } from '../plan/saved/saved-plan.ts';
import { approvedIn } from '../planning/approved.ts';
import type { Approval } from '../planning/origin.ts';
import { gatePlace } from '../project/fleet-settings.ts';
import type { Project } from '../project/project.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { OpenedProject } from '../target/choice.ts';
import type { RunContext } from '../target/context.ts';
import { prepareDeclared } from '../target/prepare.ts';
import {
  type AppliedPlan,
  applyOptions,
  choiceOf,
  contextIn,
  endedIn,
  KEPT,
  NOT_ACTING,
  type OpenTarget,
  openTarget,
  planOf,
  type RunOptions,
  savedIn,
  type TargetApplyOptions,
  type TargetDriftOptions,
  type TargetOptions,
  type TargetPlan,
  type TargetTestOptions,
  UNSEEN,
} from './open-target.ts';

/** What became of one target. */
export interface TargetResult<Result> {
  readonly target: string;
  /** As the table of several targets has it: `changes`, `applied`, `in part`, `failed`, `unreachable`, `not begun` and others. */
  readonly state: TargetState;
  /** What the call returns for one target; null where there is none. */
  readonly result: Result | null;
  /** Why it is in this state; null when there is nothing to say. */
  readonly message: string | null;
  /** Findings about the files and the plan. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface AppliedTargets {
  /** One for each target that was chosen and, with plans, has one: by name. */
  readonly results: readonly TargetResult<AppliedPlan>[];
  /** Why the run ended before all of them; null when it did not. */
  readonly stopped: StopReason | null;
}

/** What only one target can be resultFor. */
type OfOne = 'baseUrl' | 'secretsFile' | 'newLicense';

/** `parallel`: how many targets are under way at once; default 16. */
type ForMany<Options> = Omit<Options, OfOne> & { readonly parallel?: number };

type ApplyTargetsOptions = Omit<TargetApplyOptions, OfOne | 'onEvent' | 'approved'> & {
  readonly approved?: Omit<Approval, 'digest'>;
  /** Begin targets also while `fleet: freeze` says not to. */
  readonly throughFreeze?: boolean;
  /** Called as each target ends. What it throws ends the run, once everything under way has ended. */
  readonly onResult?: (result: TargetResult<AppliedPlan>) => void;
};

/** The targets that were chosen, by name. The results have the same order. */
export interface OpenTargets extends Iterable<OpenTarget> {
  readonly names: readonly string[];
  readonly plan: (options?: ForMany<RunOptions>) => Promise<readonly TargetResult<TargetPlan>[]>;
  /**
   * Applies them in the waves of `fleet`, with its gates, budgets and freeze windows. With `plans`, applies only those targets, and does no more than
   * the plans say. The signal lets targets under way end. A run that was killed is begun again: it finds done what is done.
   * @throws UsageError for two plans of one target, and for a plan of a target that was not chosen
   */
  readonly apply: (
    plans?: readonly (TargetPlan | SavedPlan)[],
    options?: ApplyTargetsOptions,
  ) => Promise<AppliedTargets>;
  readonly testOnCustomer: (
    options?: ForMany<Omit<TargetTestOptions, 'chat'>>,
  ) => Promise<readonly TargetResult<CustomerView>[]>;
  readonly drift: (options?: ForMany<TargetDriftOptions>) => Promise<readonly TargetResult<DriftReport>[]>;
}

export function openTargets(
  opened: OpenedProject & { readonly project: Project },
  chosen: readonly TargetSettings[],
  runContext: RunContext,
): OpenTargets {
  const names = chosen.map(({ name }) => name);
  const around = { ...runContext, signal: forEach(runContext.signal) };
  const context = contextIn(around);

  async function each<Options, Value, Result>(
    asked: Asked<Options, Value>,
    { parallel, ...options }: TargetOptions & { readonly parallel?: number },
    resultIn: (value: Value, diagnostics: readonly Diagnostic[]) => Result | null,
  ): Promise<readonly TargetResult<Result>[]> {
    const { target: _, ...choice } = choiceOf(opened, '', options);
    const selected = { opened: { ...opened, ...choice.opened, project: opened.project }, names };
    const how = parallel === undefined ? {} : { parallel };
    const outcomes = await runMany(asked.operation, selected, choice, asked.options, context, how);
    return outcomes.map((outcome) => resultOf(asked, outcome, resultIn));
  }

  async function apply(
    plans: readonly (TargetPlan | SavedPlan)[] | undefined,
    { throughFreeze = false, onResult = () => {}, ...options }: ApplyTargetsOptions = {},
  ): Promise<AppliedTargets> {
    const { fleet } = opened.project;
    const saved = plans === undefined ? null : plansOf(plans, names);
    const asked: Asked<ReturnType<typeof applyOptions>, AppliedTarget> = {
      operation: applying('apply', async (target = '') => {
        const plan = saved?.get(target);
        return plan === undefined ? null : approvedIn(`the plan of ${target}`, plan);
      }),
      options: applyOptions(options),
    };
    const outcomes = new Map<string, Outcome<AppliedTarget>>();
    for (const plan of saved?.values() ?? []) if (isNothing(plan.plan)) outcomes.set(plan.target, unchangedBy(plan));
    const meant = chosen.filter(({ name }) => saved === null || saved.has(name));
    const spec = fleetSpec(
      fleet,
      meant.filter(({ name }) => !outcomes.has(name)),
      meant.filter(({ name }) => outcomes.has(name)),
    );
    const since = context.clock.now();
    // A target that was begun is finished.
    const finishing = { ...context, signal: unheard() };
    const resultFor = (outcome: Outcome<AppliedTarget>) => resultOf(asked, outcome, endedIn);
    const choice = (target: string) => choiceOf(opened, target, options);
    const id = randomUUID();
    const end = await runFleet(
      { id, command: 'apply', spec, digest: null },
      {
        work: async (target, _attempt, mayBegin) => {
          const known = outcomes.get(target);
          if (known !== undefined) return endOf(asked, known);
          const ofTarget = contextOf(target, { ...finishing, job: localJob(id, mayBegin) });
          const outcome = await runOne(asked.operation, choice(target), asked.options, ofTarget);
          outcomes.set(target, outcome);
          onResult(resultFor(outcome));
          return endOf(asked, outcome);
        },
        check: (gate, target, wave) => {
          const ofTarget = contextOf(target, context);
          const asked = { since, place: gatePlace(fleet, wave, gate) };
          return checkGate(gate, prepareDeclared(choice(target), ofTarget), asked, ofTarget);
        },
      },
      { freeze: throughFreeze ? [] : fleet.freeze },
      around,
    );
    return {
      results: meant.map(({ name }) => resultFor(outcomes.get(name) ?? notBegun('apply', name, context))),
      stopped: end.stopped,
    };
  }

  return {
    names,
    [Symbol.iterator]: () => chosen.map((settings) => openTarget(opened, settings, runContext))[Symbol.iterator](),
    plan: (options = {}) => each({ operation: planning, options: { ...options, ...KEPT } }, options, planOf),
    apply,
    testOnCustomer: (options = {}) =>
      each({ operation: customerTesting, options: { ...NOT_ACTING, ...options } }, options, asItIs),
    drift: (options = {}) => each({ operation: drifting, options: { ...options, ...UNSEEN } }, options, asItIs),
  };
}

function asItIs<Value>(value: Value): Value {
  return value;
}

function resultOf<Options, Value, Result>(
  asked: Asked<Options, Value>,
  outcome: Outcome<Value>,
  resultIn: (value: Value, diagnostics: readonly Diagnostic[]) => Result | null,
): TargetResult<Result> {
  const { target, diagnostics } = outcome;
  const { state, message = null } = rowOf(asked, outcome);
  const result = outcome.state === 'known' ? resultIn(outcome.value, diagnostics) : null;
  return { target, state, result, message, diagnostics };
}

/** @throws UsageError for two plans of one target, and for a plan of a target that was not chosen */
function plansOf(plans: readonly (TargetPlan | SavedPlan)[], names: readonly string[]): ReadonlyMap<string, SavedPlan> {
  const known = new Set(names);
  const found = new Map<string, SavedPlan>();
  for (const saved of plans.map(savedIn)) {
    const { target } = saved;
    if (!known.has(target))
      throw new UsageError(`there is a plan of ${target}, which was not chosen: choose it as well`);
    if (found.has(target)) throw new UsageError(`there are two plans of ${target}: leave out one of them`);
    found.set(target, saved);
  }
  return found;
}
