// The check that reports a failed answer, so that each cause is reported once.

import type { ApiFailure } from '../../base/errors.ts';
import type { ActionAnswer } from './observed.ts';
import type { Check } from './schema.ts';

/** Types of failure that are about the target and not about one question: every further request would fail in the same way. */
const OF_THE_TARGET: ReadonlyMap<string, Check> = new Map([
  ['connection', 'address'],
  ['timeout', 'address'],
  ['tls', 'address'],
  ['proxy', 'address'],
  ['response_too_large', 'address'],
  ['aborted', 'address'],
  ['protocol', 'address'],
  ['too_many_requests', 'address'],
  ['service_unavailable', 'address'],
  ['authentication', 'credential'],
  ['license_expired', 'credential'],
  ['unsupported_version', 'version'],
  ['misdirected_request', 'region'],
]);

/** Whether no more requests are sent after this failure. */
export function endsEverything({ type }: ApiFailure): boolean {
  return OF_THE_TARGET.has(type);
}

/** The check that reports a failure. */
export function blamed({ type }: ApiFailure): Check {
  const check = OF_THE_TARGET.get(type);
  if (check !== undefined) return check;
  if (type === 'authorization') return 'read_scopes';
  return type === 'internal' || type === 'request_timeout' ? 'address' : 'plan';
}

/** The failures that a check has to report. */
export function failuresOf(check: Check, answers: readonly ActionAnswer[]): readonly ApiFailure[] {
  return answers.flatMap(({ failure }) => (failure !== null && blamed(failure) === check ? [failure] : []));
}

/** Whether this API has answered at all, be it with a refusal. */
export function hasSpoken(answers: readonly ActionAnswer[]): boolean {
  return answers.some(({ failure }) => failure === null || blamed(failure) !== 'address');
}

/** Refusals that the service only sends to a valid credential. */
const INSIDE: ReadonlySet<string> = new Set(['authorization', 'validation', 'limit_reached', 'group_not_found']);

/** Whether the service has accepted the credential. */
export function wasLetIn(answers: readonly ActionAnswer[]): boolean {
  return answers.some(({ failure }) => failure === null || INSIDE.has(failure.type));
}
