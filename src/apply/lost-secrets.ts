// Secrets that the service just told in; those that no sink could keep out. They are told once.

import { InternalError } from '../errors.ts';
import type { Address } from '../model.ts';
import type { ToldSecret } from './execute.ts';
import type { SecretsSink, StoredSecret } from './secrets.ts';

export interface LostSecret {
  readonly address: Address;
  readonly reason: string;
}

/** Answers the secrets that are nowhere now. */
export async function keepSecrets(
  told: readonly ToldSecret[],
  sink: SecretsSink | null,
): Promise<readonly LostSecret[]> {
  const untold = told.filter(({ secret }) => secret === null);
  const entries = told.flatMap(({ secret, ...rest }): readonly StoredSecret[] =>
    secret === null ? [] : [{ ...rest, secret }],
  );
  const lost = (of: readonly { readonly address: Address }[], reason: string): readonly LostSecret[] =>
    of.map(({ address }) => ({ address, reason }));
  const missing = lost(untold, 'the reply did not tell it');
  if (entries.length === 0) return missing;
  try {
    if (sink === null) throw new InternalError('a secret came back, and there is no sink');
    await sink.store(entries);
    return missing;
  } catch (error) {
    return [...missing, ...lost(entries, error instanceof Error ? error.message : 'the sink failed')];
  }
}
