// What is owned since when, and what happened in which run, from the events of a log.

import type { Address, Binding, OpenIntent } from '../base/model.ts';
import { answeredTokens } from './changes.ts';
import type { LedgerEvent } from './events.ts';
import { foldLedger, surviving, tokenKey } from './ledger.ts';
import { type Happening, happeningsIn } from './runs.ts';

/** An owned object. */
export interface Holding extends Binding {
  readonly address: Address;
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339; null when nothing was applied yet, as after an adoption. */
  readonly last_applied: string | null;
}

/** Sorted by address. */
export function holdingsOf(events: readonly LedgerEvent[]): readonly Holding[] {
  const { applied } = foldLedger(events);
  return surviving(events)
    .flatMap((event): readonly Holding[] => {
      if (event.type !== 'bound') return [];
      const { address, id, origin, at } = event;
      return [{ address, id, origin, since: at, last_applied: applied.get(address)?.at ?? null }];
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** A create whose end is unknown, and the id of its intent. */
export type NamedIntent = OpenIntent & { readonly intent: string };

export function openIntentsOf(events: readonly LedgerEvent[]): readonly NamedIntent[] {
  return [...foldLedger(events).intents].map(([intent, open]) => ({ intent, ...open }));
}

/** Oldest first. With `matches`, what happened to these addresses, including under their earlier names. */
export function historyOf(
  events: readonly LedgerEvent[],
  matches: ((address: Address) => boolean) | null,
): readonly Happening[] {
  const happenings: Happening[] = [];
  const earlier = new Set<Address>();
  const meant = (address: Address): boolean => matches === null || matches(address) || earlier.has(address);
  const intents = new Map(events.flatMap((event) => (event.type === 'intent' ? [[event.id, event.address]] : [])));
  for (const happening of happeningsIn(events).toReversed()) {
    const { event } = happening;
    const addresses = addressesOf(event, intents);
    if (event.type === 'moved' && meant(event.to)) earlier.add(event.from);
    if (matches === null || addresses.some(meant)) happenings.push(happening);
  }
  return happenings.reverse();
}

/** For people: without intents and requests for tokens that have ended, records that only prepare a change, and what else became known of a license. */
export function outcomesOf(happenings: readonly Happening[]): readonly Happening[] {
  const ended = new Set(happenings.flatMap(({ event }) => (event.type === 'done' ? [event.intent] : [])));
  const answered = answeredTokens(happenings.map(({ event }) => event));
  let place: string | null = null;
  return happenings.filter(({ event }) => {
    switch (event.type) {
      case 'license': {
        const isNew = event.base_url !== place;
        place = event.base_url;
        return isNew;
      }
      case 'intent':
        return !ended.has(event.id);
      case 'done':
        return event.outcome !== 'created';
      case 'token':
        return event.state !== 'asked' || !answered.has(tokenKey(event));
      case 'before':
      case 'begun':
      case 'remaking':
      case 'warned':
        return false;
      case 'order':
        return event.moment === 'applied';
      default:
        return true;
    }
  });
}

function addressesOf(event: Happening['event'], intents: ReadonlyMap<string, Address>): readonly Address[] {
  switch (event.type) {
    case 'moved':
      return [event.from, event.to];
    case 'done': {
      const address = intents.get(event.intent);
      return address === undefined ? [] : [address];
    }
    case 'order':
      return event.order;
    case 'begun':
    case 'customer':
    case 'license':
    case 'run':
    case 'killed':
    case 'unknown':
    case 'warned':
      return [];
    default:
      return [event.address];
  }
}
