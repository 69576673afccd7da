// `chatform plan`: read the files, read the license, show the difference. Writes nothing anywhere.

import type { Plan } from '../plan/plan.ts';
import { planDocument } from '../render/documents.ts';
import { planText } from '../render/plan-text.ts';
import { connect } from './connect.ts';
import { planTarget } from './planning.ts';
import { prepare, type TargetFlags } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { heldToRoutes, misroutedByFiles } from './routes.ts';
import { outPlace, savePlan } from './saved/out-file.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface PlanFlags extends TargetFlags {
  /** Where the plan is saved. */
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

export async function plan(flags: PlanFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const json = flags.json === true;
  if (prepared.settings === null || prepared.desired === null) return refuse(prepared.diagnostics, terminal, json);
  const declared = { ...prepared, desired: prepared.desired };
  const place = flags.out === undefined ? null : await outPlace(flags.out, prepared);
  const early = misroutedByFiles(declared);
  if (early.length > 0) return refuse(early, terminal, json);
  const { client, signal, close } = await connect(prepared.settings, terminal, flags.quiet === true);
  try {
    const made = await planTarget(declared, client, flags, { ...terminal, signal });
    const planned = heldToRoutes(declared, made, terminal.clock.now());
    if (planned.plan === null) return refuse(planned.diagnostics, terminal, json);
    showDiagnostics(planned.diagnostics, terminal);
    if (place !== null) await savePlan(place, { plan: planned.plan, planning: planned, declared, flags }, terminal);
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
