// Places of a parsed tree: where each member of its value is written, through aliases and `<<`. Each mapping is indexed at its first lookup, so
// that all lookups together are linear in the file.

import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Json } from '../../base/model.ts';
import type { Part, Path, PlaceMark } from '../places.ts';

export interface Tree {
  readonly root: Node | null;
  /** What each alias stands for. A name is not enough: a later anchor may have the same one. */
  readonly targets: Map<Alias, Node>;
  /** The values of nodes, with aliases and merge keys written out. */
  readonly values: Map<Node, Json>;
}

export function asNode(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

/** The text of a key; null when it is no text. */
export function keyText(key: unknown): string | null {
  if (!isScalar(key)) return null;
  const value: unknown = key.value;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return key.source ?? String(value);
  return null;
}

export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && (key.type === 'PLAIN' || key.type === undefined);
}

type AliasTargets = { readonly targets: ReadonlyMap<Alias, Node> };

/** The mappings that `<<` brings, the one that wins first; null when it brings something else. */
export function mergeSources(tree: AliasTargets, value: Node): readonly YAMLMap[] | null {
  const node = standsFor(tree, value);
  if (isMap(node)) return [node];
  if (!isSeq(node)) return null;
  const maps = node.items.map((item) => (isAlias(item) ? standsFor(tree, item) : item));
  return maps.every((item) => isMap(item)) ? maps : null;
}

function standsFor(tree: AliasTargets, node: Node): Node | null {
  return isAlias(node) ? (tree.targets.get(node) ?? null) : node;
}

/** `Source.mark` of a file. */
export function locator(
  tree: Tree,
  mark: (start: number, end: number) => PlaceMark,
): (path: Path, part: Part) => PlaceMark {
  const indexes = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  const index = (map: YAMLMap): ReadonlyMap<string, Pair> => {
    let members = indexes.get(map);
    if (members === undefined) {
      members = indexMembers(tree, map, index);
      indexes.set(map, members);
    }
    return members;
  };
  return (path, part) => {
    const [key, value] = descend(tree, path, index);
    const [start, end] = rangeOf(part === 'key' ? (key ?? value) : isWritten(value) ? value : (key ?? value));
    return mark(start, end);
  };
}

function indexMembers(
  tree: Tree,
  map: YAMLMap,
  index: (map: YAMLMap) => ReadonlyMap<string, Pair>,
): ReadonlyMap<string, Pair> {
  const members = new Map<string, Pair>();
  const add = (name: string | null, pair: Pair): void => {
    if (name !== null && !members.has(name)) members.set(name, pair);
  };
  for (const pair of map.items) if (!isMergeKey(pair.key)) add(keyText(pair.key), pair);
  for (const pair of map.items) {
    if (!isMergeKey(pair.key)) continue;
    const node = asNode(pair.value);
    const sources = node === null ? [] : (mergeSources(tree, node) ?? []);
    for (const source of sources) for (const [name, member] of index(source)) add(name, member);
  }
  return members;
}

/** The key and the value that the path leads to, or as far as it leads. */
function descend(
  tree: Tree,
  path: Path,
  index: (map: YAMLMap) => ReadonlyMap<string, Pair>,
): readonly [key: Node | null, value: Node | null] {
  let key: Node | null = null;
  let value = tree.root;
  for (const step of path) {
    let next: unknown = null;
    if (isMap(value)) {
      const pair = index(value).get(String(step));
      if (pair === undefined) break;
      key = asNode(pair.key);
      next = pair.value;
    } else if (isSeq(value) && typeof step === 'number') {
      next = value.items[step];
      if (next === undefined) break;
      key = null;
    } else break;
    const node = asNode(next);
    value = node === null ? null : (standsFor(tree, node) ?? node);
  }
  return [key, value];
}

/** Whether there is anything to point at: a member without a value has only its key. */
function isWritten(node: Node | null): boolean {
  return node?.range != null && node.range[1] > node.range[0];
}

function rangeOf(node: Node | null): readonly [number, number] {
  const range = node?.range;
  return range == null ? [0, 1] : [range[0], Math.max(range[1], range[0] + 1)];
}
