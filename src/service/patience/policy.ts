// A failed request in; whether it may be sent again, out: pure. The one place that decides what is sent twice.

import type { ApiFailure } from '../../base/errors.ts';
import { ACTIONS, type ActionName } from '../actions.ts';

/** Refused before it was looked at, or never arrived: safe to send again, whatever it is. */
const NEVER_STARTED = new Set(['connection', 'timeout', 'too_many_requests', 'service_unavailable']);

/** May have taken effect, and may go better next time. Not here: what another attempt would only meet again, such as a reply that is too large. */
const UNSURE = new Set([...NEVER_STARTED, 'internal', 'request_timeout', 'protocol']);

/** The service is there and says that it recovers, or dropped a connection it had accepted: worth more patience than nobody at all. */
const RECOVERS = new Set(['too_many_requests', 'service_unavailable', 'internal']);
const ATTEMPTS_WHILE_IT_RECOVERS = 10;
const ATTEMPTS = 5;

/** Who is asked to wait for longer comes back another time. In milliseconds. */
const LONGEST_ASKED = 300_000;

/**
 * Doing it twice is doing it once: reads, updates, deletes, and creates that name what they make. Not what answers a secret: of two answers the
 * later one is right, and only who waits long enough before asking again knows which that is.
 */
function isRepeatable(action: ActionName): boolean {
  const { effect, namesItsObject, answersSecret } = ACTIONS[action];
  return !answersSecret && (effect !== 'create' || namesItsObject === true);
}

function attemptsFor({ type, ambiguous }: ApiFailure): number {
  return RECOVERS.has(type) || (type === 'connection' && ambiguous) ? ATTEMPTS_WHILE_IT_RECOVERS : ATTEMPTS;
}

/** Whether what failed so, a request or one slot of a batch, may be sent once more after `attempt` attempts. */
export function maySendAgain(action: ActionName, failure: ApiFailure, attempt: number): boolean {
  if (attempt >= attemptsFor(failure) || (failure.retryAfter ?? 0) > LONGEST_ASKED) return false;
  // A page where an answer should be: a gateway in trouble recovers, a wrong address does not.
  if (failure.type === 'protocol' && (failure.status ?? 500) < 500) return false;
  return failure.ambiguous ? UNSURE.has(failure.type) && isRepeatable(action) : NEVER_STARTED.has(failure.type);
}

/** Another look would only meet the same failure. */
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

export function isLasting({ type }: ApiFailure): boolean {
  return LASTING.has(type);
}
