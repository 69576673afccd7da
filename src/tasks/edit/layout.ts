// A document and a member, item or value of it in; the offsets at which it begins, ends and may be cut out.
// Knows lines, comments and indentation, and nothing of what an edit means.

import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { asNode } from '../../yaml/tree-places.ts';
import { collectionOf, type Holder, isFlow, startOf, type YamlDocument } from './document.ts';

/** A range of the text and what takes its place. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Collection = YAMLMap | YAMLSeq;

export function lineStart(text: string, at: number): number {
  // A negative position would be taken for the first.
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line break of the line begins, or the text ends. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
}

/** Behind the line break. */
export function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

/** Whether nothing but white space stands on the line before it. */
export function beginsLine(text: string, at: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, at), at));
}

/** Past white space, line breaks and comments. */
export function pastTrivia(text: string, at: number): number {
  let next = at;
  for (;;) {
    while (/\s/.test(text[next] ?? '')) next += 1;
    const isComment = text[next] === '#' && (next === 0 || /\s/.test(text[next - 1] ?? ''));
    if (!isComment) return next;
    next = lineEnd(text, next);
  }
}

/** What stands at an index of a collection: the value; null where there is none. */
export function valueNode(collection: Collection, index: number): Node | null {
  return isMap(collection) ? asNode(collection.items[index]?.value) : asNode(collection.items[index]);
}

export function held(collection: Collection, index: number): Holder {
  return isMap(collection) ? { in: 'map', map: collection, index } : { in: 'list', list: collection, index };
}

/** Where a member or an item begins: its key or its dash, or inside of brackets the first character of it. */
export function entryStart(document: YamlDocument, collection: Collection, index: number): number {
  const { text } = document;
  if (!isFlow(collection))
    return index === 0 ? startOf(collection) : pastTrivia(text, entryEnd(document, collection, index - 1));
  if (index === 0) return pastTrivia(text, startOf(collection) + (isBracket(text[startOf(collection)]) ? 1 : 0));
  const comma = pastTrivia(text, entryEnd(document, collection, index - 1));
  return pastTrivia(text, comma + (text[comma] === ',' ? 1 : 0));
}

function isBracket(character: string | undefined): boolean {
  return character === '{' || character === '[';
}

/** Behind `:` or `-`, or where an item inside of brackets begins: what the properties and the value follow. */
export function headEnd(document: YamlDocument, holder: Holder): number {
  const { text } = document;
  switch (holder.in) {
    case 'root':
      return document.root === null ? text.length : startOf(document.root);
    case 'list':
      return entryStart(document, holder.list, holder.index) + (isFlow(holder.list) ? 0 : 1);
    case 'map': {
      const key = asNode(holder.map.items[holder.index]?.key);
      const end = key?.range?.[1] ?? entryStart(document, holder.map, holder.index);
      const colon = pastTrivia(text, end);
      return text[colon] === ':' ? colon + 1 : end;
    }
  }
}

/** Behind the anchor and the tag of a value, or its head when it has none. */
export function propertiesEnd(document: YamlDocument, holder: Holder, node: Node | null): number {
  let at = headEnd(document, holder);
  if (node === null || holder.in === 'root') return at;
  const wanted = (propertyOf(node, 'anchor') ? 1 : 0) + (propertyOf(node, 'tag') ? 1 : 0);
  for (let count = 0; count < wanted; count += 1) {
    const start = pastTrivia(document.text, at);
    const length = /^[&!][^\s,[\]{}]*/.exec(document.text.slice(start))?.[0].length ?? 0;
    if (length === 0) return at;
    at = start + length;
  }
  return at;
}

function propertyOf(node: Node, name: 'anchor' | 'tag'): boolean {
  return name in node && node[name as keyof Node] !== undefined;
}

/** Whether nothing is written for a value: `key:`, `-`. */
export function isBlank(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.range != null && node.range[0] === node.range[1]);
}

/** Behind the last character that is written for a value. */
export function valueEnd(document: YamlDocument, holder: Holder, node: Node | null): number {
  if (node === null || isBlank(node)) return propertiesEnd(document, holder, node);
  if ((isMap(node) || isSeq(node)) && !isFlow(node) && node.items.length > 0) {
    return entryEnd(document, node, node.items.length - 1);
  }
  const end = node.range?.[1] ?? startOf(node);
  if (!isScalar(node) || (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED')) return end;
  const written = document.text.slice(startOf(node), end);
  const keeps = /^[|>]\d?\+/.test(written);
  return startOf(node) + (keeps ? written.replace(/\r?\n$/, '') : written.trimEnd()).length;
}

export function entryEnd(document: YamlDocument, collection: Collection, index: number): number {
  return valueEnd(document, held(collection, index), valueNode(collection, index));
}

/** The lines of a member or an item of a block collection, with the comments that belong to it. */
export interface Extent {
  /** The first character: of a comment right above, or of the entry; the indentation stays outside. */
  readonly top: number;
  /** The key, or the dash. */
  readonly start: number;
  /** The end of the last line, without its break. */
  readonly end: number;
}

export function extentOf(document: YamlDocument, collection: Collection, index: number): Extent {
  const { text } = document;
  const start = entryStart(document, collection, index);
  return {
    top: commentTop(text, start),
    start,
    end: tailEnd(text, entryEnd(document, collection, index), columnOf(text, start)),
  };
}

/** Up over the comments that stand in the same column right above. */
export function commentTop(text: string, start: number): number {
  if (!beginsLine(text, start)) return start;
  const column = columnOf(text, start);
  let top = start;
  for (;;) {
    const line = lineStart(text, top);
    if (line === 0) return top;
    const above = lineStart(text, line - 1);
    if (text[above + column] !== '#' || !/^ *$/.test(text.slice(above, above + column))) return top;
    top = above + column;
  }
}

/** Down over the comments that stand deeper, and so belong to what is above them. */
function tailEnd(text: string, end: number, column: number): number {
  let last = lineEnd(text, end);
  for (let at = nextLine(text, last); at < text.length; at = nextLine(text, at)) {
    const line = text.slice(at, lineEnd(text, at));
    if (line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    if (!line.trimStart().startsWith('#') || indent <= column) break;
    last = lineEnd(text, at);
  }
  return last;
}

export function columnOfEntries(document: YamlDocument, collection: Collection): number {
  return columnOf(document.text, entryStart(document, collection, 0));
}

/** Of the key or the dash that a value follows. */
export function columnOfHead(document: YamlDocument, holder: Holder): number {
  const collection = collectionOf(holder);
  if (collection === null || holder.in === 'root') return 0;
  return columnOf(document.text, entryStart(document, collection, holder.index));
}

/** Done from the last to the first, so that no offset moves before it is used. */
export function spliced(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((done, { start, end, text: put }) => done.slice(0, start) + put + done.slice(end), text);
}
