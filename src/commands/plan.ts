// `chatform plan`: read the files, read the license, show the difference. Writes nothing anywhere.

import { UsageError } from '../errors.ts';
import type { Diagnostic } from '../model.ts';
import type { Plan } from '../plan/plan.ts';
import { planDocument } from '../render/documents.ts';
import { diagnosticEvents, planEvents } from '../render/events.ts';
import { planText } from '../render/plan-text.ts';
import { rehearsalMember, rehearsalText } from '../render/rehearsal-text.ts';
import { connect } from './connect.ts';
import { type Events, type EventsFlags, withEvents } from './events-file.ts';
import { type Planning, planTarget } from './planning.ts';
import { prepare, type TargetFlags } from './prepare.ts';
import type { Rehearsal } from './rehearsal.ts';
import { refuse, showDiagnostics } from './report.ts';
import { type Declared, heldToRoutes, misroutedByFiles } from './routes.ts';
import { type OutPlace, outPlace, savePlan } from './saved/out-file.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface PlanFlags extends TargetFlags, EventsFlags {
  /** Where the plan is saved. */
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  /** Apply it to a copy in this process, and see. */
  readonly rehearse?: boolean;
}

export async function plan(flags: PlanFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const { settings, desired } = prepared;
  if (settings === null) return refuse(prepared.diagnostics, terminal, flags.json === true);
  return withEvents('plan', settings, flags, terminal, async (events) => {
    const refused = (diagnostics: readonly Diagnostic[]): ExitCode => {
      events.tell(...diagnosticEvents(diagnostics));
      return refuse(diagnostics, terminal, flags.json === true);
    };
    if (desired === null) return refused(prepared.diagnostics);
    const declared = { ...prepared, settings, desired };
    const out = flags.out === undefined ? null : await outPlace(flags.out, prepared);
    const early = misroutedByFiles(declared);
    return early.length > 0
      ? refused(early)
      : planLicense(declared, { ...flags, place: out }, { events, refused }, terminal);
  });
}

interface Telling {
  readonly events: Events;
  readonly refused: (diagnostics: readonly Diagnostic[]) => ExitCode;
}

async function planLicense(
  declared: Declared,
  flags: PlanFlags & { readonly place: OutPlace | null },
  { events, refused }: Telling,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client, signal, close } = await connect(declared.settings, terminal, flags.quiet === true);
  try {
    const made = await planTarget(declared, client, flags, { ...terminal, signal });
    const { plan, diagnostics } = heldToRoutes(declared, made, terminal.clock.now());
    if (plan === null) return refused(diagnostics);
    events.tell(...diagnosticEvents(diagnostics), ...planEvents(plan));
    showDiagnostics(diagnostics, terminal);
    const { place } = flags;
    if (place !== null) await savePlan(place, { plan, planning: { ...made, diagnostics }, declared, flags }, terminal);
    const rehearsal = flags.rehearse === true ? await rehearsalOf(declared, { ...made, plan }, terminal) : null;
    const members = rehearsal === null ? {} : { rehearsal: rehearsalMember(rehearsal) };
    terminal.out(
      flags.json === true
        ? planDocument(plan, diagnostics, members)
        : planText(plan, terminal.paintOut) +
            (rehearsal === null ? '' : `\n${rehearsalText(rehearsal, terminal.paintOut)}`),
    );
    if (rehearsal !== null && !rehearsal.passed) return 1;
    return flags.detailedExitcode === true && hasChanges(plan) ? 2 : 0;
  } finally {
    await close();
  }
}

/** @throws UsageError for a plan that could not be applied either */
async function rehearsalOf(
  declared: Declared,
  planning: Planning & { readonly plan: Plan },
  terminal: Terminal,
): Promise<Rehearsal> {
  if (planning.plan.withheld.length > 0)
    throw new UsageError(
      'a plan that is withheld cannot be rehearsed: without --rehearse the plan says what would let it go',
    );
  const { rehearse } = await import('./rehearsal.ts');
  return rehearse(declared, planning, terminal);
}

/** Whether an apply would send anything; adopting needs no request, and what is out of reach no apply can change. */
export function hasChanges(plan: Plan): boolean {
  return plan.steps.length > 0;
}
