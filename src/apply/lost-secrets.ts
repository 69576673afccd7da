// Secrets that the service just told in; what became of each, and what the ledger is told of that, out. They are told once: what the sink does not take
// is rescued, and only what nobody takes is lost.

import { InternalError } from '../base/errors.ts';
import type { Address, ObjectId } from '../base/model.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import type { ToldSecret } from './ended.ts';
import type { Rescue } from './rescue.ts';
import type { SecretsSink, StoredSecret } from './secrets.ts';

interface Told {
  readonly address: Address;
  readonly id: ObjectId;
}

/** Nobody knows it now: it has to be reset. */
export interface LostSecret extends Told {
  readonly state: 'lost';
  readonly reason: string;
}

/** It waits in a file, because the sink failed for that reason. */
export interface RescuedSecret extends Told {
  readonly state: 'rescued';
  readonly path: string;
  readonly reason: string;
}

export type SecretFate = (Told & { readonly state: 'kept' }) | RescuedSecret | LostSecret;

export function isLost(fate: SecretFate): fate is LostSecret {
  return fate.state === 'lost';
}

export function isRescued(fate: SecretFate): fate is RescuedSecret {
  return fate.state === 'rescued';
}

/** One fate for each. Never rejects. */
export async function keepSecrets(
  told: readonly ToldSecret[],
  sink: SecretsSink | null,
  rescue: Rescue | null,
): Promise<readonly SecretFate[]> {
  const untold = told.flatMap(({ address, id, secret }): readonly LostSecret[] =>
    secret === null ? [{ address, id, state: 'lost', reason: 'the reply did not tell it' }] : [],
  );
  const entries = told.flatMap(({ secret, ...rest }): readonly StoredSecret[] =>
    secret === null ? [] : [{ ...rest, secret }],
  );
  if (entries.length === 0) return untold;
  return [...untold, ...(await keep(entries, sink, rescue))];
}

async function keep(
  entries: readonly StoredSecret[],
  sink: SecretsSink | null,
  rescue: Rescue | null,
): Promise<readonly SecretFate[]> {
  const all = <T>(fate: T) => entries.map(({ address, id }) => ({ address, id, ...fate }));
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
      const too = messageOf(second, 'the rescue failed');
      return all({ state: 'lost' as const, reason: `${reason}, and ${too}` });
    }
  }
}

function messageOf(error: unknown, otherwise: string): string {
  return error instanceof Error ? error.message : otherwise;
}

/** Of objects that are bound already: what the ledger knows of a secret ends when its address is bound to another object. */
export function secretEvents(fates: readonly SecretFate[], at: string): readonly LedgerEvent[] {
  return fates.map(({ address, id, state }) => ({ v: 1, at, type: 'secret', address, id, state }));
}
