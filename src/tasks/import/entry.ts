// One live object in; what a person would write of it in a manifest out: no defaults, keys for references, each membership on one side. Knows nothing
// of the other entries.

import { byText, equalJson, isList, isObject } from '../../base/json.ts';
import type { Address, Json, JsonObject, KindName, LiveObject, ObjectId, Version } from '../../base/model.ts';
import { isMembership, KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import { type Field, type Kind, type Maker, perVersion } from '../../kinds/kind.ts';
import { bareId } from '../../plan/binding/claims.ts';
import { isListed } from './manifest-value.ts';

/** A field that the license has and the entry does not, although it could be declared of others. */
export interface Omission {
  readonly field: string;
  readonly reason: string;
}

/** One entry of a manifest. */
export interface Entry {
  readonly address: Address;
  readonly kind: KindName;
  readonly key: string;
  readonly id: ObjectId;
  /** As it is after substitution: a `${` in it is a text of the license. */
  readonly value: Json;
  readonly omitted: readonly Omission[];
  /** Fields that a manifest could have, and nobody can read. */
  readonly unread: readonly string[];
}

/** How an object becomes an entry. */
export interface Naming {
  /** Who would make the objects anew from the entries. */
  readonly maker: Maker;
  /** The key by which entries refer to an object; null when none has one. */
  readonly keyOf: (kind: KindName, id: ObjectId) => string | null;
  /** The entry says its `id:`, so that nothing else has to tell which object it is. */
  readonly withId: boolean;
  /** Fields to leave out, and why. */
  readonly without: ReadonlyMap<string, string>;
}

/** An entry of this key. Fields that equal what the service fills in, or their empty, are left to it. */
export function entryOf(object: LiveObject, key: string, naming: Naming): Entry {
  const kind = KINDS[object.kind];
  const { version } = naming.maker;
  const fields: Record<string, Json> = {};
  const omitted: Omission[] = [];
  for (const [name, field] of Object.entries(kind.fields)) {
    const value = object.spec[name];
    if (value === undefined || !isDeclared(kind, name, field, version)) continue;
    const reason = naming.without.get(name) ?? (value === null ? `version ${version} does not show it` : null);
    if (reason !== null) omitted.push({ field: name, reason });
    else if (isTold(kind, name, field, value, version))
      fields[name] = named(field, inOrder(value, field.schema), naming);
  }
  for (const name of unfit(kind, fields, naming)) delete fields[name];
  const lacks = kind.required.some((name) => !(name in fields));
  const bound = kind.choosesId === true ? object.id !== key : kind.id !== undefined && (naming.withId || lacks);
  const heading = { ...(isListed(kind.name) ? { key } : {}), ...(bound ? { id: object.id } : {}) };
  return {
    address: `${kind.name}/${key}`,
    kind: kind.name,
    key,
    id: object.id,
    value: kind.entry === 'value' ? (fields['value'] ?? null) : { ...heading, ...fields },
    omitted,
    unread: unreadIn(kind, object, version),
  };
}

/** An entry that only gives an object a name, for others to refer to. */
export function lookedUp(kind: KindName, id: ObjectId, key: string): Entry {
  return { address: `${kind}/${key}`, kind, key, id, value: { external: { id } }, omitted: [], unread: [] };
}

/** Fields that only a create could write, and for which this maker's create would be refused. */
function unfit(kind: Kind, fields: JsonObject, { maker }: Naming): readonly string[] {
  if ((kind.creatable?.(fields, maker) ?? null) === null) return [];
  return Object.keys(fields).filter((name) => {
    const field = kind.fields[name];
    const { [name]: _, ...others } = fields;
    const isForCreates = field !== undefined && perVersion(field.writable, maker.version) === 'create';
    return isForCreates && !kind.required.includes(name) && kind.creatable?.(others, maker) === null;
  });
}

/** Of the two sides of a membership one says it. */
export function isOtherSide(kind: KindName, field: string): boolean {
  return kind === MEMBERSHIP.left.kind.name && field === MEMBERSHIP.left.field;
}

function isDeclared(kind: Kind, name: string, field: Field, version: Version): boolean {
  return (
    !isOtherSide(kind.name, name) &&
    field.option !== true &&
    perVersion(field.writable, version) !== 'never' &&
    perVersion(field.readable, version) !== 'never'
  );
}

function unreadIn(kind: Kind, { facts }: LiveObject, version: Version): readonly string[] {
  return Object.entries(kind.fields).flatMap(([name, { option, readable, writable }]) => {
    const isUnread = facts.unread?.includes(name) === true || perVersion(readable, version) === 'never';
    return isUnread && option !== true && perVersion(writable, version) !== 'never' ? [name] : [];
  });
}

/** Members are told even when there are none: whoever joins is then a difference. */
function isTold(kind: Kind, name: string, field: Field, value: Json, version: Version): boolean {
  if (isMembership(kind.name, name) || kind.required.includes(name)) return true;
  return [field.default, field.absent].every(
    (preset) => preset === undefined || !equalJson(field.align?.(value, preset, version) ?? value, preset),
  );
}

/** Members in the order in which people know them. */
function inOrder(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  if (isList(value)) return value.map((item) => inOrder(item, schema['items']));
  const { properties } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const names = [...new Set([...Object.keys(properties), ...Object.keys(value)])].filter((name) => name in value);
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name] ?? null, properties[name])]));
}

function named(field: Field, value: Json, naming: Naming): Json {
  const { references } = field;
  if (references === undefined) return value;
  const { kind, at, under } = references;
  const inner = under === undefined ? value : isObject(value) ? (value[under] ?? null) : null;
  const names = at === 'keys' ? namedKeys(inner, kind, naming) : namedItems(inner, kind, naming);
  return under === undefined || !isObject(value) ? names : { ...value, [under]: names };
}

/** What is no object of the kind, such as a bot among the agents of a group, is carried over by every write, and declared by none. */
function namedKeys(value: Json, kind: KindName, { keyOf }: Naming): JsonObject {
  const members = Object.entries(isObject(value) ? value : {}).flatMap(([id, member]) => {
    const key = keyOf(kind, bareId(KINDS[kind], id));
    return key === null ? [] : [[key, member] as const];
  });
  return Object.fromEntries(members.sort(([one], [other]) => byText(one, other)));
}

function namedItems(value: Json, kind: KindName, { keyOf }: Naming): readonly Json[] {
  return (isList(value) ? value : []).map((item) => {
    const id = bareId(KINDS[kind], String(item));
    return keyOf(kind, id) ?? { external: { id } };
  });
}
