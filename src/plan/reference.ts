// Pointers of documents: to places in files and to objects.

import type { Address, KindName, ObjectId, Place, Reference } from '../base/model.ts';
import type { SourcePlace } from './plan.ts';

/** Returns a place without its length, which only carets need. */
export function sourceOf({ file, line, column }: Place): SourcePlace {
  return { file, line, column };
}

/** Returns an address, also for an undeclared object: `<kind>/<id>`. */
export function addressOf(kind: KindName, reference: Reference): Address {
  return reference.startsWith(`${kind}/`) ? (reference as Address) : `${kind}/${reference}`;
}

/** Returns an address without its kind: the key of what is declared, the id of what is not. */
export function keyOf(address: Address): string {
  return address.slice(address.indexOf('/') + 1);
}

/** Where an object that is replaced is owned until it goes: its own address is that of the new one. */
export function formerAddress(kind: KindName, id: ObjectId): Address {
  return `${kind}/id/${id}`;
}
