// Who owns which live object, while binding goes through the kinds: nobody gets an object that somebody else has.

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

/** One declared resource and what it was recognised as. */
export interface Bound {
  readonly resource: DesiredResource;
  /** null: it does not exist, or its kind was not read. */
  readonly object: LiveObject | null;
  /** The ledger says already that the object is this resource's. */
  readonly owned: boolean;
  /** We made the object, so a field that we never sent was never set. */
  readonly made: boolean;
  /** The ledger's id for it, when that object is gone. */
  readonly lost: ObjectId | null;
  /** What told that the object is this resource's: a natural key, for people; null when somebody had said so, or there is none. */
  readonly recognisedBy: string | null;
}

/** The live objects of one kind while they find their owners. */
export interface Table {
  readonly kind: Kind;
  readonly objects: ReadonlyMap<ObjectId, LiveObject>;
  /** Which address an object belongs to. */
  readonly claims: Map<ObjectId, Address>;
}

/** What binding reads and writes while it goes through the kinds. */
export interface Course {
  readonly ledger: ReadonlyMap<Address, Binding>;
  readonly ids: Map<Address, ObjectId>;
  readonly bound: Map<Address, Bound>;
  readonly problems: Diagnostic[];
}

/** A finding of the planner: it knows its place, and not the line that stands there. */
export function problem(code: Diagnostic['code'], place: Place, message: string, remedy: string): Diagnostic {
  return { code, severity: 'error', place, message, remedy, excerpt: null, related: [] };
}

/** A bare reference as the id it spells. */
export function bareId(kind: Kind, reference: Reference): ObjectId {
  return kind.id === 'integer' ? Number(reference) : reference;
}

/** Resolves an address, or a bare id; null when the address has no id yet. */
export function resolver(ids: ReadonlyMap<Address, ObjectId>) {
  return (reference: Reference): ObjectId | null => (isAddress(reference) ? (ids.get(reference) ?? null) : reference);
}

/** Gives an object to a resource, unless another one has it. */
export function claim(
  course: Course,
  table: Table,
  resource: DesiredResource,
  object: LiveObject,
  recognisedBy: string | null = null,
): void {
  const other = table.claims.get(object.id);
  if (other !== undefined) {
    const message = `${resource.address} and ${other} are both ${object.kind} ${object.id}`;
    course.problems.push(
      problem(
        'ambiguous-match',
        resource.place,
        message,
        'remove one of the two declarations, or give them different `id:`s',
      ),
    );
    return;
  }
  table.claims.set(object.id, resource.address);
  course.ids.set(resource.address, object.id);
  const known = course.ledger.get(resource.address);
  const owned = known?.id === object.id;
  const made = owned && known.origin === 'created';
  const lost = lostOf(course, table, resource);
  course.bound.set(resource.address, { resource, object, owned, made, lost, recognisedBy });
}

/** The ledger's id for a resource, when no such object is there any more. */
export function lostOf(course: Course, table: Table, { address }: DesiredResource): ObjectId | null {
  const known = course.ledger.get(address)?.id;
  return known === undefined || table.objects.has(known) ? null : known;
}
