// Several targets of a project that the library opened: one call for all of them, with a result for each. A target that fails stops no other, but for
// the budgets of `fleet`.

import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { asError, UsageError } from '../base/errors.ts';
import type { TargetEnd } from '../fleet/drive.ts';
import type { StopReason } from '../fleet/events.ts';
import { fleetSpec } from '../fleet/spec.ts';
import { inTurns } from '../fleet/turns.ts';
import type { Project } from '../project/project.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { DriftReport } from '../tasks/drift/report.ts';
import type { SavedPlan } from '../tasks/saved/saved-plan.ts';
import { isNothing } from '../tasks/targets/plans.ts';
import type { CustomerView } from '../tasks/verify/schema.ts';
import { namingFiles, type OpenedProject } from './choice.ts';
import { runFleet } from './fleet.ts';
import { checkGate } from './fleet-gates.ts';
import {
  type OpenTarget,
  openTarget,
  type RunOptions,
  savedIn,
  type TargetApplyOptions,
  type TargetDriftOptions,
  type TargetPlan,
  type TargetVerifyOptions,
} from './open-target.ts';
import type { Approval } from './origin.ts';
import { prepareDeclared } from './prepare.ts';
import { USUAL_PARALLEL } from './selected.ts';
import type { Surroundings } from './surroundings.ts';
import { type ApplyOutcome, appliedOutcome, failedOutcome, type TargetOutcome, targetEndOf } from './target-outcome.ts';

export interface AppliedTargets {
  /** One for each target that was chosen and, with plans, has one: by name. */
  readonly results: readonly ApplyOutcome[];
  /** Why the run ended before all of them; null when it did not. */
  readonly stopped: StopReason | null;
}

/** What only one target can be told. */
type OfOne = 'baseUrl' | 'secretsFile' | 'newLicense';

/** `parallel`: how many targets are under way at once; default 16. */
type Several<Options> = Omit<Options, OfOne> & { readonly parallel?: number };

type ApplyTargetsOptions = Omit<RunOptions, OfOne | 'date'> &
  Omit<TargetApplyOptions, 'onEvent' | 'approved'> & {
    readonly approved?: Omit<Approval, 'digest'>;
    /** Begin targets also while `fleet: freeze` says not to. */
    readonly throughFreeze?: boolean;
    /** Called as each target ends. What it throws ends the run, once everything under way has ended. */
    readonly onResult?: (result: ApplyOutcome) => void;
  };

/** The targets that were chosen, by name. The results have the same order. */
export interface OpenTargets extends Iterable<OpenTarget> {
  readonly names: readonly string[];
  readonly plan: (options?: Several<RunOptions>) => Promise<readonly TargetOutcome<TargetPlan>[]>;
  /**
   * Applies them in the waves of `fleet`, with its gates, budgets and freeze windows. With `plans`, applies only those targets, and does no more than
   * the plans say. The signal lets targets under way end. A run that was killed is begun again: it finds done what is done.
   * @throws UsageError for two plans of one target, and for a plan of a target that was not chosen
   */
  readonly apply: (
    plans?: readonly (TargetPlan | SavedPlan)[],
    options?: ApplyTargetsOptions,
  ) => Promise<AppliedTargets>;
  readonly verify: (
    options?: Several<RunOptions & Omit<TargetVerifyOptions, 'chat'>>,
  ) => Promise<readonly TargetOutcome<CustomerView>[]>;
  readonly drift: (options?: Several<TargetDriftOptions>) => Promise<readonly TargetOutcome<DriftReport>[]>;
}

