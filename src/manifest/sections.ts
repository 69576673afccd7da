// The kinds in; the sections of a manifest out: their names, how deep their entries stand, and every entry of a composed manifest with its path.

import { isList, isObject } from '../base/json.ts';
import type { Address, Json, JsonObject, KindName } from '../base/model.ts';
import { isAddress, KIND_NAMES, KINDS, ORDERED } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Path } from '../yaml/mark.ts';

/** How a section is merged and patched. */
export interface Section {
  readonly name: string;
  readonly about: string;
  /** How many keys lead to an entry; 0 for an ordered list. */
  readonly depth: number;
}

/** One declared entry where it stands. */
export interface Declared {
  readonly kind: Kind;
  readonly address: Address;
  readonly key: string;
  readonly value: Json;
  readonly path: Path;
}

export const ALL_KINDS: readonly Kind[] = KIND_NAMES.map((name) => KINDS[name]);

/** Kinds that have a section of their own, in the order of people's reading. */
export const SECTIONS: readonly Section[] = ALL_KINDS.filter(({ at }) => literals(at).length === 1).map((kind) => ({
  name: kind.at[0] ?? '',
  about: kind.about,
  depth: kind.at.filter((part) => part === '*').length,
}));

/** Lists of which every file has a part. */
export const JOINED = ['moved', 'routes'] as const;

/** Top-level members that are not sections of resources. */
export const HEADERS = ['version', ...JOINED] as const;

/** A list that an overlay replaces, or patches item by item. */
export interface Patchable {
  readonly name: string;
  /** What an item is. */
  readonly noun: { readonly one: string; readonly many: string };
  /** The member that an item is called by. */
  readonly called: 'key' | 'name';
}

export const PATCHABLE: readonly Patchable[] = [
  { name: ORDERED.at[0] ?? '', noun: ORDERED.noun, called: 'key' },
  { name: 'routes', noun: { one: 'route', many: 'routes' }, called: 'name' },
];

/** Members whose names begin so are shelves for anchors: they are not looked at. */
export const SHELF = /^x-/;

function literals(at: readonly string[]): readonly string[] {
  return at.filter((part) => part !== '*' && part !== '#');
}

/** Every entry of every kind. List items that name no key have none here, only a path. */
export function declaredEntries(manifest: JsonObject): readonly Declared[] {
  const entries: Declared[] = [];
  for (const kind of ALL_KINDS) addEntries(entries, kind, 0, manifest, [], null);
  return entries;
}

/** Those below `value`, which stands as deep as the first `depth` parts of `kind.at` lead. */
function addEntries(
  entries: Declared[],
  kind: Kind,
  depth: number,
  value: Json | undefined,
  path: Path,
  key: string | null,
): void {
  const part = kind.at[depth];
  const add = (step: string | number, item: Json | undefined, name: string | null): void =>
    addEntries(entries, kind, depth + 1, item, [...path, step], name);
  if (part === undefined) {
    if (value === undefined) return;
    const whole = key ?? '';
    entries.push({ kind, address: addressOf(kind.name, whole), key: whole, value, path });
  } else if (part === '#') {
    if (!isList(value)) return;
    for (const [index, item] of value.entries())
      add(index, item, joined(key, isObject(item) && typeof item['key'] === 'string' ? item['key'] : ''));
  } else if (!isObject(value)) {
    return;
  } else if (part === '*') {
    for (const name of Object.keys(value)) add(name, value[name], joined(key, name));
  } else {
    add(part, value[part], key);
  }
}

function joined(key: string | null, name: string): string {
  return key === null ? name : `${key}/${name}`;
}

export function addressOf(kind: KindName, key: string): Address {
  return `${kind}/${key}`;
}

/** Null when the value is not an address. */
export function asAddress(value: Json | undefined): Address | null {
  return typeof value === 'string' && isAddress(value) ? value : null;
}
