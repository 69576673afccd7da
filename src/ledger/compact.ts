// The events of a log in, fewer of them out that fold to the same. It must not know where the log is kept.

import { isDeepStrictEqual } from 'node:util';
import { InternalError } from '../base/errors.ts';
import type { LedgerEvent } from './events.ts';
import { foldLedger, surviving } from './ledger.ts';

/**
 * What happened before `since` (milliseconds since the epoch) is reduced to what is still true. From the first later event on, all stays as it
 * is; and from the first that only a newer chatform understands, for what it says may depend on those around it. The same list when nothing is saved.
 */
export function compact(events: readonly LedgerEvent[], since: number): readonly LedgerEvent[] {
  const index = events.findIndex((event) => event.type === 'unknown' || Date.parse(event.at) >= since);
  const [old, kept] = index === -1 ? [events, []] : [events.slice(0, index), events.slice(index)];
  const shorter = [...surviving(old), ...kept];
  // Whoever loses the ledger loses what is ours: not worth a mistake.
  if (!isDeepStrictEqual(foldLedger(shorter), foldLedger(events)))
    throw new InternalError('a compacted log says something else');
  return shorter.length < events.length ? shorter : events;
}
