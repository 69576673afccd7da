// The JSON value of a parsed tree. Reports what is no JSON, keys that are there twice, and aliases of nothing; notes what each alias stands for.

import { type Alias, isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Diagnostic, Json } from '../../base/model.ts';
import { diagnose, MOST_FINDINGS, type UnplacedDiagnostic } from '../diagnostics.ts';
import type { PlaceMark } from '../places.ts';
import { badTag, nestedTooDeeply } from './errors.ts';
import { asNode, isMergeKey, keyText, mergeSources, type Tree } from './places.ts';

/** How deep collections may be nested. */
const DEEPEST = 100;

/** How many values the aliases and merge keys of one file may stand for. What is written out is limited by the size of the file. */
const ALIASED = 1_000_000;

/** Characters. YAML has the same limit for a key without a `?` before it. */
const LONGEST_KEY = 1024;

const CORE_TAG = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq))$/;

interface Reading {
  readonly tree: Tree;
  readonly mark: (start: number, end: number) => PlaceMark;
  readonly found: Diagnostic[];
  /** How many findings there are, also those that are not in `found` because it has enough. */
  reported: number;
  /** Whether the parser may have misread something. */
  isMisread: boolean;
  readonly anchors: Map<string, Node>;
  readonly done: Map<Node, Valued>;
  /** Items of lists that are written with `-`. */
  readonly dashed: Set<Node>;
  aliased: number;
}

/** A value, and how many values are in it with its aliases written out. */
interface Valued {
  readonly value: Json;
  readonly size: number;
}

const NOTHING: Valued = { value: null, size: 1 };

/** What a tree says, and what is wrong with it. */
interface TreeValue {
  readonly value: Json;
  readonly diagnostics: readonly Diagnostic[];
  /** How many findings are not among them. */
  readonly left: number;
  /** Whether aliases stand for too much, so that parts of the value are missing. */
  readonly isCut: boolean;
}

/** `notation`: the errors of the notation. What is refused reads as null, so that the rest of the file can still be checked. */
export function jsonOf(
  tree: Tree,
  mark: (start: number, end: number) => PlaceMark,
  notation: readonly Diagnostic[],
): TreeValue {
  const found: Diagnostic[] = [];
  const isMisread = notation.some(isSyntax);
  const reading: Reading = {
    tree,
    mark,
    found,
    reported: 0,
    isMisread,
    anchors: new Map(),
    done: new Map(),
    dashed: new Set(),
    aliased: 0,
  };
  const value = tree.root === null ? null : valueOfNode(reading, tree.root, 0).value;
  const left = reading.reported - found.length;
  return { value, diagnostics: [...notation, ...found], left, isCut: reading.aliased > ALIASED };
}

function isSyntax({ code }: Pick<Diagnostic, 'code'>): boolean {
  return code === 'yaml-syntax';
}

function markOfNode(reading: Reading, node: Node): PlaceMark {
  const [start, end] = node.range ?? [0, 1];
  return reading.mark(start, end);
}

function refuse(reading: Reading, node: Node, reason: UnplacedDiagnostic): Valued {
  report(reading, node, reason);
  return NOTHING;
}

function report(
  reading: Reading,
  node: Node,
  reason: UnplacedDiagnostic,
  related: readonly { readonly mark: PlaceMark; readonly message: string }[] = [],
): void {
  reading.reported += 1;
  if (isSyntax(reason)) reading.isMisread = true;
  if (reading.found.length < MOST_FINDINGS) reading.found.push(diagnose(markOfNode(reading, node), reason, related));
}

function valueOfNode(reading: Reading, node: Node, depth: number): Valued {
  if (depth > DEEPEST) return refuse(reading, node, nestedTooDeeply());
  if (isAlias(node)) return aliasedValue(reading, node);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
  const valued = taggedValue(reading, node, depth);
  reading.done.set(node, valued);
  reading.tree.values.set(node, valued.value);
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
    const remedy = `add the anchor \`&${alias.source}\` above this line; if this is a text, put it in quotes`;
    return refuse(reading, alias, { code: 'yaml-alias', message, remedy });
  }
  const valued = reading.done.get(target);
  if (valued === undefined) {
    const message = `the alias \`*${alias.source}\` is inside of its own anchor`;
    return refuse(reading, alias, { code: 'yaml-alias', message, remedy: 'write the value out' });
  }
  if (!standsForMore(reading, alias, valued.size)) return NOTHING;
  reading.tree.targets.set(alias, target);
  return valued;
}

/** Counts what an alias or a merge key brings. False, with one report for the whole file, when that is too much. */
function standsForMore(reading: Reading, node: Node, size: number): boolean {
  const before = reading.aliased;
  reading.aliased += size;
  if (reading.aliased <= ALIASED) return true;
  if (before > ALIASED) return false;
  const message = `the aliases and merge keys of this file stand for more than ${ALIASED} values`;
  const remedy = 'do not put aliases into anchors, nor `<<` into `<<`';
  refuse(reading, node, { code: 'yaml-alias', message, remedy });
  return false;
}

