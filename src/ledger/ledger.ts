// What a ledger says: what is owned and what was last applied, folded from the events of a log; and what a place that keeps a log must do.

import { assertNever } from '../base/errors.ts';
import type { Address, KindName, LedgerState } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { lastNames, renamedOrder } from '../base/renames.ts';
import { renameReferences } from '../kinds/fields.ts';
import { KINDS, kindOf, MEMBERSHIP } from '../kinds/index.ts';
import type {
  AppliedEvent,
  BoundEvent,
  CustomerEvent,
  IntentEvent,
  LedgerEvent,
  LicenseEvent,
  MovedEvent,
  OrderEvent,
  RemakingEvent,
  SecretEvent,
  TokenEvent,
  WarnedEvent,
} from './events.ts';

/** A place that keeps an append-only log. One conformance suite holds for all of them: test/ledger/conformance.ts. */
export interface Ledger {
  /** Every event, oldest first; none when the log does not exist yet. @throws UsageError when it cannot be read or is damaged */
  readonly read: () => Promise<readonly LedgerEvent[]>;
  /**
   * Resolves once all `events` would survive a crash. Concurrent appends never mix, and keep the order of their calls: a run does not wait for one
   * append before the next. @throws UsageError when they cannot be written
   */
  readonly append: (events: readonly LedgerEvent[]) => Promise<void>;
}

/** A ledger that can be kept short. */
export interface Backend extends Ledger {
  /**
   * Replaces all events by what `change` makes of them, at once or not at all; the same list changes nothing.
   * @throws UsageError when it cannot be read or written, or when another program wrote meanwhile
   */
  readonly rewrite: (change: (events: readonly LedgerEvent[]) => readonly LedgerEvent[]) => Promise<void>;
}

/** Whether no run has written to the license yet: an identity of a customer says nothing of that. */
export function isNew(events: readonly LedgerEvent[]): boolean {
  return events.every(({ type }) => type === 'customer');
}

/** What all events add up to: several steps of a plan ask for it. */
export const foldLedger = oncePer((events: readonly LedgerEvent[]): LedgerState => {
  const { bound, applied, secrets, orders, intents, remaking, license } = fold(events);
  const administrators = license?.administrators;
  return {
    bindings: mapped(bound, ({ id, origin }) => ({ id, origin })),
    applied: mapped(applied, ({ spec, digests, at, reads, applied_at: since = at }) => ({
      spec,
      digests,
      at: since,
      ...(reads === undefined ? {} : { reads }),
    })),
    secrets: mapped(secrets, ({ state }) => state),
    orders: mapped(orders, ({ order, at }) => ({ order, at })),
    intents: mapped(intents, ({ address, operation, identity, seen, at }) => ({
      address,
      operation,
      identity,
      seen,
      at,
    })),
    remaking: mapped(remaking, ({ spec }) => spec),
    administrators: administrators === undefined ? null : new Set(administrators),
  };
});

/** The events that still count, with addresses of today: they fold to the same as all events. */
export function surviving(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  const { license, warned, ...owned } = fold(events);
  const { bound, applied, secrets, tokens, asked, orders, intents, remaking, customers } = owned;
  const kept = [bound, applied, secrets, tokens, asked, orders, intents, remaking, customers].flatMap((each) => [
    ...each.values(),
  ]);
  return [...kept, ...(license === null ? [] : [license]), ...(warned === null ? [] : [warned])];
}

/** The last event that counts, for each address. */
export interface Folded {
  readonly bound: Map<Address, BoundEvent>;
  readonly applied: Map<Address, AppliedEvent>;
  readonly secrets: Map<Address, SecretEvent>;
  /** Of bots: the last that was issued. */
  readonly tokens: Map<Address, TokenEvent>;
  /** By `tokenKey`: those that were asked for, and whose answer is not recorded. */
  readonly asked: Map<string, TokenEvent>;
  /** By kind: the orders that were applied. */
  readonly orders: Map<KindName, OrderEvent>;
  /** By their ids: those that are open. */
  readonly intents: Map<string, IntentEvent>;
  /** Those that did not come to an end. */
  readonly remaking: Map<Address, RemakingEvent>;
  /** By client: the customers whose eyes are used. */
  readonly customers: Map<string, CustomerEvent>;
  /** The license, without groups that were deleted since; null when no apply has recorded it. */
  license: LicenseEvent | null;
  /** The last that an apply gave; null when none has recorded any. */
  warned: WarnedEvent | null;
}

export function fold(events: readonly LedgerEvent[]): Folded {
  const folded: Folded = {
    bound: new Map(),
    applied: new Map(),
    secrets: new Map(),
    tokens: new Map(),
    asked: new Map(),
    orders: new Map(),
    intents: new Map(),
    remaking: new Map(),
    customers: new Map(),
    license: null,
    warned: null,
  };
  // Of renames that follow each other, what refers to their names is changed once.
  const moves: MovedEvent[] = [];
  for (const event of events) {
    if (event.type === 'moved') {
      if (move(folded, event)) moves.push(event);
      continue;
    }
    if (moves.length > 0) referToMoved(folded, moves.splice(0));
    take(folded, event);
  }
  referToMoved(folded, moves);
  return folded;
}

