// Where members, items and values begin and end in a text: lines, comments and indentation. Knows no edits.

import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { asNode } from '../../yaml/thorough/places.ts';
import { collectionOf, isFlow, type NodeHolder, startOf, type YamlDocument } from './document.ts';

/** A range of the text, and the text that replaces it. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type CollectionNode = YAMLMap | YAMLSeq;

export function lineStart(text: string, at: number): number {
  // lastIndexOf takes a negative position for 0.
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line break of the line begins, or the text ends. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
}

/** After the line break. */
export function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

/** Whether there is nothing but white space before it on its line. */
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

/** The value at an index of a collection; null without one. */
export function valueNode(collection: CollectionNode, index: number): Node | null {
  return isMap(collection) ? asNode(collection.items[index]?.value) : asNode(collection.items[index]);
}

export function held(collection: CollectionNode, index: number): NodeHolder {
  return isMap(collection) ? { in: 'map', map: collection, index } : { in: 'list', list: collection, index };
}

/** Where a member or an item begins: at its key or its dash, or inside of brackets at its first character. */
export function entryStart(document: YamlDocument, collection: CollectionNode, index: number): number {
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

/** After `:` or `-`, or where an item inside of brackets begins. Properties and value follow. */
export function headEnd(document: YamlDocument, holder: NodeHolder): number {
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

/** After the anchor and the tag of a value, or after its head when it has neither. */
export function propertiesEnd(document: YamlDocument, holder: NodeHolder, node: Node | null): number {
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

/** Whether a value has no text, as in `key:` or `-`. */
export function isBlank(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.range != null && node.range[0] === node.range[1]);
}

/** After the last character of a value. */
export function valueEnd(document: YamlDocument, holder: NodeHolder, node: Node | null): number {
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

export function entryEnd(document: YamlDocument, collection: CollectionNode, index: number): number {
  return valueEnd(document, held(collection, index), valueNode(collection, index));
}

/** The lines of a member or an item of a block collection, with the comments that belong to it. */
export interface Extent {
  /** The first character of the comments right above, or of the entry, without indentation. */
  readonly top: number;
  /** The key, or the dash. */
  readonly start: number;
  /** The end of the last line, without its break. */
  readonly end: number;
}

export function extentOf(document: YamlDocument, collection: CollectionNode, index: number): Extent {
  const { text } = document;
  const start = entryStart(document, collection, index);
  return {
    top: commentTop(text, start),
    start,
    end: tailEnd(text, entryEnd(document, collection, index), columnOf(text, start)),
  };
}

/** Up over the comments right above, in the same column. */
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

/** Down over the comments that are indented further, and so belong to what is above them. */
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

export function columnOfEntries(document: YamlDocument, collection: CollectionNode): number {
  return columnOf(document.text, entryStart(document, collection, 0));
}

/** Column of the key or the dash before a value. */
export function columnOfHead(document: YamlDocument, holder: NodeHolder): number {
  const collection = collectionOf(holder);
  if (collection === null || holder.in === 'root') return 0;
  return columnOf(document.text, entryStart(document, collection, holder.index));
}

/** The text after the splices. Of two that insert at one place, the later one comes first. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const ordered = splices.toReversed().sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text: put } of ordered) {
    // Two removals at the end of a text may both have the line break between them.
    parts.push(text.slice(done, start), put);
    done = Math.max(done, end);
  }
  return [...parts, text.slice(done)].join('');
}
