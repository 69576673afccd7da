// What a run found and what it left, for each resource, from the events of the ledger. Knows nothing of the license.

import type { Address, Applied, ObjectId, Spec } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { mapReferences } from '../kinds/fields.ts';
import { isAddress, KINDS, kindOf, ORDERED } from '../kinds/index.ts';
import { type Left, leftIn, renamed } from './changes.ts';
import type { BeforeEvent, BoundEvent, ForgottenEvent, LedgerEvent, OrderEvent } from './events.ts';
import { type Folded, fold } from './ledger.ts';
import { idsOf, isImage, type RecordedRun, recordedRuns } from './runs.ts';

/** What a person means by an undo. */
export interface UndoRequest {
  /** The run to take back. */
  readonly run: RecordedRun;
  /** An undo of it that was cut short, and that this one finishes; null when there is none. */
  readonly begun: RecordedRun | null;
}

/** What a run did to one resource, under the resource's name of today. References to objects that were replaced since name no object. */
export interface ResourceTrace {
  readonly address: Address;
  /** Of the object before the run; null when there was none. */
  readonly id: ObjectId | null;
  /** The object before the run, as far as the run changed it; null when there was none. */
  readonly before: Spec | null;
  /** What was applied to the object before the run; null when nothing was. */
  readonly known: Pick<Applied, 'spec' | 'digests'> | null;
  readonly left: Left;
  /** Account of the agent that the run found or made; null where it is not known. */
  readonly account: string | null;
  /** Id of the run that bound another object to the address since, or to what it is a value of; null when none did but an undo of the run. */
  readonly boundBy: string | null;
  /** Id of the undo that made again what the run deleted; null when none did. */
  readonly madeAgainBy: string | null;
  /** Id of the run that deleted the object since, and after which the address has none; null when none did. */
  readonly deletedBy: string | null;
  /** Fields that later runs wrote, even if the value is the same again; without what an undo took back. */
  readonly rewritten: ReadonlySet<string>;
  /** Several runs made the change, and the ledger may lack what the first of them wrote. */
  readonly isPieced: boolean;
}

/** The rules of a license at one moment. */
export interface OrderImage {
  /** The owned ones. */
  readonly owned: readonly Address[];
  /** Ids of all. */
  readonly ids: readonly string[];
}

/** The order of the rules around a run. */
export interface OrderTrace {
  readonly before: OrderImage;
  /** Null when the ledger does not say. */
  readonly left: OrderImage | null;
  /** Later runs moved rules, even if the order is the same again; without what an undo took back. */
  readonly isRewritten: boolean;
}

export interface Footprint {
  /** Ids of the run and of those that it finished. */
  readonly runs: ReadonlySet<string>;
  /** In the order in which the run came to them. */
  readonly traces: readonly ResourceTrace[];
  /** Null when the run did not change the order. */
  readonly order: OrderTrace | null;
  /** Id of the run that bound the object of an address, when that was after this run; null otherwise. */
  readonly boundSince: (address: Address) => string | null;
  /** What later runs changed, perhaps, without a record of what they left. */
  readonly inDoubt: ReadonlySet<Address>;
}

