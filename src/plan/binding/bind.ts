// Desired resources, live objects and the ledger's bindings in; which resource is which object out.
// In this order: `id:`, ledger, natural key, none. Two candidates are an error that names them. Knows nothing of differences.

import { byText } from '../../base/json.ts';
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
  Reference,
} from '../../base/model.ts';
import { KIND_NAMES, KINDS, kindOf } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { intruders } from '../intruders.ts';
import { type Bound, bareId, type Course, claim, problem, resolver, type Table } from './claims.ts';
import { bindByNature, listNames } from './recognise.ts';

/** Which resource is which object. */
export interface Bindings {
  /** Of the kinds that were read, in the order of the manifest's addresses. */
  readonly bound: ReadonlyMap<Address, Bound>;
  /** Every address with a known id: declared, external, orphaned, or of a kind that was not read. */
  readonly ids: ReadonlyMap<Address, ObjectId>;
  /** Objects that nothing declares and that may go: those that the ledger calls ours, and the strangers that are in the way. */
  readonly orphans: ReadonlyMap<Address, LiveObject>;
  /** The orphans that were never ours. */
  readonly foreign: ReadonlySet<Address>;
  /** Addresses in the ledger that are neither declared nor live, sorted. */
  readonly gone: readonly Address[];
  /** Objects that are nobody's and stay. */
  readonly strangers: readonly LiveObject[];
  /** Why a stranger stays although its kind is complete. */
  readonly spared: ReadonlyMap<LiveObject, string>;
  readonly problems: readonly Diagnostic[];
  /** The address of a live object, or its bare id. */
  readonly referenceTo: (kind: string, id: ObjectId) => Reference;
  readonly idOf: (reference: Reference) => ObjectId | null;
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
  // A key that is the whole identity means the object it names now, whatever it named before.
  if (kind.id === undefined) return open;
  return open.filter((resource) => {
    if (resource.id !== null) return true;
    const known = course.ledger.get(resource.address);
    const object = known === undefined ? undefined : table.objects.get(known.id);
    if (object === undefined) return true;
    claim(course, table, resource, object);
    return false;
  });
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

export function bind(
  desired: Desired,
  live: Live,
  ledger: ReadonlyMap<Address, Binding>,
  stays: (object: LiveObject, address: Address) => string | null,
): Bindings {
  const course: Course = { ledger, ids: new Map(), bound: new Map(), problems: [] };
  const tables = new Map<string, Table>();
  const byKind = resourcesByKind(desired);
  for (const name of KIND_NAMES) {
    const kind = KINDS[name];
    const objects = live.objects[name];
    const resources = byKind.get(name) ?? [];
    if (objects === undefined) {
      trust(course, kind, resources);
      trustExternals(
        course,
        desired.externals.filter((external) => external.kind === name),
      );
      continue;
    }
    const byId = new Map<ObjectId, LiveObject>();
    for (const object of objects) byId.set(object.id, object);
    const table: Table = { kind, objects: byId, claims: new Map() };
    tables.set(name, table);
    for (const external of desired.externals) if (external.kind === name) bindExternal(course, external, objects);
    bindByNature(course, kind, table, bindForCertain(course, kind, table, resources));
  }
  const { strangers, ...rest } = leftOver(desired, live, ledger, tables);
  const inTheWay = intruders({ desired, strangers, ids: course.ids, ledger, stays });
  const orphans = new Map([...rest.orphans, ...inTheWay.leaving]);
  for (const [address, object] of orphans) {
    course.ids.set(address, object.id);
    tables.get(object.kind)?.claims.set(object.id, address);
  }
  const leaving = new Set(inTheWay.leaving.values());
  return {
    ...course,
    ...references(course, tables),
    orphans,
    foreign: new Set(inTheWay.leaving.keys()),
    gone: rest.gone,
    strangers: leaving.size === 0 ? strangers : strangers.filter((object) => !leaving.has(object)),
    spared: inTheWay.spared,
  };
}

function resourcesByKind({ resources }: Desired): ReadonlyMap<KindName, readonly DesiredResource[]> {
  const byKind = new Map<KindName, DesiredResource[]>();
  for (const resource of resources) {
    const same = byKind.get(resource.kind);
    if (same === undefined) byKind.set(resource.kind, [resource]);
    else same.push(resource);
  }
  return byKind;
}

/** What the ledger calls ours, and nothing declares any more. */
export function undeclaredIn(
  ledger: ReadonlyMap<Address, Binding>,
  { resources, externals }: Desired,
): readonly Address[] {
  const declared = new Set<Address>();
  for (const { address } of resources) declared.add(address);
  for (const { address } of externals) declared.add(address);
  const undeclared: Address[] = [];
  for (const address of ledger.keys()) if (!declared.has(address)) undeclared.push(address);
  return undeclared;
}

function leftOver(
  desired: Desired,
  live: Live,
  ledger: ReadonlyMap<Address, Binding>,
  tables: ReadonlyMap<string, Table>,
) {
  const orphans = new Map<Address, LiveObject>();
  const gone: Address[] = [];
  const owned = new Set<LiveObject>();
  for (const address of undeclaredIn(ledger, desired).toSorted(byText)) {
    const table = tables.get(kindOf(address));
    const binding = ledger.get(address);
    if (table === undefined || binding === undefined) continue;
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

function references(course: Course, tables: ReadonlyMap<string, Table>) {
  const idOf = resolver(course.ids);
  const referenceTo = (kind: string, id: ObjectId): Reference => {
    const table = tables.get(kind);
    if (table === undefined) return String(id);
    return table.claims.get(bareId(table.kind, String(id))) ?? String(id);
  };
  return { idOf, referenceTo };
}
