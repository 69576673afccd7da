// The desired state of a license, from the entries of a valid manifest.

import { byText, equalJson, isObject } from '../base/json.ts';
import type {
  Address,
  Desired,
  DesiredResource,
  External,
  KindName,
  Leaving,
  ObjectId,
  Place,
  Reference,
  Spec,
} from '../base/model.ts';
import { mapNormalised } from '../kinds/fields.ts';
import { ORDERED, subjectOf } from '../kinds/index.ts';
import type { Part, Path } from '../yaml/places.ts';
import { externalOf, isExternal, pointersOf, specOf } from './references.ts';
import { addressOf, type DeclaredEntry } from './sections.ts';

type PlaceAt = (path: Path, part: Part) => Place;

/** People of a table: where their rows are, and who left. */
export interface TablePeople {
  readonly rows: ReadonlyMap<Address, Place>;
  readonly marked: ReadonlyMap<Address, Leaving>;
}

/** What is desired in addition to the entries. */
interface Additions {
  readonly clients: readonly string[];
  readonly complete: readonly KindName[];
  /** Those of routing tests. */
  readonly externals: readonly External[];
  readonly people: TablePeople;
  /** People outside of their days. */
  readonly waiting: ReadonlySet<Address>;
}

/** Only for entries without errors. */
export function resolve(
  entries: readonly DeclaredEntry[],
  { clients, complete, externals, people, waiting }: Additions,
  placeAt: PlaceAt,
): Desired {
  const managed = entries.filter((entry) => !isExternal(entry));
  const spelled = spellings(entries);
  const resources = managed.map((entry) => resourceOf(entry, spelled, { ...people, waiting }, placeAt));
  return {
    resources: resources.sort((a, b) => byText(a.address, b.address)),
    externals: externalsOf(entries, externals, placeAt),
    ruleOrder: managed.filter(({ kind }) => kind === ORDERED).map(({ address }) => address),
    namespaces: [...new Set([...clients, ...managed.flatMap(namespacesOf)])].sort(byText),
    complete,
  };
}

/** Makes references to people those of their entries, which may have other capitals. */
function spellings(entries: readonly DeclaredEntry[]): (reference: Reference) => Reference {
  const people = entries.filter(({ kind }) => kind.choosesId === true);
  const exact = new Set<Reference>(people.map(({ address }) => address));
  const bySubject = new Map<string, Reference>(people.map(({ address }) => [subjectOf(address), address]));
  return (reference) => (exact.has(reference) ? reference : (bySubject.get(subjectOf(reference)) ?? reference));
}

function resourceOf(
  entry: DeclaredEntry,
  spelled: (reference: Reference) => Reference,
  { rows, marked, waiting }: TablePeople & Pick<Additions, 'waiting'>,
  placeAt: PlaceAt,
): DesiredResource {
  const { address, kind, key, value, path } = entry;
  const id = kind.id !== undefined && isObject(value) ? value['id'] : undefined;
  const bound: ObjectId | null = typeof id === 'string' || typeof id === 'number' ? id : null;
  const [spec, row, leaving] = [mapNormalised(kind, specOf(entry), spelled), rows.get(address), marked.get(address)];
  const handsOver = pointersOf(entry).flatMap(({ kind: to, field, to: key }) =>
    field === kind.handsOver ? [addressOf(to, typeof key === 'string' ? key : key.key)] : [],
  );
  return {
    address,
    kind: kind.name,
    key,
    id: bound,
    spec,
    place: placeAt(path, 'key'),
    ...(waiting.has(address) ? { waits: true } : {}),
    ...(handsOver.length === 0 ? {} : { handsOver }),
    ...(row === undefined ? {} : { row }),
    ...(leaving !== undefined && isRetired(kind, spec) ? { leaves: leaving } : {}),
  };
}

/** An overlay can keep a person whose row is marked. */
function isRetired({ retired = {} }: DeclaredEntry['kind'], spec: Spec): boolean {
  return Object.entries(retired).every(([field, value]) => equalJson(spec[field] ?? null, value));
}

function namespacesOf(entry: DeclaredEntry): readonly string[] {
  const namespace = entry.kind.namespace?.({ key: entry.key, spec: specOf(entry) }) ?? null;
  return namespace === null ? [] : [namespace];
}

function externalsOf(
  entries: readonly DeclaredEntry[],
  more: readonly External[],
  placeAt: PlaceAt,
): readonly External[] {
  const externals = new Map<Address, External>();
  for (const entry of entries) {
    const { address, kind, value, path } = entry;
    if (isExternal(entry)) {
      externals.set(address, { address, kind: kind.name, ...externalOf(value), place: placeAt(path, 'key') });
    }
    // A key of a map is never `{ external: ... }`.
    for (const pointer of pointersOf(entry)) {
      if (typeof pointer.to === 'string') continue;
      const { key, id, name } = pointer.to;
      const inline = addressOf(pointer.kind, key);
      if (externals.has(inline)) continue;
      externals.set(inline, { address: inline, kind: pointer.kind, id, name, place: placeAt(pointer.path, 'value') });
    }
  }
  for (const external of more) if (!externals.has(external.address)) externals.set(external.address, external);
  return [...externals.values()].sort((a, b) => byText(a.address, b.address));
}
