// Plans, reports and diagnostics in, the JSON document that `--json` promises out: complete on success and on failure.

import type { ApplyReport } from '../apply/apply.ts';
import { contentOf } from '../base/content.ts';
import { type Diagnostic, FORMAT_VERSION } from '../base/model.ts';
import type { Plan } from '../plan/plan.ts';
import type { Acceptance } from '../run/accept.ts';
import type { CoverageReport } from '../tasks/coverage/report.ts';
import type { Diagnosis } from '../tasks/doctor/diagnose.ts';
import type { Subject } from '../tasks/doctor/observed.ts';
import type { DriftReport } from '../tasks/drift/report.ts';
import type { Explained } from '../tasks/show/explained.ts';
import type { Shown } from '../tasks/show/shown.ts';
import type { Tested } from '../tasks/show/tested.ts';

function document(content: Parameters<typeof contentOf>[0]): string {
  return `${JSON.stringify(contentOf(content), null, 2)}\n`;
}

/** The files of a target are right. */
export function validDocument(resources: number, diagnostics: readonly Diagnostic[]): string {
  return document({ format_version: FORMAT_VERSION, errored: false, resources, diagnostics });
}

/** What a command adds to the document of a plan, or of what became of it. */
export interface Members {
  readonly [member: string]: unknown;
}

/** The plan, with the warnings of the manifest. */
export function planDocument(plan: Plan, diagnostics: readonly Diagnostic[], more: Members = {}): string {
  return document({ ...plan, ...more, errored: false, diagnostics });
}

/** The plan and what became of each of its steps. */
export function applyDocument(
  plan: Plan,
  report: ApplyReport,
  requests: { readonly [action: string]: number },
  diagnostics: readonly Diagnostic[],
  more: Members = {},
): string {
  const results = report.results.map(({ step, outcome }) => ({
    step: step.id,
    address: step.address,
    status: outcome.status,
    id: outcome.status === 'done' ? outcome.id : null,
    error:
      outcome.status === 'failed'
        ? {
            type: outcome.error.failure.type,
            message: outcome.error.failure.message,
            debug_id: outcome.error.failure.debugId,
          }
        : null,
    because: outcome.status === 'skipped' ? outcome.because : null,
  }));
  return document({
    format_version: FORMAT_VERSION,
    errored: report.outcome !== 'done',
    outcome: report.outcome,
    message: messageOf(report),
    timed_out: report.timedOut,
    verified: report.verified,
    results,
    unsettled: report.unsettled.map(({ address, reading }) => ({ address, reading })),
    rewritten: report.rewritten,
    lost_secrets: report.lostSecrets.map(({ address, reason }) => ({ address, reason })),
    rescued_secrets: report.rescuedSecrets.map(({ address, path, reason }) => ({ address, path, reason })),
    requests_sent: requests,
    duration_ms: report.duration,
    ...more,
    plan,
    diagnostics,
  });
}

/** What a command about the ledger found or did. */
export function ledgerDocument(ledger: string, content: { readonly [member: string]: unknown }): string {
  return document({ format_version: FORMAT_VERSION, errored: false, ledger, ...content, diagnostics: [] });
}

/** What an import made of a license. */
export function importDocument(members: Members, diagnostics: readonly Diagnostic[]): string {
  return document({ format_version: FORMAT_VERSION, errored: false, ...members, diagnostics });
}

function messageOf({ failure, refused, timedOut }: ApplyReport): string | null {
  if (failure !== null) return failure.message;
  if (refused !== null) return `the lease was lost: ${refused}`;
  return timedOut ? 'the time of the run is up' : null;
}

/** There is a plan, and nothing of it was sent. */
export function notAppliedDocument(
  plan: Plan,
  message: string,
  diagnostics: readonly Diagnostic[],
  more: Members = {},
): string {
  return document({ format_version: FORMAT_VERSION, errored: true, message, ...more, plan, diagnostics });
}

