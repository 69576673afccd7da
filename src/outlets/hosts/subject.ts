// Subject of a comment: a saved plan, or why no plan could be made.

import { readFile } from 'node:fs/promises';
import { explained } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { type ChangeState, type PlanResult, reviewed } from '../../tasks/review/plan-result.ts';
import { readFailure, readSavedPlan } from '../../tasks/saved/text.ts';

export interface CommentSubject {
  /** A file of `plan --out`, or what `plan --json` printed when no plan could be made; left out when there is neither. */
  readonly plan?: string;
  /** Of the comment, when there is no plan. */
  readonly target?: string;
}

/** @throws UsageError for what cannot be read, says nothing of a plan, or cannot be true of it */
export async function planResultFrom({ plan: file, target }: CommentSubject, state: ChangeState): Promise<PlanResult> {
  const text = file === undefined ? null : await explained(file, 'read', () => readFile(file, 'utf8'));
  const failure = text === null ? { message: '', diagnostics: [] } : readFailure(text);
  if (failure === null) {
    const { plan, diagnostics, digest } = readSavedPlan(text ?? '', file ?? '');
    if (target !== undefined) throw new UsageError('--target goes without a plan only: a plan knows its target');
    return reviewed(plan, diagnostics, digest);
  }
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
