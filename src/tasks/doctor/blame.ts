// A failed answer in; the check that reports it out, so that one cause is named once. Must not know what that check says.

import type { ApiFailure } from '../../base/errors.ts';
import type { Check } from './finding.ts';
import type { Answer } from './observed.ts';

/** Types of failure that say something about the target and not about one question: whoever goes on asking hears the same again. */
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

/** Failures after which nothing more is asked. */
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
export function failuresOf(check: Check, answers: readonly Answer[]): readonly ApiFailure[] {
  return answers.flatMap(({ failure }) => (failure !== null && blamed(failure) === check ? [failure] : []));
}

/** Whether this API has answered at all, be it with a refusal. */
export function hasSpoken(answers: readonly Answer[]): boolean {
  return answers.some(({ failure }) => failure === null || blamed(failure) !== 'address');
}

/** Refusals that only somebody hears who was let in. */
const INSIDE: ReadonlySet<string> = new Set(['authorization', 'validation', 'limit_reached', 'group_not_found']);

/** Whether the service has taken the credential for a good one. */
export function wasLetIn(answers: readonly Answer[]): boolean {
  return answers.some(({ failure }) => failure === null || INSIDE.has(failure.type));
}
