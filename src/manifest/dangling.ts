// References to entries that are not declared: what a finding about one says, and which of them follow from another finding.

import { isObject } from '../base/json.ts';
import type { Address, Json, KindName, Place } from '../base/model.ts';
import { listed, nearest, plainName, slip } from '../base/nearest.ts';
import { KINDS, kindOf, subjectOf } from '../kinds/index.ts';
import { splitName } from '../kinds/namespaced.ts';
import { at, type PathDiagnostic, position } from '../yaml/diagnostics.ts';
import type { Part, Path } from '../yaml/places.ts';
import type { RemovalAt } from './overlay.ts';
import { pointersOf } from './references.ts';
import {
  ALL_KINDS,
  addressOf,
  type DeclaredEntry,
  entryPath,
  isListed,
  refusedPerson,
  SHELF,
  TOP_LEVEL,
} from './sections.ts';

/** What is known of entries that are referred to and not declared. */
export interface Absent {
  readonly removedAt: RemovalAt;
  /** Entries that stand inside of others: the finding there says so, and those about references to them follow from it. */
  readonly misplaced: ReadonlySet<Address>;
  /** Kinds whose section probably stands under another name: the finding there says so. */
  readonly misnamed: ReadonlySet<KindName>;
  /** New addresses of moved entries. */
  readonly moved: ReadonlyMap<Address, Address>;
}

/** Makes the finding about one reference; null for a reference to an entry, and where another finding says what is wrong. */
export type ReferenceCheck = (
  kind: KindName,
  key: string,
  path: Path,
  part: Part,
  otherwise?: string,
) => PathDiagnostic | null;

/** Makes a check of one reference. Its finding says which overlay removes the entry, or names the key that is probably meant. */
export function referenceCheck(entries: readonly DeclaredEntry[], absent: Absent): ReferenceCheck {
  const declared = new Set(entries.map(({ address }) => subjectOf(address)));
  const meantBy = meanings(entries, declared, absent.moved);
  const kinds = new Set(entries.map((entry) => entry.kind.name));
  /** Keys that are referred to, of kinds of which nothing is declared. */
  const lacking = new Map<KindName, readonly string[]>();
  return (kind, key, path, part, otherwise) => {
    const address = addressOf(kind, key);
    if (declared.has(subjectOf(address)) || absent.misplaced.has(address) || absent.misnamed.has(kind)) return null;
    const refused = refusedPerson(kind, key);
    if (refused !== null) return { path, part, ...refused };
    const noun = KINDS[kind].noun.one;
    const message = `no ${noun} \`${key}\` is declared`;
    const removal = absent.removedAt(entryPath({ kind, key }), isListed(kind) ? key : undefined);
    if (removal !== null) return at(path, part, 'dangling-reference', ...removed(message, noun, removal));
    if (!kinds.has(kind)) {
      const known = lacking.get(kind);
      const keys = known ?? keysOf(entries, kind);
      lacking.set(kind, keys);
      if (keys.length > 1)
        return known === undefined
          ? at(path, part, 'dangling-reference', ...noneDeclared(KINDS[kind].noun, keys))
          : null;
    }
    const remedy =
      otherwise ??
      `remove the reference, declare the ${noun}, or look it up with \`{ external: ... }\` if it is managed elsewhere`;
    const meant = meantBy(kind, key);
    return at(path, part, 'dangling-reference', message, meant === null ? remedy : `${meant} Otherwise ${remedy}`);
  };
}

/** Keys of a kind to which entries refer, each once. */
function keysOf(entries: readonly DeclaredEntry[], kind: KindName): readonly string[] {
  const pointers = entries.flatMap((entry) => pointersOf(entry));
  return [
    ...new Set(pointers.flatMap(({ kind: to, to: key }) => (to === kind && typeof key === 'string' ? [key] : []))),
  ];
}

/** Said once for all references to a kind of which nothing is declared: most likely a file is missing. */
function noneDeclared(
  noun: (typeof KINDS)[KindName]['noun'],
  keys: readonly string[],
): readonly [message: string, remedy: string] {
  return [
    `no ${noun.one} is declared, and the files refer to ${keys.length} ${noun.many}: ${listed(keys)}`,
    `name the file that declares them under \`manifest:\`, declare them, or look them up with \`{ external: ... }\` if they are managed elsewhere`,
  ];
}

/** The message and the remedy for an entry that an overlay removes. */
export function removed(message: string, noun: string, removal: Place): readonly [message: string, remedy: string] {
  return [
    `${message}: ${position(removal)} removes it`,
    `also remove the reference in that overlay, or keep the ${noun} there`,
  ];
}

/** How many names are compared at most: comparing each name with every other would take minutes when a section is missing. */
const COMPARED = 300_000;

