// What the ledger of a license says, without ids and times, which are not the same on two licenses.

import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';

export function foldedNames(events: readonly LedgerEvent[]): unknown {
  const { bindings, applied, orders, intents, remaking, secrets } = foldLedger(events);
  const sorted = <T>(of: ReadonlyMap<string, T>, part: (value: T) => unknown) =>
    [...of]
      .map(([key, value]) => [key, part(value)])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return {
    bindings: sorted(bindings, ({ origin }) => origin),
    applied: sorted(applied, ({ spec, digests }) => ({ spec, digests })),
    orders: sorted(orders, ({ order }) => order),
    open: [intents.size, remaking.size, secrets.size],
  };
}
