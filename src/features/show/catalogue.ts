// What `show` shows: the license, a kind or one resource. Compares nothing.

import { byText } from '../../base/json.ts';
import type { Address, KindName, Live, LiveObject } from '../../base/model.ts';
import { mapReferences, referencesOf } from '../../kinds/fields.ts';
import { KIND_NAMES, KINDS, ORDERED } from '../../kinds/index.ts';
import type { Identified } from '../../plan/binding/identify.ts';
import { liveSpec } from '../../plan/diff.ts';
import type { Difference } from '../../plan/differences/difference.ts';
import { addressOf, sourceOf } from '../../plan/reference.ts';
import type { KindCount, Shown, ShownMembers, ShownObject, ShownReference } from './schema.ts';

/** Every object that was read, by kind; an ordered kind in its order, the others by address. */
export function catalogue(live: Live, { bindings, ledger }: Identified): readonly ShownObject[] {
  const declared = new Map(
    [...bindings.bound.values()].flatMap(({ resource, object }) =>
      object === null ? [] : [[object, resource] as const],
    ),
  );
  const owned = new Map([...bindings.undeclared].map(([address, object]) => [object, address] as const));
  const entry = (object: LiveObject): ShownObject => {
    const resource = declared.get(object);
    const known: Address | undefined = resource?.address ?? owned.get(object);
    const kind = KINDS[object.kind];
    const fields = Object.entries(kind.fields).filter(([, { option }]) => option !== true);
    return {
      address: known ?? `${object.kind}/${object.id}`,
      type: object.kind,
      id: object.id,
      name: object.name,
      ownership: resource !== undefined ? 'declared' : known !== undefined ? 'owned' : 'unmanaged',
      origin: known === undefined ? null : (ledger.bindings.get(known)?.origin ?? null),
      last_applied: known === undefined ? null : (ledger.applied.get(known)?.at ?? null),
      source: resource === undefined ? null : sourceOf(resource.place),
      spec: mapReferences(kind, liveSpec(kind, object, bindings), (reference, target) => addressOf(target, reference)),
      unread: fields.flatMap(([name]) => (object.spec[name] === undefined ? [name] : [])),
      ...(object.facts.computed === undefined ? {} : { computed: object.facts.computed }),
    };
  };
  return KIND_NAMES.flatMap((name) => {
    const entries = (live.objects[name] ?? []).map(entry);
    return name === ORDERED.name ? entries : entries.toSorted((a, b) => byText(a.address, b.address));
  });
}

interface ReferenceTarget {
  readonly field: string | null;
  /** An address of the catalogue; without a field, the kind and id of the object that a value belongs to. */
  readonly to: string;
}

function targetsOf({ type, id, spec }: ShownObject): readonly ReferenceTarget[] {
  const kind = KINDS[type];
  const fields = Object.entries(spec).flatMap(([field, value]) =>
    referencesOf(kind, { [field]: value }).map((to) => ({ field, to })),
  );
  // In the id of a live object its parents are ids, where a key has keys.
  const parents = (kind.parents?.(String(id)) ?? []).map((to) => ({ field: null, to }));
  return [...fields, ...parents];
}

function isMeant({ field, to }: ReferenceTarget, { type, address, id }: ShownObject): boolean {
  return to === (field === null ? `${type}/${id}` : address);
}

function nameOf({ name, id }: ShownObject): string | null {
  return name === String(id) ? null : name;
}

/** References of an object, in the order of its fields. */
export function referencesFrom(entry: ShownObject, entries: readonly ShownObject[]): readonly ShownReference[] {
  const byAddress = firsts(entries, ({ address }) => address);
  const byId = firsts(entries, ({ type, id }) => `${type}/${id}`);
  return targetsOf(entry).map(({ field, to }) => {
    const other = (field === null ? byId : byAddress).get(to);
    return other === undefined
      ? { field, address: to, name: null }
      : { field, address: other.address, name: nameOf(other) };
  });
}

/** The first of the entries of each name. */
function firsts(
  entries: readonly ShownObject[],
  nameOf: (entry: ShownObject) => string,
): ReadonlyMap<string, ShownObject> {
  return new Map(entries.toReversed().map((entry) => [nameOf(entry), entry]));
}

/** References to an object, in the order of the catalogue. */
export function referencesTo(entry: ShownObject, entries: readonly ShownObject[]): readonly ShownReference[] {
  return entries.flatMap((other) =>
    targetsOf(other)
      .filter((target) => isMeant(target, entry))
      .map(({ field }) => ({ field, address: other.address, name: nameOf(other) })),
  );
}

type ShownAbout = Pick<Shown, 'target' | 'api_version' | 'manifest_read' | 'warnings' | 'failures'>;

const ALONE = { refers_to: null, referred_to_by: null, differences: null } as const;

function countOf(type: KindName, entries: readonly ShownObject[], { objects }: Live): KindCount {
  const own = entries.filter((entry) => entry.type === type);
  const count = (ownership: ShownObject['ownership']): number =>
    own.filter((entry) => entry.ownership === ownership).length;
  return {
    type,
    read: objects[type] !== undefined,
    total: own.length,
    declared: count('declared'),
    owned: count('owned'),
    unmanaged: count('unmanaged'),
  };
}

/** Counts of all kinds that the version has, including kinds that were not read. */
export function licenseShown(about: ShownAbout, entries: readonly ShownObject[], live: Live): Shown {
  const kinds = Object.values(KINDS).filter(({ versions }) => versions.includes(live.version));
  return { ...about, kinds: kinds.map(({ name }) => countOf(name, entries, live)), resources: null, ...ALONE };
}

export function kindShown(about: ShownAbout, kind: KindName, entries: readonly ShownObject[], live: Live): Shown {
  const resources = entries.filter(({ type }) => type === kind);
  return { ...about, kinds: [countOf(kind, entries, live)], resources, ...ALONE };
}

export function membersShown(about: ShownAbout, members: ShownMembers): Shown {
  return { ...about, kinds: [], resources: null, ...ALONE, members };
}

export function resourceShown(
  about: ShownAbout,
  entry: ShownObject,
  entries: readonly ShownObject[],
  differences: readonly Difference[] | null,
): Shown {
  return {
    ...about,
    kinds: [],
    resources: [entry],
    refers_to: referencesFrom(entry, entries),
    referred_to_by: referencesTo(entry, entries),
    differences,
  };
}
