// The JSON documents that `--json` prints, complete on success and on failure.

import type { ApplyReport } from '../apply/apply.ts';
import type { RotateReport, RotationResult } from '../apply/rotate.ts';
import { contentOf } from '../base/content.ts';
import { type Diagnostic, FORMAT_VERSION } from '../base/model.ts';
import type { Plan } from '../plan/plan.ts';
import type { Acceptance } from '../run/accept.ts';
import type { IssuedToken } from '../run/bot-token.ts';
import type { FoundLease } from '../run/lock.ts';
import type { Rehearsal } from '../run/rehearse.ts';
import type { CoverageReport } from '../tasks/coverage/report.ts';
import type { DriftReport } from '../tasks/drift/report.ts';
import type { FollowReport } from '../tasks/follow/schema.ts';
import type { Explained, Tested } from '../tasks/show/routing-schema.ts';
import type { Shown } from '../tasks/show/schema.ts';
import type { UndoRequest } from '../tasks/undo/footprint.ts';
import type { Undoing } from '../tasks/undo/undo.ts';
import type { CustomerView } from '../tasks/verify/schema.ts';
import type { RequestCounts } from '../view/terminal/layout.ts';
import type { RescueDone, SecretOwner } from './text/secrets.ts';

/** Members of a document, by name. */
export interface DocumentMembers {
  readonly [member: string]: unknown;
}

/** Characters of a document that a person may read. A larger one is not indented, which makes it half as large. */
const READABLE = 1_000_000;

/** Every document ends with its diagnostics. */
function document(members: DocumentMembers, diagnostics: readonly Diagnostic[]): string {
  const content = contentOf({ ...members, diagnostics });
  const text = JSON.stringify(content);
  return `${text.length > READABLE ? text : JSON.stringify(content, null, 2)}\n`;
}

/** A document of a command, with its version. */
export function commandDocument(
  members: DocumentMembers,
  diagnostics: readonly Diagnostic[] = [],
  errored = false,
): string {
  return document({ format_version: FORMAT_VERSION, errored, ...members }, diagnostics);
}

/** Why nothing was done. */
export function failureDocument(message: string, diagnostics: readonly Diagnostic[]): string {
  return commandDocument({ message }, diagnostics, true);
}

/** The plan, with the warnings of the manifest. */
export function planDocument(plan: Plan, diagnostics: readonly Diagnostic[], more: DocumentMembers = {}): string {
  return document({ ...plan, ...more, errored: diagnostics.some(({ severity }) => severity === 'error') }, diagnostics);
}

/** A plan of which nothing was sent, and why. */
export function notAppliedDocument(
  plan: Plan,
  message: string,
  diagnostics: readonly Diagnostic[],
  more: DocumentMembers = {},
): string {
  return commandDocument({ message, ...more, plan }, diagnostics, true);
}

/** The plan, and the outcome of each of its steps. */
export function applyDocument(
  plan: Plan,
  report: ApplyReport,
  requests: RequestCounts,
  diagnostics: readonly Diagnostic[],
  more: DocumentMembers = {},
): string {
  const members = {
    outcome: report.outcome,
    message: messageOf(report),
    timed_out: report.timedOut,
    verified: report.verified,
    results: report.results.map(resultMember),
    unsettled: report.unsettled.map(({ address, reading }) => ({ address, reading })),
    kept_forms: report.forms,
    rewritten: report.rewritten,
    lost_secrets: report.lostSecrets.map(({ address, reason }) => ({ address, reason })),
    rescued_secrets: report.rescuedSecrets.map(({ address, path, reason }) => ({ address, path, reason })),
    requests_sent: requests,
    duration_ms: report.duration,
    ...more,
    plan,
  };
  return commandDocument(members, diagnostics, report.outcome !== 'done');
}

function messageOf({ failure, refused, timedOut }: ApplyReport): string | null {
  if (failure !== null) return failure.message;
  if (refused !== null) return `the lease was lost: ${refused}`;
  return timedOut ? 'the time of the run is up' : null;
}

function resultMember({ step, outcome }: ApplyReport['results'][number]): DocumentMembers {
  const failure = outcome.status === 'failed' ? outcome.error.failure : null;
  return {
    step: step.id,
    address: step.address,
    status: outcome.status,
    id: outcome.status === 'done' ? outcome.id : null,
    error: failure === null ? null : { type: failure.type, message: failure.message, debug_id: failure.debugId },
    because: outcome.status === 'skipped' ? outcome.because : null,
  };
}

