// Plans, reports and diagnostics in, the JSON document that `--json` promises out: complete on success and on failure.

import type { ApplyReport } from '../apply/apply.ts';
import { type Diagnostic, FORMAT_VERSION } from '../model.ts';
import type { Plan } from '../plan/plan.ts';

function document(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The plan, with the warnings of the manifest. */
export function planDocument(plan: Plan, diagnostics: readonly Diagnostic[]): string {
  return document({ ...plan, errored: false, diagnostics });
}

/** The plan and what became of each of its steps. */
export function applyDocument(
  plan: Plan,
  report: ApplyReport,
  requests: { readonly [action: string]: number },
  diagnostics: readonly Diagnostic[],
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
    message: report.failure?.message ?? (report.timedOut ? 'the time of the run is up' : null),
    timed_out: report.timedOut,
    results,
    unsettled: report.unsettled.map(({ address, reading }) => ({ address, reading })),
    rewritten: report.rewritten,
    lost_secrets: report.lostSecrets,
    requests_sent: requests,
    duration_ms: report.duration,
    plan,
    diagnostics,
  });
}

/** There is a plan, and nothing of it was sent. */
export function notAppliedDocument(plan: Plan, message: string, diagnostics: readonly Diagnostic[]): string {
  return document({ format_version: FORMAT_VERSION, errored: true, message, plan, diagnostics });
}

/** Nothing could be done, and why. */
export function failureDocument(message: string, diagnostics: readonly Diagnostic[]): string {
  return document({ format_version: FORMAT_VERSION, errored: true, message, diagnostics });
}
