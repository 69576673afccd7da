// References in entries: keys of other entries, and objects that are only looked up (`external`). A spec has addresses in their place.

import { isList, isObject } from '../base/json.ts';
import type { Address, Json, JsonObject, KindName, ObjectId, Spec } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { mapReferences, normalise, pointing } from '../kinds/fields.ts';
import { KINDS } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { at, type PathDiagnostic } from '../yaml/diagnostics.ts';
import type { Part, Path } from '../yaml/places.ts';
import { addressOf, type DeclaredEntry } from './sections.ts';

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

/** The references of an entry; with `only`, those that are keys of maps, or items of lists. */
export function pointersOf({ kind, value, path }: DeclaredEntry, only?: 'keys' | 'items'): readonly Pointer[] {
  if (kind.entry !== 'fields' || !isObject(value)) return [];
  return pointing(kind).flatMap(({ name: field, pointer }) => {
    const member = value[field];
    if (member === undefined || (only !== undefined && only !== pointer.at)) return [];
    const { kind: to, under } = pointer;
    const inner = under === undefined ? member : isObject(member) ? member[under] : undefined;
    const base = [...path, field, ...(under === undefined ? [] : [under])];
    return pointer.at === 'keys' ? keyPointers(inner, to, field, base) : itemPointers(inner, to, field, base);
  });
}

function keyPointers(value: Json | undefined, kind: KindName, field: string, base: Path): readonly Pointer[] {
  if (!isObject(value)) return [];
  return Object.keys(value).map((key) => ({ kind, field, path: [...base, key], part: 'key', to: key }));
}

function itemPointers(value: Json | undefined, kind: KindName, field: string, base: Path): readonly Pointer[] {
  if (!isList(value)) return [];
  return value.flatMap((item, index): readonly Pointer[] => {
    const to = typeof item === 'string' ? item : inlineOf(item);
    return to === null ? [] : [{ kind, field, path: [...base, index], part: 'value', to }];
  });
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
    if (pointer.at !== 'items' || member === undefined) continue;
    const keys = (items: Json | undefined): Json =>
      isList(items) ? items.map((item) => (typeof item === 'string' ? item : (inlineOf(item)?.key ?? item))) : [];
    if (pointer.under === undefined) spec = { ...spec, [name]: keys(member) };
    else if (isObject(member)) spec = { ...spec, [name]: { ...member, [pointer.under]: keys(member[pointer.under]) } };
  }
  return spec;
}

/** How many names are compared at most: comparing each name with every other would take minutes when a section is missing. */
const COMPARED = 300_000;

/** Makes a check of one reference. Its finding names the nearest key that is declared; null for a reference to an entry. */
export function referenceCheck(
  entries: readonly DeclaredEntry[],
): (kind: KindName, key: string, path: Path, part: Part, otherwise?: string) => PathDiagnostic | null {
  const declared = new Set<Address>(entries.map(({ address }) => address));
  const known = new Map<Address, string | null>();
  let compared = 0;
  const nearestKey = (kind: KindName, key: string): string | null => {
    const address = addressOf(kind, key);
    const before = known.get(address);
    if (before !== undefined || compared >= COMPARED) return before ?? null;
    const keys = entries.flatMap((entry) => (entry.kind.name === kind ? [entry.key] : []));
    compared += entries.length;
    const found = nearest(key, keys);
    known.set(address, found);
    return found;
  };
  return (kind, key, path, part, otherwise) => {
    if (declared.has(addressOf(kind, key))) return null;
    const noun = KINDS[kind].noun.one;
    const remedy =
      otherwise ?? `declare it, or look it up with \`{ external: ... }\` if the ${noun} is not managed here`;
    const meant = nearestKey(kind, key);
    const help = meant === null ? remedy : `did you mean \`${meant}\`? Otherwise ${remedy}`;
    return at(path, part, 'dangling-reference', `no ${noun} \`${key}\` is declared`, help);
  };
}