/** `rehearsal` of the document of a plan. */
export function rehearsalMember({ passed, withheld, failed, left, diagnostics, requests }: Rehearsal) {
  return {
    passed,
    withheld,
    failed: failed.map((each) => ({ ...each })),
    left,
    problems: diagnostics.map(({ code, message }) => ({ code, message })),
    requests,
  };
}

/** What the document of an undo has in addition to the plan. */
export function undoMembers({ run, begun }: UndoRequest, { rulings, orderChangedSince }: Undoing): DocumentMembers {
  const { id, at, command, outcome, finished } = run;
  return {
    undo: {
      run: id,
      at,
      command,
      outcome,
      finished,
      begun_by: begun?.id ?? null,
      verdicts: rulings,
      order_changed_since: orderChangedSince,
    },
  };
}

/** The report of a drift check; a check that failed is a failure like any other. schemas/drift.schema.json describes it. */
export function driftDocument(report: DriftReport, diagnostics: readonly Diagnostic[]): string {
  return document({ ...report, errored: false }, diagnostics);
}

/** What `drift --accept` did to the files. */
export function acceptDocument({ taken, left, files }: Acceptance, diagnostics: readonly Diagnostic[]): string {
  return document({ format_version: FORMAT_VERSION, taken, left, files, errored: false }, diagnostics);
}

/** What a command that looks at a license found, with its requests. schemas/{show,test,explain,coverage,verify}.schema.json describe them. */
export function readingDocument(
  found: Shown | Tested | Explained | CoverageReport | CustomerView,
  errored: boolean,
  requests: RequestCounts,
  diagnostics: readonly Diagnostic[],
): string {
  return commandDocument({ ...found, requests_sent: requests }, diagnostics, errored);
}

/** `verify` of the document of an apply: as `verify --json` prints it. */
export function verifyMember(view: CustomerView, requests: RequestCounts): DocumentMembers {
  return { format_version: FORMAT_VERSION, errored: false, ...view, requests_sent: requests, diagnostics: [] };
}

/** `follow` of the document of an apply: as `follow --json` prints it. */
export function followMember(report: FollowReport, requests: RequestCounts): DocumentMembers {
  return { format_version: FORMAT_VERSION, errored: false, ...report, requests_sent: requests, diagnostics: [] };
}

/** What `lease status` and `lease release` found. */
export function leaseDocument(
  { ledger, state, record, openFrom }: FoundLease,
  { errored = false, ...more }: DocumentMembers & { readonly errored?: boolean } = {},
): string {
  const lease =
    record === null
      ? null
      : {
          generation: record.generation,
          holder: record.holder,
          since: record.since,
          renewed: record.renewed,
          open_from: openFrom,
        };
  return commandDocument({ ...more, ledger, state, lease }, [], errored);
}

/** What `secrets rotate` did, without a secret. */
export function rotateDocument(
  { outcome, results, failure }: RotateReport,
  { target, sink, requests }: { readonly target: string; readonly sink: string; readonly requests: RequestCounts },
): string {
  const secrets = results.map((result) => ({
    address: result.address,
    id: result.id,
    state: result.state,
    path: result.state === 'rescued' ? result.path : null,
    reason: reasonOf(result),
  }));
  const message = failure?.message ?? null;
  return commandDocument({ target, sink, outcome, message, secrets, requests_sent: requests }, [], outcome !== 'done');
}

function reasonOf(result: RotationResult): string | null {
  switch (result.state) {
    case 'kept':
      return null;
    case 'refused':
      return `${result.failure.type}: ${result.failure.message}`;
    default:
      return result.reason;
  }
}

/** What `secrets token` did, without the token. */
export function tokenDocument(
  { address, id, state, until, reason, requests }: IssuedToken,
  { target, sink }: { readonly target: string; readonly sink: string },
): string {
  const token = { address, id, state, until, reason };
  return commandDocument({ target, sink, token, requests_sent: requests }, [], state !== 'kept');
}

/** What `secrets rescue` did, without a secret. */
export function rescueDocument({ target, sink, files, current, outdated }: RescueDone): string {
  const named = (owners: readonly SecretOwner[]) => owners.map(({ address, id }) => ({ address, id }));
  return commandDocument({ target, sink, secrets: named(current), dropped: named(outdated), removed: files });
}
