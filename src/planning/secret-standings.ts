// Whether the secrets of the environment are those that were applied, by the digests of the ledger.

import { isDigestOf } from '../base/slow-digest.ts';
import type { SecretStanding, StandingOf } from '../plan/diff.ts';
import type { RunContext } from '../target/context.ts';

/** What is known of a secret by the digest in the ledger. Each pair is compared once: it is slow. */
export function secretStandings(env: RunContext['env']): StandingOf {
  const known = new Map<string, SecretStanding>();
  return (name, digest) => {
    const secret = env[name] ?? '';
    if (secret === '') return 'unset';
    if (digest === undefined) return 'unknown';
    const pair = `${name} ${digest}`;
    const standing = known.get(pair) ?? (isDigestOf(digest, secret) ? 'same' : 'changed');
    known.set(pair, standing);
    return standing;
  };
}
