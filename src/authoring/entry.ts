// Entries made from live objects, as a person would write them: no defaults, keys for references, each membership on one side only.

import { byText, equalJson, isList, isObject } from '../base/json.ts';
import type { Address, Json, JsonObject, KindName, LiveObject, ObjectId, Version } from '../base/model.ts';
import { inNfc } from '../base/text.ts';
import { type Field, perVersion } from '../kinds/field.ts';
import { isMembership, KINDS, MEMBERSHIP } from '../kinds/index.ts';
import type { Kind, Maker } from '../kinds/kind.ts';
import { MANIFEST_VERSION } from '../manifest/compose.ts';
import { ALL_KINDS, entryPath, isListed } from '../manifest/sections.ts';
import { bareId } from '../plan/binding/claims.ts';

/** A field that the object has and its entry does not, although other entries could. */
export interface Omission {
  readonly field: string;
  readonly reason: string;
}

/** One entry of the manifest that is made. */
export interface ImportEntry {
  readonly address: Address;
  readonly kind: KindName;
  readonly key: string;
  readonly id: ObjectId;
  /** Without escapes: a `${` in it is text of the license. */
  readonly value: Json;
  readonly omitted: readonly Omission[];
  /** Fields that an entry could have, and the service does not show. */
  readonly unread: readonly string[];
}

/** How an object becomes an entry. */
export interface Naming {
  /** Who would create the objects from the entries. */
  readonly maker: Maker;
  /** The key by which entries refer to an object; null without one. */
  readonly keyOf: (kind: KindName, id: ObjectId) => string | null;
  /** Whether the entry is bound to its object by `id:`. */
  readonly withId: boolean;
  /** Fields to leave out, with the reason. */
  readonly without: ReadonlyMap<string, string>;
}

/** Leaves out fields whose value the service fills in, or that are empty. */
export function entryOf(object: LiveObject, key: string, naming: Naming): ImportEntry {
  const kind = KINDS[object.kind];
  const { version } = naming.maker;
  const fields: Record<string, Json> = {};
  const omitted: Omission[] = [];
  for (const [name, field] of Object.entries(kind.fields)) {
    const value = object.spec[name];
    if (value === undefined || !isDeclared(kind, name, field, version)) continue;
    const reason = naming.without.get(name) ?? (value === null ? `version ${version} does not show it` : null);
    if (reason !== null) omitted.push({ field: name, reason });
    else if (isDeclaredValue(kind, name, field, value, version))
      fields[name] = named(field, asWritten(field, value), naming);
  }
  for (const name of unfit(kind, fields, naming)) delete fields[name];
  const lacks = kind.required.some((name) => !(name in fields));
  const bound =
    kind.choosesId === true ? inNfc(String(object.id)) !== key : kind.id !== undefined && (naming.withId || lacks);
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

/** An `external` entry, which gives an object a key that other entries can refer to. */
export function lookedUp(kind: KindName, id: ObjectId, key: string): ImportEntry {
  return {
    address: `${kind}/${key}`,
    kind,
    key,
    id,
    value: { external: { id: typeof id === 'string' ? inNfc(id) : id } },
    omitted: [],
    unread: [],
  };
}

/** Fields that only a create writes, and with which the service would refuse this maker's create. */
function unfit(kind: Kind, fields: JsonObject, { maker }: Naming): readonly string[] {
  if ((kind.creatable?.(fields, maker) ?? null) === null) return [];
  return Object.keys(fields).filter((name) => {
    const field = kind.fields[name];
    const { [name]: _, ...others } = fields;
    const isForCreates = field !== undefined && perVersion(field.writable, maker.version) === 'create';
    return isForCreates && !kind.required.includes(name) && kind.creatable?.(others, maker) === null;
  });
}

/** Whether a field is the side of memberships that an import does not write. */
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

/** Memberships are declared even when there are none, so that a new one is a difference. */
function isDeclaredValue(kind: Kind, name: string, field: Field, value: Json, version: Version): boolean {
  if (isMembership(kind.name, name) || kind.required.includes(name)) return true;
  return [field.default, field.absent].every(
    (preset) => preset === undefined || !equalJson(field.align?.(value, preset, version) ?? value, preset),
  );
}

/** A value as a person would write it, with members in the order of the schema. */
export function asWritten({ authored, schema }: Field, value: Json): Json {
  const ordered = inOrder(value, schema);
  return authored === undefined ? ordered : authored(ordered);
}

/** Members in the order of the schema. */
function inOrder(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  if (isList(value)) return value.map((item) => inOrder(item, schema['items']));
  const { properties } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const members: (readonly [string, Json])[] = [];
  for (const name of Object.keys(properties))
    if (Object.hasOwn(value, name)) members.push([name, inOrder(value[name] ?? null, properties[name])]);
  for (const [name, member] of Object.entries(value))
    if (!Object.hasOwn(properties, name)) members.push([name, member]);
  return Object.fromEntries(members);
}

function named(field: Field, value: Json, naming: Naming): Json {
  const { references } = field;
  if (references === undefined) return value;
  const { kind, at, under } = references;
  const inner = under === undefined ? value : isObject(value) ? (value[under] ?? null) : null;
  const [own = null] = at === 'value' ? namedItems([inner], kind, naming) : [];
  const names = at === 'value' ? own : at === 'keys' ? namedKeys(inner, kind, naming) : namedItems(inner, kind, naming);
  return under === undefined || !isObject(value) ? names : { ...value, [under]: names };
}

/** Ids of other kinds, such as of a bot among the agents of a group, are left out. Every write keeps them. */
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

/** The value of a manifest with these entries. Sections and entries are in reading order; items of a list are in the order given. */
export function manifestOf(entries: readonly ImportEntry[]): JsonObject {
  const manifest: Members = { version: MANIFEST_VERSION };
  const lists = new Map<string, Json[]>();
  const open = opener();
  for (const { name } of ALL_KINDS) {
    for (const entry of entries) {
      if (entry.kind !== name) continue;
      const [section = '', ...path] = entryPath(entry).map(String);
      if (isListed(name)) {
        const items = lists.get(section) ?? [];
        items.push(entry.value);
        manifest[section] = items;
        lists.set(section, items);
      } else {
        put(manifest, [section, ...path], entry.value, open);
      }
    }
  }
  return manifest;
}

type Members = Record<string, Json>;

/** Members that are there stay: the value of a property may come before the entry that it is inside of. */
function put(
  manifest: Members,
  path: readonly string[],
  value: Json,
  open: (holder: Members, name: string) => Members,
): void {
  const name = path.at(-1) ?? '';
  const holder = path.slice(0, -1).reduce(open, manifest);
  const before = holder[name];
  holder[name] = isObject(before) && isObject(value) ? { ...value, ...before } : value;
}

/** Returns the mapping that is a member of another one, ready to be written into: each value of an entry is copied once, and no entry changes. */
function opener(): (holder: Members, name: string) => Members {
  const own = new Map<Json, Members>();
  return (holder, name) => {
    const before = holder[name];
    const known = before === undefined ? undefined : own.get(before);
    if (known !== undefined) return known;
    const members: Members = isObject(before) ? { ...before } : {};
    own.set(members, members);
    holder[name] = members;
    return members;
  };
}
