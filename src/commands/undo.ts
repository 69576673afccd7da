// `chatform undo [RUN]`: what a run found is what the license is led back to, by an ordinary plan. Reads no manifest, and changes none.

import { UsageError } from '../base/errors.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import type { Tenure } from '../ledger/tenure.ts';
import type { TargetSettings } from '../project/settings.ts';
import { planDocument, undoMembers } from '../render/documents.ts';
import { planEvents } from '../render/events.ts';
import { afterUndoText, undoText, withoutUnmanaged } from '../render/text/undo.ts';
import { footprintOf } from '../tasks/undo/footprint.ts';
import { runToUndo, type UndoableRun } from '../tasks/undo/runs.ts';
import { lookedAt, planUndo, type Undoing } from '../tasks/undo/undo.ts';
import { type ApplyFlags, carryOut, workOf } from './apply.ts';
import { type Connection, connect } from './connect.ts';
import { type Events, withEvents } from './events-file.ts';
import { judged } from './judged.ts';
import { lockOf, whileLocked } from './lock.ts';
import { planOptions, planTarget } from './planning.ts';
import { prepareTarget } from './prepare.ts';
import { refuse } from './report.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface UndoFlags extends ApplyFlags {
  /** Only look. */
  readonly plan?: boolean;
}

/** A target, and what of it is to be looked at. */
interface Subject {
  readonly settings: TargetSettings;
  readonly clients: readonly string[];
  /** As the person named it; null for the last. */
  readonly wanted: string | null;
}

export async function undo(wanted: string | null, flags: UndoFlags, terminal: Terminal): Promise<ExitCode> {
  if (flags.var !== undefined) throw new UsageError('undo reads no manifest, so it has no use for --var');
  const { settings, clients, diagnostics } = await prepareTarget(flags, terminal);
  const json = flags.json === true;
  if (settings === null) return refuse(diagnostics, terminal, json);
  const subject = { settings, clients, wanted };
  return withEvents('undo', { settings }, flags, terminal, (events) =>
    flags.plan === true
      ? show(subject, events, flags, terminal)
      : whileLocked(lockOf(settings, flags), workOf('undo', events, json), terminal, (tenure) =>
          undoLocked(subject, { tenure, events }, flags, terminal),
        ),
  );
}

async function show(subject: Subject, events: Events, flags: UndoFlags, terminal: Terminal): Promise<ExitCode> {
  const connection = await connect(subject.settings, terminal, flags.quiet === true);
  try {
    const { run, undoing } = await planned(subject, connection, flags, terminal);
    events.tell(() => planEvents(withoutUnmanaged(undoing.plan)));
    terminal.out(documentOrText(run, undoing, flags, terminal));
    return 0;
  } finally {
    await connection.close();
  }
}

function documentOrText(run: UndoableRun, undoing: Undoing, flags: UndoFlags, terminal: Terminal): string {
  return flags.json === true
    ? planDocument(withoutUnmanaged(undoing.plan), [], undoMembers(run, undoing))
    : undoText(run, undoing, terminal.paintOut);
}

async function undoLocked(
  subject: Subject,
  { tenure, events }: { readonly tenure: Tenure; readonly events: Events },
  flags: UndoFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { settings } = subject;
  const connection = await connect(settings, terminal, flags.quiet === true, { tenure });
  try {
    const { run, undoing, ledger, past } = await planned(subject, connection, flags, terminal);
    const { plan, desired, options } = undoing;
    if (plan.steps.length === 0) {
      events.tell(() => planEvents(withoutUnmanaged(plan)));
      terminal.out(documentOrText(run, undoing, flags, terminal));
      return completeness(undoing);
    }
    return await carryOut(
      {
        command: 'undo',
        so: 'take it back',
        settings,
        plan,
        desired,
        options,
        ledger,
        past,
        diagnostics: [],
        events,
        preview: () => undoText(run, undoing, terminal.paintOut),
        members: undoMembers(run, undoing),
        closing: afterUndoText(undoing),
        done: completeness(undoing),
      },
      connection,
      tenure,
      flags,
      terminal,
    );
  } finally {
    await connection.close();
  }
}

/** What was left out because it is not what the run left any more makes the undo one in part. */
function completeness({ rulings, orderChangedSince, plan }: Undoing): ExitCode {
  const isInPart = orderChangedSince || rulings.some(({ verdict }) => verdict === 'left_out');
  if (!isInPart) return 0;
  return plan.steps.length === 0 ? 1 : 6;
}

async function planned(
  { settings, clients, wanted }: Subject,
  { client, signal }: Connection,
  flags: UndoFlags,
  terminal: Terminal,
) {
  const past = await fileLedger(settings.ledger).read();
  const run = runToUndo(past, wanted);
  const footprint = footprintOf(past, run.id);
  const desired = lookedAt(footprint, clients);
  const about = {
    settings,
    desired,
    diagnostics: [],
    moved: [],
    routes: [],
    markOf: () => null,
    entryAt: () => null,
  };
  const { ledger, events, live, recovery } = await planTarget(about, client, flags, { ...terminal, signal });
  const options = planOptions(settings, flags);
  const undoing = planUndo({ footprint, live, ledger: foldLedger(events), recovery, options, namespaces: clients });
  return { run, undoing: { ...undoing, plan: await judged(undoing.plan, settings, []) }, ledger, past: events };
}
