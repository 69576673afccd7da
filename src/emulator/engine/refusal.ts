// The reasons for which the service refuses a request: as errors that are thrown, and as the envelope of the answer.

/** HTTP status of each error type, as service-notes.md ("Wire") lists and assumes them; a setting overrides each. */
export const STATUSES = {
  authentication: 401,
  authorization: 403,
  already_exists: 409,
  chat_anonymized: 403,
  chat_inactive: 409,
  customer_banned: 403,
  entity_too_large: 413,
  greeting_not_found: 404,
  group_not_found: 404,
  group_offline: 409,
  group_unavailable: 409,
  groups_offline: 409,
  internal: 500,
  license_expired: 403,
  license_not_found: 404,
  limit_reached: 403,
  misdirected_request: 421,
  not_found: 404,
  ownership_transfer: 409,
  request_timeout: 504,
  service_unavailable: 503,
  too_many_requests: 429,
  transfer_ownership: 409,
  unsupported_version: 404,
  validation: 400,
  wrong_product_version: 403,
} as const;

export type ErrorType = keyof typeof STATUSES;

export function isErrorType(text: string): text is ErrorType {
  return Object.hasOwn(STATUSES, text);
}

/** `{"error": {"type", "message", "data"?}}`. Specification: "Errors". */
export interface ErrorEnvelope {
  readonly error: { readonly type: string; readonly message: string; readonly data?: unknown };
}

interface Reason {
  readonly type: ErrorType;
  readonly data?: unknown;
  /** A status that HTTP itself demands instead of that of the type. */
  readonly status?: number;
}

/** A thrown refusal. Not a class, because the service tells its errors apart by `type`. */
export interface ServiceRefusal extends Error {
  readonly reason: Reason;
}

export function refusal(reason: Reason, message: string): ServiceRefusal {
  return Object.assign(new Error(message), { reason });
}

export function refuse(type: ErrorType, message: string): never {
  throw refusal({ type }, message);
}

export function isRefusal(error: unknown): error is ServiceRefusal {
  return error instanceof Error && 'reason' in error;
}

export function envelope(error: ServiceRefusal): ErrorEnvelope {
  const { type, data } = error.reason;
  return { error: data === undefined ? { type, message: error.message } : { type, message: error.message, data } };
}

/** Runs what reads a document; its refusals become Errors about the document, such as `a valid seed`. */
export function validating<T>(document: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isRefusal(error) ? new Error(`not ${document}: ${error.message}`) : error;
  }
}
