// A collection of a document and what shall come or go in; the splices for its members or items out.

import { isMap, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/mark.ts';
import { isCollection, isOneLine } from './brackets.ts';
import { holderOf, isFilledFlow, isFlow, pathOf, startOf, type YamlDocument } from './document.ts';
import {
  beginsLine,
  type Collection,
  columnOfEntries,
  commentTop,
  entryEnd,
  entryStart,
  extentOf,
  lineEnd,
  lineStart,
  nextLine,
  pastTrivia,
  propertiesEnd,
  type Splice,
  valueNode,
} from './layout.ts';
import { roleOf } from './role.ts';
import { plainValue } from './values.ts';
import { type Style, type Wish, written, writtenFlow, writtenKey } from './written.ts';

type Members = readonly (readonly [name: string, value: Json])[];

/** Behind the last member of a mapping that has some. */
export function addingMembers(document: YamlDocument, map: YAMLMap, members: Members, style: Style): readonly Splice[] {
  if (isFlow(map)) {
    const texts = members.map(([name, value]) => `${writtenKey(name, true, style)}: ${writtenFlow(value, style)}`);
    return insertedFlow(document, map, map.items.length, texts, style);
  }
  const column = columnOfEntries(document, map);
  const path = pathOf(document, holderOf(document, map));
  const sibling = valueNode(map, map.items.length - 1);
  const texts = members.map(([name, value]) => {
    const at = [...path, name];
    return written(value, at, column, style, wishLike(document, sibling, value, at));
  });
  return insertedLines(document, map, map.items.length, texts, style);
}

/** Before the item that has the index now, in a list that has some. */
export function insertingItems(
  document: YamlDocument,
  list: YAMLSeq,
  index: number,
  items: readonly Json[],
  style: Style,
): readonly Splice[] {
  if (isFlow(list)) {
    const texts = items.map((item) => writtenFlow(item, style));
    return insertedFlow(document, list, index, texts, style);
  }
  const column = columnOfEntries(document, list);
  const path = [...pathOf(document, holderOf(document, list)), index];
  const neighbour = valueNode(list, Math.max(0, index - 1));
  const texts = items.map((item) => written(item, path, column, style, wishLike(document, neighbour, item, path)));
  return insertedLines(document, list, index, texts, style);
}

/** A collection beside one in brackets is written in brackets, too, unless that one is so much simpler that it says nothing. */
function wishLike(document: YamlDocument, sibling: Node | null, value: Json, path: Path): Wish {
  const its = isFilledFlow(sibling) ? plainValue(document, sibling) : null;
  if (!isCollection(value) || !isCollection(its)) return {};
  const role = roleOf(path);
  return isOneLine(value, role) || !isOneLine(its, role) ? { flow: 'fitting' } : {};
}

function insertedLines(
  document: YamlDocument,
  collection: Collection,
  index: number,
  texts: readonly string[],
  style: Style,
): readonly Splice[] {
  const indent = ' '.repeat(columnOfEntries(document, collection));
  const gap = `${areSpaced(document, collection, texts) ? style.eol : ''}${style.eol}${indent}`;
  if (index === 0) {
    const { top } = extentOf(document, collection, 0);
    return [{ start: top, end: top, text: texts.map((text) => `${text}${gap}`).join('') }];
  }
  const { end } = extentOf(document, collection, index - 1);
  return [{ start: end, end, text: texts.map((text) => `${gap}${text}`).join('') }];
}

/** Whether blank lines stand between the last two entries. Where there is one alone, sections are set apart, as in a new file. */
function areSpaced(document: YamlDocument, collection: Collection, texts: readonly string[]): boolean {
  const last = collection.items.length - 1;
  if (last < 1) return collection === document.root && isMap(collection) && texts.every((text) => text.includes('\n'));
  const above = extentOf(document, collection, last - 1).end;
  return /\n[ \t]*\r?\n/.test(document.text.slice(above, extentOf(document, collection, last).top));
}

function insertedFlow(
  document: YamlDocument,
  collection: Collection,
  index: number,
  texts: readonly string[],
  { eol }: Style,
): readonly Splice[] {
  const { text } = document;
  if (index < collection.items.length) {
    const start = entryStart(document, collection, index);
    const between = index > 0 && beginsLine(text, start) ? `,${eol}${text.slice(lineStart(text, start), start)}` : ', ';
    return [{ start, end: start, text: texts.map((item) => `${item}${between}`).join('') }];
  }
  const start = entryStart(document, collection, index - 1);
  const end = entryEnd(document, collection, index - 1);
  const after = pastTrivia(text, end);
  const comma = text[after] === ',' ? after + 1 : null;
  const last = comma ?? end;
  const aloneOnLines = beginsLine(text, start) && pastTrivia(text, last) > lineEnd(text, last);
  if (!aloneOnLines) return [{ start: end, end, text: texts.map((item) => `, ${item}`).join('') }];
  const gap = `${eol}${text.slice(lineStart(text, start), start)}`;
  const rest = text.slice(last, lineEnd(text, last));
  const lines = texts.map((item) => `${gap}${item}`).join(',');
  const put = comma === null ? `,${rest}${lines}` : `${rest}${lines},`;
  return [{ start: last, end: lineEnd(text, last), text: put }];
}

/** A member or an item with the comments that belong to it; the last one leaves `{}` or `[]`. */
export function removing(document: YamlDocument, collection: Collection, index: number): readonly Splice[] {
  if (isFlow(collection)) return removingFlow(document, collection, index);
  if (collection.items.length === 1) return removingLast(document, collection);
  const { top, start, end } = extentOf(document, collection, index);
  if (beginsLine(document.text, start)) return [removingLines(document.text, top, end)];
  return [removingFirst(document, collection, start)];
}

function removingLines(text: string, top: number, end: number): Splice {
  let from = lineStart(text, top);
  const to = nextLine(text, end);
  const above = from === 0 ? '' : text.slice(lineStart(text, from - 1), from);
  const below = text.slice(to, nextLine(text, to));
  // Of the blank lines on both sides one is enough.
  if (from > 0 && above.trim() === '' && below.trim() === '') from -= above.length;
  // A file without a last line break keeps being one.
  if (to === text.length && !text.endsWith('\n') && from > 0) {
    return { start: lineEnd(text, lineStart(text, from - 1)), end: to, text: '' };
  }
  return { start: from, end: to, text: '' };
}

/** The first entry of a collection that begins behind a dash: the next one takes its place. */
function removingFirst(document: YamlDocument, collection: Collection, start: number): Splice {
  const { text } = document;
  const end = extentOf(document, collection, 0).end;
  const next = entryStart(document, collection, 1);
  const isBetween = text.slice(end, next).includes('#');
  if (!isBetween) return { start, end: next, text: '' };
  return { start: text.slice(0, start).trimEnd().length, end, text: '' };
}

function removingLast(document: YamlDocument, collection: Collection): readonly Splice[] {
  const { text } = document;
  const empty = isMap(collection) ? '{}' : '[]';
  const { top, start, end } = extentOf(document, collection, 0);
  const holder = holderOf(document, collection);
  const head = propertiesEnd(document, holder, collection);
  if (holder.in === 'root' || !text.slice(head, start).includes('\n')) return [{ start, end, text: empty }];
  return [{ start: head, end: head, text: ` ${empty}` }, removingLines(text, top, end)];
}

function removingFlow(document: YamlDocument, collection: Collection, index: number): readonly Splice[] {
  const { text } = document;
  const start = entryStart(document, collection, index);
  const end = entryEnd(document, collection, index);
  const after = pastTrivia(text, end);
  const comma = text[after] === ',' ? after + 1 : end;
  if (collection.items.length === 1) {
    const whole = collection.range?.[1] ?? end;
    return [{ start: startOf(collection), end: whole, text: isMap(collection) ? '{}' : '[]' }];
  }
  const isAlone = beginsLine(text, start) && pastTrivia(text, comma) > lineEnd(text, comma);
  if (isAlone) return [removingLines(text, commentTop(text, start), lineEnd(text, comma))];
  if (index < collection.items.length - 1)
    return [{ start, end: entryStart(document, collection, index + 1), text: '' }];
  return [{ start: entryEnd(document, collection, index - 1), end, text: '' }];
}
