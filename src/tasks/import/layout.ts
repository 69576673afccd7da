// Entries, and the files that a manifest has already, in; which file gets which of them, out. Knows no text but that of new files.

import { isList, isObject } from '../../base/json.ts';
import type { Address, Json, KindName } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import { declaredEntries, SECTIONS } from '../../manifest/sections.ts';
import { escaped } from '../../yaml/substitute.ts';
import { type Edit, valueAt } from '../edit/edits.ts';
import type { Entry } from './entry.ts';
import { isListed, manifestOf, outerOf, pathOf, sectionOf } from './manifest-value.ts';
import { fileText, type Heading } from './text.ts';

/** Where new sections go. */
export type Home =
  | { readonly split: 'kind'; readonly folder: string }
  | { readonly split: 'none'; readonly file: string };

/** A file of the manifest as it is. */
export interface BaseFile {
  readonly path: string;
  readonly value: Json;
}

export type FileChange =
  | { readonly type: 'new'; readonly path: string; readonly text: string; readonly entries: readonly Entry[] }
  | {
      readonly type: 'edited';
      readonly path: string;
      readonly edits: readonly Edit[];
      readonly entries: readonly Entry[];
    };

export interface Addition {
  readonly entries: readonly Entry[];
  /** Addresses of the rules as the whole manifest will have them. */
  readonly ruleOrder: readonly Address[];
  readonly files: readonly BaseFile[];
  readonly home: Home;
  readonly headingOf: (path: string) => Heading;
}

/** New files in the order in which one may refer to another. */
export function layoutOf({ entries, ruleOrder, files, home, headingOf }: Addition): readonly FileChange[] {
  const standing = new Map(files.flatMap(({ path, value }) => addressesIn(value).map((each) => [each, path] as const)));
  const byFile = new Map<string, Entry[]>();
  for (const entry of entries) {
    const path = fileOf(entry, entries, { files, standing, home });
    byFile.set(path, [...(byFile.get(path) ?? []), entry]);
  }
  return [...byFile].map(([path, own]): FileChange => {
    const base = files.find((file) => file.path === path);
    return base === undefined
      ? { type: 'new', path, text: fileText(own, headingOf(path)), entries: own }
      : { type: 'edited', path, edits: editsOf(own, base, ruleOrder), entries: own };
  });
}

interface Places extends Pick<Addition, 'files' | 'home'> {
  /** The files of what is declared, or looked up, already. */
  readonly standing: ReadonlyMap<Address, string>;
}

function fileOf(entry: Entry, entries: readonly Entry[], places: Places): string {
  const { files, standing, home } = places;
  const outer = outerEntryOf(entry);
  const beside = outer === null ? undefined : entries.find(({ address }) => address === outer);
  if (beside !== undefined) return fileOf(beside, entries, places);
  const holder = standing.get(entry.address) ?? (outer === null ? undefined : standing.get(outer));
  if (holder !== undefined) return holder;
  const section = sectionOf(entry.kind);
  const counted = files.map(({ path, value }) => ({ path, count: entriesOfSection(value, section) }));
  const most = counted.reduce((found, each) => (each.count > found.count ? each : found), { path: '', count: 0 });
  if (most.count > 0) return most.path;
  return home.split === 'kind' ? `${home.folder}/${section}.yaml` : home.file;
}

/** The address of the entry that an entry stands in; null for one that stands in a section. */
function outerEntryOf({ kind, key }: Entry): Address | null {
  const outer = outerOf(KINDS[kind]);
  return outer === null ? null : `${outer.name}/${key.slice(0, key.indexOf('/'))}`;
}

function addressesIn(value: Json): readonly Address[] {
  return isObject(value) ? declaredEntries(value).map(({ address }) => address) : [];
}

/** A section that is there has at least its name. */
function entriesOfSection(value: Json, section: string): number {
  const found = valueAt(value, [section]);
  if (found === undefined) return 0;
  return 1 + (isList(found) ? found.length : isObject(found) ? Object.keys(found).length : 0);
}

/** New members at the end of their mappings, new rules where they belong. */
function editsOf(entries: readonly Entry[], { value }: BaseFile, ruleOrder: readonly Address[]): readonly Edit[] {
  const added = escaped(manifestOf(entries));
  const own = new Set(entries.map(({ address }) => address));
  const members = entries.flatMap((entry): readonly Edit[] => {
    const outer = outerEntryOf(entry);
    if (isListed(entry.kind) || (outer !== null && own.has(outer))) return [];
    const path = pathOf(entry);
    const written = valueAt(added, path) ?? null;
    // What only looked it up stands there, perhaps with comments.
    if (valueAt(value, path) !== undefined) return [{ op: 'set', path, value: written }];
    return [{ op: 'add', path: path.slice(0, -1), name: String(path.at(-1)), value: written }];
  });
  const lists = new Set(entries.filter(({ kind }) => isListed(kind)).map(({ kind }) => kind));
  const items = [...lists].flatMap((kind) => insertions(kind, added, value, ruleOrder));
  return [...members, ...items].toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Sections that are new come in the order of a new file. */
function placeOf({ path, ...edit }: Edit): number {
  const section = path[0] ?? ('name' in edit ? edit.name : '');
  return SECTIONS.findIndex(({ name }) => name === section);
}

function insertions(kind: KindName, added: Json, value: Json, ruleOrder: readonly Address[]): readonly Edit[] {
  const section = sectionOf(kind);
  const items = valueAt(added, [section]) ?? null;
  const standing = valueAt(value, [section]);
  if (!isList(items)) return [];
  if (standing === undefined) return [{ op: 'add', path: [], name: section, value: items }];
  const placed = isList(standing) ? standing.map((item) => addressOf(kind, item)) : [];
  return items.map((item): Edit => {
    const address = addressOf(kind, item);
    const before = ruleOrder.slice(0, ruleOrder.indexOf(address));
    const index = placed.findLastIndex((each) => before.includes(each)) + 1;
    placed.splice(index, 0, address);
    return { op: 'insert', path: [section], index, value: item };
  });
}

function addressOf(kind: KindName, item: Json): Address {
  return `${kind}/${isObject(item) ? String(item['key']) : ''}`;
}
