// The events of a log in, what is owned and what was last applied out; and what a place that keeps a log must do. It must not know any such
// place.

import { assertNever } from '../errors.ts';
import type { Address, LedgerState, ObjectId } from '../model.ts';
import type { AppliedSpec, Bound, Intent, LedgerEvent, Moved } from './events.ts';

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

export function foldLedger(events: readonly LedgerEvent[]): LedgerState {
  const { bound, applied, intents } = fold(events);
  return {
    bindings: mapped(bound, ({ id, origin }) => ({ id, origin })),
    applied: mapped(applied, ({ spec, digests, at }) => ({ spec, digests, at })),
    intents: mapped(intents, ({ address, operation, identity, seen, at }) => ({
      address,
      operation,
      identity,
      seen,
      at,
    })),
  };
}

/** What was created at or after `since` (milliseconds since the epoch) and is still ours: a reading that lags may not show it yet. */
export function createdSince(
  events: readonly LedgerEvent[],
  since: number,
): ReadonlyMap<Address, { readonly id: ObjectId; readonly at: number }> {
  const created = [...fold(events).bound.values()].flatMap(({ address, id, origin, at: bound }) => {
    const at = Date.parse(bound);
    return origin === 'created' && at >= since ? [[address, { id, at }] as const] : [];
  });
  return new Map(created);
}

/** The events that still count, by the name that their object has now: they fold to what all of them fold to. */
export function surviving(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  const { bound, applied, intents } = fold(events);
  return [...bound.values(), ...applied.values(), ...intents.values()];
}

/** For each address the event that has the last word. */
interface Folded {
  readonly bound: Map<Address, Bound>;
  readonly applied: Map<Address, AppliedSpec>;
  /** By their ids: those that are open. */
  readonly intents: Map<string, Intent>;
}

function fold(events: readonly LedgerEvent[]): Folded {
  const folded: Folded = { bound: new Map(), applied: new Map(), intents: new Map() };
  const { bound, applied, intents } = folded;
  for (const event of events) {
    switch (event.type) {
      case 'bound':
        if (isAnotherObject(event, bound.get(event.address))) applied.delete(event.address);
        bound.set(event.address, event);
        break;
      case 'applied':
        applied.set(event.address, event);
        break;
      case 'forgotten':
        bound.delete(event.address);
        applied.delete(event.address);
        break;
      case 'moved':
        move(folded, event);
        break;
      case 'intent':
        intents.set(event.id, event);
        break;
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
function move({ bound, applied, intents }: Folded, { from, to }: Moved): void {
  if (from === to || !bound.has(from)) return;
  rename(bound, from, to);
  rename(applied, from, to);
  for (const [id, intent] of intents) if (intent.address === from) intents.set(id, { ...intent, address: to });
}

function rename<T extends { readonly address: Address }>(known: Map<Address, T>, from: Address, to: Address): void {
  const event = known.get(from);
  known.delete(from);
  known.delete(to);
  if (event !== undefined) known.set(to, { ...event, address: to });
}

function mapped<K, T, U>(entries: ReadonlyMap<K, T>, change: (value: T) => U): ReadonlyMap<K, U> {
  return new Map([...entries].map(([key, value]) => [key, change(value)]));
}

/** What was applied to one object says nothing about the next; a created object is new even under the id of the one before it. */
function isAnotherObject(event: Bound, before: Bound | undefined): boolean {
  return event.origin === 'created' || (before !== undefined && before.id !== event.id);
}
