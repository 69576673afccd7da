// `chatform apply`: plan, show it, ask, do it, prove it, report it.

import { type ApplyEvent, type ApplyReport, apply as applyPlan } from '../apply/apply.ts';
import type { Ended } from '../apply/execute.ts';
import { rescueBeside } from '../apply/rescue.ts';
import type { Desired, Diagnostic } from '../base/model.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tenure } from '../ledger/tenure.ts';
import type { PlanOptions } from '../plan/assemble.ts';
import type { Plan } from '../plan/plan.ts';
import type { TargetSettings } from '../project/settings.ts';
import { applyDocument, type DocumentMembers, notAppliedDocument } from '../render/documents.ts';
import { applyEvents, diagnosticEvents, failureEvent, planEvents, summaryEvent } from '../render/events.ts';
import { plain } from '../render/plain.ts';
import { type ApplyCommand, progressLines, reportText } from '../render/text/apply.ts';
import { planText, summaryLine, withheldText } from '../render/text/plan.ts';
import { confirm, type Refused } from './confirm.ts';
import { type Connection, connect } from './connect.ts';
import { type Events, type EventsFlags, withEvents } from './events-file.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { afterTheWindow } from './first-run.ts';
import { lockOf, lossOf, type Work, whileLocked } from './lock.ts';
import type { Log } from './log.ts';
import { hasChanges } from './plan.ts';
import { planTarget } from './planning.ts';
import { prepare, type TargetFlags } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import { requireDistinct } from './report-files.ts';
import { type Declared, heldToRoutes, misroutedByFiles } from './routes.ts';
import { type Approved, acknowledging, approvedBy, foreignTo, heldTo, refuseForeign } from './saved/approved.ts';
import { sinkOf } from './secrets/sink.ts';
import { delayOf } from './source.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface ApplyFlags extends TargetFlags, EventsFlags {
  /** The file of a saved plan: only what it does is done. */
  readonly saved?: string;
  /** Go ahead without asking. */
  readonly yes?: boolean;
  /** Look whether it took effect; default: yes. */
  readonly verify?: boolean;
  /** A new ledger does not wait for what another run may just have created. */
  readonly assumeSettled?: boolean;
}

export async function apply(given: ApplyFlags, terminal: Terminal): Promise<ExitCode> {
  await requireDistinct([
    [String(given.saved), given.saved],
    [`--events ${given.events}`, given.events],
    [`--secrets-file ${given.secretsFile}`, given.secretsFile],
  ]);
  const { approved, narrowed: flags } = await approvedBy(given.saved, given);
  const prepared = await prepare(flags, terminal);
  const json = flags.json === true;
  if (prepared.settings === null) return refuse(prepared.diagnostics, terminal, json);
  const { settings, desired } = prepared;
  return withEvents('apply', prepared, flags, terminal, (events) => {
    const foreign = approved === null ? null : foreignTo(approved, settings);
    if (foreign !== null) {
      events.tell(() => [failureEvent(foreign)]);
      return refuseForeign(foreign, terminal, json);
    }
    const declared = desired === null ? null : { ...prepared, desired };
    const wrong = declared === null ? prepared.diagnostics : misroutedByFiles(declared);
    if (declared === null || wrong.length > 0) {
      events.tell(() => diagnosticEvents(wrong));
      return refuse(wrong, terminal, json);
    }
    return whileLocked(lockOf(settings, flags), workOf('apply', events, json), terminal, (tenure) =>
      applyLocked(declared, approved, { tenure, events }, flags, terminal),
    );
  });
}

/** Work that whoever reads along is told of, also when somebody else has the lease. */
export function workOf(command: ApplyCommand, events: Events, json: boolean): Work {
  return { command, json, onLocked: (message) => events.tell(() => [failureEvent(message)]) };
}

/** From the first reading on nobody else changes the license from here: what is planned is what is applied. */
async function applyLocked(
  declared: Declared,
  approved: Approved | null,
  { tenure, events }: { readonly tenure: Tenure; readonly events: Events },
  flags: ApplyFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const prepared = acknowledging(declared, approved);
  const { settings, desired } = prepared;
  const connection = await connect(settings, terminal, flags.quiet === true, { tenure });
  try {
    const watched = { ...terminal, signal: connection.signal };
    const look = () => planTarget(prepared, connection.client, flags, watched);
    const first = await look();
    const made = flags.assumeSettled === true ? first : await afterTheWindow(first, look, watched);
    const planned = heldToRoutes(prepared, made, terminal.clock.now());
    const { ledger, options, diagnostics } = planned;
    events.tell(() => diagnosticEvents(diagnostics));
    if (planned.plan === null) return refuse(diagnostics, terminal, flags.json === true);
    showDiagnostics(diagnostics, terminal);
    const held =
      approved === null
        ? { plan: planned.plan }
        : heldTo(approved, { plan: planned.plan, planning: planned, declared }, flags, terminal);
    if ('ended' in held) {
      events.tell(() => [failureEvent(held.message)]);
      return held.ended;
    }
    const { plan } = held;
    const intended = {
      command: 'apply',
      so: 'make it so',
      settings,
      plan,
      desired,
      options,
      ledger,
      past: planned.events,
      diagnostics,
      events,
    } as const;
    return await carryOut(
      { ...intended, preview: () => planText(plan, terminal.paintOut), members: {}, closing: '', done: 0 },
      connection,
      tenure,
      // Whoever saved the plan and hands it over has said yes.
      approved === null ? flags : { ...flags, yes: true },
      terminal,
    );
  } finally {
    await connection.close();
  }
}

