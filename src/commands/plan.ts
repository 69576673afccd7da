// `chatform plan`: read the files, read the license or a snapshot of it, show the difference. Writes nothing but the files that it is asked for.

import { UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import type { Plan } from '../plan/plan.ts';
import { planDocument, rehearsalMember } from '../render/documents.ts';
import { diagnosticEvents, failureEvent, planEvents, rehearsalEvent } from '../render/events.ts';
import { rehearsalText } from '../render/text/apply.ts';
import { planText } from '../render/text/plan.ts';
import { NOT_REHEARSED, type Rehearsal } from '../tasks/rehearse/rehearsal.ts';
import { reviewed } from '../tasks/review/plan-result.ts';
import { connect } from './connect.ts';
import { type Events, type EventsFlags, withEvents } from './events-file.ts';
import { type PlanReportFlags, reporting, type Tell } from './plan-reports.ts';
import { sceneOf } from './plan-scene.ts';
import { type Planning, planFrom, planTarget } from './planning.ts';
import { prepare } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { reportFlags, requireDistinct } from './report-files.ts';
import { type Declared, heldToRoutes, misroutedByFiles } from './routes.ts';
import { type OutPlace, outPlace, savePlan } from './saved/out-file.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface PlanFlags extends PlanReportFlags, EventsFlags {
  /** Where the plan is saved. */
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  /** Apply it to a copy in this process, and see. */
  readonly rehearse?: boolean;
  /** The file of a snapshot: it says what there is, and nobody is asked. */
  readonly against?: string;
}

export async function plan(flags: PlanFlags, terminal: Terminal): Promise<ExitCode> {
  const { out, events, report, secretsFile } = flags;
  await requireDistinct([
    [`--out ${out}`, out],
    [`--events ${events}`, events],
    [`--secrets-file ${secretsFile}`, secretsFile],
    ...reportFlags(report),
  ]);
  return reporting(flags, terminal, (tell) => makePlan(flags, terminal, tell));
}

async function makePlan(flags: PlanFlags, terminal: Terminal, tell: Tell): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const { settings, desired } = prepared;
  const refused = (diagnostics: readonly Diagnostic[]): ExitCode => {
    tell({ outcome: 'failed', target: null, message: '', diagnostics });
    return refuse(diagnostics, terminal, flags.json === true);
  };
  if (settings === null) return refused(prepared.diagnostics);
  return withEvents('plan', prepared, flags, terminal, async (events) => {
    const stopped = (diagnostics: readonly Diagnostic[]): ExitCode => {
      events.tell(() => diagnosticEvents(diagnostics));
      return refused(diagnostics);
    };
    if (desired === null) return stopped(prepared.diagnostics);
    const declared = { ...prepared, settings, desired };
    const kept = flags.against === undefined ? [] : [flags.against];
    const place =
      flags.out === undefined ? null : await outPlace(flags.out, { ...declared, named: [...declared.named, ...kept] });
    const early = misroutedByFiles(declared);
    if (early.length > 0) return stopped(early);
    return planLicense(declared, flags, { place, tell, events, stopped }, terminal);
  });
}

/** Whom a plan is told to, beside whoever reads standard output. */
interface Audience {
  readonly place: OutPlace | null;
  readonly tell: Tell;
  readonly events: Events;
  readonly stopped: (diagnostics: readonly Diagnostic[]) => ExitCode;
}

async function planLicense(
  declared: Declared,
  flags: PlanFlags,
  { place, tell, events, stopped }: Audience,
  terminal: Terminal,
): Promise<ExitCode> {
  const planning = await planningOf(declared, flags, terminal);
  const planned = heldToRoutes(declared, planning, terminal.clock.now());
  const { plan, diagnostics } = planned;
  if (plan === null) return stopped(diagnostics);
  events.tell(() => [...diagnosticEvents(diagnostics), ...planEvents(plan)]);
  showDiagnostics(diagnostics, terminal);
  const digest = place === null ? null : await savePlan(place, { plan, planning: planned, declared, flags }, terminal);
  tell(reviewed(plan, diagnostics, digest), () => sceneOf(declared, planned.compared, terminal.clock.now()));
  const rehearsal = flags.rehearse === true ? await rehearsalOf(declared, { ...planned, plan }, terminal) : null;
  const members = rehearsal === null ? {} : { rehearsal: rehearsalMember(rehearsal) };
  if (rehearsal !== null) events.tell(() => [rehearsalEvent(rehearsal)]);
  terminal.out(
    flags.json === true
      ? planDocument(plan, diagnostics, members)
      : planText(plan, terminal.paintOut) +
          (rehearsal === null ? '' : `\n${rehearsalText(rehearsal, terminal.paintOut)}`),
  );
  // Nothing failed, and nothing was tried either: whoever asked for a rehearsal must not read a success.
  if (rehearsal?.withheld === true) return 3;
  if (rehearsal !== null && !rehearsal.passed) {
    events.tell(() => [failureEvent('the rehearsal on a copy of the license failed')]);
    return 1;
  }
  return flags.detailedExitcode === true && hasChanges(plan) ? 2 : 0;
}

/** From the license, or from a snapshot of it: then nothing is opened but that file. */
async function planningOf(declared: Declared, flags: PlanFlags, terminal: Terminal): Promise<Planning> {
  const { settings } = declared;
  if (flags.against !== undefined) {
    const { snapshotIn, snapshotSource } = await import('./snapshot-source.ts');
    const snapshot = await snapshotIn(flags.against, settings);
    if (flags.rehearse === true && !snapshot.full)
      throw new UsageError(
        '--rehearse needs the whole license, and this snapshot leaves something out: take one with `chatform snapshot --full`, or rehearse without --against',
      );
    return planFrom(declared, snapshotSource(snapshot, terminal.clock.now), flags, terminal);
  }
  const { client, signal, close } = await connect(settings, terminal, flags.quiet === true);
  try {
    return await planTarget(declared, client, flags, { ...terminal, signal });
  } finally {
    await close();
  }
}

/** One that is withheld is not tried: an apply would not begin either. */
async function rehearsalOf(
  declared: Declared,
  planning: Planning & { readonly plan: Plan },
  terminal: Terminal,
): Promise<Rehearsal> {
  if (planning.plan.withheld.length > 0) return NOT_REHEARSED;
  const { rehearse } = await import('./rehearsal.ts');
  return rehearse(declared, planning, terminal);
}

/** Whether an apply would send anything; adopting needs no request, and what is out of reach no apply can change. */
export function hasChanges(plan: Plan): boolean {
  return plan.steps.length > 0;
}
