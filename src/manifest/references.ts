// References in entries: keys of other entries, and objects that are only looked up (`external`). A spec has addresses in their place.

import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject, KindName, ObjectId, Spec } from '../base/model.ts';
import type { Field } from '../kinds/field.ts';
import { mapReferences, normalise, pointing } from '../kinds/fields.ts';
import { ROUTED } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Part, Path } from '../yaml/places.ts';
import type { DeclaredEntry } from './sections.ts';

/** One reference in an entry. */
export interface Pointer {
  readonly kind: KindName;
  readonly field: string;
  readonly path: Path;
  readonly part: Part;
  readonly to: string | Inline;
}

/** `{ external: { id | name } }` in place of a key: an object without an entry. */
export interface Inline {
  readonly key: string;
  readonly id: ObjectId | null;
  readonly name: string | null;
}

/** The references of an entry. */
export function pointersOf({ kind, value, path }: DeclaredEntry): readonly Pointer[] {
  if (kind.entry !== 'fields' || !isObject(value)) return [];
  const noted = handOversIn(kind, value, path);
  const pointers = pointing(kind).flatMap(({ name: field, pointer }) => {
    const member = value[field];
    if (member === undefined) return [];
    const { kind: to, under } = pointer;
    const inner = under === undefined ? member : isObject(member) ? member[under] : undefined;
    const base = [...path, field, ...(under === undefined ? [] : [under])];
    if (pointer.at === 'value') return valuePointer(inner, to, field, base);
    return pointer.at === 'keys' ? keyPointers(inner, pointer, field, base) : itemPointers(inner, to, field, base);
  });
  return noted.length === 0 ? pointers : [...pointers, ...noted];
}

/** The groups to which an entry hands chats over. */
function handOversIn({ handsOver }: Kind, value: JsonObject, path: Path): readonly Pointer[] {
  return handsOver === undefined ? [] : itemPointers(value[handsOver], ROUTED.name, handsOver, [...path, handsOver]);
}

function keyPointers(
  value: Json | undefined,
  { kind, besides }: NonNullable<Field['references']>,
  field: string,
  base: Path,
): readonly Pointer[] {
  if (!isObject(value)) return [];
  // A mapping is no priority: another entry begins there, and the schema refuses it.
  const keys = Object.keys(value).filter((key) => key !== besides && !isObject(value[key]));
  return keys.map((key) => ({ kind, field, path: [...base, key], part: 'key', to: key }));
}

function itemPointers(value: Json | undefined, kind: KindName, field: string, base: Path): readonly Pointer[] {
  if (!isList(value)) return [];
  return value.flatMap((item, index) => valuePointer(item, kind, field, [...base, index]));
}

function valuePointer(value: Json | undefined, kind: KindName, field: string, path: Path): readonly Pointer[] {
  const to = typeof value === 'string' ? value : inlineOf(value ?? null);
  return to === null ? [] : [{ kind, field, path, part: 'value', to }];
}

/** Whether a key is that of an `Inline`, and not of an entry. */
export function isInline(key: string): boolean {
  return /^external:(id|name)=/.test(key);
}

/** Null when it is no `{ external: ... }`. */
export function inlineOf(item: Json): Inline | null {
  const { id, name } = externalOf(item);
  if (id === null && name === null) return null;
  return { key: id === null ? `external:name=${name}` : `external:id=${id}`, id, name };
}

/** Whether an entry only looks an object up, and never writes it. */
export function isExternal({ kind, value }: DeclaredEntry): boolean {
  return kind.external === true && isObject(value) && value['external'] !== undefined;
}

/** The members of `external:`; null for one that is not given. */
export function externalOf(value: Json): { readonly id: ObjectId | null; readonly name: string | null } {
  const external = isObject(value) ? value['external'] : undefined;
  const given: JsonObject = isObject(external) ? external : {};
  const id = given['id'];
  const name = given['name'];
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    name: typeof name === 'string' ? name : null,
  };
}

/** The fields of an entry, normalised, with addresses for references. */
export function specOf({ kind, value }: Pick<DeclaredEntry, 'kind' | 'value'>): Spec {
  if (kind.entry === 'value') return normalise(kind, { value });
  if (!isObject(value)) return {};
  return normalise(
    kind,
    mapReferences(kind, withInlineKeys(kind, value), (reference, to) => `${to}/${reference}`),
  );
}

function withInlineKeys(kind: Kind, value: JsonObject): Spec {
  let spec: Spec = value;
  for (const { name, pointer } of pointing(kind)) {
    const member = spec[name];
    if (pointer.at === 'keys' || member === undefined) continue;
    const keyIn = (item: Json): Json => (typeof item === 'string' ? item : (inlineOf(item)?.key ?? item));
    const keys = (items: Json | undefined): Json => {
      if (pointer.at === 'value') return keyIn(items ?? null);
      return isList(items) ? items.map(keyIn) : [];
    };
    if (pointer.under === undefined) spec = { ...spec, [name]: keys(member) };
    else if (isObject(member)) spec = { ...spec, [name]: { ...member, [pointer.under]: keys(member[pointer.under]) } };
  }
  return spec;
}