export function openTargets(
  opened: OpenedProject & { readonly project: Project },
  chosen: readonly TargetSettings[],
  given: Surroundings,
): OpenTargets {
  const names = chosen.map(({ name }) => name);

  async function each<Result>(
    parallel: number | undefined,
    work: (target: OpenTarget) => Promise<Result>,
  ): Promise<readonly TargetOutcome<Result>[]> {
    const surroundings = stoppable(given, given.signal);
    const { signal } = surroundings;
    const ended = await pLimit(parallel ?? USUAL_PARALLEL).map(
      inTurns(chosen),
      async (settings): Promise<TargetOutcome<Result>> => {
        const target = settings.name;
        if (signal.aborted) return { target, outcome: 'not begun' };
        try {
          return {
            target,
            outcome: 'done',
            result: await work(openTarget(opened, settings, naming(target, surroundings))),
          };
        } catch (error) {
          return signal.aborted
            ? { target, outcome: 'interrupted', error: asError(error) }
            : failedOutcome(target, error);
        }
      },
    );
    const results = new Map(ended.map((each) => [each.target, each]));
    return names.flatMap((name) => results.get(name) ?? []);
  }

  async function apply(
    plans: readonly (TargetPlan | SavedPlan)[] | undefined,
    { throughFreeze = false, onResult = () => {}, ...options }: ApplyTargetsOptions = {},
  ): Promise<AppliedTargets> {
    const { fleet, targets } = opened.project;
    const saved = plans === undefined ? null : plansOf(plans, names);
    const results = new Map<string, ApplyOutcome>();
    for (const [target, { plan }] of saved ?? [])
      if (isNothing(plan)) results.set(target, { target, outcome: 'in sync' });
    const meant = chosen.filter(({ name }) => saved === null || saved.has(name));
    const spec = fleetSpec(
      fleet,
      meant.filter(({ name }) => !results.has(name)),
      meant.filter(({ name }) => results.has(name)),
    );
    const since = given.clock.now();
    const stopped = stoppable(given, given.signal);
    // A target that was begun is finished, so it does not hear the signal.
    const finishing = stoppable(given, new AbortController().signal);

    async function work(target: string): Promise<TargetEnd> {
      const known = results.get(target);
      if (known !== undefined) return targetEndOf(known);
      const settings = targets.get(target);
      if (settings === undefined) throw new UsageError(`there is no target ${target}`);
      const one = openTarget(opened, settings, naming(target, finishing));
      const result = await one.apply(saved?.get(target), options).then(
        (applied) => appliedOutcome(target, applied),
        (error: unknown) => failedOutcome(target, error),
      );
      results.set(target, result);
      onResult(result);
      return targetEndOf(result);
    }

    const run = { id: randomUUID(), command: 'apply', spec, digest: null };
    const freeze = throughFreeze ? [] : fleet.freeze;
    const check = (gate: Parameters<typeof checkGate>[0], target: string) => {
      const around = naming(target, stopped);
      const choice = { ...options, opened: namingFiles(opened, options), target };
      return checkGate(gate, prepareDeclared(choice, around), since, around);
    };
    const end = await runFleet(run, { work, check }, { freeze }, stopped);
    return {
      results: meant.map(({ name }) => results.get(name) ?? { target: name, outcome: 'not begun' }),
      stopped: end.stopped,
    };
  }

  return {
    names,
    [Symbol.iterator]: () => chosen.map((settings) => openTarget(opened, settings, given))[Symbol.iterator](),
    plan: ({ parallel, ...options } = {}) => each(parallel, (target) => target.plan(options)),
    apply,
    verify: ({ parallel, ...options } = {}) => each(parallel, (target) => target.verify(options)),
    drift: ({ parallel, ...options } = {}) => each(parallel, (target) => target.drift(options)),
  };
}

/** Surroundings with a signal of their own, to which every target may listen. */
function stoppable(surroundings: Surroundings, by: AbortSignal): Surroundings {
  const signal = AbortSignal.any([by]);
  setMaxListeners(0, signal);
  return { ...surroundings, signal };
}

/** Each line of the log names the target. */
function naming(target: string, surroundings: Surroundings): Surroundings {
  const { log } = surroundings;
  return { ...surroundings, log: (level, message, fields = {}) => log(level, message, { target, ...fields }) };
}

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
