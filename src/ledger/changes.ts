// What a run did to each object, and what it left of it, from the events that belong to it; and those events under the names of today.

import { countedBy, grouped } from '../base/grouped.ts';
import type { Address, Applied, Reference, Spec } from '../base/model.ts';
import { renameReferences } from '../kinds/fields.ts';
import { KINDS, kindOf } from '../kinds/index.ts';
import { secretField } from '../kinds/kind.ts';
import type { BeforeEvent, LedgerEvent, OrderEvent } from './events.ts';
import { tokenKey } from './ledger.ts';
import { compactedRun, happeningsIn, isAside, type KilledEvent } from './runs.ts';

/** What the run left of a resource, as far as the ledger says. */
export type Left =
  | { readonly state: 'applied'; readonly spec: Spec; readonly digests: Applied['digests'] }
  | { readonly state: 'deleted' }
  /** The run failed there, or was killed, and no later run read the object. */
  | { readonly state: 'unknown' };

/** What the events leave of each resource that they speak of. */
export function leftIn(events: readonly LedgerEvent[]): ReadonlyMap<Address, Left> {
  const left = new Map<Address, Left>();
  for (const event of events) {
    if (event.type === 'applied')
      left.set(event.address, { state: 'applied', spec: event.spec, digests: event.digests });
    else if (event.type === 'forgotten') left.set(event.address, { state: 'deleted' });
    else if (event.type === 'intent' || event.type === 'bound') left.set(event.address, { state: 'unknown' });
  }
  return left;
}

/**
 * What a run did to an object. applied: what the object was applied to be, by a run whose earlier values a compaction removed. failed: a request that
 * did not succeed. unknown: a request that may have arrived. secret_due: the next apply makes it again with another secret. token_unanswered: a token that
 * may have been issued. The last four change nothing on the license.
 */
export const RUN_ACTIONS = [
  'added',
  'changed',
  'replaced',
  'destroyed',
  'unknown',
  'failed',
  'applied',
  'secret',
  'secret_due',
  'token',
  'token_unanswered',
  'adopted',
  'imported',
  'renamed',
  'released',
] as const;
export type RunAction = (typeof RUN_ACTIONS)[number];

/** One object of a run. */
export interface RunChange {
  readonly address: Address;
  readonly action: RunAction;
  /** The object before: the fields that the run changed, or all of one that it destroyed. Null when there was none, or nothing is known of it. */
  readonly before: Spec | null;
  /** What was applied to it, and digests of fields that cannot be read; null when that is not known. */
  readonly after: Pick<Applied, 'spec' | 'digests'> | null;
  /** The address before, of a renamed one. */
  readonly from: Address | null;
}

/** A run with the events that belong to it, oldest first, its end included. */
export interface RunEvents {
  readonly id: string;
  readonly events: readonly (LedgerEvent | KilledEvent)[];
}

/** In the order of their last events: what a compaction leaves of a run before its end is in no order. */
export function runsIn(events: readonly LedgerEvent[]): readonly RunEvents[] {
  const ofRuns = happeningsIn(events).flatMap(({ run, event }) => (run === null ? [] : [[run, event] as const]));
  const last = new Map(ofRuns.map(([run], index) => [run, index]));
  return Array.from(grouped(ofRuns), ([id, own]) => ({ id, events: own }))
    .filter(({ events: own }) => !own.every(isAside))
    .sort((one, other) => (last.get(one.id) ?? 0) - (last.get(other.id) ?? 0));
}

/** In the order in which the run came to them. `events` belong to one run, or to several that are one change. */
export function changesIn(events: RunEvents['events']): readonly RunChange[] {
  const own = events.filter((event): event is LedgerEvent => event.type !== 'killed');
  const left = leftIn(own);
  const changes = new Map<Address, RunChange>();
  const known = (address: Address, action: RunAction, more: Partial<RunChange> = {}): void => {
    if (!changes.has(address))
      changes.set(address, { address, action, before: null, after: null, from: null, ...more });
  };
  const unsure = unsureIn(events);
  const formers = formersIn(own);
  const remade = new Set([
    ...own.flatMap((event) => (event.type === 'remaking' ? [event.address] : [])),
    ...formers.values(),
  ]);
  const made = new Set(
    own.flatMap((event) => (event.type === 'bound' && event.origin === 'created' ? [event.address] : [])),
  );
  for (const event of own) {
    if (event.type !== 'before') continue;
    const { address, spec: before } = event;
    const doubts = { isRemade: remade.has(address), isMade: made.has(address), isUnsure: unsure.has(address) };
    known(address, actionOf(event, left.get(address), doubts), { before, after: specLeft(left, address) });
  }
  const isReduced = compactedRun(own) !== null;
  const answered = answeredTokens(own);
  for (const event of own) {
    switch (event.type) {
      case 'moved':
        known(event.to, 'renamed', { from: event.from });
        break;
      case 'bound':
        if (formers.has(event.address)) break;
        known(event.address, event.origin === 'created' ? 'added' : event.origin, {
          after: specLeft(left, event.address),
        });
        break;
      case 'forgotten':
        if (formers.has(event.address)) break;
        known(event.address, event.because === 'deleted' ? 'destroyed' : 'released');
        break;
      case 'secret': {
        const isDue = event.state === 'lost' && secretField(KINDS[kindOf(event.address)]) !== null;
        known(event.address, isDue ? 'secret_due' : 'secret');
        break;
      }
      case 'token':
        if (event.state === 'kept' || event.state === 'lost') known(event.address, 'token');
        else if (event.state === 'asked' && !answered.has(tokenKey(event))) known(event.address, 'token_unanswered');
        break;
      case 'applied':
        if (isReduced) known(event.address, 'applied', { after: specLeft(left, event.address) });
        break;
      default:
        break;
    }
  }
  return [...changes.values()];
}

