// A node of a document in; the value that it stands for, with aliases and `<<` written out, out. The document is known to be without errors.

import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { Json } from '../../base/model.ts';
import { asNode, isMergeKey, keyText, mergeSources } from '../../yaml/tree-places.ts';
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

/** What `<<` gives a mapping, or would if it had nothing of its own. */
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

/** Of the pairs that merge. */
export function mergeIndexes(map: YAMLMap): readonly number[] {
  return map.items.flatMap(({ key }, index) => (isMergeKey(key) ? [index] : []));
}
