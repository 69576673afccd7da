// The events of a log in, what is owned and what was last applied out; and what a place that keeps a log must do. It must not know any such
// place.

import { assertNever } from '../errors.ts';
import type { Address, Applied, Binding, LedgerState, ObjectId } from '../model.ts';
import type { Bound, LedgerEvent } from './events.ts';

/** A place that keeps an append-only log. One conformance suite holds for all of them: test/ledger/conformance.ts. */
export interface Ledger {
  /** Every event, oldest first; none when the log does not exist yet. @throws UsageError when it cannot be read or is damaged */
  readonly read: () => Promise<readonly LedgerEvent[]>;
  /** Resolves once all `events` would survive a crash. Concurrent appends never mix. @throws UsageError when they cannot be written */
  readonly append: (events: readonly LedgerEvent[]) => Promise<void>;
}

export function foldLedger(events: readonly LedgerEvent[]): LedgerState {
  const bindings = new Map<Address, Binding>();
  const applied = new Map<Address, Applied>();
  for (const event of events) {
    switch (event.type) {
      case 'bound':
        if (isAnotherObject(event, bindings.get(event.address))) applied.delete(event.address);
        bindings.set(event.address, { id: event.id, origin: event.origin });
        break;
      case 'applied':
        applied.set(event.address, { spec: event.spec, digests: event.digests, at: event.at });
        break;
      case 'forgotten':
        bindings.delete(event.address);
        applied.delete(event.address);
        break;
      case 'run':
      case 'unknown':
        break;
      default:
        assertNever(event);
    }
  }
  return { bindings, applied };
}

/** What was created at or after `since` (milliseconds since the epoch) and is still ours: a reading that lags may not show it yet. */
export function createdSince(
  events: readonly LedgerEvent[],
  since: number,
): ReadonlyMap<Address, { readonly id: ObjectId; readonly at: number }> {
  const created = new Map<Address, { readonly id: ObjectId; readonly at: number }>();
  for (const event of events) {
    if (event.type !== 'bound' && event.type !== 'forgotten') continue;
    created.delete(event.address);
    const at = Date.parse(event.at);
    if (event.type === 'bound' && event.origin === 'created' && at >= since) {
      created.set(event.address, { id: event.id, at });
    }
  }
  return created;
}

/** What was applied to one object says nothing about the next; a created object is new even under the id of the one before it. */
function isAnotherObject(event: Bound, before: Binding | undefined): boolean {
  return event.origin === 'created' || (before !== undefined && before.id !== event.id);
}
