// A folder of saved plans, which `plan --out` of several targets writes and `apply` takes as a whole, under one digest.

import { cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { explained, type Interruptible, textAt } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { jsonIn } from '../../base/json.ts';
import { few } from '../../base/text.ts';
import type { FailedPlan } from '../../plan/review/plan-result.ts';
import type { SavedPlan } from '../../plan/saved/saved-plan.ts';
import { readFailure } from '../../plan/saved/text.ts';
import { approvedIn, savedPlanIn } from '../../planning/approved.ts';
import type { TargetsResults } from '../schema.ts';
import { results } from '../validator.ts';
import { digestOfPlans, isNothing } from './plans.ts';
import { type ReviewedPlans, reviewOfPlans } from './review.ts';

export interface PlanFolder {
  readonly folder: string;
  /** Of all plans in it. */
  readonly digest: string;
  /** Targets whose plan does something, by name. */
  readonly targets: readonly string[];
  /** Targets whose plan does nothing, so that an apply of it needs no request. */
  readonly inSync: readonly string[];
}

/** Whether there is a folder at the path. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Path of the plan of a target in a folder. */
export function planFile(folder: string, target: string): string {
  return join(folder, `${target}.json`);
}

/** Makes the folder, without earlier plans of the targets: of one that cannot be planned now, none must stay. @throws UsageError for one that has other files: it is applied as a whole */
export async function prepareFolder(folder: string, targets: readonly string[]): Promise<void> {
  const flag = `--out ${folder}`;
  await explained(`${flag}: it`, 'written', () => mkdir(folder, { recursive: true }));
  const names = await explained(`${flag}: it`, 'read', () => readdir(folder));
  const own = new Set(targets.map((target) => planFile('', target)));
  const others = names.filter((name) => !own.has(name));
  if (others.length === 0) {
    const earlier = names.map((name) => join(folder, name));
    await explained(`${flag}: it`, 'written', () => Promise.all(earlier.map((file) => rm(file))));
    return;
  }
  const those = others.length === 1 ? 'that' : 'those';
  throw new UsageError(
    `${flag}: the folder also has ${few(others)}, and is applied as a whole: name a new folder, or delete ${those} first`,
  );
}

/** Copies the plans of a folder. @throws UsageError when they are not those that were read */
export async function copyPlans({ folder, digest }: PlanFolder, into: string): Promise<void> {
  await explained(into, 'written', () => cp(folder, into, { recursive: true, dereference: true }));
  const copied = await readFolder(into);
  if (copied.digest !== digest)
    throw new UsageError(`${folder} was changed while it was read: find out by whom, and apply it again`);
}

/** Files that are read at a time. */
const READ_AT_ONCE = 16;

/** @throws UsageError for a folder without a plan, and for a file that is none or belongs to another target */
export async function readFolder(folder: string): Promise<PlanFolder> {
  const plans = await eachPlan(folder, ({ target, digest, plan }) => ({ target, digest, isNothing: isNothing(plan) }));
  if (plans.length === 0)
    throw new UsageError(`${folder} has no saved plan: \`chatform plan --all --out ${folder}\` writes some`);
  return {
    folder,
    digest: digestOfPlans(new Map(plans.map(({ target, digest }) => [target, digest]))),
    targets: plans.flatMap((plan) => (plan.isNothing ? [] : [plan.target])),
    inSync: plans.flatMap((plan) => (plan.isNothing ? [plan.target] : [])),
  };
}

/**
 * The plans of a folder for reviewers. `report`: the report of the `plan` or `apply` of these plans; of a `plan` that failed, its failure.
 * @throws UsageError for a report of other plans
 */
export async function reviewFolder(
  folder: string,
  report: string | undefined,
  interruptible: Interruptible,
): Promise<ReviewedPlans | FailedPlan> {
  const text = report === undefined ? null : await textAt(report, interruptible);
  const failure = text === null ? null : readFailure(text);
  const review = reviewOfPlans();
  const plans = await eachPlan(folder, (saved) => review.add(saved));
  if (failure !== null && plans.length === 0) return { outcome: 'failed', target: null, ...failure };
  if (text === null && plans.length === 0)
    throw new UsageError(
      `${folder} has no saved plan: name with --report what \`plan --all --out ${folder} --report json=FILE\` wrote, which says why`,
    );
  const results = text === null || failure !== null ? null : readResults(text, report ?? '');
  const reviewed = review.reviewed(results);
  const theirs = results?.summary.digest ?? null;
  if (theirs !== null && theirs !== reviewed.facts.digest)
    throw new UsageError(
      `${report} is about plans with the digest ${theirs}, and those in ${folder} have ${reviewed.facts.digest}: plan again`,
    );
  return reviewed;
}

async function eachPlan<Result>(folder: string, work: (saved: SavedPlan) => Result): Promise<readonly Result[]> {
  const names = (await explained(folder, 'read', () => readdir(folder))).sort();
  const limit = pLimit(READ_AT_ONCE);
  return limit.map(names, async (name) => {
    const file = join(folder, name);
    const { saved } = approvedIn(file, await savedPlanIn(file, {}));
    if (file !== planFile(folder, saved.target))
      throw new UsageError(
        `${file} is a plan of target ${saved.target}, so its name is not that of its target: plan again`,
      );
    return work(saved);
  });
}

/** Accepts members that a newer minor version adds. @throws UsageError for another text */
function readResults(text: string, file: string): TargetsResults {
  const found = jsonIn(text);
  if (results(found)) return found;
  throw new UsageError(
    `${file} does not say what became of several targets: name a file that \`plan --all --report json=FILE\`, or the same of \`apply\`, wrote`,
  );
}
