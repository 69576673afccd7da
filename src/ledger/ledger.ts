// The events of a log in, what is owned and what was last applied out; and what a place that keeps a log must do. It must not know any such
// place.

import { assertNever } from '../errors.ts';
import type { Address, Applied, Binding, LedgerState, ObjectId, OpenIntent } from '../model.ts';
import type { Bound, LedgerEvent, Moved } from './events.ts';

/** A place that keeps an append-only log. One conformance suite holds for all of them: test/ledger/conformance.ts. */
export interface Ledger {
  /** Every event, oldest first; none when the log does not exist yet. @throws UsageError when it cannot be read or is damaged */
  readonly read: () => Promise<readonly LedgerEvent[]>;
  /** Resolves once all `events` would survive a crash. Concurrent appends never mix. @throws UsageError when they cannot be written */
  readonly append: (events: readonly LedgerEvent[]) => Promise<void>;
}

/** A ledger that can be kept short. */
export interface Backend extends Ledger {
  /**
   * Puts what `change` makes of all events in their place, at once or not at all; the same list leaves everything as it is.
   * @throws UsageError when it cannot be read or written, or when somebody else wrote meanwhile
   */
  readonly rewrite: (change: (events: readonly LedgerEvent[]) => readonly LedgerEvent[]) => Promise<void>;
}

/** An object that is ours, and since when: RFC 3339. */
interface Holding extends Binding {
  readonly since: string;
}

export function foldLedger(events: readonly LedgerEvent[]): LedgerState {
  const { holdings, applied, intents } = fold(events);
  const bindings = new Map([...holdings].map(([address, { id, origin }]) => [address, { id, origin }]));
  return { bindings, applied, intents };
}

/** What was created at or after `since` (milliseconds since the epoch) and is still ours: a reading that lags may not show it yet. */
export function createdSince(
  events: readonly LedgerEvent[],
  since: number,
): ReadonlyMap<Address, { readonly id: ObjectId; readonly at: number }> {
  const created = [...fold(events).holdings].flatMap(([address, { id, origin, since: bound }]) => {
    const at = Date.parse(bound);
    return origin === 'created' && at >= since ? [[address, { id, at }] as const] : [];
  });
  return new Map(created);
}

interface Folded {
  readonly holdings: Map<Address, Holding>;
  readonly applied: Map<Address, Applied>;
  readonly intents: Map<string, OpenIntent>;
}

function fold(events: readonly LedgerEvent[]): Folded {
  const folded: Folded = { holdings: new Map(), applied: new Map(), intents: new Map() };
  const { holdings, applied, intents } = folded;
  for (const event of events) {
    switch (event.type) {
      case 'bound':
        if (isAnotherObject(event, holdings.get(event.address))) applied.delete(event.address);
        holdings.set(event.address, { id: event.id, origin: event.origin, since: event.at });
        break;
      case 'applied':
        applied.set(event.address, { spec: event.spec, digests: event.digests, at: event.at });
        break;
      case 'forgotten':
        holdings.delete(event.address);
        applied.delete(event.address);
        break;
      case 'moved':
        move(folded, event);
        break;
      case 'intent': {
        const { id, address, operation, identity, seen, at } = event;
        intents.set(id, { address, operation, identity, seen, at });
        break;
      }
      case 'done':
        intents.delete(event.intent);
        break;
      case 'run':
      case 'unknown':
        break;
      default:
        assertNever(event);
    }
  }
  return folded;
}

/** Moved once more, as in a merge of two copies that both say so, what has arrived stays. */
function move({ holdings, applied, intents }: Folded, { from, to }: Moved): void {
  if (from === to || !holdings.has(from)) return;
  rename(holdings, from, to);
  rename(applied, from, to);
  for (const [id, intent] of intents) if (intent.address === from) intents.set(id, { ...intent, address: to });
}

function rename<T>(known: Map<Address, T>, from: Address, to: Address): void {
  const value = known.get(from);
  known.delete(from);
  known.delete(to);
  if (value !== undefined) known.set(to, value);
}

/** What was applied to one object says nothing about the next; a created object is new even under the id of the one before it. */
function isAnotherObject(event: Bound, before: Binding | undefined): boolean {
  return event.origin === 'created' || (before !== undefined && before.id !== event.id);
}
