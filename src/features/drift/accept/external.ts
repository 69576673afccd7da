// References of a plan as a manifest writes them: keys of entries, and `{ external: { id } }` for objects without one. A plan has ids for all
// unmanaged objects, also for those that have a key in the manifest.

import { objectKey, ownKey } from '../../../authoring/candidates.ts';
import type { Edit } from '../../../authoring/edit/edits.ts';
import { lookedUp } from '../../../authoring/entry.ts';
import { isList, isObject } from '../../../base/json.ts';
import type { Json, KindName, LiveObject, Reference } from '../../../base/model.ts';
import { oncePer } from '../../../base/once-per.ts';
import type { Field } from '../../../kinds/field.ts';
import { identityOfId, KINDS } from '../../../kinds/index.ts';
import { externalOf, isExternal } from '../../../manifest/references.ts';
import { asAddress, entryPath } from '../../../manifest/sections.ts';
import { bareId } from '../../../plan/binding/claims.ts';
import type { Declarations } from './declarations.ts';

/** The key of an address; null for a bare id. */
export function keyIn(kind: KindName, reference: Reference): string | null {
  const address = asAddress(reference);
  return address?.startsWith(`${kind}/`) === true ? address.slice(kind.length + 1) : null;
}

/** The id of the object that `{ external: ... }` means; null when not exactly one object has the name. */
function externalId(kind: KindName, value: Json, { live }: Declarations): string | null {
  const { id, name } = externalOf(value);
  if (id !== null) return String(id);
  const objects = live.objects[kind];
  return objects === undefined || name === null ? null : (soleIds(objects).get(name) ?? null);
}

/** Ids by name; null for a name that several objects have. */
const soleIds = oncePer((objects: readonly LiveObject[]): ReadonlyMap<string, string | null> => {
  const ids = new Map<string, string | null>();
  for (const { name, id } of objects) ids.set(name, ids.has(name) ? null : String(id));
  return ids;
});

/** The key of the entry for an object that was unmanaged when the license was read. */
function externalKey(kind: KindName, id: string, declared: Declarations): string | null {
  const fresh = declared.newKey(kind, id);
  if (fresh !== null && declared.entries.has(`${kind}/${fresh}`)) return fresh;
  return externalKeys(declared).get(objectKey(kind, identityOfId(kind, id))) ?? null;
}

/** Keys of the entries that look an object up, by the object. */
const externalKeys = oncePer((declared: Declarations): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>();
  for (const entry of declared.entries.values()) {
    if (!isExternal(entry)) continue;
    const id = externalId(entry.kind.name, entry.value, declared);
    const object = id === null ? null : objectKey(entry.kind.name, identityOfId(entry.kind.name, id));
    if (object !== null && !keys.has(object)) keys.set(object, entry.key);
  }
  return keys;
});

/** A key, and the changes that declare it. */
export interface KeyWithEntry {
  readonly key: string;
  readonly declaring: readonly Edit[];
}

/** The key of a reference in a map. An object without a key gets an `external` entry. */
export function keyFor(kind: KindName, reference: Reference, declared: Declarations): KeyWithEntry {
  const known = keyIn(kind, reference) ?? externalKey(kind, reference, declared);
  if (known !== null) return { key: known, declaring: [] };
  const id = bareId(KINDS[kind], reference);
  const object = declared.live.objects[kind]?.find((each) => each.id === id) ?? {
    kind,
    id,
    name: '',
    spec: {},
    facts: {},
  };
  const key = ownKey(object, declared.live, (each) => declared.entries.has(`${kind}/${each}`));
  const entry = lookedUp(kind, id, key);
  return { key, declaring: [{ op: 'set', path: entryPath(entry), value: entry.value }] };
}

/** The value of a field whose references are items of a list, or the value itself. Items that are there now stay as they are written. */
export function withItems(field: Field, value: Json, current: Json, declared: Declarations): Json {
  const { references } = field;
  if (references === undefined || references.at === 'keys') return value;
  const { kind, under } = references;
  if (references.at === 'value') return itemFor(kind, String(value), declared);
  const written = (items: Json | undefined, now: Json | undefined): Json => {
    const byReference = new Map((isList(now) ? now : []).map((item) => [referenceOf(kind, item, declared), item]));
    return isList(items)
      ? items.map((item) => byReference.get(String(item)) ?? itemFor(kind, String(item), declared))
      : [];
  };
  if (under === undefined) return written(value, current);
  return isObject(value)
    ? { ...value, [under]: written(value[under], isObject(current) ? current[under] : undefined) }
    : value;
}

function itemFor(kind: KindName, reference: Reference, declared: Declarations): Json {
  return (
    keyIn(kind, reference) ??
    externalKey(kind, reference, declared) ?? { external: { id: bareId(KINDS[kind], reference) } }
  );
}

function referenceOf(kind: KindName, item: Json, declared: Declarations): Reference | null {
  if (typeof item !== 'string') return externalId(kind, item, declared);
  const entry = declared.entries.get(`${kind}/${item}`);
  return entry !== undefined && isExternal(entry) ? externalId(kind, entry.value, declared) : `${kind}/${item}`;
}
