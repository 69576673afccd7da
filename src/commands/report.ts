// Errors and diagnostics in; what the user sees of them, and the exit code, out. The one place where a failure becomes words.

import { ApiError, InternalError, UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { failureDocument } from '../render/documents.ts';
import { plain } from '../render/plain.ts';
import { renderDiagnostics } from '../render/text/diagnostics.ts';
import { ACTIONS } from '../service/actions.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** One line on stderr. */
export function showError(message: string, { err, paintErr }: Pick<Terminal, 'err' | 'paintErr'>): void {
  err(`${paintErr('error', 'Error:')} ${message}\n`);
}

export function showWarning(message: string, { err, paintErr }: Pick<Terminal, 'err' | 'paintErr'>): void {
  err(`${paintErr('warning', 'Warning:')} ${message}\n`);
}

/** Shows findings on stderr. */
export function showDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  if (diagnostics.length > 0) terminal.err(renderDiagnostics(diagnostics, terminal.paintErr));
}

/** What says most of why something failed: the findings, or else the message. */
export function showFailure(message: string, diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  if (diagnostics.length === 0) showError(message, terminal);
  showDiagnostics(diagnostics, terminal);
}

/** The files, or the plan, have errors: all of them, and with `--json` as a document too. */
export function refuse(diagnostics: readonly Diagnostic[], terminal: Terminal, json: boolean): ExitCode {
  showDiagnostics(diagnostics, terminal);
  if (json) terminal.out(failureDocument('the files have errors', diagnostics));
  return 1;
}

function scopesRemedy(name: string): string {
  const action = Object.entries(ACTIONS).find(([single, { batch }]) => single === name || batch?.name === name)?.[1];
  if (action === undefined || action.scopes.length === 0) return 'the token may not do this';
  return `${name} needs a token with ${action.scopes.join(', ')}`;
}

/** What an authorization failure needs is rarely in its message. */
function remedyOf(error: ApiError): string | null {
  switch (error.failure.type) {
    case 'authentication':
      return 'the token is missing, wrong or expired';
    case 'authorization':
      return scopesRemedy(error.failure.action);
    case 'connection':
      return 'check base_url, and HTTPS_PROXY if there is a proxy';
    case 'protocol':
      return 'check base_url: what answers there may not be the service';
    case 'too_many_requests':
      return error.failure.retryAfter === null
        ? null
        : `the service asks to come back in ${Math.ceil(error.failure.retryAfter / 1000)} s`;
    case 'proxy':
      return 'check HTTPS_PROXY, with its user name and password, or name the service in NO_PROXY';
    case 'unsupported_version':
      return 'set api_version in chatform.yaml to a version that this license has';
    default:
      return null;
  }
}

/** What went wrong, and perhaps what would help, without control characters. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    // Only reading for a plan is given up: a write that is under way is waited for.
    if (error.failure.type === 'aborted') return 'interrupted while reading the license; nothing was changed';
    const remedy = remedyOf(error);
    const debug = error.failure.debugId === null ? '' : ` (x-debug-id ${error.failure.debugId})`;
    return plain(error.message) + plain(debug) + (remedy === null ? '' : `\n  ${remedy}`);
  }
  if (error instanceof UsageError) return plain(error.message);
  if (error instanceof InternalError) return `this is a bug in chatform: ${plain(error.message)}`;
  return error instanceof Error ? plain(error.message) : plain(String(error));
}

export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  return error instanceof UsageError ? error.diagnostics : [];
}

/** Any failure of a command, as text and, with `--json`, as the document that was asked for. */
export function fail(error: unknown, terminal: Terminal, json: boolean): ExitCode {
  const message = messageOf(error);
  const diagnostics = diagnosticsOf(error);
  showFailure(message, diagnostics, terminal);
  if (json) terminal.out(failureDocument(message, diagnostics));
  return terminal.signal.aborted ? 130 : 1;
}

/** Runs a command so that every failure is shown the same way. */
export async function guarded(run: () => Promise<ExitCode>, terminal: Terminal, json: boolean): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    return fail(error, terminal, json);
  }
}
