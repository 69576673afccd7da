// `--report FORMAT=FILE` of a command that plans in; the files with what came of it, written whatever that was, out. Who interrupts it has seen nothing.

import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { cautionsOf } from '../plan/guards/cautions.ts';
import type { Plan } from '../plan/plan.ts';
import type { Outcome } from '../render/comment/subject.ts';
import { type Around, PLAN_REPORTS, type PlanReport, planRenderers } from '../render/plan-reports/renderers.ts';
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
export type Tell = (of: Outcome, scene?: Around['scene']) => void;

export function plannedOutcome(plan: Plan, diagnostics: readonly Diagnostic[], digest: string | null): Outcome {
  return { outcome: 'planned', plan, cautions: cautionsOf(plan), diagnostics, digest };
}

/** Runs `task`, and writes the reports of what it told. */
export async function reporting(
  flags: PlanReportFlags,
  terminal: Terminal,
  task: (tell: Tell) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (flags.report === undefined) return task(() => {});
  const { reports, target } = await reportsOf(flags.report, flags, terminal);
  const failed = (message: string, diagnostics: readonly Diagnostic[]): Outcome => ({
    outcome: 'failed',
    target,
    message,
    diagnostics,
  });
  let told: Outcome = failed('', []);
  let scene: Around['scene'] = null;
  try {
    const code = await task((of, around = null) => {
      scene = around;
      told = of.outcome === 'failed' ? { ...of, target: of.target ?? target } : of;
    });
    return (await written(reports, told, terminal, scene)) ? code : 1;
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
  of: Outcome,
  terminal: Terminal,
  scene: Around['scene'] = null,
): Promise<boolean> {
  const pathOf = await pathsInRepository(terminal.env);
  const around = { at: new Date(terminal.clock.now()).toISOString(), scene, pathOf };
  return areWritten(reports, (format) => planRenderers[format](of, around), terminal);
}
