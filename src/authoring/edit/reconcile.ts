// Makes the nodes of a parsed file say another value. Nodes that stay keep their comments, quotes and anchors. Changes the nodes in place, and notes
// what was where, so that the text of the rest can stay.

import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { groupedBy } from '../../base/grouped.ts';
import { canonicalJson, equalJson, isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';
import { asNode, isMergeKey, keyText, mergeSources, type Tree } from '../../yaml/thorough/places.ts';
import { nodeOf, pairOf, typeOf } from '../nodes.ts';
import { isCollection, PLAIN_STYLE, type YamlStyle } from '../style.ts';
import { settleAliases } from './aliases.ts';
import type { EditedValue } from './edits.ts';
import type { NodeChanges } from './extents.ts';

interface Reconciling extends NodeChanges {
  readonly tree: Tree;
  readonly origins: EditedValue['origins'];
  readonly style: YamlStyle;
}

/** The root that says `meant` in the place of `before`, and what changed. */
export function reconcile(
  tree: Tree,
  before: Json,
  { value: meant, origins }: EditedValue,
  style: YamlStyle,
): { readonly root: Node; readonly changes: NodeChanges } {
  const changes: NodeChanges = {
    entries: new Map(),
    replaced: new Map(),
    changed: new Set(),
    touched: new Set(),
    unanchored: new Map(),
  };
  const all = { ...changes, tree, origins, style };
  const root = reconciled(all, { node: tree.root, value: before, path: [], flow: false }, meant);
  if (tree.targets.size > 0) settleAliases(root, tree, changes, style);
  return { root, changes };
}

/** A value of the file, and its node: null for a value without text, such as that of `{ name }`. */
interface Present {
  readonly node: Node | null;
  readonly value: Json;
  readonly path: Path;
  /** Inside of brackets. */
  readonly flow: boolean;
}

/** The node with the value that is meant: the same node where it can say it. */
function reconciled(all: Reconciling, present: Present, meant: Json): Node {
  const { node, value, path } = present;
  if (node !== null && equalJson(value, meant)) return node;
  if (isMap(node) && node.items.length > 0 && isObject(value) && isObject(meant) && Object.keys(meant).length > 0) {
    noteChange(all, node);
    setMembers(all, node, { ...present, value }, meant);
    return node;
  }
  if (isSeq(node) && node.items.length > 0 && isList(value) && isList(meant) && meant.length > 0) {
    noteChange(all, node);
    setItems(all, node, { ...present, value }, meant);
    return node;
  }
  if (isScalar(node) && node.tag === undefined && !isCollection(meant)) {
    noteChange(all, node);
    const isQuoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
    const type =
      typeof meant === 'string' ? (typeOf(meant, present.flow) ?? (isQuoted ? node.type : undefined)) : undefined;
    Object.assign(node, { value: meant, type, source: undefined, format: undefined, minFractionDigits: undefined });
    return node;
  }
  const made = nodeOf(meant, path, all.style, present.flow);
  if (present.flow && node !== null) Object.assign(made, { comment: node.comment, commentBefore: node.commentBefore });
  all.replaced.set(made, node);
  return made;
}

function noteChange(all: Reconciling, node: Node): void {
  all.changed.add(node);
  all.touched.add(node);
}

interface PresentOf<Value extends Json> extends Present {
  readonly value: Value;
}

function setMembers(all: Reconciling, map: YAMLMap, present: PresentOf<JsonObject>, meant: JsonObject): void {
  const { path } = present;
  const flow = present.flow || map.flow === true;
  const style = styleNextTo(all, asNode(map.items.at(-1)?.value));
  const gone = new Set(Object.keys(present.value).filter((name) => !Object.hasOwn(meant, name)));
  const isUnmerged = mergedNames(all, map).some((name) => gone.has(name));
  const own = new Set<string>();
  const kept = map.items.filter(({ key }) => {
    const name = isMergeKey(key) ? null : keyText(key);
    if (name !== null) own.add(name);
    return name === null ? !isUnmerged : !gone.has(name);
  });
  for (const pair of kept) {
    const name = isMergeKey(pair.key) ? null : keyText(pair.key);
    if (name === null) continue;
    const inner = { node: asNode(pair.value), value: present.value[name] ?? null, path: [...path, name], flow };
    if (inner.node !== null || !equalJson(inner.value, meant[name]))
      pair.value = reconciled(all, inner, meant[name] ?? null);
  }
  const isNew = (name: string): boolean =>
    !own.has(name) &&
    (isUnmerged || !Object.hasOwn(present.value, name) || !equalJson(present.value[name], meant[name]));
  const added = Object.entries(meant).flatMap(([name, value]) =>
    isNew(name) ? [{ name, pair: pairOf(name, value, path, style, flow) }] : [],
  );
  if (added.length === 0 && kept.length === map.items.length) return;
  all.entries.set(map, map.items);
  // What a merge gave is written out in its place.
  const first = map.items.findIndex(({ key }) => isMergeKey(key));
  const before = kept.filter((pair) => map.items.indexOf(pair) < first);
  const isWrittenOut = ({ name }: { readonly name: string }): boolean =>
    isUnmerged && Object.hasOwn(present.value, name);
  map.items = [
    ...(isUnmerged ? before : kept),
    ...added.filter(isWrittenOut).map(({ pair }) => pair),
    ...(isUnmerged ? kept.slice(before.length) : []),
    ...added.filter((each) => !isWrittenOut(each)).map(({ pair }) => pair),
  ];
}

/** The style for an entry next to one that may be in brackets. */
function styleNextTo({ style }: Reconciling, neighbour: Node | null): YamlStyle {
  const isFlow = (isMap(neighbour) || isSeq(neighbour)) && neighbour.flow === true && neighbour.items.length > 0;
  return isFlow ? { ...style, usesBrackets: PLAIN_STYLE.usesBrackets } : style;
}

/** The members that `<<` gives a mapping, also those that the mapping overrides. */
function mergedNames({ tree }: Reconciling, map: YAMLMap): readonly string[] {
  return map.items.flatMap(({ key, value }) => {
    const node = isMergeKey(key) ? asNode(value) : null;
    const sources = node === null ? [] : (mergeSources(tree, node) ?? []);
    return sources.flatMap((source) => Object.keys(tree.values.get(source) ?? {}));
  });
}

/** Items are matched by what they say, not by their index, so that items that stay keep their comments. */
function setItems(all: Reconciling, list: YAMLSeq, present: PresentOf<readonly Json[]>, meant: readonly Json[]): void {
  const { path, value } = present;
  const flow = present.flow || list.flow === true;
  const matches = matched(all, value, meant);
  const items = meant.map((item, index): unknown => {
    const from = matches[index] ?? null;
    const next = asNode(list.items[Math.max(0, index - 1)]);
    if (from === null) return nodeOf(item, [...path, index], styleNextTo(all, next), flow);
    const inner = { node: asNode(list.items[from]), value: value[from] ?? null, path: [...path, index], flow };
    return reconciled(all, inner, item);
  });
  all.entries.set(list, list.items as readonly Node[]);
  list.items = items;
}

/** For each meant item the index of the one that it was; null for a new item. */
function matched(
  { origins }: Reconciling,
  before: readonly Json[],
  meant: readonly Json[],
): readonly (number | null)[] {
  const matches: (number | null)[] = meant.map(() => null);
  const free = new Set(before.keys());
  const originOf = (item: Json): Json => origins.get(item) ?? item;
  const match = (to: number, from: number): void => {
    matches[to] = from;
    free.delete(from);
  };
  const last = meant.length - 1;
  const shift = before.length - meant.length;
  for (let to = 0; to <= last && before[to] === originOf(meant[to] ?? null); to += 1) match(to, to);
  for (let to = last; to >= 0 && free.has(to + shift) && before[to + shift] === originOf(meant[to] ?? null); to -= 1)
    if (matches[to] === null) match(to, to + shift);
  // The first member that people write, such as a key or a day, tells items apart.
  for (const nameOf of [originOf, canonicalJson, firstMember]) {
    const named = groupedBy(free, (from) => nameOf(before[from] ?? null));
    for (const [to, item] of meant.entries()) {
      const name = matches[to] === null ? nameOf(item) : null;
      const from = name === null ? undefined : named.get(name)?.find((each) => free.has(each));
      if (from !== undefined) match(to, from);
    }
  }
  return matches;
}

function firstMember(item: Json): string | null {
  const [first] = isObject(item) ? Object.entries(item) : [];
  return first === undefined ? null : canonicalJson(first);
}