/** Where an undo was cut short, what it left is what the run left. A request that certainly changed nothing leaves no trace. */
export function footprintOf(events: readonly LedgerEvent[], { run, begun }: UndoRequest): Footprint {
  const log = logOf(events);
  const runs = new Set(idsOf(run));
  const parts = begun === null ? runs : new Set([...runs, ...idsOf(begun)]);
  const own = eventsOf(log, runs);
  const [ownEvents, undone] = [
    own.map(({ event }) => event),
    eventsOf(log, begun === null ? [] : idsOf(begun)).map(({ event }) => event),
  ];
  // What others did between the run and an undo that was cut short counts as done since.
  const [end, last] = [own.at(-1)?.at ?? -1, eventsOf(log, parts).at(-1)?.at ?? -1];
  const left = leftIn(ownEvents);
  const lastLeft = leftIn(undone);
  const [isUnsure, next] = [unsureIn(ownEvents), oncePer(() => foundNext(log, end))];
  const isUndo = (id: string): boolean => log.undone.get(id)?.some((each) => runs.has(each)) === true;
  const newlyBound = (address: Address): string | null => {
    const [then, now] = [boundAt(log, address, end), boundAt(log, address, Number.POSITIVE_INFINITY)];
    return now === null || now === then || parts.has(now.run) ? null : now.run;
  };
  const boundSince = (address: Address): string | null => {
    const run = newlyBound(address);
    return run === null || isUndo(run) ? null : run;
  };
  /** Names that another object has now are given up. */
  const identified = (address: Address, spec: Spec, at: number): Spec =>
    mapReferences(KINDS[kindOf(address)], spec, (reference) => {
      if (!isAddress(reference) || boundSince(reference) === null) return reference;
      const then = boundAt(log, reference, at);
      if (then === null) return reference;
      return KINDS[kindOf(reference)].choosesId === true ? `the former ${reference}` : String(then.id);
    });
  const images = new Map<Address, { readonly event: BeforeEvent; readonly at: number }>();
  // What a replacement left when it was cut off went under an address of its own, and comes back under the first one.
  const addresses = new Map<string, Address>();
  for (const { event, at } of own) {
    if (event.type !== 'before') continue;
    if (event.id !== null) {
      const object = `${kindOf(event.address)} ${event.id}`;
      const address = addresses.get(object) ?? event.address;
      addresses.set(object, address);
      if (address !== event.address) continue;
    }
    const first = images.get(event.address);
    // A later request may change other fields.
    if (first === undefined) images.set(event.address, { event, at });
    else if (first.event.spec !== null && event.spec !== null)
      images.set(event.address, {
        at: first.at,
        event: { ...first.event, spec: { ...event.spec, ...first.event.spec } },
      });
  }
  const traces = [...images].flatMap(([address, { event, at }]): readonly ResourceTrace[] => {
    const found = lastLeft.get(address) ?? left.get(address) ?? UNKNOWN;
    if (found.state === 'unknown' && begun === null && !isUnsure(address)) return [];
    const reached = found.state === 'unknown' && begun === null ? (next(log).get(address) ?? UNKNOWN) : found;
    const applied = log.applied.get(address)?.findLast((each) => each.at < at)?.event ?? null;
    const known = applied?.type === 'applied' ? applied : null;
    return [
      {
        address,
        id: event.id,
        before: event.spec === null ? null : identified(address, event.spec, at),
        known: known === null ? null : { spec: identified(address, known.spec, at), digests: known.digests },
        left:
          reached.state === 'applied'
            ? { ...reached, spec: identified(address, reached.spec, lastLeft.has(address) ? last : end) }
            : reached,
        account: event.account ?? accountIn(ownEvents, address),
        boundBy: [address, ...parentsOf(address)].reduce<string | null>((by, each) => by ?? boundSince(each), null),
        madeAgainBy: reached.state === 'deleted' && boundSince(address) === null ? newlyBound(address) : null,
        deletedBy: deletedSince(log, address, end, parts),
        rewritten: rewrittenSince(log, address, end, parts),
        isPieced: runs.size > 1,
      },
    ];
  });
  return {
    runs,
    traces,
    order: orderOf(ownEvents, undone, () => isReordered(log, end, parts)),
    boundSince,
    inDoubt: doubtedAfter(log, end, parts),
  };
}

const UNKNOWN: Left = { state: 'unknown' };

function doubtedAfter({ current }: Log, end: number, parts: ReadonlySet<string>): ReadonlySet<Address> {
  const doubted = new Set<Address>();
  for (const event of current.slice(end + 1)) {
    if (event.type === 'before' && !parts.has(event.run)) doubted.add(event.address);
    else if (event.type === 'applied' || event.type === 'forgotten') doubted.delete(event.address);
  }
  return doubted;
}

function rewrittenSince(log: Log, address: Address, end: number, parts: ReadonlySet<string>): ReadonlySet<string> {
  const later = (log.found.get(address) ?? []).filter(({ at, event }) => at > end && !parts.has(event.run));
  const writers = new Map<string, readonly string[]>();
  for (const { event } of later) {
    const { left, isUnsure } = effectsOf(log.byRun.get(event.run) ?? []);
    // A request that certainly changed nothing wrote nothing.
    if (left.get(address)?.state !== 'applied' && !isUnsure(address)) continue;
    for (const field of Object.keys(event.spec ?? {})) writers.set(field, [...(writers.get(field) ?? []), event.run]);
  }
  return new Set([...writers].flatMap(([field, runs]) => (isStanding(log, end, parts, runs) ? [field] : [])));
}

