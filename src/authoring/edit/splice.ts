// The text of a file after its nodes changed: what did not change as it was, and of what changed the smallest entry as the YAML library writes it.

import { Document, isMap, isPair, isSeq, type Node } from 'yaml';
import { asNode } from '../../yaml/thorough/places.ts';
import type { YamlWriter } from '../nodes.ts';
import type { YamlStyle } from '../style.ts';
import {
  type CollectionNode,
  columnOf,
  type EntryNode,
  type Extent,
  entriesBefore,
  entryBefore,
  entryEnd,
  extentsOf,
  isCollectionNode,
  lineEnd,
  NOWHERE,
  type NodeChanges,
  nodeEnd,
  rangeOf,
  valueBefore,
  valueIn,
} from './extents.ts';

interface Splicing extends NodeChanges {
  readonly text: string;
  readonly style: YamlStyle;
  readonly writer: YamlWriter;
  /** Entries this deep are written whole when they change. The entries of the root are 1 deep. */
  readonly deepest: number;
}

/** A range of the text, and what it becomes. */
interface Spliced {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with a changed root; null where the root has no text that can be replaced. */
export function spliced(all: Splicing, before: Node, root: Node): string | null {
  const [start] = rangeOf(before);
  const end = nodeEnd(all, before);
  const written = (): string => all.writer.document(new Document(root)).trimEnd();
  const change =
    root === before && isCollectionNode(root) ? collectionText(all, root, 1, 0) : { start, end, text: written() };
  return start < end ? all.text.slice(0, change.start) + change.text + all.text.slice(change.end) : null;
}

function collectionText(all: Splicing, node: CollectionNode, depth: number, column: number): Spliced {
  return node.flow === true ? flowText(all, node, column) : blockText(all, node, depth);
}

/** Entries that stay keep their lines, with the comments that belong to them, and what is between them stays in its place. */
function blockText(all: Splicing, node: CollectionNode, depth: number): Spliced {
  const { text, style } = all;
  const old = entriesBefore(all, node);
  const extents = extentsOf(all, node);
  const places = new Map(old.map((entry, index) => [entry, index]));
  const column = columnOf(text, extents[0]?.start ?? 0);
  const indent = ' '.repeat(column);
  const now = (node.items as readonly EntryNode[]).map((entry) => ({
    entry,
    place: places.get(entryBefore(all, entry)),
  }));
  const kept = now.flatMap(({ place }) => (place === undefined ? [] : [place])).sort((a, b) => a - b);
  const gapBefore = (place: number): string => text.slice(extents[place - 1]?.end, extents[place]?.top);
  const lastGap = old.length > 1 ? gapBefore(old.length - 1) : null;
  const isSpaced = lastGap === null ? depth === 1 && isMap(node) : /\n[ \t]*\r?\n/.test(lastGap);
  const lines = (entry: EntryNode): string => indented(all, all.writer.lines(entry), column);
  const isOnly =
    lastGap === null && now.some(({ entry, place }) => place === undefined && !lines(entry).includes('\n'));
  const newGap = `${isSpaced && !isOnly ? style.eol : ''}${style.eol}${indent}`;
  /** Comments between entries stay when the entry below them goes. */
  const lost = (from: number, to: number): string =>
    old
      .slice(from, to)
      .map((_, nth) => (from + nth > 0 ? gapBefore(from + nth) : ''))
      .filter((gap) => gap.includes('#'))
      .map((gap) => gap.trimEnd())
      .join('');
  let rank = 0;
  const parts = now.map(({ entry, place }, at) => {
    if (place === undefined) return (at === 0 ? '' : newGap) + lines(entry);
    const slot = kept[rank] ?? place;
    const above = lost(rank === 0 ? 0 : (kept[rank - 1] ?? 0) + 1, slot) + (slot > 0 ? gapBefore(slot) : '');
    rank += 1;
    const body = entryText(all, { entry, old: old[place] ?? entry }, extents[place] ?? NOWHERE, depth);
    if (at === 0) return (above.includes('#') ? above.trimStart() : '') + body;
    return (slot > 0 ? above : newGap) + body;
  });
  const rest = lost((kept.at(-1) ?? -1) + 1, old.length);
  return { start: extents[0]?.top ?? 0, end: extents.at(-1)?.end ?? 0, text: parts.join('') + rest };
}

interface ChangedEntry {
  readonly entry: EntryNode;
  /** The entry in the text. */
  readonly old: EntryNode;
}

function entryText(all: Splicing, changed: ChangedEntry, extent: Extent, depth: number): string {
  const { text, touched, replaced } = all;
  const value = valueIn(changed.entry);
  const { top, start, end } = extent;
  if (value === null || !(touched.has(value) || replaced.has(value))) return text.slice(top, end);
  const isWhole = depth >= all.deepest || replaced.has(value);
  const inner = isWhole ? null : valueText(all, value, depth, columnOf(text, start));
  if (inner === null) return text.slice(top, start) + writtenText(all, changed, extent);
  return headText(all, value, top, inner.start) + inner.text + text.slice(inner.end, end);
}

/** Text before a value, without an anchor that the value lost. */
function headText({ text, unanchored }: Splicing, value: Node, from: number, to: number): string {
  const head = text.slice(from, to);
  const anchor = unanchored.get(value);
  const at = anchor === undefined ? -1 : head.lastIndexOf(`&${anchor}`);
  if (anchor === undefined || at < 0) return head;
  const rest = head.slice(at + 1 + anchor.length);
  return /^[ \t]*\r?\n/.test(rest) ? head.slice(0, at).trimEnd() + rest : head.slice(0, at) + rest.trimStart();
}

/** A value that changes inside of its range; null for one whose entry must be written. */
function valueText(all: Splicing, value: Node, depth: number, column: number): Spliced | null {
  const [start, end] = rangeOf(value);
  if (isMap(value) || isSeq(value)) return collectionText(all, value, depth + 1, column);
  if (!all.changed.has(value)) return { start, end, text: all.text.slice(start, end) };
  const [line = '', ...more] = all.writer.lines(bare(value));
  const isOfOneLine = start < end && more.length === 0 && !all.text.slice(start, end).includes('\n');
  return isOfOneLine ? { start, end, text: line.slice(2) } : null;
}

/** The node without what is outside of its range. */
function bare<Bare extends Node>(node: Bare): Bare {
  const copy = node.clone() as Bare;
  Object.assign(copy, { comment: null, commentBefore: null, spaceBefore: false, anchor: undefined, tag: undefined });
  return copy;
}

/** An entry in the words of the library, up to the end of its extent. Comments that are not inside of its value stay. */
function writtenText(all: Splicing, { entry, old }: ChangedEntry, { start, end }: Extent): string {
  const { text, replaced, writer } = all;
  const copy = entry.clone() as EntryNode;
  const value = valueIn(copy);
  const column = columnOf(text, start);
  const last = entryEnd(all, old);
  const tail = text.slice(last, lineEnd(text, last));
  const rest = text.slice(lineEnd(text, last), end);
  const key = isPair(copy) ? asNode(copy.key) : null;
  Object.assign(key ?? value ?? {}, { commentBefore: null, spaceBefore: false });
  const now = valueIn(entry);
  if (isCollectionNode(value) && !(now !== null && replaced.has(now))) {
    // The comments below the last value are not part of what is written.
    for (let node: Node | null = value; node !== null; node = lastValue(node)) Object.assign(node, { comment: null });
    return indented(all, writer.lines(copy), column) + tail + rest;
  }
  const then = valueBefore(all, old);
  const isBlockThen = isCollectionNode(then) && then.flow !== true;
  const line = key === null ? '' : text.slice(rangeOf(key)[1], lineEnd(text, rangeOf(key)[1]));
  const above = isBlockThen ? (/\s#(.*)$/.exec(line)?.[1] ?? '') : key === null ? '' : (then?.commentBefore ?? '');
  Object.assign(value ?? {}, { comment: null, commentBefore: null });
  const lines = writer.lines(copy);
  if (lines.length === 1 && above === '') return indented(all, lines, column) + (isBlockThen ? '' : tail) + rest;
  const remark = [above, isBlockThen ? '' : tail.trim().slice(1)].filter((part) => part !== '').join('\n');
  const isBlockNow = isCollectionNode(value) && value.flow !== true;
  if (remark !== '' && isBlockNow && key === null) Object.assign(value, { commentBefore: remark });
  else if (remark !== '') Object.assign((isBlockNow ? key : value) ?? {}, { comment: remark });
  return indented(all, writer.lines(copy), column) + rest;
}

/** The last value in the lines of a block collection. */
function lastValue(node: Node): Node | null {
  const last = isCollectionNode(node) && node.flow !== true ? (node.items as readonly EntryNode[]).at(-1) : undefined;
  return last === undefined ? null : valueIn(last);
}

/** A collection in brackets, as the library writes it: on one line where it was on one. */
function flowText(all: Splicing, node: CollectionNode, column: number): Spliced {
  const { text, writer } = all;
  const [start, end] = rangeOf(node);
  const copy = bare(node);
  keepLastComments(all, node, copy);
  const [line = '', ...more] = writer.lines(copy);
  const isOfOneLine = more.length > 0 || !text.slice(start, end).includes('\n');
  // So narrow that the collection needs several lines, and what is inside of it as few as it can.
  const lines = isOfOneLine ? [line, ...more] : writer.lines(copy, Math.max(1, line.length - 6));
  return { start, end, text: indented(all, lines, column).slice(2) };
}

/** The library takes comments before the last bracket for comments after it. */
function keepLastComments(all: Splicing, node: CollectionNode, copy: CollectionNode): void {
  const last = entriesBefore(all, node).at(-1);
  const at = (node.items as readonly EntryNode[]).findIndex((entry) => entryBefore(all, entry) === last);
  const kept = (copy.items as readonly EntryNode[])[at];
  if (last === undefined || kept === undefined) return;
  const below = all.text.slice(entryEnd(all, last), rangeOf(node)[1]);
  const comments = [...below.matchAll(/#(.*)/g)].map(([, comment = '']) => comment.trimEnd());
  if (comments.length > 0) Object.assign(valueIn(kept) ?? {}, { comment: comments.join('\n') });
}

/** Lines of the library in a column of the text. The first one is there already. */
function indented({ style }: Splicing, lines: readonly string[], column: number): string {
  return lines.map((line, index) => (index === 0 || line === '' ? line : ' '.repeat(column) + line)).join(style.eol);
}
