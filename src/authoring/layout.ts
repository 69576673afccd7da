// Which file of a manifest gets which imported entries: the text of new files, and the edits of existing ones.

import { isList, isObject, valueAt } from '../base/json.ts';
import type { Address, Json, JsonObject, KindName } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { declaredEntries, entryPath, isListed, outerOf, SECTIONS, sectionOf } from '../manifest/sections.ts';
import { escaped } from '../manifest/substitute.ts';
import type { Edit } from './edit/edits.ts';
import { type ImportEntry, manifestOf } from './entry.ts';
import { withNamedSchedules } from './schedules.ts';
import { fileText, type Heading } from './text.ts';

/** Where new sections go. */
export type Home =
  | { readonly split: 'kind'; readonly folder: string }
  | { readonly split: 'none'; readonly file: string };

/** An existing file of the manifest. */
export interface BaseFile {
  readonly path: string;
  readonly value: Json;
}

export type FileChange =
  | { readonly type: 'new'; readonly path: string; readonly text: string; readonly entries: readonly ImportEntry[] }
  | {
      readonly type: 'edited';
      readonly path: string;
      readonly edits: readonly Edit[];
      readonly entries: readonly ImportEntry[];
    };

export interface Addition {
  readonly entries: readonly ImportEntry[];
  /** Addresses of the rules in the order that the manifest will have. */
  readonly ruleOrder: readonly Address[];
  readonly files: readonly BaseFile[];
  readonly home: Home;
  readonly headingOf: (path: string) => Heading;
}

/** In the order of the entries. */
export function layoutOf({ entries: imported, ruleOrder, files, home, headingOf }: Addition): readonly FileChange[] {
  const { entries, schedules } = withNamedSchedules(imported, declaredSchedules(files));
  const standing = new Map(files.flatMap(({ path, value }) => addressesIn(value).map((each) => [each, path] as const)));
  const places: Places = {
    standing,
    known: new Map(entries.map((entry) => [entry.address, entry])),
    homes: new Map(SECTIONS.map(({ name }) => [name, homeOf(name, files, home)])),
  };
  const byFile = new Map<string, ImportEntry[]>();
  for (const entry of entries) {
    const path = fileOf(entry, places);
    const own = byFile.get(path) ?? [];
    own.push(entry);
    byFile.set(path, own);
  }
  const shared = Object.keys(schedules).length === 0 ? null : homeOf('schedules', files, home);
  if (shared !== null && !byFile.has(shared)) byFile.set(shared, []);
  return [...byFile].map(([path, own]): FileChange => {
    const base = files.find((file) => file.path === path);
    const named = path === shared ? schedules : {};
    return base === undefined
      ? { type: 'new', path, text: fileText(own, named, headingOf(path)), entries: own }
      : { type: 'edited', path, edits: editsOf(own, named, base, ruleOrder), entries: own };
  });
}

function declaredSchedules(files: readonly BaseFile[]): JsonObject {
  const sections = files.map(({ value }) => valueAt(value, ['schedules']));
  return Object.assign({}, ...sections.filter((section) => section !== undefined && isObject(section)));
}

interface Places {
  /** The file of each address that is declared, or looked up, already. */
  readonly standing: ReadonlyMap<Address, string>;
  /** The entries that are made. */
  readonly known: ReadonlyMap<Address, ImportEntry>;
  /** The file of new entries of each section. */
  readonly homes: ReadonlyMap<string, string>;
}

function fileOf(entry: ImportEntry, places: Places): string {
  const { standing, known, homes } = places;
  const outer = outerEntryOf(entry);
  const outerEntry = outer === null ? undefined : known.get(outer);
  if (outerEntry !== undefined) return fileOf(outerEntry, places);
  const holder = standing.get(entry.address) ?? (outer === null ? undefined : standing.get(outer));
  return holder ?? homes.get(sectionOf(entry.kind)) ?? '';
}

/** The file that has the most of a section; where none has any, as the project is laid out. */
function homeOf(section: string, files: readonly BaseFile[], home: Home): string {
  const counted = files.map(({ path, value }) => ({ path, count: entriesOfSection(value, section) }));
  const most = counted.reduce((found, each) => (each.count > found.count ? each : found), { path: '', count: 0 });
  if (most.count > 0) return most.path;
  return home.split === 'kind' ? `${home.folder}/${section}.yaml` : home.file;
}

/** The address of the entry that an entry is inside of; null for an entry of a section. */
function outerEntryOf({ kind, key }: ImportEntry): Address | null {
  const outer = outerOf(KINDS[kind]);
  return outer === null ? null : `${outer.name}/${key.slice(0, key.indexOf('/'))}`;
}

function addressesIn(value: Json): readonly Address[] {
  return isObject(value) ? declaredEntries(value).map(({ address }) => address) : [];
}

/** How much of a section a file has: an empty section counts as 1. */
function entriesOfSection(value: Json, section: string): number {
  const found = valueAt(value, [section]);
  if (found === undefined) return 0;
  return 1 + (isList(found) ? found.length : isObject(found) ? Object.keys(found).length : 0);
}

/** New members go to the end of their mapping, new rules to their place in the order. */
function editsOf(
  entries: readonly ImportEntry[],
  schedules: JsonObject,
  { value }: BaseFile,
  ruleOrder: readonly Address[],
): readonly Edit[] {
  const added = escaped(manifestOf(entries));
  const own = new Set(entries.map(({ address }) => address));
  const members = entries.flatMap((entry): readonly Edit[] => {
    const outer = outerEntryOf(entry);
    if (isListed(entry.kind) || (outer !== null && own.has(outer))) return [];
    const path = entryPath(entry);
    const written = valueAt(added, path) ?? null;
    return [{ op: 'set', path, value: written }];
  });
  const lists = new Set(entries.filter(({ kind }) => isListed(kind)).map(({ kind }) => kind));
  const items = [...lists].flatMap((kind) => insertions(kind, added, value, ruleOrder));
  const named = Object.entries(schedules).map(([name, hours]): Edit => {
    return { op: 'set', path: ['schedules', name], value: escaped(hours) };
  });
  return [...named, ...members, ...items].toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** New sections come in the order that a new file has. */
function placeOf({ path }: Edit): number {
  return SECTIONS.findIndex(({ name }) => name === path[0]);
}

function insertions(kind: KindName, added: Json, value: Json, ruleOrder: readonly Address[]): readonly Edit[] {
  const section = sectionOf(kind);
  const items = valueAt(added, [section]) ?? null;
  const standing = valueAt(value, [section]);
  const places = new Map(ruleOrder.map((address, place) => [address, place]));
  const placeOf = (address: Address): number => places.get(address) ?? Number.POSITIVE_INFINITY;
  if (!isList(items)) return [];
  if (standing === undefined) return [{ op: 'set', path: [section], value: items }];
  const placed = isList(standing) ? standing.map((item) => addressOf(kind, item)) : [];
  return items.map((item): Edit => {
    const address = addressOf(kind, item);
    const own = placeOf(address);
    const index = placed.findLastIndex((each) => placeOf(each) < own) + 1;
    placed.splice(index, 0, address);
    return { op: 'insert', path: [section], index, items: [item] };
  });
}

function addressOf(kind: KindName, item: Json): Address {
  return `${kind}/${isObject(item) ? String(item['key']) : ''}`;
}
