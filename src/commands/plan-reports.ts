// Report files of a plan (`--report FORMAT=FILE`), also written when planning failed.

import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { parseReports, reportsWith } from '../outlets/report-files.ts';
import { pathsInRepository } from '../outlets/repository.ts';
import { PLAN_REPORTS, planRenderers, type ReportContext } from '../render/reports/formats.ts';
import { type Choice, prepareTarget } from '../run/prepare.ts';
import type { FailedPlan, PlanResult } from '../tasks/review/plan-result.ts';
import { diagnosticsOf, messageOf } from './failure.ts';
import { keptFiles } from './kept-files.ts';
import { type Result, resultOf } from './result.ts';
import type { Terminal } from './terminal.ts';

/** Result of a command that plans, with what its reports show. */
export interface ReportedResult extends Result {
  readonly of: PlanResult;
  /** The license around the plan; made only for a report. */
  readonly pictures?: NonNullable<ReportContext['pictures']>;
}

export function failedPlan(message: string, diagnostics: readonly Diagnostic[]): FailedPlan {
  return { outcome: 'failed', target: null, message, diagnostics };
}

/** The result of `work`, or of its failure, with the report files. An interrupted plan has no reports. */
export async function withPlanReports(
  values: readonly string[] | undefined,
  choice: Choice,
  terminal: Terminal,
  work: () => Promise<ReportedResult>,
): Promise<Result> {
  if (values === undefined) return work();
  const { settings } = await prepareTarget(choice, terminal).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    // The work meets the same error, and the reports say it.
    return { settings: null };
  });
  const reports = await parseReports(values, PLAN_REPORTS, settings === null ? [] : keptFiles(settings));
  let isInterrupted = false;
  const { of, pictures, ...result } = await work().catch((error: unknown): ReportedResult => {
    isInterrupted = terminal.signal.aborted;
    return { ...resultOf(error, terminal), of: failedPlan(messageOf(error), diagnosticsOf(error)) };
  });
  if (isInterrupted) return result;
  const outcome = of.outcome === 'failed' ? { ...of, target: of.target ?? settings?.name ?? null } : of;
  const around = {
    at: new Date(terminal.clock.now()).toISOString(),
    pictures: pictures ?? null,
    pathOf: await pathsInRepository(terminal.env),
  };
  return { ...result, files: reportsWith(reports, (format) => planRenderers[format](outcome, around)) };
}
