// The entries of a valid manifest in; `Desired` out, with references as addresses. Names that lead nowhere, and values that their
// definition refuses, are found on the way.

import { byText } from '../canonical.ts';
import { isObject } from '../kinds/wire.ts';
import type { Address, Desired, DesiredResource, External, KindName, ObjectId, Place } from '../model.ts';
import type { Emit } from './collector.ts';
import type { Part, Path } from './mark.ts';
import { nearest } from './nearest.ts';
import { externalOf, pointersOf, specOf } from './references.ts';
import { addressOf, type Declared } from './sections.ts';
import { isExternal } from './validate.ts';
import { at } from './wording.ts';

type PlaceAt = (path: Path, part: Part) => Place;

/** Reports every reference to what is not declared. */
export function checkReferences(entries: readonly Declared[], emit: Emit): void {
  const declared = new Set<Address>(entries.map(({ address }) => address));
  for (const entry of entries) {
    for (const { kind, path, part, to } of pointersOf(entry)) {
      if (typeof to !== 'string' || declared.has(addressOf(kind, to))) continue;
      emit(at(path, part, 'dangling-reference', `there is no ${kind} \`${to}\``, remedyFor(kind, to, entries)));
    }
  }
}

function remedyFor(kind: KindName, key: string, entries: readonly Declared[]): string {
  const same = entries.filter((entry) => entry.kind.name === kind);
  const meant = nearest(
    key,
    same.map((entry) => entry.key),
  );
  const noun = same[0]?.kind.noun.one ?? kind;
  const declare = `declare it, as \`{ external: ... }\` if the ${noun} is not managed here`;
  return meant === null ? declare : `did you mean \`${meant}\`? Otherwise ${declare}`;
}

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
      ...at(entry.path, 'value', refusal.code, refusal.message, refusal.remedy),
      related: [{ path: declared.path, part: 'key', message: 'the definition' }],
    });
  }
}

/** Only for entries without errors. */
export function resolve(entries: readonly Declared[], clients: readonly string[], placeAt: PlaceAt): Desired {
  const managed = entries.filter((entry) => !isExternal(entry));
  const resources = managed.map((entry) => resourceOf(entry, placeAt));
  return {
    resources: resources.sort((a, b) => byText(a.address, b.address)),
    externals: externalsOf(entries, placeAt),
    ruleOrder: managed.filter(({ kind }) => kind.ordered === true).map(({ address }) => address),
    namespaces: [...new Set([...clients, ...managed.flatMap(namespacesOf)])].sort(byText),
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

function externalsOf(entries: readonly Declared[], placeAt: PlaceAt): readonly External[] {
  const externals = new Map<Address, External>();
  for (const entry of entries) {
    const { address, kind, value, path } = entry;
    if (isExternal(entry)) {
      externals.set(address, { address, kind: kind.name, ...externalOf(value), place: placeAt(path, 'key') });
    }
    for (const pointer of pointersOf(entry)) {
      if (typeof pointer.to === 'string') continue;
      const { key, id, name } = pointer.to;
      const inline = addressOf(pointer.kind, key);
      if (externals.has(inline)) continue;
      externals.set(inline, { address: inline, kind: pointer.kind, id, name, place: placeAt(pointer.path, 'value') });
    }
  }
  return [...externals.values()].sort((a, b) => byText(a.address, b.address));
}