/** What each check came to, and the numbers behind it. `limit` is null for what is unlimited. schemas/doctor.schema.json describes it. */
export function doctorDocument(
  { findings, summary, scopes, limits, clockSkew }: Diagnosis,
  subject: Subject | null,
  requests: { readonly [action: string]: number },
  diagnostics: readonly Diagnostic[],
): string {
  return document({
    format_version: FORMAT_VERSION,
    errored: summary.problem > 0,
    target: subject?.target ?? null,
    api_version: subject?.version ?? null,
    checks: findings,
    summary,
    scopes:
      scopes === null
        ? null
        : {
            needed: scopes.needed,
            granted: scopes.granted,
            missing_to_read: scopes.missingToRead,
            missing_to_write: scopes.missingToWrite,
            untried: scopes.untried,
          },
    limits:
      limits?.map(({ resource, kind, allowed, present, creates, deletes }) => ({
        resource,
        type: kind,
        limit: Number.isFinite(allowed) ? allowed : null,
        present,
        to_add: creates,
        to_destroy: deletes,
      })) ?? null,
    clock_skew_ms: clockSkew,
    requests_sent: requests,
    diagnostics,
  });
}

/** What one look at a license found; a look that failed is a failure like any other. schemas/drift.schema.json describes it. */
export function driftDocument(report: DriftReport, diagnostics: readonly Diagnostic[]): string {
  return document({ ...report, errored: false, diagnostics });
}

/** What `drift --accept` did to the files. */
export function acceptDocument({ taken, left, files }: Acceptance, diagnostics: readonly Diagnostic[]): string {
  return document({ format_version: FORMAT_VERSION, taken, left, files, errored: false, diagnostics });
}

/** What a license has. `isWhole`: nothing failed to be read. schemas/show.schema.json describes it. */
export function showDocument(
  shown: Shown,
  isWhole: boolean,
  requests: { readonly [action: string]: number },
  diagnostics: readonly Diagnostic[],
): string {
  return document({
    format_version: FORMAT_VERSION,
    errored: !isWhole,
    ...shown,
    requests_sent: requests,
    diagnostics,
  });
}

/** What became of the routing tests. schemas/test.schema.json describes it. */
export function testedDocument(
  outcome: Tested,
  isPassed: boolean,
  requests: { readonly [action: string]: number },
  diagnostics: readonly Diagnostic[],
): string {
  return document({
    format_version: FORMAT_VERSION,
    errored: !isPassed,
    ...outcome,
    requests_sent: requests,
    diagnostics,
  });
}

/** Which rule decides for a visitor. schemas/explain.schema.json describes it. */
export function explainedDocument(
  explanation: Explained,
  requests: { readonly [action: string]: number },
  diagnostics: readonly Diagnostic[],
): string {
  return document({
    format_version: FORMAT_VERSION,
    errored: false,
    ...explanation,
    requests_sent: requests,
    diagnostics,
  });
}

/** Who can get chats in a week. schemas/coverage.schema.json describes it. */
export function coverageDocument(
  report: CoverageReport,
  errored: boolean,
  requests: { readonly [action: string]: number },
  diagnostics: readonly Diagnostic[],
): string {
  return document({ format_version: FORMAT_VERSION, errored, ...report, requests_sent: requests, diagnostics });
}

/** What became of a comment. */
export function commentDocument(members: Members): string {
  return document({ format_version: FORMAT_VERSION, errored: false, ...members, diagnostics: [] });
}

/** What a snapshot of a license came to. */
export function snapshotDocument(members: Members): string {
  return document({ format_version: FORMAT_VERSION, errored: false, ...members, diagnostics: [] });
}

/** Nothing could be done, and why. */
export function failureDocument(message: string, diagnostics: readonly Diagnostic[]): string {
  return document({ format_version: FORMAT_VERSION, errored: true, message, diagnostics });
}
