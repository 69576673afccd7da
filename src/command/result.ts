// Result of a command: one value, from which stdout, stderr, files and the exit code are made; also of a failure, or a question that was declined.

import { LockedError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { type Pieces, piecesOf } from '../base/pieces.ts';
import { diagnosticsOf, messageOf } from '../many/failure.ts';
import type { ExitCode } from '../many/operation.ts';
import { unaskable } from '../many/stopped.ts';
import { type OutputFile, unwritten } from '../outlets/report-files.ts';
import type { Declined, FoundLease, Stop } from '../target/lock.ts';
import { failureDocument, leaseDocument } from '../view/documents.ts';
import type { Paint } from '../view/paint.ts';
import { plain } from '../view/plain.ts';
import { renderDiagnostics } from '../view/terminal/diagnostics.ts';
import { fitted } from '../view/terminal/narrow.ts';
import { lockedText } from '../view/terminal/notice.ts';
import type { Terminal } from './terminal.ts';

export interface Result {
  readonly code: ExitCode;
  /** Lines on stderr before everything else. */
  readonly before?: () => string;
  /** Findings about the files or the plan. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Why the command did not do what was asked. */
  readonly error?: string;
  /** Further lines on stderr. */
  readonly note?: (paint: Paint) => string;
  /** The document that `--json` prints; null prints nothing. */
  readonly document: (() => Pieces) | null;
  /** What stdout has without `--json`; null prints nothing. */
  readonly text: ((paint: Paint) => string) | null;
  /** The text is for a file or a program as well, so a terminal breaks no line of it. */
  readonly verbatim?: true;
  /** Files without which the command failed: they are written before anything is said. */
  readonly saves?: readonly OutputFile[];
  /** Report files, each whole or not at all. */
  readonly files?: readonly OutputFile[];
}

/** Nothing was done. The message comes first; with findings they say why. */
export function failed(
  message: string,
  { diagnostics = [], code = 1 }: { readonly diagnostics?: readonly Diagnostic[]; readonly code?: ExitCode } = {},
): Result {
  return {
    code,
    diagnostics,
    ...(diagnostics.length === 0 ? { error: message } : {}),
    document: () => failureDocument(message, diagnostics),
    text: null,
  };
}

/** The files, or the plan, have errors. */
export function refused(diagnostics: readonly Diagnostic[]): Result {
  return { ...failed('the files have errors', { diagnostics }), diagnostics };
}

/** Another run holds the lease. The command that ends it names this very lease: a similar one would end the lease of another target. */
function lockedOut({ lease }: LockedError<FoundLease>): Result {
  const message = lockedText(lease);
  return { code: 4, error: message, document: () => leaseDocument(lease, { errored: true, message }), text: null };
}

/** Nothing was changed: the person declined, or the lease was lost. */
export function notDone(
  { reason, message }: Stop,
  { signal }: Pick<Terminal, 'signal'>,
  findings: readonly Diagnostic[] = [],
): Result {
  const said = plain(message);
  const isDeclined = reason === 'declined';
  return {
    code: isDeclined ? (signal.aborted ? 130 : 1) : 4,
    // The person who declined knows why.
    ...(isDeclined ? {} : { error: said }),
    document: () => failureDocument(said, findings),
    text: null,
  };
}

/** The failure of a command, however it failed. */
export function resultOf(error: unknown, { signal }: Pick<Terminal, 'signal'>): Result {
  if (error instanceof LockedError) return lockedOut(error);
  const message = messageOf(error);
  return failed(message, { diagnostics: diagnosticsOf(error), code: signal.aborted ? 130 : 1 });
}

/** The result once its files are saved. */
export async function saved(result: Result): Promise<Result> {
  const lost = await unwritten(result.saves ?? [], 'owner');
  return lost === null ? result : failed(lost);
}

/** Runs a command, and feeds its result, or its failure, to every output. */
export async function delivered(work: () => Promise<Result>, json: boolean, terminal: Terminal): Promise<ExitCode> {
  const result = await work()
    .then(saved)
    .catch((error: unknown) => resultOf(error, terminal));
  const { before, diagnostics = [], error, note, files = [], document, text, verbatim } = result;
  if (before !== undefined) showRemark(before(), terminal);
  showDiagnostics(diagnostics, terminal);
  if (error !== undefined) showError(error, terminal);
  if (note !== undefined) showRemark(note(terminal.paintErr), terminal);
  const said = (json ? null : text?.(terminal.paintOut)) ?? '';
  if (json) for (const piece of piecesOf(document?.() ?? '')) terminal.out(piece);
  else if (verbatim === true) terminal.out(said);
  else showText(said, terminal);
  const lost = await unwritten(files);
  if (lost !== null) showError(lost, terminal);
  return lost === null ? result.code : 1;
}

/** On stdout, as wide as it is. */
export function showText(text: string, { out, paintOut }: Pick<Terminal, 'out' | 'paintOut'>): void {
  out(fitted(text, paintOut.width));
}

/** The same on stderr. */
export function showRemark(text: string, { err, paintErr }: Pick<Terminal, 'err' | 'paintErr'>): void {
  err(fitted(text, paintErr.width));
}

export function showDiagnostics(
  diagnostics: readonly Diagnostic[],
  { err, paintErr }: Pick<Terminal, 'err' | 'paintErr'>,
): void {
  if (diagnostics.length > 0) showRemark(renderDiagnostics(diagnostics, paintErr), { err, paintErr });
}

/** One line on stderr. */
export function showError(message: string, terminal: Pick<Terminal, 'err' | 'paintErr'>): void {
  showRemark(`${terminal.paintErr('error', 'Error:')} ${message}\n`, terminal);
}

export function warningLine(message: string, paint: Paint): string {
  return `${paint('warning', 'Warning:')} ${message}\n`;
}

export function showWarning(message: string, terminal: Pick<Terminal, 'err' | 'paintErr'>): void {
  showRemark(warningLine(message, terminal.paintErr), terminal);
}

/** What is asked. */
export interface Confirmation {
  /** Empty where the person has just read it. */
  readonly question: string;
  /** The word to type. */
  readonly word: string;
  /** What typing it does; default `go ahead`. */
  readonly so?: string;
  /** `--yes`: the word was given before. */
  readonly yes: boolean;
}

/** Null to go ahead. Says why not. */
export async function confirm(
  { question, word, so = 'go ahead', yes }: Confirmation,
  terminal: Terminal,
): Promise<Declined | null> {
  if (yes) return null;
  const asked = fitted(question, terminal.paintErr.width);
  const answer = await terminal.ask(
    `${asked === '' ? '' : `\n${asked}`}\nType ${terminal.paintErr('strong', word)} to ${plain(so)}: `,
  );
  if (answer === null) {
    const message = unaskable(word);
    showError(message, terminal);
    return { reason: 'declined', message };
  }
  if (answer.trim() === word) return null;
  const isOther = answer.trim() !== '';
  const because = isOther ? `: the answer was not ${word}` : '';
  terminal.err(`Nothing was changed${because}.\n`);
  return { reason: 'declined', message: 'not confirmed' };
}
