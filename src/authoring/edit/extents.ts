// Where the entries of a collection begin and end in a text that its nodes were parsed from, also after the nodes changed.

import { isMap, isPair, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { asNode } from '../../yaml/thorough/places.ts';

export type CollectionNode = YAMLMap | YAMLSeq;

/** A member of a mapping, or an item of a list. */
export type EntryNode = Pair | Node;

/** What the text has, and the nodes no longer. */
export interface NodeChanges {
  /** The entries of each collection whose entries changed. */
  readonly entries: Map<CollectionNode, readonly EntryNode[]>;
  /** Of a new value, the one in whose place it is; null for a value without text. */
  readonly replaced: Map<Node, Node | null>;
  /** Nodes that say something else. */
  readonly changed: Set<Node>;
  /** Nodes with other text, also where they say the same. */
  readonly touched: Set<Node>;
  /** The names of the anchors that nodes lost. */
  readonly unanchored: Map<Node, string>;
}

/** The nodes of a text, and how they changed. */
interface Parsed extends NodeChanges {
  readonly text: string;
}

/** The entry as it is in the collection before the change. */
export function entryBefore({ replaced }: NodeChanges, entry: EntryNode): EntryNode {
  return isPair(entry) ? entry : (replaced.get(entry) ?? entry);
}

export function entriesBefore(all: NodeChanges, node: CollectionNode): readonly EntryNode[] {
  const entries = all.entries.get(node) ?? (node.items as readonly EntryNode[]);
  return entries.map((entry) => entryBefore(all, entry));
}

export function valueIn(entry: EntryNode): Node | null {
  return isPair(entry) ? asNode(entry.value) : entry;
}

/** The value that the entry has in the text. */
export function valueBefore({ replaced }: NodeChanges, entry: EntryNode): Node | null {
  const value = valueIn(entry);
  return value !== null && replaced.has(value) ? (replaced.get(value) ?? null) : value;
}

/** The lines of a member or an item of a block collection, with the comments that belong to it. */
export interface Extent {
  /** The first character of the comments right above, or of the entry. */
  readonly top: number;
  /** The key or the dash. */
  readonly start: number;
  /** The end of the last line, without its break. */
  readonly end: number;
}

export const NOWHERE: Extent = { top: 0, start: 0, end: 0 };

export function extentsOf(all: Parsed, node: CollectionNode): readonly Extent[] {
  const { text } = all;
  let at: number | null = null;
  return entriesBefore(all, node).map((entry) => {
    const start: number = at === null ? startOf(text, node, entry) : pastTrivia(text, at);
    at = entryEnd(all, entry);
    return { top: commentTop(text, start), start, end: tailEnd(text, at, columnOf(text, start)) };
  });
}

/** Where the first entry of a block collection begins. Its range begins after the anchor of its key. */
function startOf(text: string, node: CollectionNode, first: EntryNode): number {
  const [start] = rangeOf(node);
  const anchor = isPair(first) && isScalar(first.key) ? first.key.anchor : undefined;
  return anchor === undefined ? start : text.lastIndexOf(`&${anchor}`, start);
}

export function entryEnd(all: Parsed, entry: EntryNode): number {
  const value = valueBefore(all, entry);
  return value === null && isPair(entry) ? rangeOf(asNode(entry.key))[1] : nodeEnd(all, value);
}

/** After the last character of a value. */
export function nodeEnd(all: Parsed, node: Node | null): number {
  const [start, end] = rangeOf(node);
  if (isCollectionNode(node) && node.flow !== true) {
    const last = entriesBefore(all, node).at(-1);
    if (last !== undefined) return entryEnd(all, last);
  }
  // The place of a value without text is after the space behind its key.
  if (start === end)
    return start - (/[ \t]*$/.exec(all.text.slice(lineStart(all.text, start), start))?.[0].length ?? 0);
  // A scalar that changed may have been a block: no other begins so.
  const written = isScalar(node) ? all.text.slice(start, end) : '';
  if (!/^[|>]/.test(written)) return end;
  return start + (/^[|>]\d?\+/.test(written) ? written.replace(/\r?\n$/, '') : written.trimEnd()).length;
}

export function isCollectionNode(node: Node | null): node is CollectionNode {
  return isMap(node) || isSeq(node);
}

export function rangeOf(node: Node | null): readonly [start: number, end: number] {
  const [start = 0, end = 0] = node?.range ?? [];
  return [start, end];
}

/** Up over the comments right above, in the same column. */
function commentTop(text: string, start: number): number {
  const column = columnOf(text, start);
  if (!/^ *$/.test(text.slice(start - column, start))) return start;
  let top = start;
  for (;;) {
    const above = lineStart(text, top - column - 1);
    const isComment = top > column && text[above + column] === '#' && /^ *$/.test(text.slice(above, above + column));
    if (!isComment) return top;
    top = above + column;
  }
}

/** Down over the comments that are indented further, and so belong to what is above them. */
function tailEnd(text: string, end: number, column: number): number {
  let last = lineEnd(text, end);
  for (let at = nextLine(text, last); at < text.length; at = nextLine(text, at)) {
    const line = text.slice(at, lineEnd(text, at));
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    if (line[indent] !== '#' || indent <= column) break;
    last = lineEnd(text, at);
  }
  return last;
}

/** Past white space, line breaks and comments. */
function pastTrivia(text: string, at: number): number {
  const trivia = /(?:\s+(?:#.*)?)*/y;
  trivia.lastIndex = at;
  return at + (trivia.exec(text)?.[0].length ?? 0);
}

function lineStart(text: string, at: number): number {
  // lastIndexOf takes a negative position for 0.
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line break of the line begins, or the text ends. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}
