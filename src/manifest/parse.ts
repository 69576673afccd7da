// The text of one YAML file in; its value as plain JSON, a source of places and every error of the notation out.
// The only module that knows which parser is used: another one has to give the same `Parsed`.

import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { Diagnostic, Json } from '../model.ts';
import { marker } from './lines.ts';
import { diagnose, type Finding, type Mark, type Source } from './mark.ts';
import { isMergeKey, keyText, locator, mergeSources, type Tree } from './yaml-places.ts';
import { syntaxRemedy } from './yaml-remedies.ts';

/** One file as a value. */
export interface Parsed {
  readonly source: Source;
  /** Objects may be shared where the file uses aliases: never change one in place. */
  readonly value: Json;
  /** Whether the value is all of what the file says: false after an error of syntax. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** How deep collections may stand in one another. */
const DEEPEST = 100;

/** How many values the aliases of one file may stand for in all. What is written out is limited by the size of the file. */
const ALIASED = 1_000_000;

/** Unclosed brackets beyond this would exhaust the parser's stack. */
const UNCLOSED = 1000;

const CORE_TAG = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq))$/;

export function parseYaml(file: string, text: string): Parsed {
  const mark = marker(file, text);
  const tooDeep = unclosedAt(text);
  if (tooDeep !== null) {
    const diagnostics = [diagnose(mark(tooDeep, tooDeep + 1), nestedTooDeeply())];
    return { source: { file, mark: () => mark(0, 1) }, value: null, whole: false, diagnostics };
  }
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, merge: false });
  const tree: Tree = { root: document.contents, targets: new Map() };
  const found = notationErrors(document, mark);
  const whole = found.every(({ code }) => code !== 'yaml-syntax');
  const reading: Reading = { tree, mark, found, anchors: new Map(), done: new Map(), aliased: 0 };
  const value = document.contents === null ? null : jsonOf(reading, document.contents, 0).value;
  return { source: { file, mark: locator(tree, mark) }, value, whole, diagnostics: found };
}

/** Where more brackets are open than any manifest needs; null when nowhere. Counts those in texts too, hence the wide limit. */
function unclosedAt(text: string): number | null {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x5b || character === 0x7b) open += 1;
    else if ((character === 0x5d || character === 0x7d) && open > 0) open -= 1;
    if (open > UNCLOSED) return at;
  }
  return null;
}

function nestedTooDeeply(): Finding {
  return { code: 'yaml-syntax', message: 'collections stand too deep in one another', remedy: 'close what was opened' };
}

/** Errors and warnings of the parser; of those on one line only the first, because the others follow from it. */
function notationErrors(document: Document.Parsed, mark: (start: number, end: number) => Mark): Diagnostic[] {
  const found: Diagnostic[] = [];
  const lines = new Set<number>();
  for (const error of [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])) {
    const at = mark(error.pos[0], error.pos[1]);
    if (lines.has(at.place.line)) continue;
    lines.add(at.place.line);
    if (error.code === 'TAG_RESOLVE_FAILED') {
      found.push(diagnose(at, badTag(error.message)));
    } else {
      found.push(
        diagnose(at, { code: 'yaml-syntax', message: lowerFirst(error.message), remedy: syntaxRemedy(error.code) }),
      );
    }
  }
  return found;
}

