// Subject of a comment: a saved plan, or why no plan could be made.

import { readFile } from 'node:fs/promises';
import { explained } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import type { Diagnostic } from '../../base/model.ts';
import { cautionsOf } from '../../plan/guards/cautions.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Outcome, State } from '../../render/comment/subject.ts';
import { readFailure, readSavedPlan } from '../../tasks/saved/text.ts';

export function plannedOutcome(plan: Plan, diagnostics: readonly Diagnostic[], digest: string | null): Outcome {
  return { outcome: 'planned', plan, cautions: cautionsOf(plan), diagnostics, digest };
}

export interface CommentSubject {
  /** A file of `plan --out`, or what `plan --json` printed when no plan could be made; left out when there is neither. */
  readonly plan?: string;
  /** Of the comment, when there is no plan. */
  readonly target?: string;
}

/** @throws UsageError for what cannot be read, says nothing of a plan, or cannot be true of it */
export async function outcomeFrom({ plan: file, target }: CommentSubject, state: State): Promise<Outcome> {
  const text = file === undefined ? null : await explained(file, 'read', () => readFile(file, 'utf8'));
  const failure = text === null ? { message: '', diagnostics: [] } : readFailure(text);
  if (failure === null) {
    const { plan, diagnostics, digest } = readSavedPlan(text ?? '', file ?? '');
    if (target !== undefined) throw new UsageError('--target goes without a plan only: a plan knows its target');
    return plannedOutcome(plan, diagnostics, digest);
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
