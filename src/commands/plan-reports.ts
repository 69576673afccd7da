// `--report FORMAT=FILE` of a command that plans in; the files with what came of it, written whatever that was, out. Who interrupts it has seen nothing.

import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { PLAN_REPORTS, type PlanReport, planRenderers, type ReportContext } from '../render/reports/formats.ts';
import type { PlanResult } from '../tasks/review/plan-result.ts';
import { prepareTarget, type TargetFlags } from './prepare.ts';
import { diagnosticsOf, messageOf } from './report.ts';
import { areWritten, filesOf, parseReports, type ReportFile } from './report-files.ts';
import { pathsInRepository } from './repository.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface PlanReportFlags extends TargetFlags {
  /** `FORMAT=FILE`. */
  readonly report?: readonly string[];
}

/** Says what came of planning; the last word counts. */
export type Tell = (of: PlanResult, pictures?: ReportContext['pictures']) => void;

/** Runs `task`, and writes the reports of what it told. */
export async function reporting(
  flags: PlanReportFlags,
  terminal: Terminal,
  task: (tell: Tell) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (flags.report === undefined) return task(() => {});
  const { reports, target } = await reportsOf(flags.report, flags, terminal);
  const failed = (message: string, diagnostics: readonly Diagnostic[]): PlanResult => ({
    outcome: 'failed',
    target,
    message,
    diagnostics,
  });
  let told: PlanResult = failed('', []);
  let pictures: ReportContext['pictures'] = null;
  try {
    const code = await task((of, around = null) => {
      pictures = around;
      told = of.outcome === 'failed' ? { ...of, target: of.target ?? target } : of;
    });
    return (await written(reports, told, terminal, pictures)) ? code : 1;
  } catch (error) {
    if (!terminal.signal.aborted) await written(reports, failed(messageOf(error), diagnosticsOf(error)), terminal);
    throw error;
  }
}

/** Why there are no settings the task finds out, and its reports say. */
async function reportsOf(values: readonly string[], flags: PlanReportFlags, terminal: Terminal) {
  const { settings } = await prepareTarget(flags, terminal).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    return { settings: null };
  });
  const reports = await parseReports(values, PLAN_REPORTS, settings === null ? [] : filesOf(settings, {}));
  return { reports, target: settings?.name ?? null };
}

async function written(
  reports: readonly ReportFile<PlanReport>[],
  of: PlanResult,
  terminal: Terminal,
  pictures: ReportContext['pictures'] = null,
): Promise<boolean> {
  const pathOf = await pathsInRepository(terminal.env);
  const around = { at: new Date(terminal.clock.now()).toISOString(), pictures, pathOf };
  return areWritten(reports, (format) => planRenderers[format](of, around), terminal);
}
