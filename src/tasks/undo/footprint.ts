// What a run found and what it left, for each resource, from the events of the ledger. Knows nothing of the license.

import type { Address, Applied, ObjectId, Reference, Spec } from '../../base/model.ts';
import { renameReferences } from '../../kinds/fields.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import { type Left, leftIn } from '../../ledger/changes.ts';
import type { BeforeEvent, LedgerEvent, OrderEvent } from '../../ledger/events.ts';
import { type Folded, fold } from '../../ledger/ledger.ts';
import { idsOf, isImage, type RecordedRun } from '../../ledger/runs.ts';
import type { UndoRequest } from './runs.ts';

/** What a run did to one resource, under the resource's name of today. */
export interface ResourceTrace {
  readonly address: Address;
  /** Of the object before the run; null when there was none. */
  readonly id: ObjectId | null;
  /** The object before the run, as far as the run changed it; null when there was none. */
  readonly before: Spec | null;
  /** What was applied to the object before the run; null when nothing was. */
  readonly known: Pick<Applied, 'spec' | 'digests'> | null;
  readonly left: Left;
  /** Several runs made the change, and the ledger may lack what the first of them wrote. */
  readonly isPieced: boolean;
}

/** The rules of a license at one moment. */
export interface OrderImage {
  /** The owned ones. */
  readonly owned: readonly Address[];
  /** Ids of all; null in a ledger of an older chatform. */
  readonly ids: readonly string[] | null;
}

/** The order of the rules around a run. */
export interface OrderTrace {
  readonly before: OrderImage;
  /** Null when the ledger does not say. */
  readonly left: OrderImage | null;
}

export interface Footprint {
  /** In the order in which the run came to them. */
  readonly traces: readonly ResourceTrace[];
  /** Null when the run did not change the order. */
  readonly order: OrderTrace | null;
}

/** Where an undo was cut short, what it left is what the run left. */
export function footprintOf(events: readonly LedgerEvent[], { run, begun }: UndoRequest): Footprint {
  const told = renamed(events);
  const runs = new Set(idsOf(run));
  const start = told.findIndex((event) => isImage(event) && runs.has(event.run));
  const own = told.slice(start, endOf(told, run.id));
  const undone =
    begun === null ? [] : told.slice(told.findIndex((event) => isImage(event) && idsOf(begun).includes(event.run)));
  const { applied } = fold(told.slice(0, Math.max(0, start)));
  const images = new Map<Address, BeforeEvent>();
  for (const event of told) {
    if (event.type === 'before' && runs.has(event.run) && !images.has(event.address)) images.set(event.address, event);
  }
  const [lastLeft, left, next] = [leftIn(undone), leftIn(own), foundNext(told, runs)];
  const leftBy = (address: Address): Left => {
    const known = lastLeft.get(address) ?? left.get(address);
    return known === undefined || (known.state === 'unknown' && begun === null)
      ? (next.get(address) ?? { state: 'unknown' })
      : known;
  };
  const traces = [...images].map(([address, { id, spec: before }]): ResourceTrace => {
    const known = applied.get(address);
    return {
      address,
      id,
      before,
      known: known === undefined ? null : { spec: known.spec, digests: known.digests },
      left: leftBy(address),
      isPieced: runs.size > 1,
    };
  });
  return { traces, order: orderOf(told, runs, undone) };
}

/** What the ledger said before a run and after it, under the names of today. */
export function ledgerAround(
  events: readonly LedgerEvent[],
  run: RecordedRun,
): { readonly before: Folded; readonly after: Folded } {
  const told = renamed(events);
  const runs = new Set(idsOf(run));
  const start = told.findIndex((event) => isImage(event) && runs.has(event.run));
  return { before: fold(told.slice(0, Math.max(0, start))), after: fold(told.slice(0, endOf(told, run.id) + 1)) };
}

/** Index of the end of a run. Runs follow each other: a run that was killed ends where the next one begins. */
function endOf(events: readonly LedgerEvent[], run: string): number {
  const last = events.findIndex((event) => event.type === 'run' && event.id === run);
  if (last !== -1) return last;
  const start = events.findIndex((event) => isImage(event) && event.run === run);
  const next = events.findIndex(
    (event, index) => index > start && (event.type === 'run' || (isImage(event) && event.run !== run)),
  );
  return next === -1 ? events.length : next;
}

/** What the runs left, from what the next run found. */
function foundNext(events: readonly LedgerEvent[], runs: ReadonlySet<string>): ReadonlyMap<Address, Left> {
  const own = events.findLastIndex((event) => event.type === 'before' && runs.has(event.run));
  const found = new Map<Address, Left>();
  for (const event of events.slice(own + 1)) {
    if (event.type !== 'before' || found.has(event.address)) continue;
    const { address, spec } = event;
    found.set(address, spec === null ? { state: 'deleted' } : { state: 'applied', spec, digests: {} });
  }
  return found;
}

function orderOf(
  events: readonly LedgerEvent[],
  runs: ReadonlySet<string>,
  undone: readonly LedgerEvent[],
): OrderTrace | null {
  const orders = events.filter((event) => event.type === 'order').filter(({ run }) => runs.has(run));
  const before = orders.find(({ moment }) => moment === 'before');
  if (before === undefined) return null;
  const left = orders.findLast(({ moment }) => moment === 'applied');
  // An undo that was cut short left an order between the two.
  const isBetween = undone.some(({ type }) => type === 'order');
  return { before: imageOf(before), left: left === undefined || isBetween ? null : imageOf(left) };
}

function imageOf({ order, ids }: OrderEvent): OrderImage {
  return { owned: order, ids: ids?.map(String) ?? null };
}

/** The same events with every resource under its name of today, and without the renames themselves. */
export function renamed(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  const today = new Map<Reference, Address>();
  const told: LedgerEvent[] = [];
  for (const event of events.toReversed()) {
    if (event.type !== 'moved') {
      told.push(today.size === 0 ? event : renamedEvent(event, today));
      continue;
    }
    const name = today.get(event.to) ?? event.to;
    // An event before the rename that has the new name is about another object.
    today.delete(event.to);
    if (event.from !== event.to) today.set(event.from, name);
  }
  return told.reverse();
}

function renamedEvent(event: LedgerEvent, today: ReadonlyMap<Reference, Address>): LedgerEvent {
  const nameOf = (address: Address): Address => today.get(address) ?? address;
  switch (event.type) {
    case 'before': {
      const address = nameOf(event.address);
      return { ...event, address, spec: event.spec === null ? null : renamedIn(address, event.spec, today) };
    }
    case 'applied':
    case 'remaking': {
      const address = nameOf(event.address);
      return { ...event, address, spec: renamedIn(address, event.spec, today) };
    }
    case 'bound':
    case 'forgotten':
    case 'intent':
    case 'secret':
    case 'token':
      return { ...event, address: nameOf(event.address) };
    case 'order':
      return { ...event, order: event.order.map(nameOf) };
    default:
      return event;
  }
}

function renamedIn(address: Address, spec: Spec, today: ReadonlyMap<Reference, Address>): Spec {
  return renameReferences(KINDS[kindOf(address)], spec, today);
}