/** Whether one of the writes after a run stands. `writers`: runs that wrote the same, oldest first. */
function isStanding(log: Log, end: number, parts: ReadonlySet<string>, writers: readonly string[]): boolean {
  const isLater = (run: string): boolean => parts.has(run) || (log.byRun.get(run)?.[0]?.at ?? -1) > end;
  let standing: readonly string[] = [];
  for (const run of writers) {
    const undone = log.undone.get(run) ?? [];
    standing = standing.filter((each) => !undone.includes(each));
    if (!undone.some(isLater)) standing = [...standing, run];
  }
  return standing.length > 0;
}

function isReordered(log: Log, end: number, parts: ReadonlySet<string>): boolean {
  const images = log.current.slice(end + 1).filter((event) => event.type === 'order');
  const movers = images.flatMap((event, index) => {
    if (event.moment !== 'before' || parts.has(event.run)) return [];
    // What a killed run left, the next one found.
    const left = images.slice(index + 1).findLast(({ run }) => run === event.run) ?? images[index + 1];
    return left !== undefined && agree(imageOf(event).ids, imageOf(left).ids) ? [] : [event.run];
  });
  return isStanding(log, end, parts, movers);
}

/** Whether the common items of two lists have the same order in both. */
export function agree<T>(a: readonly T[], b: readonly T[]): boolean {
  const [allA, allB] = [new Set(a), new Set(b)];
  const [inA, inB] = [a.filter((name) => allB.has(name)), b.filter((name) => allA.has(name))];
  return inA.every((name, index) => name === inB[index]);
}

const effectsOf = oncePer((own: readonly EventAt<LedgerEvent>[]) => {
  const events = own.map(({ event }) => event);
  return { left: leftIn(events), isUnsure: unsureIn(events) };
});

/** Whether the run wrote no field of it: it has a new place in its list. */
export function isOnlyMoved({ address, before }: Pick<ResourceTrace, 'address' | 'before'>): boolean {
  return kindOf(address) === ORDERED.name && before !== null && Object.keys(before).length === 0;
}

/** What a value belongs to. */
export function parentsOf(address: Address): readonly Address[] {
  const kind = kindOf(address);
  return (KINDS[kind].parents?.(address.slice(kind.length + 1)) ?? []).filter(isAddress);
}

/** The events of runs, oldest first. */
function eventsOf({ byRun }: Log, runs: Iterable<string>): readonly EventAt<LedgerEvent>[] {
  return [...runs].flatMap((run) => byRun.get(run) ?? []).sort((one, other) => one.at - other.at);
}

/** Account of an agent that a run made. */
function accountIn(own: readonly LedgerEvent[], address: Address): string | null {
  const end = own.findLast((event) => event.type === 'run' && event.accounts?.[address] !== undefined);
  return end?.type === 'run' ? (end.accounts?.[address] ?? null) : null;
}

/** Whether a request for the resource may have had an effect that no event tells. */
function unsureIn(own: readonly LedgerEvent[]): (address: Address) => boolean {
  const ends = new Map(own.flatMap((event) => (event.type === 'run' ? [[event.run, event] as const] : [])));
  const runs = new Map<Address, Set<string>>();
  const changed = new Set<Address>();
  for (const event of own) {
    if (event.type === 'before') runs.set(event.address, (runs.get(event.address) ?? new Set()).add(event.run));
    if (event.type === 'bound' || event.type === 'forgotten') changed.add(event.address);
  }
  return (address) =>
    changed.has(address) ||
    [...(runs.get(address) ?? [])].some((run) => {
      const end = ends.get(run);
      return end === undefined || end.unsure?.includes(address) === true;
    });
}

/** What the ledger said before a run and after it, under the names of today. */
export function ledgerAround(
  events: readonly LedgerEvent[],
  run: RecordedRun,
): { readonly before: Folded; readonly after: Folded } {
  const log = logOf(events);
  const own = eventsOf(log, idsOf(run));
  const [start, end] = [own.find(({ event }) => isImage(event))?.at ?? 0, own.at(-1)?.at ?? -1];
  return { before: fold(log.current.slice(0, start)), after: fold(log.current.slice(0, end + 1)) };
}