/** A plan, and how it is spoken of. */
export interface Intended {
  /** What the ledger calls the run, and the word that confirms it. */
  readonly command: ApplyCommand;
  /** What saying the word does. */
  readonly so: string;
  readonly settings: TargetSettings;
  readonly plan: Plan;
  readonly desired: Desired;
  readonly options: PlanOptions;
  readonly ledger: Ledger;
  /** What it said when the plan was made, with the lease held since. */
  readonly past: readonly LedgerEvent[];
  readonly diagnostics: readonly Diagnostic[];
  /** Who reads along. */
  readonly events: Events;
  /** What a person reads before saying it. */
  readonly preview: () => string;
  /** What the document has beside the plan. */
  readonly members: DocumentMembers;
  /** What a person should know after it; may be empty. */
  readonly closing: string;
  /** The exit code when all of it was done. */
  readonly done: ExitCode;
}

/** Shows a plan, asks, does it, proves it and reports it. */
export async function carryOut(
  intended: Intended,
  { client, signal }: Pick<Connection, 'client' | 'signal'>,
  tenure: Tenure,
  flags: ApplyFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { command, so, settings, plan, desired, options, ledger, past, diagnostics, events, preview, members } =
    intended;
  const json = flags.json === true;
  events.tell(() => planEvents(plan));
  if (!json && flags.quiet !== true) terminal.out(preview());
  const stop = (await gate(plan, { command, so }, flags, terminal)) ?? (await lossOf(tenure, terminal));
  if (stop !== null) {
    // What withholds it was told with the plan.
    if (plan.withheld.length === 0) events.tell(() => [failureEvent(stop.message)]);
    if (json) terminal.out(notAppliedDocument(plan, stop.message, diagnostics, members));
    return stop.code;
  }
  const before = client.requests();
  let ended = 0;
  const report = await applyPlan({
    command,
    plan,
    desired,
    options,
    client,
    ledger,
    past,
    sink: sinkOf(settings, terminal),
    rescue: rescueBeside(settings.ledger),
    clock: terminal.clock,
    signal,
    window: delayOf(settings, client).window,
    propagationTimeout: flags.verify === false ? null : settings.propagationTimeout,
    refused: tenure.refused,
    onEvent: (event) => {
      logEvent(event, terminal);
      if (event.type === 'ended') ended += event.results.length;
      events.tell(() => applyEvents(event, { ended, total: plan.steps.length }));
      if (flags.quiet === true && event.type !== 'waiting') return;
      for (const line of progressLines(event, terminal.paintErr)) terminal.err(`${line}\n`);
    },
  });
  const requests = client.requests();
  terminal.out(
    json
      ? applyDocument(plan, report, requests, diagnostics, members)
      : hasChanges(plan) || report.outcome !== 'done'
        ? `${flags.quiet === true ? '' : '\n'}${reportText(plan, report, since(before, requests), terminal.paintOut, command)}${intended.closing}`
        : adoptedText(plan),
  );
  const code = exitCode(report) || intended.done;
  events.tell(() => [summaryEvent(report, code)]);
  return code;
}

/** Whoever lost the lease before anything was sent is as good as locked out. */
function exitCode({ outcome, refused, failure, results }: ApplyReport): ExitCode {
  const isUntouched = failure === null && results.every(({ outcome: { status } }) => status === 'not-sent');
  return outcome === 'failed' && refused !== null && isUntouched ? 4 : EXIT_CODES[outcome];
}

type Counts = { readonly [action: string]: number };

/** What was sent after the plan. */
function since(before: Counts, now: Counts): Counts {
  const counts = Object.entries(now).map(([action, count]) => [action, count - (before[action] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function logEvent(event: ApplyEvent, { log }: Terminal): void {
  switch (event.type) {
    case 'sending':
      log('debug', 'sending', { steps: event.steps.map(({ id }) => id) });
      break;
    case 'ended':
      for (const result of event.results) logEnd(result, log);
      break;
    case 'waiting':
      log('debug', 'waiting', {
        elapsed_ms: event.elapsed,
        unsettled: event.unsettled.map(({ address }) => address),
      });
  }
}

function logEnd({ step, outcome }: Ended, log: Log): void {
  if (outcome.status !== 'failed') {
    log('debug', outcome.status, { step: step.id });
    return;
  }
  const { type, message, debugId } = outcome.error.failure;
  log('error', 'failed', { step: step.id, error: type, reason: message, debug_id: debugId });
}

function adoptedText(plan: Plan): string {
  return plan.summary.adopt === 0
    ? ''
    : `Adopted ${plan.summary.adopt} without a request: from now on they are ours.\n`;
}

/** Why nothing is sent; null to go on. */
async function gate(
  plan: Plan,
  { command, so }: Pick<Intended, 'command' | 'so'>,
  flags: ApplyFlags,
  terminal: Terminal,
): Promise<Refused | null> {
  if (plan.withheld.length > 0) {
    const message = plan.withheld.map((withheld) => plain(withheld.message)).join('; ');
    // Who sees the plan on stdout sees it there, with what to do about it.
    if (flags.json === true) terminal.err(`${terminal.paintErr('error', 'Withheld:')} ${message}\n`);
    else if (flags.quiet === true) terminal.err(withheldText(plan, terminal.paintErr));
    if (flags.json !== true) terminal.err('Nothing was changed.\n');
    return { code: 3, message: `withheld: ${message}` };
  }
  if (flags.yes === true || !hasChanges(plan)) return null;
  const question = summaryLine(plan, terminal.paintErr);
  return confirm({ question, word: command, so, yes: false }, terminal);
}
