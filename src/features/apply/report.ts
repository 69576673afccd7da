// How an apply ended, as plain data: documents, logs of runs and views have it.

import type { ApplyReport } from '../../apply/apply.ts';
import type { KeptForm, StepResult } from '../../apply/outcome.ts';
import { type ApiFailure, InternalError } from '../../base/errors.ts';
import type { Address, ObjectId } from '../../base/model.ts';
import type { RunOutcome } from '../../ledger/events.ts';
import type { Requests } from '../../license/connect.ts';
import type { ExitCode, KnownOutcome } from '../../many/operation.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import type { Mismatch } from '../../plan/saved/match.ts';
import type { SavedPlan } from '../../plan/saved/saved-plan.ts';
import type { CustomersSeen } from '../test/customer/read-customer.ts';

/** The end of one step. */
export interface EndedStep {
  readonly step: Step['id'];
  readonly address: Address | null;
  readonly status: StepResult['outcome']['status'];
  /** Of the object that it made, or wrote. */
  readonly id: ObjectId | null;
  readonly error: {
    readonly action: string;
    readonly type: string;
    readonly message: string;
    readonly debug_id: string | null;
  } | null;
  /** The step without which it was skipped. */
  readonly because: string | null;
}

export interface EndedApply {
  readonly outcome: RunOutcome;
  /** Why not all of it was sent; null where nothing stopped it. */
  readonly message: string | null;
  readonly stopped_by: 'error' | 'lease' | 'time' | null;
  readonly verified: boolean;
  readonly results: readonly EndedStep[];
  readonly unsettled: readonly { readonly address: Address; readonly reading: string }[];
  readonly kept_forms: readonly KeptForm[];
  readonly rewritten: readonly Address[];
  readonly lost_secrets: readonly { readonly address: Address; readonly reason: string }[];
  readonly rescued_secrets: readonly { readonly address: Address; readonly path: string; readonly reason: string }[];
  readonly duration_ms: number;
}

/** What became of a plan. `unchanged`: nothing is to be done, as an earlier plan says. */
export type ApplyEnd =
  | { readonly type: 'withheld' | 'unchanged' }
  | {
      readonly type: 'mismatch';
      readonly file: string;
      readonly digest: string;
      readonly created_at: string;
      /** The hours that the approved plan was made for; null where none depend on the date. */
      readonly dated: string | null;
      readonly mismatch: Mismatch;
    }
  | {
      readonly type: 'ended';
      /** What the ledger and `history` call it. */
      readonly run: string;
      readonly report: EndedApply;
      /** After the plan was made. */
      readonly sent: Requests;
    };

export interface AppliedTarget {
  readonly plan: Plan;
  readonly end: ApplyEnd;
  /** What customers see after it, or why that is not known; null where it was not asked for, or not all was done. */
  readonly customers: CustomersSeen | { readonly failure: string } | null;
}

/** What a saved plan that does nothing comes to, without a request. */
export function unchangedBy({ target, plan, created_at: at, diagnostics }: SavedPlan): KnownOutcome<AppliedTarget> {
  const value = { plan, end: { type: 'unchanged' }, customers: null } as const;
  const about = { target, at, diagnostics, requests: null, seconds: 0, problems: [] };
  return { ...about, operation: 'apply', state: 'known', value };
}

export function endedApply(report: ApplyReport): EndedApply {
  const { outcome, verified, results, unsettled, forms, rewritten, lostSecrets, rescuedSecrets, duration } = report;
  return {
    outcome,
    ...stopOf(report),
    verified,
    results: results.map(endedStep),
    unsettled: unsettled.map(({ address, reading }) => ({ address, reading })),
    kept_forms: forms,
    rewritten,
    lost_secrets: lostSecrets.map(({ address, reason }) => ({ address, reason })),
    rescued_secrets: rescuedSecrets.map(({ address, path, reason }) => ({ address, path, reason })),
    duration_ms: duration,
  };
}

function stopOf({ failure, refused, timedOut }: ApplyReport): Pick<EndedApply, 'message' | 'stopped_by'> {
  if (failure !== null) {
    const bug = failure instanceof InternalError ? 'this is a bug in chatform: ' : '';
    return { stopped_by: 'error', message: `${bug}${failure.message}` };
  }
  if (refused !== null) return { stopped_by: 'lease', message: `the lease was lost: ${refused}` };
  return timedOut ? { stopped_by: 'time', message: 'the time of the run is up' } : { stopped_by: null, message: null };
}

export function endedStep({ step, outcome }: StepResult): EndedStep {
  const failure = outcome.status === 'failed' ? outcome.error.failure : null;
  return {
    step: step.id,
    address: step.address,
    status: outcome.status,
    id: outcome.status === 'done' ? outcome.id : null,
    error: failure === null ? null : errorOf(failure),
    because: outcome.status === 'skipped' ? outcome.because : null,
  };
}

function errorOf({ action, type, message, debugId }: ApiFailure): NonNullable<EndedStep['error']> {
  return { action, type, message, debug_id: debugId };
}

/** `create_group: validation: the name is taken`. */
export function errorText({ action, type, message }: NonNullable<EndedStep['error']>): string {
  return `${action}: ${type}: ${message}`;
}

/** Exit code of each way in which a run can end. */
export const RUN_CODES: { readonly [outcome in RunOutcome]: ExitCode } = {
  done: 0,
  failed: 1,
  partial: 6,
  unsettled: 6,
  interrupted: 130,
};

/** A run that lost the lease before its first request was locked out. */
export function codeOfEnd({ outcome, stopped_by: by, results }: EndedApply): ExitCode {
  const isUntouched = by === 'lease' && results.every(({ status }) => status === 'not-sent');
  return outcome === 'failed' && isUntouched ? 4 : RUN_CODES[outcome];
}

/** Why not all of a plan was done, in one line. */
export function causeText({ message, stopped_by: by, results, unsettled, outcome }: EndedApply): string {
  if (by === 'error' && message !== null) return message;
  const failed = results.flatMap(({ step, address, error }) =>
    error === null ? [] : [`${address ?? step}: ${errorText(error)}`],
  );
  const late = unsettled.map(({ address, reading }) => `${address}: not readable yet: ${reading}`);
  const lost = by === 'lease' ? [`${message}, so nothing more was sent`] : [];
  const [first, ...others] = [...failed, ...lost, ...late];
  if (first === undefined) return outcome === 'interrupted' ? 'interrupted' : 'not all of the plan was done';
  return others.length === 0 ? first : `${first} (and ${others.length} more)`;
}

/** What was done of a plan that was not done as a whole. */
export function doneIn({ steps }: Plan, { results }: EndedApply): { readonly [column: string]: number } {
  const done = new Set(results.flatMap(({ step, status }) => (status === 'done' ? [step] : [])));
  const operations = steps.filter(({ id }) => done.has(id)).map(({ operation }) => operation);
  const of = (...wanted: readonly Step['operation'][]): number =>
    operations.filter((each) => wanted.includes(each)).length;
  return { add: of('create'), change: of('update', 'transition'), destroy: of('delete') };
}
