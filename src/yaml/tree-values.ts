// A tree of YAML nodes in; the plain JSON value that it stands for out. What is no JSON, stands twice or leads nowhere is reported.
// Notes in the tree what every alias stands for.

import { type Alias, isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Diagnostic, Json } from '../base/model.ts';
import { diagnose, type Finding, type Mark } from './mark.ts';
import { badTag, nestedTooDeeply } from './tree-errors.ts';
import { asNode, isMergeKey, keyText, mergeSources, type Tree } from './tree-places.ts';

/** How deep collections may stand in one another. */
const DEEPEST = 100;

/** How many values the aliases of one file may stand for in all. What is written out is limited by the size of the file. */
const ALIASED = 1_000_000;

const CORE_TAG = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq))$/;

interface Reading {
  readonly tree: Tree;
  readonly mark: (start: number, end: number) => Mark;
  readonly found: Diagnostic[];
  readonly anchors: Map<string, Node>;
  readonly done: Map<Node, Valued>;
  aliased: number;
}

/** A value, and how many values it is made of with its aliases written out. */
interface Valued {
  readonly value: Json;
  readonly size: number;
}

const NOTHING: Valued = { value: null, size: 1 };

/** What is refused reads as null, so that the rest of the file can still be checked. */
export function jsonOf(tree: Tree, mark: (start: number, end: number) => Mark, found: Diagnostic[]): Json {
  const reading: Reading = { tree, mark, found, anchors: new Map(), done: new Map(), aliased: 0 };
  return tree.root === null ? null : valueOfNode(reading, tree.root, 0).value;
}

function markOfNode(reading: Reading, node: Node): Mark {
  const [start, end] = node.range ?? [0, 1];
  return reading.mark(start, end);
}

function refuse(reading: Reading, node: Node, finding: Finding): Valued {
  reading.found.push(diagnose(markOfNode(reading, node), finding));
  return NOTHING;
}

function valueOfNode(reading: Reading, node: Node, depth: number): Valued {
  if (depth > DEEPEST) return refuse(reading, node, nestedTooDeeply());
  if (isAlias(node)) return aliasedValue(reading, node);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
  const valued = taggedValue(reading, node, depth);
  reading.done.set(node, valued);
  return valued;
}

function taggedValue(reading: Reading, node: Exclude<Node, Alias>, depth: number): Valued {
  const { tag } = node;
  if (tag !== undefined && !CORE_TAG.test(tag)) return refuse(reading, node, badTag(tag));
  if (isCollection(node)) return isMap(node) ? mapValue(reading, node, depth) : listValue(reading, node, depth);
  const valued = scalarValue(reading, node);
  if (tag === undefined || tag === '!' || fitsTag(tag, valued.value)) return valued;
  return refuse(reading, node, { ...badTag(tag), message: `the value does not fit its tag \`${tag}\`` });
}

function fitsTag(tag: string, value: Json): boolean {
  switch (tag.slice(tag.lastIndexOf(':') + 1)) {
    case 'str':
      return typeof value === 'string';
    case 'int':
    case 'float':
      return typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    default:
      return value === null;
  }
}

function aliasedValue(reading: Reading, alias: Alias): Valued {
  const target = reading.anchors.get(alias.source);
  if (target === undefined) {
    const message = `the alias \`*${alias.source}\` has no anchor before it`;
    const remedy = `put it in quotes if it is a text; an alias needs \`&${alias.source}\` above this line`;
    return refuse(reading, alias, { code: 'yaml-alias', message, remedy });
  }
  const valued = reading.done.get(target);
  if (valued === undefined) {
    const message = `the alias \`*${alias.source}\` stands inside what it stands for`;
    return refuse(reading, alias, { code: 'yaml-alias', message, remedy: 'write the value out' });
  }
  reading.aliased += valued.size;
  if (reading.aliased > ALIASED) {
    if (reading.aliased - valued.size > ALIASED) return NOTHING;
    const message = `the aliases of this file stand for more than ${ALIASED} values`;
    return refuse(reading, alias, { code: 'yaml-alias', message, remedy: 'do not nest aliases in aliases' });
  }
  reading.tree.targets.set(alias, target);
  return valued;
}

