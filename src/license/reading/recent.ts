// Recent own writes, from the events of the ledger: those that a reading may not show yet.

import { assertNever } from '../../base/errors.ts';
import type { Address, KindName, ObjectId, Spec } from '../../base/model.ts';
import { kindOf } from '../../kinds/index.ts';
import type { BeforeEvent, LedgerEvent } from '../../ledger/events.ts';
import { fold } from '../../ledger/ledger.ts';

/** When it was written; milliseconds since the epoch. */
interface WriteTime {
  readonly at: number;
}

/** An object that this project created or deleted. */
export interface OwnObject extends WriteTime {
  readonly id: ObjectId;
}

/** A request that was sent, and whose end is not recorded. */
export interface InFlight extends WriteTime {
  readonly run: string;
  /** The object before the request; null when there was none. */
  readonly spec: Spec | null;
}

export interface OrderInFlight extends WriteTime {
  readonly order: readonly Address[];
}

/** Writes at or after a moment. */
export interface Recent {
  readonly created: ReadonlyMap<Address, OwnObject>;
  readonly applied: ReadonlyMap<Address, WriteTime & { readonly spec: Spec }>;
  readonly deleted: ReadonlyMap<KindName, readonly OwnObject[]>;
  readonly inFlight: ReadonlyMap<Address, InFlight>;
  readonly orders: ReadonlyMap<KindName, OrderInFlight>;
  readonly ordersInFlight: ReadonlyMap<KindName, OrderInFlight>;
}

const NOTHING: Recent = {
  created: new Map(),
  applied: new Map(),
  deleted: new Map(),
  inFlight: new Map(),
  orders: new Map(),
  ordersInFlight: new Map(),
};

/** `since` in milliseconds since the epoch. */
export function recentOf(events: readonly LedgerEvent[], since: number): Recent {
  // Most plans are made long after the last apply.
  if (!hasAnySince(events, since)) return NOTHING;
  const { bound, applied, orders } = fold(events);
  const { deleted, inFlight, ordersInFlight } = unsettledIn(events);
  const later = <K, T extends WriteTime>(entries: Iterable<readonly [K, T]>): ReadonlyMap<K, T> =>
    new Map([...entries].filter(([, { at }]) => at >= since));
  const made = [...bound.values()].flatMap(({ address, id, origin, at }) =>
    origin === 'created' ? [[address, { id, at: Date.parse(at) }] as const] : [],
  );
  return {
    created: later(made),
    applied: later(
      [...applied.values()].map(({ address, spec, at }) => [address, { spec, at: Date.parse(at) }] as const),
    ),
    deleted: new Map([...deleted].map(([kind, own]) => [kind, [...own.values()].filter(({ at }) => at >= since)])),
    inFlight: later(inFlight),
    orders: later([...orders.values()].map(({ kind, order, at }) => [kind, { order, at: Date.parse(at) }] as const)),
    ordersInFlight: later(ordersInFlight),
  };
}

function hasAnySince(events: readonly LedgerEvent[], since: number): boolean {
  // Events that are written together have the same time.
  let last = '';
  for (const event of events) {
    if (event.type === 'unknown' || event.at === last) continue;
    if (Date.parse(event.at) >= since) return true;
    last = event.at;
  }
  return false;
}

/** Returns what was created at or after `since` (milliseconds since the epoch) and is still owned. */
export function createdSince(events: readonly LedgerEvent[], since: number): Recent['created'] {
  return recentOf(events, since).created;
}

/**
 * An id that was bound again was not deleted. A run that has ended names what it is not sure of; of one that was killed, every write counts that it
 * did not record as done.
 */
function unsettledIn(events: readonly LedgerEvent[]): {
  readonly deleted: ReadonlyMap<KindName, ReadonlyMap<ObjectId, OwnObject>>;
  readonly inFlight: ReadonlyMap<Address, InFlight>;
  readonly ordersInFlight: ReadonlyMap<KindName, OrderInFlight>;
} {
  const deleted = new Map<KindName, Map<ObjectId, OwnObject>>();
  const ids = new Map<Address, ObjectId>();
  const inFlight = new Map<Address, InFlight>();
  const ordersInFlight = new Map<KindName, OrderInFlight>();
  for (const event of events) {
    switch (event.type) {
      case 'bound':
        ids.set(event.address, event.id);
        deleted.get(kindOf(event.address))?.delete(event.id);
        inFlight.delete(event.address);
        break;
      case 'moved':
        rename(ids, event);
        rename(inFlight, event);
        break;
      case 'forgotten': {
        const id = ids.get(event.address);
        const kind = kindOf(event.address);
        ids.delete(event.address);
        inFlight.delete(event.address);
        if (id === undefined || event.because !== 'deleted') break;
        const same = deleted.get(kind) ?? new Map<ObjectId, OwnObject>();
        deleted.set(kind, same.set(id, { id, at: Date.parse(event.at) }));
        break;
      }
      case 'before':
        // An unmanaged object that was deleted was never bound.
        if (event.id !== null) ids.set(event.address, event.id);
        inFlight.set(event.address, imageOf(event, inFlight.get(event.address)));
        break;
      case 'applied':
        inFlight.delete(event.address);
        break;
      case 'order':
        if (event.moment === 'applied') ordersInFlight.delete(event.kind);
        else ordersInFlight.set(event.kind, { order: event.order, at: Date.parse(event.at) });
        break;
      case 'run': {
        const unsure = new Set(event.unsure);
        for (const [address, { run }] of inFlight)
          if (run === event.run && !unsure.has(address)) inFlight.delete(address);
        break;
      }
      case 'begun':
      case 'customer':
      case 'done':
      case 'intent':
      case 'license':
      case 'remaking':
      case 'secret':
      case 'token':
      case 'unknown':
      case 'warned':
        break;
      default:
        assertNever(event);
    }
  }
  return { deleted, inFlight, ordersInFlight };
}

function rename<T>(entries: Map<Address, T>, { from, to }: { readonly from: Address; readonly to: Address }): void {
  const entry = entries.get(from);
  entries.delete(from);
  if (entry !== undefined) entries.set(to, entry);
}

/** Of one run, the first image is the true one, and the last request is the one that may still arrive. */
function imageOf({ run, spec, at }: BeforeEvent, known: InFlight | undefined): InFlight {
  return { run, spec: known?.run === run ? known.spec : spec, at: Date.parse(at) };
}
