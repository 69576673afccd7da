// Outcome of a call of the library for one of several targets.

import { asError, isUnreached } from '../base/errors.ts';
import { sumOf } from '../base/grouped.ts';
import type { TargetEnd } from '../fleet/drive.ts';
import type { AppliedPlan } from './open-target.ts';

/** What became of one target. `not begun`: the signal came before, or the run stopped. */
export type TargetOutcome<Result> =
  | { readonly target: string; readonly outcome: 'done'; readonly result: Result }
  | { readonly target: string; readonly outcome: 'failed' | 'unreachable' | 'interrupted'; readonly error: Error }
  | { readonly target: string; readonly outcome: 'not begun' };

/** `in part`: the report says what did not take effect, or was not proven. `in sync`: its plan does nothing, so nothing was sent. */
export type ApplyOutcome =
  | TargetOutcome<AppliedPlan>
  | { readonly target: string; readonly outcome: 'in part'; readonly result: AppliedPlan }
  | { readonly target: string; readonly outcome: 'in sync' };

export function failedOutcome(
  target: string,
  error: unknown,
): Extract<TargetOutcome<never>, { readonly error: Error }> {
  return { target, outcome: isUnreached(error) ? 'unreachable' : 'failed', error: asError(error) };
}

/** A plan of which nothing took effect has failed for the reason of its first request. */
export function appliedOutcome(target: string, result: AppliedPlan): ApplyOutcome {
  const { outcome, results } = result.report;
  if (outcome === 'done') return { target, outcome, result };
  const [error] = results.flatMap(({ outcome: of }) => (of.status === 'failed' ? [of.error] : []));
  return outcome === 'failed' && error !== undefined
    ? failedOutcome(target, error)
    : { target, outcome: 'in part', result };
}

/** What the budgets of a run count. */
export function targetEndOf(outcome: ApplyOutcome): TargetEnd {
  const requests = 'result' in outcome ? sumOf(outcome.result.requests) : 0;
  const ended = { message: 'error' in outcome ? outcome.error.message : null, requests, summary: null };
  switch (outcome.outcome) {
    case 'done':
      return { state: 'done', code: 0, ...ended };
    case 'unreachable':
      return { state: 'unreachable', code: 1, ...ended };
    default:
      return { state: 'failed', code: outcome.outcome === 'in part' ? 6 : 1, ...ended };
  }
}
