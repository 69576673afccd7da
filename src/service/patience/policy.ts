// Whether a failed request may be sent again: the only place that decides what is sent twice.

import type { ApiFailure } from '../../base/errors.ts';
import type { ApiAction } from '../api.ts';

/** Refused unread, or never arrived, unless the failure is ambiguous: safe to send again, whatever it is. */
const NEVER_STARTED = new Set(['connection', 'timeout', 'too_many_requests']);

/** May have taken effect, and may succeed next time. A failure that would only repeat itself, such as a reply that is too large, is not here. */
const UNSURE = new Set([...NEVER_STARTED, 'service_unavailable', 'internal', 'request_timeout', 'protocol']);

/** The service answers and says that it recovers: worth more attempts than a service that does not answer. */
const RECOVERS = new Set(['too_many_requests', 'service_unavailable', 'internal']);
const ATTEMPTS_WHILE_IT_RECOVERS = 10;
const ATTEMPTS = 5;

/** Milliseconds. A longer `Retry-After` ends the attempts. */
export const LONGEST_ASKED = 300_000;

/**
 * Whether sending it twice equals sending it once: reads, updates, deletes, and creates that name what they make. Not an action that answers a
 * secret: the later of two answers is right, and which one that is cannot be told.
 */
function isRepeatable({ effect, namesItsObject, answersSecret }: ApiAction): boolean {
  return !answersSecret && (effect !== 'create' || namesItsObject === true);
}

function attemptsFor({ type, ambiguous }: ApiFailure): number {
  return RECOVERS.has(type) || (type === 'connection' && ambiguous) ? ATTEMPTS_WHILE_IT_RECOVERS : ATTEMPTS;
}

/** Whether another attempt may end otherwise. A page in place of an answer: a gateway in trouble recovers, a wrong address does not. */
export function mayEndOtherwise({ type, status }: ApiFailure): boolean {
  return UNSURE.has(type) && (type !== 'protocol' || (status ?? 500) >= 500);
}

/** Whether a request or one slot of a batch that failed so may be sent once more after `attempt` attempts. */
export function maySendAgain(action: ApiAction, failure: ApiFailure, attempt: number): boolean {
  if (attempt >= attemptsFor(failure) || (failure.retryAfter ?? 0) > LONGEST_ASKED) return false;
  return failure.ambiguous ? mayEndOtherwise(failure) && isRepeatable(action) : NEVER_STARTED.has(failure.type);
}

/** Another attempt would only fail again. */
const LASTING = new Set([
  'authentication',
  'authorization',
  'license_expired',
  'unsupported_version',
  'validation',
  'tls',
  'proxy',
  'response_too_large',
  'aborted',
]);

/** Whether waiting cannot help. */
export function isLasting({ type }: ApiFailure): boolean {
  return LASTING.has(type);
}
