// A document and a path in; where the path leads in the text out: to a node, or no further than to an alias, or to a mapping that `<<` gives the member.
// Whoever wants to change what lies behind such a place has to write it out there.

import { isAlias, isMap, isSeq, type Node, type YAMLMap } from 'yaml';
import type { Path } from '../../yaml/mark.ts';
import { asNode, isMergeKey, keyText } from '../../yaml/tree-places.ts';
import type { Holder, YamlDocument } from './document.ts';

export type Way =
  | { readonly at: 'node'; readonly node: Node | null; readonly holder: Holder }
  /** The alias stands at `path`, which is the whole way or less. */
  | { readonly at: 'alias'; readonly path: Path; readonly node: Node; readonly holder: Holder }
  /** The mapping at `path` has the next member of the way from `<<`. */
  | { readonly at: 'merged'; readonly path: Path; readonly name: string };

export function wayTo(document: YamlDocument, path: Path): Way {
  let node = document.root;
  let holder: Holder = { in: 'root' };
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

/** Of the member that the mapping itself has; -1 when it has none. */
export function memberIndex(map: YAMLMap, name: string): number {
  return map.items.findIndex(({ key }) => !isMergeKey(key) && keyText(key) === name);
}
