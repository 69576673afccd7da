// Splices that add, insert, remove and order members of mappings and items of lists, each with its comments.

import { isMap, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/places.ts';
import { isCollection, isOneLine } from './brackets.ts';
import {
  holderOf,
  isFilledFlow,
  isFlow,
  pathOf,
  type RefusedEdit,
  refuse,
  startOf,
  type YamlDocument,
} from './document.ts';
import * as layout from './layout.ts';
import { memberIndex } from './path-end.ts';
import { roleOf } from './role.ts';
import { mergedMembers, mergeIndexes, plainValue } from './values.ts';
import { type ValueNotation, written, writtenFlow, writtenKey, type YamlStyle } from './written.ts';

type Members = readonly (readonly [name: string, value: Json])[];

/** After the last member of a mapping that has members. */
export function addingMembers(
  document: YamlDocument,
  map: YAMLMap,
  members: Members,
  style: YamlStyle,
): readonly layout.Splice[] {
  if (isFlow(map)) {
    const texts = members.map(([name, value]) => `${writtenKey(name, true, style)}: ${writtenFlow(value, style)}`);
    return insertedFlow(document, map, map.items.length, texts, style);
  }
  const column = layout.columnOfEntries(document, map);
  const path = pathOf(document, holderOf(document, map));
  const sibling = layout.valueNode(map, map.items.length - 1);
  const texts = members.map(([name, value]) => {
    const at = [...path, name];
    return written(value, at, column, style, notationLike(document, sibling, value, at));
  });
  return insertedLines(document, map, map.items.length, texts, style);
}

/** Before the item that has the index now, in a list that has items. */
export function insertingItems(
  document: YamlDocument,
  list: YAMLSeq,
  index: number,
  items: readonly Json[],
  style: YamlStyle,
): readonly layout.Splice[] {
  if (isFlow(list)) {
    const texts = items.map((item) => writtenFlow(item, style));
    return insertedFlow(document, list, index, texts, style);
  }
  const column = layout.columnOfEntries(document, list);
  const path = [...pathOf(document, holderOf(document, list)), index];
  const neighbour = layout.valueNode(list, Math.max(0, index - 1));
  const texts = items.map((item) => written(item, path, column, style, notationLike(document, neighbour, item, path)));
  return insertedLines(document, list, index, texts, style);
}

/** A collection next to one in brackets is also written in brackets, unless the sibling is so much simpler that it shows nothing. */
function notationLike(document: YamlDocument, sibling: Node | null, value: Json, path: Path): ValueNotation {
  const its = isFilledFlow(sibling) ? plainValue(document, sibling) : null;
  if (!isCollection(value) || !isCollection(its)) return {};
  const role = roleOf(path);
  return isOneLine(value, role) || !isOneLine(its, role) ? { flow: 'fitting' } : {};
}

function insertedLines(
  document: YamlDocument,
  collection: layout.CollectionNode,
  index: number,
  texts: readonly string[],
  style: YamlStyle,
): readonly layout.Splice[] {
  const indent = ' '.repeat(layout.columnOfEntries(document, collection));
  const gap = `${areSpaced(document, collection, texts) ? style.eol : ''}${style.eol}${indent}`;
  if (index === 0) {
    const { top } = layout.extentOf(document, collection, 0);
    return [{ start: top, end: top, text: texts.map((text) => `${text}${gap}`).join('') }];
  }
  const { end } = layout.extentOf(document, collection, index - 1);
  return [{ start: end, end, text: texts.map((text) => `${gap}${text}`).join('') }];
}

/** Whether blank lines are between the last two entries. After a single section, a blank line follows, as in a new file. */
function areSpaced(document: YamlDocument, collection: layout.CollectionNode, texts: readonly string[]): boolean {
  const last = collection.items.length - 1;
  if (last < 1) return collection === document.root && isMap(collection) && texts.every((text) => text.includes('\n'));
  const above = layout.extentOf(document, collection, last - 1).end;
  return /\n[ \t]*\r?\n/.test(document.text.slice(above, layout.extentOf(document, collection, last).top));
}

function insertedFlow(
  document: YamlDocument,
  collection: layout.CollectionNode,
  index: number,
  texts: readonly string[],
  { eol }: YamlStyle,
): readonly layout.Splice[] {
  const { text } = document;
  if (index < collection.items.length) {
    const start = layout.entryStart(document, collection, index);
    const between =
      index > 0 && layout.beginsLine(text, start) ? `,${eol}${text.slice(layout.lineStart(text, start), start)}` : ', ';
    return [{ start, end: start, text: texts.map((item) => `${item}${between}`).join('') }];
  }
  const start = layout.entryStart(document, collection, index - 1);
  const end = layout.entryEnd(document, collection, index - 1);
  const after = layout.pastTrivia(text, end);
  const comma = text[after] === ',' ? after + 1 : null;
  const last = comma ?? end;
  const aloneOnLines = layout.beginsLine(text, start) && layout.pastTrivia(text, last) > layout.lineEnd(text, last);
  if (!aloneOnLines) return [{ start: end, end, text: texts.map((item) => `, ${item}`).join('') }];
  const gap = `${eol}${text.slice(layout.lineStart(text, start), start)}`;
  const rest = text.slice(last, layout.lineEnd(text, last));
  const lines = texts.map((item) => `${gap}${item}`).join(',');
  const put = comma === null ? `,${rest}${lines}` : `${rest}${lines},`;
  return [{ start: last, end: layout.lineEnd(text, last), text: put }];
}

/** Removes a member or an item, or in lines of their own all up to `last`, but not every one. The only one leaves `{}` or `[]`. */
export function removing(
  document: YamlDocument,
  collection: layout.CollectionNode,
  index: number,
  last = index,
): readonly layout.Splice[] {
  if (isFlow(collection)) return removingFlow(document, collection, index);
  if (collection.items.length === 1) return removingLast(document, collection);
  const { top, start } = layout.extentOf(document, collection, index);
  const { end } = layout.extentOf(document, collection, last);
  if (layout.beginsLine(document.text, start)) return [removingLines(document.text, top, end)];
  return [removingFirst(document, collection, { start, end, next: last + 1 })];
}

function removingLines(text: string, top: number, end: number): layout.Splice {
  let from = layout.lineStart(text, top);
  const to = layout.nextLine(text, end);
  const above = from === 0 ? '' : text.slice(layout.lineStart(text, from - 1), from);
  const below = text.slice(to, layout.nextLine(text, to));
  // Of the blank lines on both sides, one stays.
  if (from > 0 && above.trim() === '' && below.trim() === '') from -= above.length;
  // A file without a last line break stays without one.
  if (to === text.length && !text.endsWith('\n') && from > 0) {
    return { start: layout.lineEnd(text, layout.lineStart(text, from - 1)), end: to, text: '' };
  }
  return { start: from, end: to, text: '' };
}

/** The first entries of a collection that begins after a dash: the next one takes their place. */
function removingFirst(
  document: YamlDocument,
  collection: layout.CollectionNode,
  { start, end, next: index }: { readonly start: number; readonly end: number; readonly next: number },
): layout.Splice {
  const { text } = document;
  const next = layout.entryStart(document, collection, index);
  const isBetween = text.slice(end, next).includes('#');
  if (!isBetween) return { start, end: next, text: '' };
  return { start: text.slice(0, start).trimEnd().length, end, text: '' };
}

function removingLast(document: YamlDocument, collection: layout.CollectionNode): readonly layout.Splice[] {
  const { text } = document;
  const empty = isMap(collection) ? '{}' : '[]';
  const { top, start, end } = layout.extentOf(document, collection, 0);
  const holder = holderOf(document, collection);
  const head = layout.propertiesEnd(document, holder, collection);
  if (holder.in === 'root' || !text.slice(head, start).includes('\n')) return [{ start, end, text: empty }];
  return [{ start: head, end: head, text: ` ${empty}` }, removingLines(text, top, end)];
}

function removingFlow(
  document: YamlDocument,
  collection: layout.CollectionNode,
  index: number,
): readonly layout.Splice[] {
  const { text } = document;
  const start = layout.entryStart(document, collection, index);
  const end = layout.entryEnd(document, collection, index);
  const after = layout.pastTrivia(text, end);
  const comma = text[after] === ',' ? after + 1 : end;
  if (collection.items.length === 1) {
    const whole = collection.range?.[1] ?? end;
    return [{ start: startOf(collection), end: whole, text: isMap(collection) ? '{}' : '[]' }];
  }
  const isAlone = layout.beginsLine(text, start) && layout.pastTrivia(text, comma) > layout.lineEnd(text, comma);
  if (isAlone) return [removingLines(text, layout.commentTop(text, start), layout.lineEnd(text, comma))];
  if (index < collection.items.length - 1)
    return [{ start, end: layout.entryStart(document, collection, index + 1), text: '' }];
  return [{ start: layout.entryEnd(document, collection, index - 1), end, text: '' }];
}

/** Replaces `<<` of a mapping by what it gives, without one member. */
export function unmerging(
  document: YamlDocument,
  map: YAMLMap,
  name: string,
  style: YamlStyle,
): readonly layout.Splice[] {
  const [first, ...others] = mergeIndexes(map);
  if (first === undefined) return [];
  const merged = [...mergedMembers(document, map)].filter(([key]) => key !== name && memberIndex(map, key) < 0);
  const own = memberIndex(map, name);
  const gone = [...others, ...(own < 0 ? [] : [own]), ...(merged.length === 0 ? [first] : [])];
  const cut = gone.flatMap((index) => removing(document, map, index));
  if (merged.length === 0) return cut;
  const start = layout.entryStart(document, map, first);
  const column = layout.columnOf(document.text, start);
  const path = pathOf(document, holderOf(document, map));
  const texts = merged.map(([key, value]) =>
    isFlow(map)
      ? `${writtenKey(key, true, style)}: ${writtenFlow(value, style)}`
      : written(value, [...path, key], column, style),
  );
  const text = texts.join(isFlow(map) ? ', ' : `${style.eol}${' '.repeat(column)}`);
  return [...cut, { start, end: layout.entryEnd(document, map, first), text }];
}

/** Puts the items of a list into a new order. */
export function ordering(
  document: YamlDocument,
  list: YAMLSeq,
  order: readonly number[],
): readonly layout.Splice[] | RefusedEdit {
  const { text } = document;
  const ranges = list.items.map((_, index) => rangeOf(document, list, index));
  if (isFlow(list) && /#/.test(betweenRanges(text, ranges, list))) {
    const message = 'it is not clear which items of this list its comments belong to';
    return refuse(document, list, message, 'put the items in order by hand');
  }
  return ranges.flatMap(({ start, end }, slot) => {
    const from = ranges[order[slot] ?? slot];
    if (from === undefined || order[slot] === slot) return [];
    return [{ start, end, text: text.slice(from.start, from.end) }];
  });
}

interface ItemRange {
  readonly start: number;
  readonly end: number;
}

function rangeOf(document: YamlDocument, list: YAMLSeq, index: number): ItemRange {
  if (isFlow(list))
    return { start: layout.entryStart(document, list, index), end: layout.entryEnd(document, list, index) };
  const { top, end } = layout.extentOf(document, list, index);
  return { start: top, end };
}

function betweenRanges(text: string, ranges: readonly ItemRange[], list: YAMLSeq): string {
  const ends = [...ranges.map(({ end }) => end), list.range?.[1] ?? text.length];
  return ends
    .map((end, index) =>
      text.slice(index === 0 ? (list.range?.[0] ?? 0) : (ranges[index - 1]?.end ?? end), ranges[index]?.start ?? end),
    )
    .join('\n');
}
