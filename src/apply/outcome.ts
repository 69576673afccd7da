// Ends of the steps of a run, what does not read back after it, and how the run as a whole ended.

import type { ApiError } from '../base/errors.ts';
import type { Address, Json, ObjectId, Place } from '../base/model.ts';
import type { RunOutcome } from '../ledger/events.ts';
import type { FieldChange, Plan, Step } from '../plan/plan.ts';
import { isTimeUp } from '../service/patience/deadline.ts';

export type ApplyOutcome =
  | { readonly status: 'done'; readonly id: ObjectId | null }
  | { readonly status: 'failed'; readonly error: ApiError }
  /** A step that it waits for did not succeed. */
  | { readonly status: 'skipped'; readonly because: string }
  /** The run was stopped before the step was sent. */
  | { readonly status: 'not-sent' };

export interface StepResult {
  readonly step: Step;
  readonly outcome: ApplyOutcome;
}

/** Step id -> outcome, for every step of the plan. */
export type Outcomes = ReadonlyMap<string, ApplyOutcome>;

/** A resource that was written and does not read back yet. */
export interface Unsettled {
  readonly address: Address;
  /** The present reading, for people. */
  readonly reading: string;
  readonly fields: readonly FieldChange[];
}

/** A value that the service keeps in another form than it was written. */
export interface KeptForm {
  readonly address: Address;
  readonly field: string;
  readonly written: Json;
  /** The whole value of the field as it reads now. */
  readonly read: Json;
  /** Where the manifest declares the field; null where nothing does. */
  readonly place: Place | null;
}

/** Whether it is unknown if the step took effect: there was no answer, or one that does not say. */
export function isUnsure(outcome: ApplyOutcome): boolean {
  return outcome.status === 'failed' && outcome.error.failure.ambiguous;
}

/** `isSecretAmiss`: a one-time secret did not reach its sink. */
export function outcomeOf(
  plan: Plan,
  outcomes: Outcomes,
  unsettled: readonly Unsettled[],
  isSecretAmiss: boolean,
  signal: AbortSignal,
): RunOutcome {
  const statuses = plan.steps.map(({ id }) => outcomes.get(id)?.status);
  if (signal.aborted && !isTimeUp(signal) && (statuses.includes('not-sent') || unsettled.length > 0))
    return 'interrupted';
  const changedNothing = [...outcomes.values()].every((outcome) => outcome.status !== 'done' && !isUnsure(outcome));
  if (!isSecretAmiss && statuses.length > 0 && changedNothing) return 'failed';
  if (isSecretAmiss || statuses.some((status) => status !== 'done')) return 'partial';
  return unsettled.length > 0 ? 'unsettled' : 'done';
}
