// Sections of a manifest, made from the kinds: their names, how deep their entries are, and every entry with its path.

import { isList, isObject } from '../base/json.ts';
import type { Address, Json, JsonObject, KindName } from '../base/model.ts';
import { personOf } from '../base/person.ts';
import { isAddress, KIND_NAMES, KINDS, ORDERED } from '../kinds/index.ts';
import type { Kind, Refusal } from '../kinds/kind.ts';
import { splitName } from '../kinds/namespaced.ts';
import type { Path } from '../yaml/places.ts';

/** A top-level member with the entries of a kind. */
export interface ManifestSection {
  readonly name: string;
  readonly about: string;
  /** How many keys lead to an entry; 0 for an ordered list. */
  readonly depth: number;
}

/** One declared entry, and where it is. */
export interface DeclaredEntry {
  readonly kind: Kind;
  readonly address: Address;
  readonly key: string;
  readonly value: Json;
  readonly path: Path;
}

export const ALL_KINDS: readonly Kind[] = KIND_NAMES.map((name) => KINDS[name]);

/** Of kinds that have their own section, in the order in which people read a license. */
export const SECTIONS: readonly ManifestSection[] = ALL_KINDS.filter(({ at }) => literals(at).length === 1).map(
  (kind) => ({
    name: kind.at[0] ?? '',
    about: kind.about,
    depth: kind.at.filter((part) => part === '*').length,
  }),
);

/** Values that entries share by their keys. */
export const SHARED: readonly ManifestSection[] = [
  { name: 'schedules', about: 'Working hours that several agents and bots have.', depth: 1 },
  { name: 'calendars', about: 'Dates with other hours than usual that several schedules have.', depth: 1 },
  { name: 'variables', about: 'Variables with a type, used as `${var.name}`.', depth: 1 },
];

/** Mappings whose members several files may have. */
export const MAPPINGS: readonly ManifestSection[] = [...SECTIONS, ...SHARED];

/** Lists of which each file has a part. */
export const JOINED = ['moved', 'routes', 'leavers'] as const;

/** The member that names the table of people. */
export const PEOPLE = 'agents_from';

/** The member that names the table of absences. */
export const ABSENCES = 'absences';

/** All that a manifest may have at its top, in addition to shelves. */
export const TOP_LEVEL: readonly string[] = [
  'version',
  PEOPLE,
  ABSENCES,
  ...JOINED,
  ...MAPPINGS.map(({ name }) => name),
];

/** A list that an overlay replaces, or patches item by item. */
export interface Patchable {
  readonly name: string;
  /** What an item is. */
  readonly noun: { readonly one: string; readonly many: string };
  /** The member that names an item. */
  readonly called: 'key' | 'name';
}

export const PATCHABLE: readonly Patchable[] = [
  { name: ORDERED.at[0] ?? '', noun: ORDERED.noun, called: 'key' },
  { name: 'routes', noun: { one: 'route', many: 'routes' }, called: 'name' },
];

/** Names of shelves: members that hold YAML anchors, and are ignored. */
export const SHELF = /^x-/;

function literals(at: readonly string[]): readonly string[] {
  return at.filter((part) => part !== '*' && part !== '#');
}

/** Every entry of every kind. A list item without a `key` gets an empty one. */
export function declaredEntries(manifest: JsonObject): readonly DeclaredEntry[] {
  const entries: DeclaredEntry[] = [];
  for (const kind of ALL_KINDS) addEntries(entries, kind, 0, manifest, [], null);
  return entries;
}

/** The account of a person, equal for entries of one person; null for all other entries, and for a person whom the service knows by another name. */
export function accountOf({ kind, key, value }: DeclaredEntry): string | null {
  if (kind.choosesId !== true) return null;
  const { id, external } = isObject(value) ? value : {};
  if (external !== undefined)
    return isObject(external) && typeof external['id'] === 'string' ? personOf(external['id']) : null;
  return personOf(typeof id === 'string' ? id : key);
}

/** Why a key can be that of no person; null for the key of another kind. */
export function refusedPerson(kind: KindName, key: string): Refusal | null {
  const { choosesId, refusedKey } = KINDS[kind];
  const refused = choosesId === true ? (refusedKey?.(key) ?? null) : null;
  return refused?.severity === 'error' ? refused : null;
}

/** Adds the entries below `value`, which is where the first `depth` parts of `kind.at` lead. */
function addEntries(
  entries: DeclaredEntry[],
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

/** The kind whose entries have the entries of this one inside of them; null for a kind with its own section. */
export function outerOf(kind: Kind): Kind | null {
  const outer = ALL_KINDS.find(
    ({ at }) => at.length < kind.at.length && at.every((part, depth) => part === kind.at[depth]),
  );
  return outer ?? null;
}

/** The name of the section that has the entries of a kind. */
export function sectionOf(kind: KindName): string {
  return KINDS[kind].at[0] ?? '';
}

/** Whether the entries of a kind are items of a list. */
export function isListed(kind: KindName): boolean {
  return KINDS[kind].at.includes('#');
}

/** Where an entry is written; for an item of a list, where the list is. */
export function entryPath({ kind, key }: { readonly kind: KindName; readonly key: string }): Path {
  let rest = key;
  const parts = KINDS[kind].at.filter((part) => part !== '#');
  const last = parts.lastIndexOf('*');
  return parts.map((part, depth) => {
    if (part !== '*') return part;
    if (depth === last) return rest;
    const [first, others] = splitName(rest);
    rest = others;
    return first;
  });
}

export function addressOf(kind: KindName, key: string): Address {
  return `${kind}/${key}`;
}

/** Null when the value is not an address. */
export function asAddress(value: Json | undefined): Address | null {
  return typeof value === 'string' && isAddress(value) ? value : null;
}
