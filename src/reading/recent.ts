// The events of a ledger in; what was written so short a time ago that a reading may not show it yet, out. Pure: the time is a number.

import { assertNever } from '../base/errors.ts';
import type { Address, KindName, ObjectId, Spec } from '../base/model.ts';
import { kindOf } from '../kinds/index.ts';
import type { BeforeEvent, LedgerEvent } from '../ledger/events.ts';
import { fold } from '../ledger/ledger.ts';

/** When something was written; milliseconds since the epoch. */
interface Written {
  readonly at: number;
}

/** An object that we made or deleted. */
export interface OwnObject extends Written {
  readonly id: ObjectId;
}

/** A request left, and nothing says how it ended. */
export interface InFlight extends Written {
  readonly run: string;
  /** What the object was before; null when there was none. */
  readonly spec: Spec | null;
}

export interface OrderInFlight extends Written {
  readonly order: readonly Address[];
}

/** What was written at or after a moment. */
export interface Recent {
  readonly created: ReadonlyMap<Address, OwnObject>;
  readonly applied: ReadonlyMap<Address, Written & { readonly spec: Spec }>;
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
  const { inFlight, ordersInFlight } = underWay(events);
  const later = <K, T extends Written>(entries: Iterable<readonly [K, T]>): ReadonlyMap<K, T> =>
    new Map([...entries].filter(([, { at }]) => at >= since));
  const made = [...bound.values()].flatMap(({ address, id, origin, at }) =>
    origin === 'created' ? [[address, { id, at: Date.parse(at) }] as const] : [],
  );
  return {
    created: later(made),
    applied: later(
      [...applied.values()].map(({ address, spec, at }) => [address, { spec, at: Date.parse(at) }] as const),
    ),
    deleted: deletedSince(events, since),
    inFlight: later(inFlight),
    orders: later([...orders.values()].map(({ kind, order, at }) => [kind, { order, at: Date.parse(at) }] as const)),
    ordersInFlight: later(ordersInFlight),
  };
}

function hasAnySince(events: readonly LedgerEvent[], since: number): boolean {
  // What is written together bears the same time.
  let last = '';
  for (const event of events) {
    if (event.type === 'unknown' || event.at === last) continue;
    if (Date.parse(event.at) >= since) return true;
    last = event.at;
  }
  return false;
}

/** What was created at or after `since` (milliseconds since the epoch) and is still ours: a reading that lags may not show it yet. */
export function createdSince(events: readonly LedgerEvent[], since: number): Recent['created'] {
  return recentOf(events, since).created;
}

/** An id that was made again, or adopted since, is no ghost. */
function deletedSince(events: readonly LedgerEvent[], since: number): Recent['deleted'] {
  const deleted = new Map<KindName, Map<ObjectId, OwnObject>>();
  const ids = new Map<Address, ObjectId>();
  for (const event of events) {
    switch (event.type) {
      case 'bound':
        ids.set(event.address, event.id);
        deleted.get(kindOf(event.address))?.delete(event.id);
        break;
      case 'moved': {
        const id = ids.get(event.from);
        ids.delete(event.from);
        if (id !== undefined) ids.set(event.to, id);
        break;
      }
      case 'forgotten': {
        const id = ids.get(event.address);
        const kind = kindOf(event.address);
        ids.delete(event.address);
        if (id === undefined || event.because !== 'deleted') break;
        const same = deleted.get(kind) ?? new Map<ObjectId, OwnObject>();
        deleted.set(kind, same.set(id, { id, at: Date.parse(event.at) }));
        break;
      }
      case 'before':
        // A stranger that was deleted was never bound.
        if (event.id !== null) ids.set(event.address, event.id);
        break;
      case 'applied':
      case 'done':
      case 'intent':
      case 'order':
      case 'remaking':
      case 'run':
      case 'secret':
      case 'unknown':
        break;
      default:
        assertNever(event);
    }
  }
  return new Map([...deleted].map(([kind, own]) => [kind, [...own.values()].filter(({ at }) => at >= since)]));
}

/** A run that has ended says what it is not sure of; of one that was killed, everything counts that it did not record as done. */
function underWay(events: readonly LedgerEvent[]): {
  readonly inFlight: ReadonlyMap<Address, InFlight>;
  readonly ordersInFlight: ReadonlyMap<KindName, OrderInFlight>;
} {
  const inFlight = new Map<Address, InFlight>();
  const ordersInFlight = new Map<KindName, OrderInFlight>();
  for (const event of events) {
    switch (event.type) {
      case 'before':
        inFlight.set(event.address, imageOf(event, inFlight.get(event.address)));
        break;
      case 'order':
        if (event.moment === 'applied') ordersInFlight.delete(event.kind);
        else ordersInFlight.set(event.kind, { order: event.order, at: Date.parse(event.at) });
        break;
      case 'applied':
      case 'bound':
      case 'forgotten':
        inFlight.delete(event.address);
        break;
      case 'run': {
        for (const [address, { run }] of inFlight)
          if (run === event.id && event.unsure?.includes(address) !== true) inFlight.delete(address);
        break;
      }
      case 'moved': {
        const known = inFlight.get(event.from);
        inFlight.delete(event.from);
        if (known !== undefined) inFlight.set(event.to, known);
        break;
      }
      case 'done':
      case 'intent':
      case 'remaking':
      case 'secret':
      case 'unknown':
        break;
      default:
        assertNever(event);
    }
  }
  return { inFlight, ordersInFlight };
}

/** Of one run, the first image is the true one; the last request is the one that may still arrive. */
function imageOf({ run, spec, at }: BeforeEvent, known: InFlight | undefined): InFlight {
  return { run, spec: known?.run === run ? known.spec : spec, at: Date.parse(at) };
}
