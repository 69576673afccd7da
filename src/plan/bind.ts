// Desired resources, live objects and the ledger's bindings in; which resource is which object out.
// In this order: `id:`, ledger, natural key, none. Two candidates are an error that names them. Knows nothing of differences.

import { InternalError } from '../errors.ts';
import { KIND_NAMES, KINDS } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type {
  Address,
  Binding,
  Desired,
  DesiredResource,
  Diagnostic,
  External,
  KindName,
  Live,
  LiveObject,
  ObjectId,
  Place,
  Reference,
} from '../model.ts';

/** One declared resource and what it was recognised as. */
export interface Bound {
  readonly resource: DesiredResource;
  /** null: it does not exist, or its kind was not read. */
  readonly object: LiveObject | null;
  /** The ledger says already that the object is this resource's. */
  readonly owned: boolean;
  /** The ledger's id for it, when that object is gone. */
  readonly lost: ObjectId | null;
}

export interface Bindings {
  /** Of the kinds that were read, in the order of the manifest's addresses. */
  readonly bound: ReadonlyMap<Address, Bound>;
  /** Every address with a known id: declared, external, orphaned, or of a kind that was not read. */
  readonly ids: ReadonlyMap<Address, ObjectId>;
  /** Objects that the ledger calls ours and nothing declares. */
  readonly orphans: ReadonlyMap<Address, LiveObject>;
  /** Addresses in the ledger that are neither declared nor live. */
  readonly gone: readonly Address[];
  readonly strangers: readonly LiveObject[];
  readonly problems: readonly Diagnostic[];
  /** The address of a live object, or its bare id. */
  readonly referenceTo: (kind: string, id: ObjectId) => Reference;
  readonly idOf: (reference: Reference) => ObjectId | null;
}

interface Table {
  readonly objects: ReadonlyMap<ObjectId, LiveObject>;
  /** Which address an object belongs to. */
  readonly claims: Map<ObjectId, Address>;
}

/** What binding reads and writes while it goes through the kinds. */
interface Course {
  readonly ledger: ReadonlyMap<Address, Binding>;
  readonly ids: Map<Address, ObjectId>;
  readonly bound: Map<Address, Bound>;
  readonly problems: Diagnostic[];
}

function problem(code: Diagnostic['code'], place: Place, message: string, remedy: string): Diagnostic {
  return { code, severity: 'error', place, message, remedy, excerpt: null, related: [] };
}

function bareId(kind: Kind, reference: Reference): ObjectId {
  return kind.id === 'integer' ? Number(reference) : reference;
}

/** Resolves an address, or a bare id; null when the address has no id yet. */
function resolver(ids: ReadonlyMap<Address, ObjectId>) {
  return (reference: Reference): ObjectId | null => {
    const slash = reference.indexOf('/');
    const isAddress = slash > 0 && reference.slice(0, slash) in KINDS;
    return isAddress ? (ids.get(reference as Address) ?? null) : reference;
  };
}

function claim(course: Course, table: Table, resource: DesiredResource, object: LiveObject): void {
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
  const known = course.ledger.get(resource.address)?.id ?? null;
  const owned = known === object.id;
  course.bound.set(resource.address, { resource, object, owned, lost: owned ? null : known });
}

/** `id:` and ledger first, for every resource of the kind, so that no natural key takes what somebody else owns for certain. */
function bindForCertain(
  course: Course,
  kind: Kind,
  table: Table,
  resources: readonly DesiredResource[],
): readonly DesiredResource[] {
  const open: DesiredResource[] = [];
  for (const resource of resources) {
    const wanted = resource.id === null ? undefined : table.objects.get(bareId(kind, String(resource.id)));
    if (wanted !== undefined) {
      claim(course, table, resource, wanted);
    } else if (resource.id !== null && kind.choosesId === undefined) {
      course.problems.push(
        problem(
          'dangling-reference',
          resource.place,
          `there is no ${kind.noun.one} with id ${resource.id} on the license`,
          'correct the `id:`, or remove it to have the object created',
        ),
      );
    } else {
      open.push(resource);
    }
  }
  return open.filter((resource) => {
    const known = course.ledger.get(resource.address);
    const object = known === undefined ? undefined : table.objects.get(known.id);
    if (object === undefined) return true;
    claim(course, table, resource, object);
    return false;
  });
}

function listNames(objects: readonly LiveObject[]): string {
  return objects.map((object) => `${object.id} (${object.name})`).join(', ');
}

/** Indexes the unclaimed objects by one natural key. */
function unclaimedByKey(kind: Kind, table: Table, level: number): ReadonlyMap<string, readonly LiveObject[]> {
  const index = new Map<string, LiveObject[]>();
  for (const object of table.objects.values()) {
    if (table.claims.has(object.id) || object.facts.derived === true) continue;
    const key = kind.naturalKeys[level]?.ofLive(object) ?? null;
    if (key === null) continue;
    const same = index.get(key);
    if (same === undefined) index.set(key, [object]);
    else same.push(object);
  }
  return index;
}

/** Of several objects with equal keys, those that the later keys do not tell apart from the resource. */
function narrow(
  course: Course,
  kind: Kind,
  level: number,
  resource: DesiredResource,
  candidates: readonly LiveObject[],
): readonly LiveObject[] {
  let left = candidates;
  for (const key of kind.naturalKeys.slice(level + 1)) {
    if (left.length < 2) break;
    const own = key.ofDesired(resource, resolver(course.ids));
    const closer = left.filter((object) => key.ofLive(object) === own);
    if (closer.length > 0) left = closer;
  }
  return left;
}

