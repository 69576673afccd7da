// The events of a ledger in; the same events out, with every resource called what it is called today.

import type { Address, Reference, Spec } from '../../base/model.ts';
import { renameReferences } from '../../kinds/fields.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import type { LedgerEvent } from '../../ledger/events.ts';

/** Renames themselves have no meaning any more, and are left out. */
export function renamed(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  const today = new Map<Reference, Address>();
  const told: LedgerEvent[] = [];
  for (const event of events.toReversed()) {
    if (event.type !== 'moved') {
      told.push(today.size === 0 ? event : renamedEvent(event, today));
      continue;
    }
    const name = today.get(event.to) ?? event.to;
    // What was called that before the rename is another object.
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
