// `chatform plan`: read the files, read the license, show the difference. Writes nothing anywhere.

import type { Diagnostic } from '../model.ts';
import type { Plan } from '../plan/plan.ts';
import { planDocument } from '../render/documents.ts';
import { planText } from '../render/plan-text.ts';
import { connect } from './connect.ts';
import { type PlanReportFlags, plannedOutcome, reporting, type Tell } from './plan-reports.ts';
import { sceneOf } from './plan-scene.ts';
import { planTarget } from './planning.ts';
import { prepare } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { heldToRoutes, misroutedByFiles } from './routes.ts';
import { outPlace, savePlan } from './saved/out-file.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface PlanFlags extends PlanReportFlags {
  readonly detailedExitcode?: boolean;
}

export async function plan(flags: PlanFlags, terminal: Terminal): Promise<ExitCode> {
  return reporting(flags, terminal, (tell) => makePlan(flags, terminal, tell));
}

async function makePlan(flags: PlanFlags, terminal: Terminal, tell: Tell): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const json = flags.json === true;
  const refused = (diagnostics: readonly Diagnostic[]): ExitCode => {
    tell({ outcome: 'failed', target: null, message: '', diagnostics });
    return refuse(diagnostics, terminal, json);
  };
  if (prepared.settings === null || prepared.desired === null) return refused(prepared.diagnostics);
  const declared = { ...prepared, desired: prepared.desired };
  const place = flags.out === undefined ? null : await outPlace(flags.out, prepared);
  const early = misroutedByFiles(declared);
  if (early.length > 0) return refused(early);
  const { client, signal, close } = await connect(prepared.settings, terminal, flags.quiet === true);
  try {
    const planning = await planTarget(declared, client, flags, { ...terminal, signal });
    const planned = heldToRoutes(declared, planning, terminal.clock.now());
    if (planned.plan === null) return refused(planned.diagnostics);
    showDiagnostics(planned.diagnostics, terminal);
    const made = { plan: planned.plan, planning: planned, declared, flags };
    const digest = place === null ? null : await savePlan(place, made, terminal);
    tell(plannedOutcome(planned.plan, planned.diagnostics, digest), () =>
      sceneOf(declared, planned.compared, terminal.clock.now()),
    );
    terminal.out(json ? planDocument(planned.plan, planned.diagnostics) : planText(planned.plan, terminal.paintOut));
    return flags.detailedExitcode === true && hasChanges(planned.plan) ? 2 : 0;
  } finally {
    await close();
  }
}

/** Whether an apply would send anything; adopting needs no request, and what is out of reach no apply can change. */
export function hasChanges(plan: Plan): boolean {
  return plan.steps.length > 0;
}
