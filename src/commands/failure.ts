// Failures of a command in the words of a person, with what would help.

import { ApiError, InternalError, UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { plain } from '../render/plain.ts';
import { actionNamed } from '../service/api.ts';
import { CONFIGURATION } from '../service/configuration.ts';

function scopesRemedy(name: string): string {
  const action = actionNamed(CONFIGURATION, name);
  if (action === undefined || action.scopes.length === 0) return 'the token may not do this';
  return `${name} needs a token with ${action.scopes.join(', ')}`;
}

/** The scopes that an authorization failure needs are rarely in its message. */
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

/** What went wrong, then what to do where that is known, without control characters. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    // Only reading for a plan is given up: a write in flight is waited for.
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
