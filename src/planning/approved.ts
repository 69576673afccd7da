// Approved plans: a saved plan that a run carries out, held against a plan of now.

import { type Interruptible, textAt } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { dayAt, dayOf } from '../base/week.ts';
import { guard } from '../plan/guards/guard.ts';
import type { PlannerOptions } from '../plan/input.ts';
import type { Plan } from '../plan/plan.ts';
import { manifestDigest, readDigests, serviceDigest } from '../plan/saved/digests.ts';
import { effectsOf } from '../plan/saved/effects.ts';
import { isCovered, letGo, type Mismatch, mismatchOf } from '../plan/saved/match.ts';
import { newRules } from '../plan/saved/new-rules.ts';
import type { SavedPlan } from '../plan/saved/saved-plan.ts';
import { readSavedPlan } from '../plan/saved/text.ts';
import type { TargetSettings } from '../project/settings.ts';
import { ASSUMED } from '../routing/rules.ts';
import type { TargetChoice } from '../target/choice.ts';
import type { RunContext } from '../target/context.ts';
import type { Declared } from '../target/prepare.ts';
import { isJob } from '../target/started-by.ts';
import type { PlanningChoice } from './planning.ts';
import { type Planning, planOptions } from './planning.ts';

/** What was approved, and the name of the file that says so. */
export interface Approved {
  readonly file: string;
  readonly saved: SavedPlan;
}

/** @throws UsageError for a file that cannot be read, or is no saved plan */
export async function savedPlanIn(file: string, interruptible: Interruptible): Promise<SavedPlan> {
  return readSavedPlan(await textAt(file, interruptible), file);
}

/** @throws UsageError for a plan against a snapshot, which cannot be applied */
export function approvedIn(file: string, saved: SavedPlan): Approved {
  if (saved.plan.against === undefined) return { file, saved };
  throw new UsageError(
    `${file} is a plan against a snapshot, taken ${saved.plan.against.taken_at}: it shows what to expect, and cannot be applied; \`plan --out\` without --against makes one that can`,
  );
}

/** The choice of the run that made the plan. @throws UsageError for a choice that says otherwise */
export function narrowedTo<C extends TargetChoice & PlanningChoice>({ file, saved }: Approved, choice: C): C {
  if (choice.only !== undefined || choice.except !== undefined)
    throw new UsageError(`${file} says what it is about: --only and --except belong to \`plan --out\``);
  const { destroys } = saved.plan;
  if (choice.destroys !== undefined && destroys === undefined)
    throw new UsageError(
      `${file} is no plan of a destroy: \`destroy --plan --out\` saves one, and \`apply ${file}\` applies this one`,
    );
  if (choice.destroys?.adopted === true && destroys?.adopted === false)
    throw new UsageError(`${file} keeps what is adopted: --adopted belongs to \`destroy --plan --out\``);
  const { only, except } = saved.selection;
  return {
    ...choice,
    ...(destroys === undefined ? {} : { destroys }),
    ...(choice.file === undefined ? { target: choice.target ?? saved.target } : {}),
    ...(only.length === 0 ? {} : { only }),
    ...(except.length === 0 ? {} : { except }),
  };
}

/** Why the plan belongs to another target or service; null when it belongs to this one. */
export function foreignTo({ file, saved }: Approved, { name, apiVersion, baseUrl }: TargetSettings): string | null {
  if (saved.target !== name) return `${file} is a plan of target ${saved.target}, and this is ${name}`;
  if (saved.api_version !== apiVersion)
    return `${file} is a plan for version ${saved.api_version} of the service, and this is ${apiVersion}`;
  if (saved.service !== serviceDigest(baseUrl)) return `${file} is a plan of ${name} at another base_url`;
  return null;
}

/** Why the plan cannot be applied now: its hours are those of a later day, or of days that are over. Null when it can. */
export function wrongDay({ file, saved }: Approved, now: number): string | null {
  for (const { timezones, from } of saved.plan.hours?.days ?? []) {
    const day = dayOf(from) ?? 0;
    const early = timezones.find((zone) => dayAt(zone, now) < day);
    if (early === undefined) continue;
    return `${file} is a plan of the hours from ${from} on, and that day has not begun in ${early}: apply it then`;
  }
  const next = saved.plan.hours?.next_change ?? null;
  if (next === null || now < Date.parse(next.at)) return null;
  return `${file} is a plan of the hours before ${next.date}, and that day has begun in ${next.timezone}: plan again`;
}

/**
 * The target with what was acknowledged when the plan was made. In a job of CI, nothing is: the job that made the plan ran what a branch said, so its
 * file is no consent. There, only the files and flags of the apply acknowledge.
 */
export function acknowledging(declared: Declared, { saved }: Approved, context: Pick<RunContext, 'env'>): Declared {
  if (isJob(context)) return declared;
  const { settings } = declared;
  return {
    ...declared,
    settings: { ...settings, acknowledge: [...settings.acknowledge, ...saved.acknowledged.given] },
  };
}

/** What a plan is saved with, and held against when it is carried out. */
export function contentsOf(plan: Plan, { live }: Planning, { desired }: Declared) {
  return {
    plan,
    manifest: manifestDigest(desired),
    read: readDigests(live),
    effects: effectsOf(plan),
  } as const satisfies Partial<SavedPlan>;
}

export interface HeldPlan {
  readonly plan: Plan;
  /** The manifest changed since the plan was approved; every remaining change was approved. */
  readonly isManifestChanged: boolean;
}

/** The plan of now if it does no more than what was approved; otherwise where it does. `declared` and `choice` are those of this run. */
export function heldTo(
  { saved }: Approved,
  { plan, planning, declared }: { readonly plan: Plan; readonly planning: Planning; readonly declared: Declared },
  choice: PlanningChoice,
): HeldPlan | { readonly mismatch: Mismatch } {
  const now = contentsOf(plan, planning, declared);
  const { compared, options } = planning;
  const appeared = newRules(saved, now, compared, options.routing?.assumptions ?? ASSUMED);
  const mismatch = mismatchOf(saved, now, appeared);
  if (mismatch !== null) return { mismatch };
  return {
    plan: withUnseen(plan, planning, saved, planOptions(declared.settings, choice).acknowledged),
    isManifestChanged: now.manifest !== saved.manifest,
  };
}

/** The plan with the vetoes that its approver did not see: consent is to what was shown, not to what has the same address. */
function withUnseen(
  plan: Plan,
  { compared, options }: Planning,
  { acknowledged }: SavedPlan,
  given: PlannerOptions['acknowledged'],
): Plan {
  if (isCovered(letGo(compared, options, given), acknowledged.vetoes)) return plan;
  const standing = guard(compared, { ...options, acknowledged: given });
  return {
    ...plan,
    withheld: [...standing, ...plan.withheld.filter(({ guard: name }) => name === 'policy' || name === 'routing')],
  };
}