function scalarValue(reading: Reading, node: Node): Valued {
  const value: unknown = isScalar(node) ? node.value : null;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return { value, size: 1 };
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    const message = `\`${String(value)}\` is not a number that JSON has`;
    return refuse(reading, node, { code: 'wrong-type', message, remedy: 'write a finite number, or a text in quotes' });
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = 'this number is so large that it would lose digits';
    return refuse(reading, node, { code: 'out-of-range', message, remedy: 'if it is an id, put it in quotes' });
  }
  return { value, size: 1 };
}

function listValue(reading: Reading, node: Node, depth: number): Valued {
  const items: Json[] = [];
  let size = 1;
  const isDashed = isSeq(node) && node.flow !== true;
  for (const item of isSeq(node) ? node.items : []) {
    const own = isDashed ? asNode(item) : null;
    if (own !== null) reading.dashed.add(own);
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
  const merged = new Map<string, Json>();
  const keys: MemberKeys = {
    names: new Map(),
    isItem: reading.dashed.has(node) && node.flow !== true,
    isBegunAgain: false,
  };
  let size = 1;
  for (const pair of node.items) {
    if (isMergeKey(pair.key)) {
      // In its place, because its value may have an anchor.
      size += mergeMembers(reading, pair, merged, depth);
      continue;
    }
    const name = memberName(reading, pair, keys);
    const valued = memberValue(reading, pair.value, depth);
    if (name === null) continue;
    members.set(name, valued.value);
    size += valued.size;
  }
  for (const [name, item] of merged) if (!members.has(name)) members.set(name, item);
  return { value: Object.fromEntries(members), size };
}

/** The keys of one mapping so far. */
interface MemberKeys {
  readonly names: Map<string, Node>;
  /** The mapping is an item of a list that is written with `-`. */
  readonly isItem: boolean;
  /** The item has its first key again: the `-` of another item may be lost. */
  isBegunAgain: boolean;
}

/**
 * The name of a pair; null, with a report, when it is no text or another pair has the same one. Once an item of a list has its first key again,
 * its other keys follow from that, and are not reported.
 */
function memberName(reading: Reading, pair: Pair, keys: MemberKeys): string | null {
  const key = asNode(pair.key);
  if (key === null) return null;
  const name = keyText(key);
  if (name === null) {
    // After an error of syntax, the parser may have misread something else as a key.
    if (!reading.isMisread) {
      const isTemplate = isMap(key) && key.flow === true;
      const remedy = isTemplate ? 'a variable is written `"${var.name}"`, in quotes' : 'write the text out';
      refuse(reading, key, { code: 'wrong-type', message: 'a key must be a text', remedy });
    }
    return null;
  }
  if (name === '__proto__') {
    const message = `the key \`${name}\` is not allowed`;
    refuse(reading, key, { code: 'not-allowed', message, remedy: 'use another key' });
    return null;
  }
  if (name.length > LONGEST_KEY) {
    const message = `the key has ${name.length} characters`;
    refuse(reading, key, { code: 'too-long', message, remedy: `use at most ${LONGEST_KEY}` });
    return null;
  }
  if (isScalar(key) && key.anchor !== undefined) {
    reading.anchors.set(key.anchor, key);
    reading.done.set(key, { value: name, size: 1 });
    reading.tree.values.set(key, name);
  }
  const { names, isItem, isBegunAgain } = keys;
  const first = names.get(name);
  if (first === undefined) {
    names.set(name, key);
    return name;
  }
  if (isBegunAgain) return null;
  keys.isBegunAgain = isItem && [...names.keys()][0] === name;
  const reason = {
    code: 'duplicate-key',
    message: `the key \`${name}\` is here twice`,
    remedy: isItem
      ? `if another item of the list begins here, put \`- \` before \`${name}\`; otherwise keep one of the two`
      : 'keep one of the two',
  } as const;
  const related = [{ mark: markOfNode(reading, first), message: 'the first one' }];
  report(reading, key, reason, related);
  return null;
}

/** Adds the members that `<<` brings, unless another `<<` above brought them. Returns how many values came. */
function mergeMembers(reading: Reading, pair: Pair, members: Map<string, Json>, depth: number): number {
  const node = asNode(pair.value);
  if (node === null) return 0;
  const before = reading.reported;
  valueOfNode(reading, node, depth + 1);
  const sources = mergeSources(reading.tree, node);
  if (sources === null) {
    const message = '`<<` takes a mapping, or a list of mappings';
    if (reading.reported === before) {
      refuse(reading, node, { code: 'wrong-type', message, remedy: 'name the anchor of a mapping' });
    }
    return 0;
  }
  let size = 0;
  for (const source of sources) {
    const { value, size: more } = reading.done.get(source) ?? NOTHING;
    size += more;
    // What comes through an alias is counted there.
    if (!isAlias(node) && !standsForMore(reading, node, more)) return size;
    for (const [name, item] of Object.entries(value ?? {})) if (!members.has(name)) members.set(name, item);
  }
  return size;
}