function scalarValue(reading: Reading, node: Node): Valued {
  const value: unknown = isScalar(node) ? node.value : null;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return { value, size: 1 };
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    const message = `\`${String(value)}\` is not a number that can be sent`;
    return refuse(reading, node, { code: 'wrong-type', message, remedy: 'write a finite number, or a text in quotes' });
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = 'this number is so large that it would lose digits';
    return refuse(reading, node, { code: 'out-of-range', message, remedy: 'put it in quotes if it is an id' });
  }
  return { value, size: 1 };
}

function listValue(reading: Reading, node: Node, depth: number): Valued {
  const items: Json[] = [];
  let size = 1;
  for (const item of isSeq(node) ? node.items : []) {
    const valued = memberValue(reading, item, depth);
    items.push(valued.value);
    size += valued.size;
  }
  return { value: items, size };
}

function memberValue(reading: Reading, item: unknown, depth: number): Valued {
  const node = asNode(item);
  return node === null ? NOTHING : valueOfNode(reading, node, depth + 1);
}

function mapValue(reading: Reading, node: YAMLMap, depth: number): Valued {
  const members = new Map<string, Json>();
  const keys = new Map<string, Node>();
  let size = 1;
  for (const pair of node.items) {
    if (isMergeKey(pair.key)) continue;
    const name = memberName(reading, pair, keys);
    const valued = memberValue(reading, pair.value, depth);
    if (name === null) continue;
    members.set(name, valued.value);
    size += valued.size;
  }
  for (const pair of node.items) if (isMergeKey(pair.key)) size += mergeMembers(reading, pair, members, depth);
  return { value: Object.fromEntries(members), size };
}

/** The name of a pair; null, and a diagnostic, when it cannot be one or stands there already. */
function memberName(reading: Reading, pair: Pair, keys: Map<string, Node>): string | null {
  const key = asNode(pair.key);
  if (key === null) return null;
  const name = keyText(key);
  if (name === null) {
    // In a broken file, what the parser took for a key need not be meant as one.
    if (reading.found.every(({ code }) => code !== 'yaml-syntax'))
      refuse(reading, key, { code: 'wrong-type', message: 'a key has to be a text', remedy: 'write the text out' });
    return null;
  }
  if (name === '__proto__') {
    refuse(reading, key, {
      code: 'not-allowed',
      message: `the key \`${name}\` is not allowed`,
      remedy: 'use another key',
    });
    return null;
  }
  if (isScalar(key) && key.anchor !== undefined) {
    reading.anchors.set(key.anchor, key);
    reading.done.set(key, { value: name, size: 1 });
  }
  const first = keys.get(name);
  if (first === undefined) {
    keys.set(name, key);
    return name;
  }
  refuse(reading, key, {
    code: 'duplicate-key',
    message: `the key \`${name}\` stands here for the second time`,
    remedy: 'keep one of the two',
    related: [{ mark: markOfNode(reading, first), message: 'the first one' }],
  });
  return null;
}

/** Adds what `<<` brings and the map itself does not say; answers how many values came. */
function mergeMembers(reading: Reading, pair: Pair, members: Map<string, Json>, depth: number): number {
  const node = asNode(pair.value);
  if (node === null) return 0;
  const before = reading.found.length;
  valueOfNode(reading, node, depth + 1);
  const sources = mergeSources(reading.tree, node);
  if (sources === null) {
    const message = '`<<` takes a mapping, or a list of them';
    if (reading.found.length === before) {
      refuse(reading, node, { code: 'wrong-type', message, remedy: 'name the anchor of a mapping' });
    }
    return 0;
  }
  let size = 0;
  for (const source of sources) {
    const { value, size: more } = reading.done.get(source) ?? NOTHING;
    size += more;
    for (const [name, item] of Object.entries(value ?? {})) if (!members.has(name)) members.set(name, item);
  }
  return size;
}
