// Ends of the steps of a run.

import type { ApiError } from '../base/errors.ts';
import type { Address, ObjectId } from '../base/model.ts';
import type { Step } from '../plan/plan.ts';

/** What became of a step. */
export type Outcome =
  | { readonly status: 'done'; readonly id: ObjectId | null }
  | { readonly status: 'failed'; readonly error: ApiError }
  /** A step it waits for did not succeed. */
  | { readonly status: 'skipped'; readonly because: string }
  /** The run was stopped before it was sent. */
  | { readonly status: 'not-sent' };

export interface Ended {
  readonly step: Step;
  readonly outcome: Outcome;
}

/** The one-time secret of a created object; null when the reply should have told it and did not. */
export interface ToldSecret {
  readonly address: Address;
  readonly id: ObjectId;
  readonly secret: string | null;
}

/** Step id -> outcome, for every step of the plan. */
export type Outcomes = ReadonlyMap<string, Outcome>;
