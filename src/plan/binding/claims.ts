// Claims of declared resources on live objects while the kinds are bound. An object has at most one claim.

import type {
  Address,
  Binding,
  DesiredResource,
  Diagnostic,
  LiveObject,
  ObjectId,
  Place,
  Reference,
} from '../../base/model.ts';
import { isAddress } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';

export interface BoundResource {
  readonly resource: DesiredResource;
  /** null when it does not exist, or when its kind was not read. */
  readonly object: LiveObject | null;
  /** The ledger already assigns the object to this resource. */
  readonly owned: boolean;
  /** chatform created the object, so a field that was never sent was never set. */
  readonly made: boolean;
  /** The id in the ledger, when that object is gone. */
  readonly lost: ObjectId | null;
  /** The natural key that found the object, for people; null when `id:` or the ledger named it, or there is none. */
  readonly recognisedBy: string | null;
}

/** The live objects of one kind, and which address claims which. */
export interface KindTable {
  readonly kind: Kind;
  readonly objects: ReadonlyMap<ObjectId, LiveObject>;
  readonly claims: Map<ObjectId, Address>;
}

/** State of binding, shared by all kinds. */
export interface BindingState {
  readonly ledger: ReadonlyMap<Address, Binding>;
  readonly ids: Map<Address, ObjectId>;
  readonly bound: Map<Address, BoundResource>;
  readonly problems: Diagnostic[];
}

/** A finding of the planner. It has a place and no excerpt; `place` is null when no file declares the subject. */
export function problem(code: Diagnostic['code'], place: Place | null, message: string, remedy: string): Diagnostic {
  return { code, severity: 'error', place: place ?? NOWHERE, message, remedy, excerpt: null, related: [] };
}

/** Place of what no file declares. */
export const NOWHERE: Place = { file: '', line: 1, column: 1, length: 1 };

/** Turns a bare reference into the id that it spells. */
export function bareId(kind: Kind, reference: Reference): ObjectId {
  return kind.id === 'integer' ? Number(reference) : reference;
}

/** Returns the id of an address or a bare id; null when the address has no id yet. */
export function resolver(ids: ReadonlyMap<Address, ObjectId>) {
  return (reference: Reference): ObjectId | null => (isAddress(reference) ? (ids.get(reference) ?? null) : reference);
}

/** Whether an owned object existed before chatform managed it: it was adopted or imported, and never created. */
export function isAdopted({ origin }: Binding): boolean {
  return origin !== 'created';
}

/** Assigns an object to a resource; a problem when another resource has it. */
export function claim(
  state: BindingState,
  table: KindTable,
  resource: DesiredResource,
  object: LiveObject,
  recognisedBy: string | null = null,
): void {
  const other = table.claims.get(object.id);
  if (other !== undefined) {
    const message = `${resource.address} and ${other} are both ${object.kind} ${object.id}`;
    const remedy = 'remove one of the two declarations, or give them different `id:`s';
    state.problems.push(problem('ambiguous-match', resource.place, message, remedy));
    return;
  }
  table.claims.set(object.id, resource.address);
  state.ids.set(resource.address, object.id);
  const known = state.ledger.get(resource.address);
  const owned = known?.id === object.id;
  const made = owned && !isAdopted(known);
  const lost = lostOf(state, table, resource);
  state.bound.set(resource.address, { resource, object, owned, made, lost, recognisedBy });
}

/** Returns the id in the ledger when no such object exists any more. */
export function lostOf(state: BindingState, table: KindTable, { address }: DesiredResource): ObjectId | null {
  const known = state.ledger.get(address)?.id;
  return known === undefined || table.objects.has(known) ? null : known;
}
