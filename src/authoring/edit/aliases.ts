// Aliases after an edit: each says what it said before, whatever happened to its anchor.

import { type Alias, isAlias, isMap, isPair, isSeq, type Node } from 'yaml';
import { equalJson } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';
import { asNode, keyText, type Tree } from '../../yaml/thorough/places.ts';
import { nodeOf } from '../nodes.ts';
import type { YamlStyle } from '../style.ts';
import type { NodeChanges } from './extents.ts';

/** Writes a value out where its alias would mean something else now: its anchor is gone, changed, or below. Later aliases of it mean the new place. */
export function settleAliases(root: Node, tree: Tree, changes: NodeChanges, style: YamlStyle): void {
  const { replaced, changed, touched, unanchored } = changes;
  const anchors = new Map<string, Node>();
  const around = new Map<Node, readonly Node[]>();
  const made = new Map<Node, Json>();
  const used = new Set<Node>();
  const left = new Set<Node>();
  const says = (node: Node, value: Json): boolean =>
    made.has(node) ? equalJson(made.get(node), value) : !changed.has(node) && equalJson(tree.values.get(node), value);
  const settled = (alias: Alias, path: Path, parents: readonly Node[]): Node => {
    const target = tree.targets.get(alias);
    const value = (target === undefined ? null : tree.values.get(target)) ?? null;
    const now = anchors.get(alias.source);
    if (now !== undefined && says(now, value)) {
      used.add(now);
      return alias;
    }
    const inBrackets = parents.some((parent) => (isMap(parent) || isSeq(parent)) && parent.flow === true);
    const written = nodeOf(value, path, style, inBrackets);
    Object.assign(written, { anchor: alias.source, ...(inBrackets ? { comment: alias.comment } : {}) });
    made.set(written, value);
    replaced.set(written, alias);
    anchors.set(alias.source, written);
    if (target !== undefined) left.add(target);
    for (const parent of parents) touched.add(parent);
    return written;
  };
  const walk = (node: Node | null, path: Path, parents: readonly Node[]): Node | null => {
    if (isAlias(node)) return settled(node, path, parents);
    if (node?.anchor !== undefined) {
      anchors.set(node.anchor, node);
      around.set(node, parents);
    }
    if (!isMap(node) && !isSeq(node)) return node;
    const inner = [...parents, node];
    for (const [index, item] of node.items.entries()) {
      if (isPair(item)) {
        walk(asNode(item.key), path, inner);
        item.value = walk(asNode(item.value), [...path, keyText(item.key) ?? ''], inner);
      } else node.items[index] = walk(asNode(item), [...path, index], inner);
    }
    return node;
  };
  walk(root, [], []);
  for (const node of made.keys()) if (!used.has(node)) Object.assign(node, { anchor: undefined });
  for (const target of left) {
    const parents = around.get(target);
    if (parents === undefined || used.has(target) || isAlias(target) || target.anchor === undefined) continue;
    unanchored.set(target, target.anchor);
    Object.assign(target, { anchor: undefined });
    for (const node of [...parents, target]) touched.add(node);
  }
}
