// A YAML file that can be edited: its text, its nodes with what holds each of them, its value and its marks. The rest about the text is in
// layout.ts.

import { type Alias, isMap, isPair, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json } from '../../base/model.ts';
import type { Mark, Path } from '../../yaml/places.ts';
import { type ParsedTree, parseTree } from '../../yaml/thorough/parse.ts';
import { asNode, keyText } from '../../yaml/thorough/places.ts';

/** What holds a value. */
export type NodeHolder =
  | { readonly in: 'root' }
  | { readonly in: 'map'; readonly map: YAMLMap; readonly index: number }
  | { readonly in: 'list'; readonly list: YAMLSeq; readonly index: number };

export interface YamlDocument {
  readonly file: string;
  readonly text: string;
  readonly value: Json;
  readonly root: Node | null;
  readonly parsed: ParsedTree;
  readonly holders: ReadonlyMap<Node, NodeHolder>;
  /** The aliases of each node with an anchor, in the order of the text. */
  readonly users: ReadonlyMap<Node, readonly Alias[]>;
  /** The node that each alias means. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly mark: (start: number, end: number) => Mark;
  /** Of a path, or of its nearest ancestor that exists. */
  readonly markOf: (path: Path) => Mark;
}

/** Why an edit cannot be made, and the place that prevents it. */
export interface Obstacle {
  readonly mark: Mark;
  /** One sentence without a full stop. */
  readonly message: string;
  /** What a person can do instead; null when the message says it. */
  readonly remedy: string | null;
}

export type RefusedEdit = { readonly refused: Obstacle };

/** `parsed`: the text, where it was parsed before. */
export function readDocument(
  file: string,
  text: string,
  parsed: ParsedTree = parseTree(file, text),
): YamlDocument | RefusedEdit {
  const { tree, value, source, mark, diagnostics } = parsed;
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    const { place, excerpt, message, remedy } = error;
    return { refused: { mark: { place, excerpt }, message, remedy } };
  }
  const holders = new Map<Node, NodeHolder>();
  hold(tree.root, { in: 'root' }, holders);
  const users = new Map<Node, Alias[]>();
  for (const [alias, target] of tree.targets) {
    const aliases = users.get(target) ?? [];
    aliases.push(alias);
    users.set(target, aliases);
  }
  for (const aliases of users.values()) aliases.sort((a, b) => startOf(a) - startOf(b));
  const markOf = (path: Path): Mark => source.mark(path, 'value');
  return { file, text, value, root: tree.root, parsed, holders, users, targets: tree.targets, mark, markOf };
}

function hold(node: Node | null, holder: NodeHolder, holders: Map<Node, NodeHolder>): void {
  if (node === null) return;
  holders.set(node, holder);
  if (isMap(node)) {
    for (const [index, pair] of node.items.entries()) {
      if (isPair(pair)) hold(asNode(pair.value), { in: 'map', map: node, index }, holders);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) hold(asNode(item), { in: 'list', list: node, index }, holders);
  }
}

/** Start of the node's own text, without its anchor and tag. */
export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

export function holderOf({ holders }: YamlDocument, node: Node): NodeHolder {
  return holders.get(node) ?? { in: 'root' };
}

/** The node that a holder is part of; null for the root. */
export function collectionOf(holder: NodeHolder): YAMLMap | YAMLSeq | null {
  return holder.in === 'root' ? null : holder.in === 'map' ? holder.map : holder.list;
}

/** The collections from the root to the node, and the node. */
export function lineage(document: YamlDocument, node: Node): readonly Node[] {
  const collection = collectionOf(holderOf(document, node));
  return collection === null ? [node] : [...lineage(document, collection), node];
}

/** The path of what the holder holds. */
export function pathOf(document: YamlDocument, holder: NodeHolder): Path {
  const collection = collectionOf(holder);
  if (collection === null || holder.in === 'root') return [];
  const step = holder.in === 'map' ? (keyText(holder.map.items[holder.index]?.key) ?? '') : holder.index;
  return [...pathOf(document, holderOf(document, collection)), step];
}

export function isFlow(node: Node | null): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

/** Brackets with something in them: empty brackets do not show how their author writes. */
export function isFilledFlow(node: Node | null): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true && node.items.length > 0;
}

/** Whether the value of the holder is inside of brackets. */
export function inFlow(document: YamlDocument, holder: NodeHolder): boolean {
  const collection = collectionOf(holder);
  return collection !== null && lineage(document, collection).some(isFlow);
}

export function refuse(
  document: YamlDocument,
  node: Node | null,
  message: string,
  remedy: string | null = null,
): RefusedEdit {
  const [start, end] = node?.range ?? [0, 1];
  return { refused: { mark: document.mark(start, Math.max(end, start + 1)), message, remedy } };
}
