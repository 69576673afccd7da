// The errors, by who has to act on them. They are the only classes of the project.

import type { Diagnostic } from './model.ts';

/** The caller has to change something: a manifest, a setting, a flag. Carries every finding of the run, never just the first. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(message: string, diagnostics: readonly Diagnostic[] = []) {
    super(message);
    this.diagnostics = diagnostics;
  }
}

/** Something was asked for by its name, and there is nothing of that name. */
export class AbsentError extends UsageError {}

/** Another run holds the lease, so the work was not begun. */
export class LockedError<Lease> extends UsageError {
  readonly lease: Lease;

  constructor(message: string, lease: Lease) {
    super(message);
    this.lease = lease;
  }
}

/** An approved plan is of another target, day or job. */
export class OutdatedError extends UsageError {}

/** The lease was lost before anything was changed. */
export class LeaseLost extends UsageError {}

/** There is no credential with which the service could be asked. */
export class CredentialError extends UsageError {}

/** The run that work belongs to was cancelled or has stopped, so the work was not begun. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
  /** Whether an earlier process had begun it; null where that is not known. */
  readonly wasBegun: boolean | null;

  constructor(wasBegun: boolean | null = null) {
    super('not begun: the run was cancelled, or has stopped');
    this.wasBegun = wasBegun;
  }
}

/** The work had ended before: the process that did it died before that was recorded. */
export class EndedBefore<End> extends Error {
  override readonly name = 'EndedBefore';
  readonly end: End;

  constructor(end: End) {
    super('the work has ended before');
    this.end = end;
  }
}

/** A bug in chatform: a state that the code must never reach. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** Why a request has no result, from the service or from the connection. */
export interface ApiFailure {
  /** Name of the API; left out where nothing was sent. */
  readonly api?: string;
  readonly action: string;
  /** The service's own error type (`validation`, `not_found`, ...), or one of ours: `timeout`, `connection`, `tls`, `proxy`, `protocol`, `response_too_large`, `aborted`. */
  readonly type: string;
  readonly message: string;
  /** HTTP status; null when no response arrived. */
  readonly status: number | null;
  /** Whether the request can have taken effect although no answer to it arrived. */
  readonly ambiguous: boolean;
  /** `x-debug-id` of the response, for the service's support. */
  readonly debugId: string | null;
  /** Milliseconds that `Retry-After` asks to wait; null when it was not sent. */
  readonly retryAfter: number | null;
  /** `data` of the error envelope: `{ region }` for `misdirected_request`. */
  readonly data: unknown;
  /** An earlier attempt of the same request may have taken effect, and may have caused this failure. */
  readonly repeated?: true;
  /** Other actions of the same reading that the token may not do either. */
  readonly also?: readonly string[];
}

/** A failure without a reply; the request took no effect, unless `known` says otherwise. */
export function unstatedFailure(
  known: Pick<ApiFailure, 'action' | 'type' | 'message'> & Partial<ApiFailure>,
): ApiFailure {
  return { status: null, ambiguous: false, debugId: null, retryAfter: null, data: null, ...known };
}

/** A request was answered with an error, or not answered. Specification: "Errors". */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(`${failure.action}: ${failure.type}: ${failure.message}`);
    this.failure = failure;
  }
}

/** Failures of requests because of which the license could not be asked; others are answers of the license. */
const UNREACHED: ReadonlySet<string> = new Set([
  ...['connection', 'timeout', 'request_timeout', 'tls', 'proxy', 'protocol'],
  ...['authentication', 'internal', 'service_unavailable', 'too_many_requests', 'license_expired'],
]);

/** Whether the license could not be asked, so that nothing is known of it. */
export function isUnreached(error: unknown): boolean {
  return error instanceof CredentialError || (error instanceof ApiError && UNREACHED.has(error.failure.type));
}

/** The connection to a database ended before the reply: whether the statement took effect is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Returns a caught value as an error. */
export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new InternalError(String(reason));
}

/** Closes a `switch` over a union: the compiler proves that it is never reached. */
export function assertNever(value: never): never {
  throw new InternalError(`unexpected value: ${JSON.stringify(value)}`);
}
