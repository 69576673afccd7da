// The plan that a comment is about, or why none could be made, read from the file that a job left.

import { type Interruptible, textAt } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { type ChangeState, type FailedPlan, reviewedSaved } from '../../plan/review/plan-result.ts';
import { readFailure, readSavedPlan } from '../../plan/saved/text.ts';
import type { SeenPlan } from '../plan/customers.ts';
import { customersIn } from '../test/customer/read-results.ts';

export interface CommentSubject {
  /** A file of `plan --out`, or what `plan --json` printed when no plan could be made; left out when there is neither. */
  readonly plan?: string;
  /** Of the comment, when there is no plan. */
  readonly target?: string;
  /** A file of `test --on customer --json`, or of `apply --json` that tested the license as customers see it. */
  readonly results?: string;
}

/** @throws UsageError for what cannot be read, says nothing of a plan, or cannot be true of it */
export async function planResultFrom(
  { plan: file, target, results }: CommentSubject,
  state: ChangeState,
  interruptible: Interruptible,
): Promise<SeenPlan | FailedPlan> {
  if (results !== undefined && (state === 'plan' || state === 'applying'))
    throw new UsageError(
      `--results is said of an apply that has ended, and not of --state ${state}: use applied or failed`,
    );
  const text = file === undefined ? null : await textAt(file, interruptible);
  const failure = text === null ? { message: '', diagnostics: [] } : readFailure(text);
  if (failure === null) {
    const saved = readSavedPlan(text ?? '', file ?? '');
    if (target !== undefined) throw new UsageError('--target goes without a plan only: a plan knows its target');
    const customers =
      results === undefined ? null : await customersIn(results, saved, interruptible, { isFailed: state === 'failed' });
    return { ...reviewedSaved(saved), ...(customers === null ? {} : { customers }) };
  }
  if (results !== undefined)
    throw new UsageError('--results is said of a plan: name the file of `plan --out` with --plan');
  if (state === 'applying' || state === 'applied')
    throw new UsageError(`--state ${state} is said of a plan: name the file of \`plan --out\` with --plan`);
  if (target === undefined)
    throw new UsageError(
      file === undefined
        ? 'name the file of `plan --out` with --plan; where no plan could be made, name the target with --target'
        : `${file} says that no plan could be made, and not of which target: name it with --target`,
    );
  const { message, diagnostics } = failure;
  return { outcome: 'failed', target, message, diagnostics };
}
