// Values of nodes, with aliases and `<<` written out. For documents without errors.

import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { Json } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { asNode, isMergeKey, keyText, mergeSources } from '../../yaml/thorough/places.ts';
import type { YamlDocument } from './document.ts';

export function plainValue(document: YamlDocument, node: Node | null): Json {
  if (isAlias(node)) return plainValue(document, document.targets.get(node) ?? null);
  if (isScalar(node)) return node.value as Json;
  if (isSeq(node)) return node.items.map((item) => plainValue(document, asNode(item)));
  return isMap(node) ? Object.fromEntries(membersOf(document, node)) : null;
}

function membersOf(document: YamlDocument, map: YAMLMap): ReadonlyMap<string, Json> {
  const own = map.items.filter(({ key }) => !isMergeKey(key));
  const members = own.map(({ key, value }) => [keyText(key) ?? '', plainValue(document, asNode(value))] as const);
  return new Map([...mergedMembers(document, map), ...members]);
}

/** The members that `<<` gives a mapping, also those that the mapping overrides. */
export function mergedMembers(document: YamlDocument, map: YAMLMap): ReadonlyMap<string, Json> {
  const members = new Map<string, Json>();
  for (const index of mergeIndexes(map)) {
    const value = asNode(map.items[index]?.value);
    for (const source of value === null ? [] : (mergeSources(document, value) ?? [])) {
      for (const [name, member] of membersOf(document, source)) if (!members.has(name)) members.set(name, member);
    }
  }
  return members;
}

/** Indexes of the pairs with `<<`. A parsed mapping never changes. */
export const mergeIndexes = oncePer((map: YAMLMap): readonly number[] =>
  map.items.flatMap(({ key }, index) => (isMergeKey(key) ? [index] : [])),
);