/** By `tokenKey`: tokens whose request has an answer among the events. */
export function answeredTokens(events: readonly (LedgerEvent | KilledEvent)[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) => (event.type === 'token' && event.state !== 'asked' ? [tokenKey(event)] : [])),
  );
}

/** The addresses that a run gave to objects it had made others for, which then went; each with the address before. */
function formersIn(own: readonly LedgerEvent[]): ReadonlyMap<Address, Address> {
  const owners = new Map(
    own.flatMap((event) =>
      event.type === 'before' ? [[`${kindOf(event.address)} ${event.id}`, event.address] as const] : [],
    ),
  );
  return new Map(
    own.flatMap((event) => {
      const owner = event.type === 'bound' ? owners.get(`${kindOf(event.address)} ${event.id}`) : undefined;
      return event.type !== 'bound' || owner === undefined || owner === event.address ? [] : [[event.address, owner]];
    }),
  );
}

function specLeft(left: ReadonlyMap<Address, Left>, address: Address): RunChange['after'] {
  const found = left.get(address);
  return found?.state === 'applied' ? { spec: found.spec, digests: found.digests } : null;
}

interface RequestDoubts {
  readonly isRemade: boolean;
  /** A create has its answer. */
  readonly isMade: boolean;
  readonly isUnsure: boolean;
}

function actionOf(
  { spec }: BeforeEvent,
  left: Left | undefined,
  { isRemade, isMade, isUnsure }: RequestDoubts,
): RunAction {
  const [was, is] = [spec !== null, left?.state === 'applied'];
  if (left?.state === 'deleted') return was ? 'destroyed' : 'failed';
  if (is || isMade) return was ? (isRemade ? 'replaced' : 'changed') : 'added';
  return isUnsure ? 'unknown' : 'failed';
}

/** Objects whose state after the run is not known: all that a killed run did not finish, and what a run that ended names. */
function unsureIn(events: RunEvents['events']): { readonly has: (address: Address) => boolean } {
  const end = events.findLast((event) => event.type === 'run');
  return end?.type === 'run' ? new Set(end.unsure) : { has: () => true };
}

/** The order of the rules before the run and after it; null when the run did not change it, or the ledger does not say. */
export function orderChangeIn(
  events: RunEvents['events'],
): { readonly before: readonly Address[]; readonly after: readonly Address[] | null } | null {
  const orders = events.filter((event): event is OrderEvent => event.type === 'order');
  const before = orders.find(({ moment }) => moment === 'before');
  if (before === undefined) return null;
  return { before: before.order, after: orders.findLast(({ moment }) => moment === 'applied')?.order ?? null };
}

/** How many objects the changes are about, by what was done to them. */
export function tallyOf(changes: readonly RunChange[]): { readonly [action: string]: number } {
  const counts = countedBy(changes, ({ action }) => action);
  return Object.fromEntries(
    RUN_ACTIONS.flatMap((action) => [[action, counts.get(action) ?? 0] as const]).filter(([, count]) => count > 0),
  );
}

/** The events under the names of today, with the renames at their places. */
export function underNamesOfToday(log: readonly LedgerEvent[]): readonly LedgerEvent[] {
  if (!log.some(({ type }) => type === 'moved')) return log;
  const current = renamed(log);
  let next = 0;
  return log.map((event) => {
    if (event.type === 'moved') return event;
    next += 1;
    return current[next - 1] ?? event;
  });
}

/** The same events with every resource under its name of today, and without the renames themselves. */
export function renamed(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  const today = new Map<Reference, Address>();
  const current: LedgerEvent[] = [];
  for (const event of events.toReversed()) {
    if (event.type !== 'moved') {
      current.push(today.size === 0 ? event : renamedEvent(event, today));
      continue;
    }
    const name = today.get(event.to) ?? event.to;
    // An event before the rename that has the new name is about another object.
    today.delete(event.to);
    if (event.from !== event.to) today.set(event.from, name);
  }
  return current.reverse();
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
