// References in the plan's terms in; how a manifest says them out: keys of entries, and `{ external: { id } }` for what has none. The plan calls
// whatever is not managed by its id, also what the manifest has a name for.

import { isList, isObject } from '../../base/json.ts';
import type { Json, KindName, Reference } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Field } from '../../kinds/kind.ts';
import { externalOf } from '../../manifest/references.ts';
import { asAddress } from '../../manifest/sections.ts';
import { isExternal } from '../../manifest/validate.ts';
import { bareId } from '../../plan/binding/claims.ts';
import { ownKey } from '../import/candidates.ts';
import { lookedUp } from '../import/entry.ts';
import { pathOf } from '../import/manifest-value.ts';
import type { Change } from './change.ts';
import type { Scene } from './scene.ts';

/** The key of an address; null for a bare id. */
export function keyIn(kind: KindName, reference: Reference): string | null {
  const address = asAddress(reference);
  return address?.startsWith(`${kind}/`) === true ? address.slice(kind.length + 1) : null;
}

/** The id that `{ external: ... }` stands for; null for a name that no object, or more than one, has. */
function externalId(kind: KindName, value: Json, { live }: Scene): string | null {
  const { id, name } = externalOf(value);
  if (id !== null) return String(id);
  const same = (live.objects[kind] ?? []).filter((object) => object.name === name);
  return same.length === 1 && same[0] !== undefined ? String(same[0].id) : null;
}

/** The key of the entry that stands for an object which was not managed when the license was read. */
function externalKey(kind: KindName, id: string, scene: Scene): string | null {
  const fresh = scene.newKey(kind, id);
  if (fresh !== null && scene.entries.has(`${kind}/${fresh}`)) return fresh;
  for (const entry of scene.entries.values()) {
    if (entry.kind.name === kind && isExternal(entry) && externalId(kind, entry.value, scene) === id) return entry.key;
  }
  return null;
}

export interface Named {
  readonly key: string;
  readonly declaring: readonly Change[];
}

/** The key that a map can have for it, with the entry that has to be added for an object that has no key yet. */
export function nameFor(kind: KindName, reference: Reference, scene: Scene): Named {
  const known = keyIn(kind, reference) ?? externalKey(kind, reference, scene);
  if (known !== null) return { key: known, declaring: [] };
  const id = bareId(KINDS[kind], reference);
  const object = scene.live.objects[kind]?.find((each) => each.id === id) ?? {
    kind,
    id,
    name: '',
    spec: {},
    facts: {},
  };
  const key = ownKey(object, scene.live, (each) => scene.entries.has(`${kind}/${each}`));
  const entry = lookedUp(kind, id, key);
  return { key, declaring: [{ op: 'set', path: pathOf(entry), value: entry.value }] };
}

/** The value of a field whose references are items of a list, with the items that stand there now as they are. */
export function withItems(field: Field, value: Json, current: Json, scene: Scene): Json {
  const { references } = field;
  if (references?.at !== 'items') return value;
  const { kind, under } = references;
  const said = (items: Json | undefined, now: Json | undefined): Json => {
    const standing = new Map((isList(now) ? now : []).map((item) => [referenceOf(kind, item, scene), item]));
    return isList(items) ? items.map((item) => standing.get(String(item)) ?? itemFor(kind, String(item), scene)) : [];
  };
  if (under === undefined) return said(value, current);
  return isObject(value)
    ? { ...value, [under]: said(value[under], isObject(current) ? current[under] : undefined) }
    : value;
}

function itemFor(kind: KindName, reference: Reference, scene: Scene): Json {
  return (
    keyIn(kind, reference) ??
    externalKey(kind, reference, scene) ?? { external: { id: bareId(KINDS[kind], reference) } }
  );
}

function referenceOf(kind: KindName, item: Json, scene: Scene): Reference | null {
  if (typeof item !== 'string') return externalId(kind, item, scene);
  const entry = scene.entries.get(`${kind}/${item}`);
  return entry !== undefined && isExternal(entry) ? externalId(kind, entry.value, scene) : `${kind}/${item}`;
}