interface EventAt<E> {
  readonly at: number;
  readonly event: E;
}

/** A log under the names of today, and what each address was over time. */
interface Log {
  readonly current: readonly LedgerEvent[];
  readonly byRun: ReadonlyMap<string, readonly EventAt<LedgerEvent>[]>;
  /** From a `forgotten` on, the address has no object. */
  readonly bound: ReadonlyMap<Address, readonly EventAt<BoundEvent | ForgottenEvent>[]>;
  readonly applied: ReadonlyMap<Address, readonly EventAt<LedgerEvent>[]>;
  /** Images of what runs found. */
  readonly found: ReadonlyMap<Address, readonly EventAt<BeforeEvent>[]>;
  /** By id of an undo: ids of the runs that it took back. */
  readonly undone: ReadonlyMap<string, readonly string[]>;
}

const logOf = oncePer((events: readonly LedgerEvent[]): Log => {
  const current = renamed(events);
  const byRun = new Map<string, EventAt<LedgerEvent>[]>();
  const bound = new Map<Address, EventAt<BoundEvent | ForgottenEvent>[]>();
  const applied = new Map<Address, EventAt<LedgerEvent>[]>();
  const found = new Map<Address, EventAt<BeforeEvent>[]>();
  const put = <K, E>(known: Map<K, EventAt<E>[]>, key: K, event: E, at: number): void => {
    const list = known.get(key);
    if (list === undefined) known.set(key, [{ event, at }]);
    else list.push({ event, at });
  };
  for (const [at, event] of current.entries()) {
    if (event.type !== 'unknown') put(byRun, event.run, event, at);
    if (event.type === 'before') put(found, event.address, event, at);
    if (event.type === 'bound' || event.type === 'forgotten') put(bound, event.address, event, at);
    // What was applied to one object says nothing of the next.
    if (
      event.type === 'applied' ||
      event.type === 'forgotten' ||
      (event.type === 'bound' && event.origin === 'created')
    )
      put(applied, event.address, event, at);
  }
  const runs = recordedRuns(current);
  const whole = new Map(runs.flatMap((run) => idsOf(run).map((id) => [id, idsOf(run)] as const)));
  const undone = new Map(
    runs.flatMap((run) =>
      run.undoes === null ? [] : idsOf(run).map((id) => [id, whole.get(run.undoes ?? '') ?? []] as const),
    ),
  );
  return { current, byRun, bound, applied, found, undone };
});

/** The event that bound the object which the address had then; null when it had none. */
function boundAt({ bound }: Log, address: Address, at: number): BoundEvent | null {
  const event = bound.get(address)?.findLast((each) => each.at <= at)?.event;
  return event?.type === 'bound' ? event : null;
}

/** The run that deleted the last object of the address, after `end`. */
function deletedSince({ bound }: Log, address: Address, end: number, parts: ReadonlySet<string>): string | null {
  const last = bound.get(address)?.at(-1);
  if (last === undefined || last.at <= end || last.event.type === 'bound' || parts.has(last.event.run)) return null;
  return last.event.because === 'deleted' ? last.event.run : null;
}

/** What the runs left, from what the next run found. */
function foundNext({ current }: Log, end: number): ReadonlyMap<Address, Left> {
  const found = new Map<Address, Left>();
  for (const event of current.slice(end + 1)) {
    if (event.type !== 'before' || found.has(event.address)) continue;
    const { address, spec } = event;
    found.set(address, spec === null ? { state: 'deleted' } : { state: 'applied', spec, digests: {} });
  }
  return found;
}

function orderOf(
  own: readonly LedgerEvent[],
  undone: readonly LedgerEvent[],
  isRewritten: () => boolean,
): OrderTrace | null {
  const orders = own.filter((event) => event.type === 'order');
  const before = orders.find(({ moment }) => moment === 'before');
  if (before === undefined) return null;
  const left = orders.findLast(({ moment }) => moment === 'applied');
  // An undo that was cut short left an order between the two.
  const isBetween = undone.some(({ type }) => type === 'order');
  return {
    before: imageOf(before),
    left: left === undefined || isBetween ? null : imageOf(left),
    isRewritten: isRewritten(),
  };
}

function imageOf({ order, ids }: OrderEvent): OrderImage {
  return { owned: order, ids: ids.map(String) };
}
