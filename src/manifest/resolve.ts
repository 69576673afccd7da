// The entries of a valid manifest in; `Desired` out, with references as addresses. Values that their definition refuses are
// found on the way.

import { byText, isObject } from '../base/json.ts';
import type { Address, Desired, DesiredResource, External, KindName, ObjectId, Place } from '../base/model.ts';
import { ORDERED } from '../kinds/index.ts';
import type { Emit } from '../yaml/collector.ts';
import type { Part, Path } from '../yaml/mark.ts';
import { externalOf, pointersOf, specOf } from './references.ts';
import { addressOf, type Declared } from './sections.ts';
import { isExternal } from './validate.ts';

type PlaceAt = (path: Path, part: Part) => Place;

/** Reports every value that its declared definition refuses; undeclared definitions accept everything. */
export function checkDefinitions(entries: readonly Declared[], emit: Emit): void {
  const byAddress = new Map<string, Declared>(entries.map((entry) => [entry.address, entry]));
  for (const entry of entries) {
    const definition = entry.kind.definition;
    const declared = definition === undefined ? undefined : byAddress.get(definition.of(entry.key));
    if (definition === undefined || declared === undefined) continue;
    const refusal = definition.refusal(specOf(declared), specOf(entry));
    if (refusal === null) continue;
    emit({
      path: entry.path,
      part: 'value',
      finding: refusal,
      related: [{ path: declared.path, part: 'key', message: 'the definition' }],
    });
  }
}

/** What is wanted beside the entries. */
interface Beside {
  readonly clients: readonly string[];
  readonly complete: readonly KindName[];
  /** Those that no entry names. */
  readonly externals: readonly External[];
}

/** Only for entries without errors. */
export function resolve(
  entries: readonly Declared[],
  { clients, complete, externals }: Beside,
  placeAt: PlaceAt,
): Desired {
  const managed = entries.filter((entry) => !isExternal(entry));
  const resources = managed.map((entry) => resourceOf(entry, placeAt));
  return {
    resources: resources.sort((a, b) => byText(a.address, b.address)),
    externals: externalsOf(entries, externals, placeAt),
    ruleOrder: managed.filter(({ kind }) => kind === ORDERED).map(({ address }) => address),
    namespaces: [...new Set([...clients, ...managed.flatMap(namespacesOf)])].sort(byText),
    complete,
  };
}

function resourceOf(entry: Declared, placeAt: PlaceAt): DesiredResource {
  const { address, kind, key, value, path } = entry;
  const id = kind.id !== undefined && isObject(value) ? value['id'] : undefined;
  const bound: ObjectId | null = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { address, kind: kind.name, key, id: bound, spec: specOf(entry), place: placeAt(path, 'key') };
}

function namespacesOf(entry: Declared): readonly string[] {
  const namespace = entry.kind.namespace?.({ key: entry.key, spec: specOf(entry) }) ?? null;
  return namespace === null ? [] : [namespace];
}

function externalsOf(entries: readonly Declared[], more: readonly External[], placeAt: PlaceAt): readonly External[] {
  const externals = new Map<Address, External>();
  for (const entry of entries) {
    const { address, kind, value, path } = entry;
    if (isExternal(entry)) {
      externals.set(address, { address, kind: kind.name, ...externalOf(value), place: placeAt(path, 'key') });
    }
    // Keys of a mapping describe nothing on the spot.
    for (const pointer of pointersOf(entry, 'items')) {
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
