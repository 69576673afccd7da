// Keeping of one-time secrets, and its results. What the sink does not take goes to a rescue file; without one it is lost.

import { InternalError, UsageError } from '../../base/errors.ts';
import type { Address } from '../../base/model.ts';
import type { LedgerEvent, Stamp } from '../../ledger/events.ts';
import type { Rescue } from './rescue.ts';
import type { ReturnedSecret, SecretSubject, SecretsSink, StoredSecret } from './secrets.ts';

/** It must be reset. */
export interface LostSecret extends SecretSubject {
  readonly state: 'lost';
  readonly reason: string;
}

/** It is in a rescue file, because the sink failed for that reason. */
export interface RescuedSecret extends SecretSubject {
  readonly state: 'rescued';
  readonly path: string;
  readonly reason: string;
}

export type SecretResult = (SecretSubject & { readonly state: 'kept' }) | RescuedSecret | LostSecret;

/** Returns one result for each secret. Never rejects. */
export async function keepSecrets(
  returned: readonly ReturnedSecret[],
  sink: SecretsSink | null,
  rescue: Rescue | null,
): Promise<readonly SecretResult[]> {
  const missing = returned.flatMap(({ address, id, secret }): readonly LostSecret[] =>
    secret === null ? [{ address, id, state: 'lost', reason: 'the reply did not contain it' }] : [],
  );
  const entries = returned.flatMap(({ secret, ...rest }): readonly StoredSecret[] =>
    secret === null ? [] : [{ ...rest, secret }],
  );
  if (entries.length === 0) return missing;
  return [...missing, ...(await keep(entries, sink, rescue))];
}

async function keep(
  entries: readonly StoredSecret[],
  sink: SecretsSink | null,
  rescue: Rescue | null,
): Promise<readonly SecretResult[]> {
  const all = <T>(result: T) => entries.map(({ address, id }) => ({ address, id, ...result }));
  try {
    if (sink === null) throw new InternalError('a secret came back, and there is no sink');
    await sink.store(entries);
    return all({ state: 'kept' as const });
  } catch (error) {
    const reason = messageOf(error, 'the sink failed');
    if (rescue === null) return all({ state: 'lost' as const, reason });
    try {
      return all({ state: 'rescued' as const, path: await rescue.store(entries), reason });
    } catch (second) {
      const rescueReason = messageOf(second, 'the rescue failed');
      return all({ state: 'lost' as const, reason: `${reason}, and ${rescueReason}` });
    }
  }
}

function messageOf(error: unknown, otherwise: string): string {
  return error instanceof Error ? error.message : otherwise;
}

/**
 * To be called before a secret exists.
 * @throws UsageError where the sink has the secret of an object under one of these addresses that the ledger never knew: that of another license
 */
export async function requireOwnPlaces(
  sink: SecretsSink | null,
  addresses: readonly Address[],
  past: readonly LedgerEvent[],
): Promise<void> {
  const known = new Set(past.flatMap((event) => ('id' in event && 'address' in event ? [keyOf(event)] : [])));
  const other = (await sink?.kept?.(addresses))?.find((subject) => !known.has(keyOf(subject)));
  if (other === undefined) return;
  throw new UsageError(
    `the secret of another ${other.address}, with the id ${JSON.stringify(other.id)}, is kept where that of this license would go: name another place for secrets, or remove that one if it is no longer needed`,
  );
}

function keyOf({ address, id }: { readonly address: unknown; readonly id: unknown }): string {
  return `${address} ${id}`;
}

/** Returns the ledger events for objects that are bound already: a new binding of an address ends what the ledger knows of its secret. */
export function secretEvents(results: readonly SecretResult[], stamp: Stamp): readonly LedgerEvent[] {
  return results.map(({ address, id, state }) => ({ ...stamp, type: 'secret', address, id, state }));
}