/** Makes the question that names the key that a wrong one probably means; null where none is near. */
function meanings(
  entries: readonly DeclaredEntry[],
  declared: ReadonlySet<string>,
  moved: Absent['moved'],
): (kind: KindName, key: string) => string | null {
  const known = new Map<Address, string | null>();
  const renamedFrom = renames(entries, declared);
  let compared = 0;
  const find = (kind: KindName, key: string): string | null => {
    const own = entries.filter((entry) => entry.kind.name === kind);
    const near = nearest(
      key,
      own.map((entry) => entry.key),
    );
    if (near !== null && slip(plainName(key), plainName(near))) return `did you mean \`${near}\`?`;
    const newKey = renamedFrom(kind, key, own);
    if (newKey === null) {
      const named = own.filter((entry) => isNamed(entry, key)).map((entry) => entry.key);
      const names = new Map(own.map((entry) => [nameOf(entry) || entry.key, entry.key]));
      const only = near ?? named[0] ?? names.get(nearest(key, [...names.keys()]) ?? '');
      const meant = named.length > 1 ? named.join('` or `') : only;
      return meant === undefined ? null : `did you mean \`${meant}\`?`;
    }
    const question = `did you mean \`${newKey}\`, to which nothing refers?`;
    return KINDS[kind].choosesId === true
      ? question
      : `${question} After a rename, also add \`moved: [{ from: ${addressOf(kind, key)}, to: ${addressOf(kind, newKey)} }]\`.`;
  };
  return (kind, key) => {
    const address = addressOf(kind, key);
    const to = moved.get(address);
    if (to !== undefined && declared.has(subjectOf(to)))
      return `did you mean \`${splitName(to)[1]}\`, which it was moved to?`;
    const before = known.get(address);
    if (before !== undefined || compared >= COMPARED) return before ?? null;
    compared += entries.length;
    const found = find(kind, key);
    known.set(address, found);
    return found;
  };
}

/** Makes a search for the new key of a renamed entry: one to which nothing refers, of the same name as the old key, or the only one where one key is missing. */
function renames(
  entries: readonly DeclaredEntry[],
  declared: ReadonlySet<string>,
): (kind: KindName, key: string, own: readonly DeclaredEntry[]) => string | null {
  let known: ReadonlySet<Address> | null = null;
  return (kind, key, own) => {
    known ??= referredTo(entries);
    const used = known;
    const free = own.filter(({ address, value }) => !used.has(address) && !isSuspended(value));
    const named = free.filter((entry) => isNamed(entry, key));
    const [only, ...others] = named.length > 0 ? named : free;
    if (only === undefined || others.length > 0) return null;
    const missing = [...used].some(
      (address) => kindOf(address) === kind && address !== addressOf(kind, key) && !declared.has(subjectOf(address)),
    );
    return missing && named.length === 0 ? null : only.key;
  };
}

/** Whether people know the entry by this name. */
function isNamed(entry: DeclaredEntry, name: string): boolean {
  return plainName(nameOf(entry)) === plainName(name);
}

/** Empty where people know the entry by no name. */
function nameOf({ value }: DeclaredEntry): string {
  return isObject(value) && typeof value['name'] === 'string' ? value['name'] : '';
}

/** Whether the entry is an agent who left. */
function isSuspended(value: DeclaredEntry['value']): boolean {
  return isObject(value) && value['suspended'] === true;
}

function referredTo(entries: readonly DeclaredEntry[]): ReadonlySet<Address> {
  const pointers = entries.flatMap((entry) => pointersOf(entry));
  return new Set(pointers.flatMap(({ kind, to }) => (typeof to === 'string' ? [addressOf(kind, to)] : [])));
}

/** Entries that stand inside of another one, by their findings: the key there is no field. */
export function misplacedIn(found: readonly PathDiagnostic[]): ReadonlySet<Address> {
  return new Set(
    found.flatMap(({ path, severity }) => {
      const key = path.at(-1);
      if (severity === 'warning' || typeof key !== 'string') return [];
      const kinds = ALL_KINDS.filter((kind) => kind.at[0] === path[0] && path.length > kind.at.length);
      return kinds.map(({ name }) => addressOf(name, key));
    }),
  );
}

/** Kinds that have no section in the files, while a section there has nearly its name. */
export function misnamedIn(files: readonly Json[]): ReadonlySet<KindName> {
  const names = files.flatMap((file) => (isObject(file) ? Object.keys(file) : []));
  const absent = new Set(
    ALL_KINDS.map(({ at: [section = ''] }) => section).filter((section) => !names.includes(section)),
  );
  const unknown = names.filter((name) => !TOP_LEVEL.includes(name) && !SHELF.test(name));
  const meant = new Set(unknown.map((name) => nearest(name, [...absent])));
  return new Set(ALL_KINDS.flatMap(({ name, at: [section = ''] }) => (meant.has(section) ? [name] : [])));
}
