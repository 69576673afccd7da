// A check of `drift`, with its reports and notifications. A check that fails is a result, not an error.

import { isUnreached, UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { findingCounts } from '../base/text.ts';
import { diagnosticsOf, messageOf } from '../many/failure.ts';
import type { ExitCode } from '../many/operation.ts';
import { type NotifyChoice, notifyMode, type Remembering, remember } from '../outlets/notify/remember.ts';
import { chosenSightings, type SightingsChoice } from '../outlets/notify/sightings-store.ts';
import { parseReports, type ReportFile, reportsWith, unwritten } from '../outlets/report-files.ts';
import { pathsInRepository } from '../outlets/repository.ts';
import type { TargetSettings } from '../project/settings.ts';
import { DRIFT_REPORTS, driftRenderers, type ReportFormat } from '../render/reports/formats.ts';
import { registerFor, requireFree } from '../run/choice.ts';
import { checkDrift, type DriftOptions } from '../run/drift.ts';
import { type FilesChoice, prepare } from '../run/prepare.ts';
import type { DriftCheck } from '../tasks/drift/report.ts';
import type { Sightings } from '../tasks/drift/sightings.ts';
import { showDiagnostics, showError, showRemark, showWarning } from './result.ts';
import type { Terminal } from './terminal.ts';

type CheckOptions = FilesChoice & DriftOptions & NotifyChoice & SightingsChoice;

type CheckFlags = CheckOptions & { readonly report?: readonly string[] };

export interface FinishedCheck {
  readonly look: DriftCheck;
  /** Null when it failed before they were known. */
  readonly settings: TargetSettings | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Where the check is remembered; null when it failed before that was known. */
  readonly memory: Remembering | null;
  /** The license could not be asked. */
  readonly isUnreached: boolean;
  /** What is remembered after the check. */
  readonly sightings: Sightings;
}

/** Whether a person sees the result at once. A pipeline may have a terminal too, and says what it is. */
export function isAtTerminal({ paintOut, env }: Pick<Terminal, 'paintOut' | 'env'>): boolean {
  return paintOut.width !== undefined && ['', 'false', '0'].includes(env['CI'] ?? '');
}

export async function checkFiles(options: CheckOptions, terminal: Terminal): Promise<FinishedCheck> {
  let settings: TargetSettings | null = null;
  let memory: Remembering | null = null;
  try {
    const prepared = await prepare(options, terminal);
    settings = prepared.settings;
    if (prepared.settings === null) throw new UsageError('the files have errors', prepared.diagnostics);
    const mode = notifyMode(options, prepared.settings, isAtTerminal(terminal));
    // What a later day would want is no difference of today.
    const remembered = options.date === undefined ? options : { sightings: false };
    if (typeof remembered.sightings === 'string')
      requireFree(`--sightings ${remembered.sightings}`, remembered.sightings, await registerFor(options, terminal));
    const store = chosenSightings(remembered, prepared.settings, terminal);
    const recalled = await store.recall();
    memory = { store, memory: recalled, settings: prepared.settings, mode };
    if (prepared.desired === null) throw new UsageError('the files have errors', prepared.diagnostics);
    const declared = { ...prepared, desired: prepared.desired };
    const { report, sightings, diagnostics } = await checkDrift(declared, recalled, options, terminal);
    return {
      look: { outcome: 'seen', report },
      settings: prepared.settings,
      diagnostics,
      memory,
      isUnreached: false,
      sightings,
    };
  } catch (error) {
    const diagnostics = diagnosticsOf(error);
    const look: DriftCheck = {
      outcome: 'failed',
      target: settings?.name ?? options.target ?? null,
      at: new Date(terminal.clock.now()).toISOString(),
      message: inOneLine(messageOf(error), diagnostics),
    };
    const seen = memory?.memory.sightings ?? new Map();
    return { look, settings, diagnostics, memory, isUnreached: isUnreached(error), sightings: seen };
  }
}

/** The message with the first finding, for readers of a report or a chat, who do not see stderr. */
function inOneLine(message: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const where = first === undefined ? '' : `: ${first.place.file}:${first.place.line}, ${first.code}`;
  const count = findingCounts(errors).errors;
  const more = count > 1 ? `, and ${count - 1} more` : '';
  return `${message.replaceAll(/\s*\n\s*/g, '; ')}${where}${more}`;
}

/** The files of `--report`. */
export async function reportsOf(flags: CheckFlags, terminal: Terminal): Promise<readonly ReportFile<ReportFormat>[]> {
  if (flags.report === undefined) return [];
  return parseReports(flags.report, DRIFT_REPORTS, { choice: flags, environment: terminal });
}

interface ReportedCheck {
  readonly look: DriftCheck;
  readonly settings: FinishedCheck['settings'];
  readonly diagnostics: readonly Diagnostic[];
  readonly isUnreached: boolean;
  readonly code: ExitCode;
}

/** A check with its reports, which are written before any channel is notified. */
export async function checkAndNotify(
  flags: CheckFlags,
  reports: readonly ReportFile<ReportFormat>[],
  terminal: Terminal,
): Promise<ReportedCheck> {
  const { memory, sightings, ...seen } = await checkFiles(flags, terminal);
  const { look, diagnostics } = seen;
  if (look.outcome === 'failed' && diagnostics.length === 0) showError(look.message, terminal);
  showDiagnostics(diagnostics, terminal);
  // An interrupted check has not failed.
  if (look.outcome === 'failed' && terminal.signal.aborted) return { ...seen, code: 130 };
  const pathOf = await pathsInRepository(terminal.env);
  const lost = await unwritten(reportsWith(reports, (format) => driftRenderers[format](look, pathOf)));
  if (lost !== null) showError(lost, terminal);
  if (memory === null) return { ...seen, code: 1 };
  const { errors, warnings } = await remember(look, sightings, memory, terminal);
  if (flags.notify === undefined && isAtTerminal(terminal) && memory.settings.notify.channels.length > 0)
    showRemark('No channel was told, because this is a terminal: `--notify on-change` tells them.\n', terminal);
  for (const error of errors) showError(error, terminal);
  for (const warning of warnings) showWarning(warning, terminal);
  return { ...seen, code: lost === null ? codeOf(look, errors.length === 0) : 1 };
}

/** Exported for tests. The result of the check decides. A channel that was not notified fails only a check in sync, so that a broken alarm is noticed. */
export function codeOf(look: DriftCheck, isTold: boolean): ExitCode {
  if (look.outcome === 'failed') return 1;
  if (!look.report.in_sync) return 2;
  return isTold ? 0 : 1;
}
