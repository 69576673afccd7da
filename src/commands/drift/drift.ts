// `chatform drift`: read the files, the ledger and the license, say which side moved, and tell whoever has to know. Sends no write to the license, and
// takes no lease.

import { UsageError } from '../../base/errors.ts';
import { driftDocument, failureDocument } from '../../render/documents.ts';
import { DRIFT_REPORTS, driftRenderers, type ReportFormat } from '../../render/reports/formats.ts';
import { driftText } from '../../render/text/drift.ts';
import type { Look } from '../../tasks/drift/report.ts';
import { prepareTarget } from '../prepare.ts';
import { showDiagnostics, showFailure } from '../report.ts';
import { areWritten, filesOf, parseReports, type ReportFile } from '../report-files.ts';
import { pathsInRepository } from '../repository.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { beatsOf, keepLooking, type WatchFlags } from './keep-looking.ts';
import { type Looked, type LookFlags, lookAt } from './look.ts';
import { exitCodeOf, notifyMode, remember, type TellFlags } from './remember.ts';
import { chosenSightings, type SightingsFlags } from './sightings-file.ts';
import { takeOver } from './take-over.ts';

export interface DriftFlags extends LookFlags, WatchFlags, TellFlags, SightingsFlags {
  /** `FORMAT=FILE`. */
  readonly report?: readonly string[];
  /** Addresses, or true for all that the license moved. */
  readonly accept?: readonly string[] | true;
}

export async function drift(flags: DriftFlags, terminal: Terminal): Promise<ExitCode> {
  if (flags.accept !== undefined) return takeOver(acceptedBy(flags), flags, terminal);
  const beats = await beatsOf(flags, terminal.clock.now());
  if (beats !== null && flags.json === true)
    throw new UsageError('--watch prints what has changed, as text; `--report json=FILE` has each look as a document');
  const reports = await reportsOf(flags, terminal);
  if (beats !== null) {
    // A flag that cannot be right would fail every look; what is wrong in a file can be put right meanwhile.
    const { settings } = await prepareTarget(flags, terminal);
    if (settings !== null) notifyMode(flags, settings);
    const look = async (watched: Terminal): Promise<Look> => (await lookAndTell(flags, reports, watched)).looked.look;
    return keepLooking(beats, { look, show: (seen) => terminal.out(textOf(seen, terminal)) }, flags, terminal);
  }
  const { looked, code } = await lookAndTell(flags, reports, terminal);
  terminal.out(flags.json === true ? documentOf(looked) : textOf(looked.look, terminal));
  return code;
}

/** It looks for itself, so it takes no flag that says what becomes of a look. @throws UsageError for one that does */
function acceptedBy({ accept, watch, report, notify, sightings }: DriftFlags): readonly string[] {
  const others = { '--watch': watch, '--report': report, '--notify': notify, '--sightings': sightings || undefined };
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given.length > 0) throw new UsageError(`--accept edits the files, and does not go with ${given.join(', ')}`);
  return accept === true || accept === undefined ? [] : accept;
}

async function reportsOf(flags: DriftFlags, terminal: Terminal): Promise<readonly ReportFile<ReportFormat>[]> {
  if (flags.report === undefined) return [];
  // Why there are no settings the look finds out, and its reports say.
  const { settings } = await prepareTarget(flags, terminal).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    return { settings: null };
  });
  return parseReports(flags.report, DRIFT_REPORTS, settings === null ? [] : filesOf(settings, flags));
}

/** One look, the reports of it, and whoever has to be told, told: what has been found out is kept before anybody is told of it. */
async function lookAndTell(
  flags: DriftFlags,
  reports: readonly ReportFile<ReportFormat>[],
  terminal: Terminal,
): Promise<{ readonly looked: Looked; readonly code: ExitCode }> {
  const looked = await lookAt(
    flags,
    async (settings) => {
      const mode = notifyMode(flags, settings);
      const file = chosenSightings(flags, settings);
      const memory = await file.recall();
      return { ...memory, remembering: { file, memory, settings, mode } };
    },
    terminal,
  );
  const { look, diagnostics, recalled } = looked;
  if (look.outcome === 'failed') showFailure(look.message, diagnostics, terminal);
  else showDiagnostics(diagnostics, terminal);
  // Who stops a look has not seen it fail.
  if (look.outcome === 'failed' && terminal.signal.aborted) return { looked, code: 130 };
  const isWritten = await written(reports, look, terminal);
  if (recalled === null) return { looked, code: 1 };
  const { sightings } = looked.basis === null ? recalled : looked;
  const isTold = await remember(look, sightings, recalled.remembering, terminal);
  return { looked, code: isWritten ? exitCodeOf(look, isTold) : 1 };
}

/** What cannot be written keeps nobody from being told. */
async function written(reports: readonly ReportFile<ReportFormat>[], look: Look, terminal: Terminal): Promise<boolean> {
  const pathOf = await pathsInRepository(terminal.env);
  return areWritten(reports, (format) => driftRenderers[format](look, pathOf), terminal);
}

function textOf(look: Look, { paintOut }: Terminal): string {
  // Why a look failed is said where errors are.
  return look.outcome === 'seen' ? driftText(look.report, paintOut) : '';
}

function documentOf({ look, diagnostics }: Looked): string {
  return look.outcome === 'seen' ? driftDocument(look.report, diagnostics) : failureDocument(look.message, diagnostics);
}
