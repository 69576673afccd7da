// What was read, what is declared and what is ours in; every object of the license as people talk about it, out. Changes and compares nothing.

import { byText } from '../../base/json.ts';
import type { Address, KindName, Live, LiveObject, ObjectId, Origin, Reference, Spec } from '../../base/model.ts';
import { mapReferences, referencesOf } from '../../kinds/fields.ts';
import { KIND_NAMES, KINDS, ORDERED } from '../../kinds/index.ts';
import type { Identified } from '../../plan/binding/identify.ts';
import { liveSpec } from '../../plan/diff.ts';

/** `declared`: the manifest has it. `owned`: only the ledger does. `unmanaged`: neither. */
export type Ownership = 'declared' | 'owned' | 'unmanaged';

export const OWNERSHIPS = ['declared', 'owned', 'unmanaged'] as const satisfies readonly Ownership[];

/** One object of the license. */
export interface Entry {
  /** `<kind>/<id>` of one that is unmanaged. */
  readonly address: string;
  readonly type: KindName;
  readonly id: ObjectId;
  readonly name: string;
  readonly ownership: Ownership;
  /** How it became ours; null when it is not, or not yet. */
  readonly origin: Origin | null;
  /** RFC 3339; null when nothing was applied to it. */
  readonly last_applied: string | null;
  readonly source: { readonly file: string; readonly line: number; readonly column: number } | null;
  /** As it is on the license; references are addresses. */
  readonly spec: Spec;
  /** Fields that were not read, or cannot be. */
  readonly unread: readonly string[];
}

/** By kind; an ordered kind in its order, the others by address. */
export function catalogue(live: Live, { bindings, ledger }: Identified): readonly Entry[] {
  const declared = new Map(
    [...bindings.bound.values()].flatMap(({ resource, object }) =>
      object === null ? [] : [[object, resource] as const],
    ),
  );
  const owned = new Map([...bindings.orphans].map(([address, object]) => [object, address] as const));
  const entry = (object: LiveObject): Entry => {
    const resource = declared.get(object);
    const known: Address | undefined = resource?.address ?? owned.get(object);
    const kind = KINDS[object.kind];
    const place = resource?.place;
    const fields = Object.entries(kind.fields).filter(([, { option }]) => option !== true);
    return {
      address: known ?? `${object.kind}/${object.id}`,
      type: object.kind,
      id: object.id,
      name: object.name,
      ownership: resource !== undefined ? 'declared' : known !== undefined ? 'owned' : 'unmanaged',
      origin: known === undefined ? null : (ledger.bindings.get(known)?.origin ?? null),
      last_applied: known === undefined ? null : (ledger.applied.get(known)?.at ?? null),
      source: place === undefined ? null : { file: place.file, line: place.line, column: place.column },
      spec: mapReferences(kind, liveSpec(kind, object, bindings), addressOf),
      unread: fields.flatMap(([name]) => (object.spec[name] === undefined ? [name] : [])),
    };
  };
  return KIND_NAMES.flatMap((name) => {
    const entries = (live.objects[name] ?? []).map(entry);
    return name === ORDERED.name ? entries : entries.toSorted((a, b) => byText(a.address, b.address));
  });
}

/** A bare id as the address that an unmanaged object has here. */
function addressOf(reference: Reference, kind: string): string {
  return reference.startsWith(`${kind}/`) ? reference : `${kind}/${reference}`;
}

/** One reference of an entry: the field it stands in, and where it leads. */
export interface Pointer {
  /** Null where the id itself says whose value it is. */
  readonly field: string | null;
  readonly address: string;
  /** What a person calls the other end; null when it was not read, or has no name but its id. */
  readonly name: string | null;
}

interface Target {
  readonly field: string | null;
  /** An address of the catalogue, or, in the id of a value, the kind and the id of what it is a value of. */
  readonly to: string;
}

function targetsOf({ type, id, spec }: Entry): readonly Target[] {
  const kind = KINDS[type];
  const fields = Object.entries(spec).flatMap(([field, value]) =>
    referencesOf(kind, { [field]: value }).map((to) => ({ field, to })),
  );
  // In the id of a live object its parents are ids, where a key has keys.
  const parents = (kind.parents?.(String(id)) ?? []).map((to) => ({ field: null, to }));
  return [...fields, ...parents];
}

function isMeant({ field, to }: Target, { type, address, id }: Entry): boolean {
  return to === (field === null ? `${type}/${id}` : address);
}

function nameOf({ name, id }: Entry): string | null {
  return name === String(id) ? null : name;
}

/** What it refers to, in the order of its fields. */
export function pointersOf(entry: Entry, entries: readonly Entry[]): readonly Pointer[] {
  return targetsOf(entry).map((target) => {
    const other = entries.find((each) => isMeant(target, each));
    const { field, to } = target;
    return other === undefined
      ? { field, address: to, name: null }
      : { field, address: other.address, name: nameOf(other) };
  });
}

/** What refers to it, in the order of the catalogue. */
export function referrersOf(entry: Entry, entries: readonly Entry[]): readonly Pointer[] {
  return entries.flatMap((other) =>
    targetsOf(other)
      .filter((target) => isMeant(target, entry))
      .map(({ field }) => ({ field, address: other.address, name: nameOf(other) })),
  );
}