function bindByNature(course: Course, kind: Kind, table: Table, resources: readonly DesiredResource[]): void {
  const resolve = resolver(course.ids);
  let open = resources;
  for (const [level, key] of kind.naturalKeys.entries()) {
    const index = unclaimedByKey(kind, table, level);
    const still: DesiredResource[] = [];
    for (const resource of open) {
      const own = key.ofDesired(resource, resolve);
      const unclaimed = (own === null ? [] : (index.get(own) ?? [])).filter((object) => !table.claims.has(object.id));
      const candidates = narrow(course, kind, level, resource, unclaimed);
      const [first] = candidates;
      if (first === undefined) {
        still.push(resource);
      } else if (candidates.length > 1) {
        course.problems.push(
          problem(
            'ambiguous-match',
            resource.place,
            `${resource.address} could be any of ${candidates.length} live ${kind.noun.many}: ${listNames(candidates)}`,
            `say which one with \`id:\``,
          ),
        );
      } else {
        claim(course, table, resource, first);
      }
    }
    open = still;
  }
  for (const resource of open) {
    course.bound.set(resource.address, {
      resource,
      object: null,
      owned: false,
      lost: course.ledger.get(resource.address)?.id ?? null,
    });
  }
}

/** Externals are looked up by id or by name, and never written. */
function bindExternal(course: Course, external: External, objects: readonly LiveObject[]): void {
  const noun = KINDS[external.kind].noun;
  const found = objects.filter((object) =>
    external.id === null ? object.name === external.name : object.id === external.id,
  );
  const [first] = found;
  if (found.length === 1 && first !== undefined) {
    course.ids.set(external.address, first.id);
    return;
  }
  const sought = external.id === null ? `named \`${external.name}\`` : `with id \`${external.id}\``;
  course.problems.push(
    found.length === 0
      ? problem(
          'dangling-reference',
          external.place,
          `there is no ${noun.one} ${sought} on the license`,
          'correct the external reference',
        )
      : problem(
          'ambiguous-match',
          external.place,
          `${found.length} live ${noun.many} are named \`${external.name}\`: ${listNames(found)}`,
          'use `external: { id }`',
        ),
  );
}

/** Of a kind that was not read, the ledger, the `id:` and the keys that are ids by themselves are all there is. */
function trust(course: Course, kind: Kind, resources: readonly DesiredResource[]): void {
  for (const resource of resources) {
    const id =
      course.ledger.get(resource.address)?.id ?? resource.id ?? (kind.choosesId === true ? resource.key : null);
    if (id !== null) course.ids.set(resource.address, id);
  }
}

function trustExternals(course: Course, externals: readonly External[]): void {
  for (const external of externals) {
    const id = external.id ?? course.ledger.get(external.address)?.id ?? null;
    if (id !== null) course.ids.set(external.address, id);
  }
}

export function bind(desired: Desired, live: Live, ledger: ReadonlyMap<Address, Binding>): Bindings {
  const course: Course = { ledger, ids: new Map(), bound: new Map(), problems: [] };
  const tables = new Map<KindName, Table>();
  for (const name of KIND_NAMES) {
    const kind = KINDS[name];
    const objects = live.objects[name];
    const resources = desired.resources.filter((resource) => resource.kind === name);
    if (objects === undefined) {
      trust(course, kind, resources);
      trustExternals(
        course,
        desired.externals.filter((external) => external.kind === name),
      );
      continue;
    }
    const table: Table = { objects: new Map(objects.map((object) => [object.id, object])), claims: new Map() };
    tables.set(name, table);
    for (const external of desired.externals) if (external.kind === name) bindExternal(course, external, objects);
    bindByNature(course, kind, table, bindForCertain(course, kind, table, resources));
  }
  const rest = leftOver(desired, live, ledger, tables);
  for (const [address, object] of rest.orphans) {
    course.ids.set(address, object.id);
    tables.get(object.kind)?.claims.set(object.id, address);
  }
  return { ...rest, ...course, ...references(course, tables) };
}

function leftOver(
  desired: Desired,
  live: Live,
  ledger: ReadonlyMap<Address, Binding>,
  tables: ReadonlyMap<KindName, Table>,
) {
  const declared = new Set([...desired.resources, ...desired.externals].map(({ address }) => address));
  const orphans = new Map<Address, LiveObject>();
  const gone: Address[] = [];
  const owned = new Set<LiveObject>();
  for (const [address, binding] of ledger) {
    if (declared.has(address)) continue;
    const table = tables.get(kindOf(address));
    if (table === undefined) continue;
    const object = table.objects.get(binding.id);
    if (object === undefined || table.claims.has(object.id)) {
      gone.push(address);
    } else {
      orphans.set(address, object);
      owned.add(object);
    }
  }
  const strangers = KIND_NAMES.flatMap((name) => live.objects[name] ?? []).filter(
    (object) => !owned.has(object) && tables.get(object.kind)?.claims.has(object.id) !== true,
  );
  return { orphans, gone, strangers };
}

/** The kind that an address begins with. */
export function kindOf(address: Address): KindName {
  const name = address.slice(0, address.indexOf('/'));
  const kind = KIND_NAMES.find((known) => known === name);
  if (kind === undefined) throw new InternalError(`no kind in address ${address}`);
  return kind;
}

function references(course: Course, tables: ReadonlyMap<KindName, Table>) {
  const idOf = resolver(course.ids);
  const referenceTo = (kind: string, id: ObjectId): Reference => {
    const table = KIND_NAMES.find((name) => name === kind);
    const claims = table === undefined ? undefined : tables.get(table)?.claims;
    if (table === undefined || claims === undefined) return String(id);
    const typed = bareId(KINDS[table], String(id));
    return claims.get(typed) ?? String(id);
  };
  return { idOf, referenceTo };
}