function badTag(message: string): Finding {
  return { code: 'yaml-tag', message: lowerFirst(message), remedy: 'remove the tag: a manifest needs none' };
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

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

function rangeMark(reading: Reading, node: Node): Mark {
  const [start, end] = node.range ?? [0, 1];
  return reading.mark(start, end);
}

function refuse(reading: Reading, node: Node, finding: Finding): Valued {
  reading.found.push(diagnose(rangeMark(reading, node), finding));
  return NOTHING;
}

function jsonOf(reading: Reading, node: Node, depth: number): Valued {
  if (depth > DEEPEST) return refuse(reading, node, nestedTooDeeply());
  if (isAlias(node)) return aliasedValue(reading, node);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
  if (node.tag !== undefined && !CORE_TAG.test(node.tag)) {
    const known = reading.found.some(({ code, place }) => code === 'yaml-tag' && sameLine(reading, node, place.line));
    return known ? NOTHING : refuse(reading, node, badTag(`the tag ${node.tag} is not supported`));
  }
  const valued = isCollection(node) ? collectionValue(reading, node, depth) : scalarValue(reading, node);
  reading.done.set(node, valued);
  return valued;
}

function sameLine(reading: Reading, node: Node, line: number): boolean {
  return rangeMark(reading, node).place.line === line;
}

function aliasedValue(reading: Reading, alias: Alias): Valued {
  const target = reading.anchors.get(alias.source);
  if (target === undefined) {
    const message = `the alias \`*${alias.source}\` has no anchor before it`;
    return refuse(reading, alias, { code: 'yaml-alias', message, remedy: `set \`&${alias.source}\` above this line` });
  }
  const valued = reading.done.get(target);
  if (valued === undefined) {
    const message = `the alias \`*${alias.source}\` stands inside what it stands for`;
    return refuse(reading, alias, { code: 'yaml-alias', message, remedy: 'write the value out' });
  }
  const before = reading.aliased;
  reading.aliased += valued.size;
  if (reading.aliased > ALIASED) {
    if (before > ALIASED) return NOTHING;
    const message = `the aliases of this file stand for more than ${ALIASED} values`;
    return refuse(reading, alias, { code: 'yaml-alias', message, remedy: 'do not nest aliases in aliases' });
  }
  reading.tree.targets.set(alias, target);
  return valued;
}

function scalarValue(reading: Reading, node: Node): Valued {
  const value: unknown = isScalar(node) ? node.value : null;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return { value, size: 1 };
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = 'this number is so large that it would lose digits';
    return refuse(reading, node, { code: 'out-of-range', message, remedy: 'put it in quotes if it is an id' });
  }
  if (typeof value === 'number' && Number.isFinite(value)) return { value, size: 1 };
  return refuse(reading, node, {
    code: 'wrong-type',
    message: `\`${String(value)}\` is not a number that can be sent`,
    remedy: 'write a finite number, or a text in quotes',
  });
}

function collectionValue(reading: Reading, node: Node, depth: number): Valued {
  if (isMap(node)) return mapValue(reading, node, depth);
  if (!isSeq(node)) return NOTHING;
  const items: Json[] = [];
  let size = 1;
  for (const item of node.items) {
    const valued = isNode(item) ? jsonOf(reading, item, depth + 1) : NOTHING;
    items.push(valued.value);
    size += valued.size;
  }
  return { value: items, size };
}

function isNode(item: unknown): item is Node {
  return isAlias(item) || isScalar(item) || isCollection(item);
}

function mapValue(reading: Reading, node: YAMLMap, depth: number): Valued {
  const members = new Map<string, Json>();
  const keys = new Map<string, Node>();
  let size = 1;
  const merged: Pair[] = [];
  for (const pair of node.items) {
    if (isMergeKey(pair.key)) {
      merged.push(pair);
      continue;
    }
    const name = memberName(reading, pair, keys);
    const valued = isNode(pair.value) ? jsonOf(reading, pair.value, depth + 1) : NOTHING;
    if (name === null) continue;
    members.set(name, valued.value);
    size += valued.size;
  }
  for (const pair of merged) size += mergeMembers(reading, pair, members, depth);
  return { value: Object.fromEntries(members), size };
}

/** The name of a pair; null, and a diagnostic, when it cannot be one or stands there already. */
function memberName(reading: Reading, pair: Pair, keys: Map<string, Node>): string | null {
  if (!isNode(pair.key)) return null;
  const key = pair.key;
  if (isScalar(key) && key.anchor !== undefined) reading.anchors.set(key.anchor, key);
  if (isScalar(key)) reading.done.set(key, { value: String(key.value), size: 1 });
  const name = keyText(key);
  if (name === null || name === '__proto__') {
    const message = name === null ? 'a key has to be a text' : 'the key `__proto__` is not allowed';
    refuse(reading, key, { code: name === null ? 'wrong-type' : 'not-allowed', message, remedy: 'use another key' });
    return null;
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
    related: [{ mark: rangeMark(reading, first), message: 'the first one' }],
  });
  return null;
}

/** Adds what `<<` brings and the map itself does not say; answers how many values came. */
function mergeMembers(reading: Reading, pair: Pair, members: Map<string, Json>, depth: number): number {
  if (!isNode(pair.value)) return 0;
  const { value } = jsonOf(reading, pair.value, depth + 1);
  const sources = mergeSources(reading.tree, pair.value);
  if (sources === null) {
    const silent = value === null && isAlias(pair.value) && !reading.tree.targets.has(pair.value);
    if (!silent) {
      const message = '`<<` takes a mapping, or a list of them';
      refuse(reading, pair.value, { code: 'yaml-alias', message, remedy: 'name the anchor of a mapping' });
    }
    return 0;
  }
  let size = 0;
  for (const source of sources) {
    const valued = reading.done.get(source);
    if (valued === undefined || typeof valued.value !== 'object' || valued.value === null) continue;
    size += valued.size;
    for (const [name, item] of Object.entries(valued.value)) if (!members.has(name)) members.set(name, item);
  }
  return size;
}
