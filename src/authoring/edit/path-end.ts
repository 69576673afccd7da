// Where a path ends in a text: at a node, or earlier at an alias, or at a mapping that has the next member from `<<`. To change a value after such
// a place, it must be written out there.

import { isAlias, isMap, isSeq, type Node, type YAMLMap } from 'yaml';
import { oncePer } from '../../base/once-per.ts';
import type { Path } from '../../yaml/places.ts';
import { asNode, isMergeKey, keyText } from '../../yaml/thorough/places.ts';
import type { NodeHolder, YamlDocument } from './document.ts';

export type PathEnd =
  | { readonly at: 'node'; readonly node: Node | null; readonly holder: NodeHolder }
  /** The alias at `path`, which is all of the path or its beginning. */
  | { readonly at: 'alias'; readonly path: Path; readonly node: Node; readonly holder: NodeHolder }
  /** The mapping at `path` has the member from `<<`. */
  | { readonly at: 'merged'; readonly path: Path; readonly name: string };

export function endOf(document: YamlDocument, path: Path): PathEnd {
  let node = document.root;
  let holder: NodeHolder = { in: 'root' };
  for (const [depth, step] of path.entries()) {
    if (isAlias(node)) return { at: 'alias', path: path.slice(0, depth), node, holder };
    if (isMap(node)) {
      const index = memberIndex(node, String(step));
      if (index < 0) return { at: 'merged', path: path.slice(0, depth), name: String(step) };
      holder = { in: 'map', map: node, index };
      node = asNode(node.items[index]?.value);
    } else if (isSeq(node)) {
      holder = { in: 'list', list: node, index: Number(step) };
      node = asNode(node.items[Number(step)]);
    }
  }
  return isAlias(node) ? { at: 'alias', path, node, holder } : { at: 'node', node, holder };
}

/** Index of the mapping's own member; -1 when it has none of that name. */
export function memberIndex(map: YAMLMap, name: string): number {
  return indexesIn(map).get(name) ?? -1;
}

/** By name; of members with one name, the first. A parsed mapping never changes. */
const indexesIn = oncePer((map: YAMLMap): ReadonlyMap<string, number> => {
  const indexes = new Map<string, number>();
  for (const [index, { key }] of map.items.entries()) {
    const name = isMergeKey(key) ? null : keyText(key);
    if (name !== null && !indexes.has(name)) indexes.set(name, index);
  }
  return indexes;
});