function take(folded: Folded, event: Exclude<LedgerEvent, MovedEvent>): void {
  const { bound, applied, secrets, tokens, asked, orders, intents, remaking } = folded;
  switch (event.type) {
    case 'bound': {
      const before = bound.get(event.address);
      if (isAnotherObject(event, before)) applied.delete(event.address);
      if (before?.id !== event.id) {
        secrets.delete(event.address);
        forgetTokens(folded, event.address);
      }
      bound.set(event.address, event);
      remaking.delete(event.address);
      break;
    }
    case 'applied':
      applied.set(event.address, event);
      break;
    case 'forgotten':
      if (event.because === 'deleted') folded.license = withoutGroup(folded.license, bound.get(event.address));
      bound.delete(event.address);
      applied.delete(event.address);
      secrets.delete(event.address);
      forgetTokens(folded, event.address);
      if (event.because !== 'deleted') remaking.delete(event.address);
      break;
    case 'remaking':
      remaking.set(event.address, event);
      break;
    case 'secret':
      if (bound.get(event.address)?.id === event.id) secrets.set(event.address, event);
      break;
    case 'token':
      if (bound.get(event.address)?.id !== event.id) break;
      if (event.state === 'asked') asked.set(tokenKey(event), event);
      else asked.delete(tokenKey(event));
      if (event.state === 'kept' || event.state === 'lost') tokens.set(event.address, event);
      break;
    case 'order':
      if (event.moment === 'applied') orders.set(event.kind, event);
      break;
    case 'intent':
      intents.set(event.id, event);
      break;
    case 'done':
      intents.delete(event.intent);
      break;
    case 'customer':
      folded.customers.set(event.client_id, event);
      break;
    case 'license':
      folded.license = event;
      break;
    case 'warned':
      folded.warned = event;
      break;
    case 'before':
    case 'begun':
    case 'run':
    case 'unknown':
      break;
    default:
      assertNever(event);
  }
}

/** What a request for a token and its answer have in common. */
export function tokenKey({ id, until }: Pick<TokenEvent, 'id' | 'until'>): string {
  return `${until} ${id}`;
}

function forgetTokens({ tokens, asked }: Folded, address: Address): void {
  tokens.delete(address);
  for (const [key, event] of asked) if (event.address === address) asked.delete(key);
}

/** The license without a group that is deleted. */
function withoutGroup(license: LicenseEvent | null, gone: BoundEvent | undefined): LicenseEvent | null {
  if (license === null || gone === undefined || kindOf(gone.address) !== MEMBERSHIP.right.kind.name) return license;
  const { [String(gone.id)]: _, ...groups } = license.groups;
  return { ...license, groups };
}

/** Renames an address; whether it did. A second rename, as from a merge of two copies, changes nothing. */
function move({ bound, applied, secrets, tokens, remaking }: Folded, { from, to }: MovedEvent): boolean {
  if (from === to || !bound.has(from)) return false;
  rename(bound, from, to);
  rename(applied, from, to);
  rename(secrets, from, to);
  rename(tokens, from, to);
  rename(remaking, from, to);
  return true;
}

/** Gives what refers to renamed addresses the new ones. */
function referToMoved({ applied, orders, intents, asked }: Folded, moves: readonly MovedEvent[]): void {
  if (moves.length === 0) return;
  const names = lastNames(moves);
  for (const [address, event] of applied)
    applied.set(address, { ...event, spec: renameReferences(KINDS[kindOf(address)], event.spec, names) });
  for (const [kind, event] of orders) orders.set(kind, { ...event, order: renamedOrder(event.order, moves) });
  readdress(intents, names);
  readdress(asked, names);
}

function readdress<T extends { readonly address: Address }>(
  known: Map<string, T>,
  names: ReturnType<typeof lastNames>,
): void {
  for (const [key, event] of known) {
    const to = names.get(event.address);
    if (to !== undefined) known.set(key, { ...event, address: to });
  }
}

function rename<T extends { readonly address: Address }>(known: Map<Address, T>, from: Address, to: Address): void {
  const event = known.get(from);
  known.delete(from);
  known.delete(to);
  if (event !== undefined) known.set(to, { ...event, address: to });
}

function mapped<K, T, U>(entries: ReadonlyMap<K, T>, change: (value: T) => U): ReadonlyMap<K, U> {
  const changed = new Map<K, U>();
  for (const [key, value] of entries) changed.set(key, change(value));
  return changed;
}

/** What was applied to one object says nothing about the next; a created object is new even under the id of the one before it. */
function isAnotherObject(event: BoundEvent, before: BoundEvent | undefined): boolean {
  return event.origin === 'created' || (before !== undefined && before.id !== event.id);
}
