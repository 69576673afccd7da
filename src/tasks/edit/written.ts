// A new value, its path and a style in; its YAML text out, as it stands behind `key:` or `-`, or as a whole member or item. Knows no text that is there
// already.

import { isList, isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Path } from '../../yaml/mark.ts';
import { type Collection, isCollection, isOneLine, type Sort, sortOf } from './brackets.ts';
import { type Role, roleOf } from './role.ts';
import { literalBlock, type Quote, writtenScalar } from './written-scalar.ts';

export type Notation = 'flow' | 'block';

/** How the texts around a new value are written. */
export interface Style {
  /** Columns from a mapping to a mapping in it. */
  readonly step: number;
  /** Columns from a mapping to the dashes of a list in it. */
  readonly dash: number;
  readonly eol: string;
  readonly quote: Quote;
  /** Inside of the brackets of a flow mapping, and of a flow list. */
  readonly padding: { readonly map: string; readonly list: string };
  /** How what could stand in brackets on one line is written. */
  readonly brackets: { readonly [sort in Sort]: Notation };
}

export const PLAIN_STYLE: Style = {
  step: 2,
  dash: 2,
  eol: '\n',
  quote: '"',
  padding: { map: ' ', list: '' },
  brackets: { entry: 'flow', item: 'flow', map: 'flow', list: 'flow', nested: 'flow' },
};

/** What one value is made to be, whatever the style says. */
export interface Wish {
  /** Brackets on one line: in any case, or where it fits. */
  readonly flow?: 'always' | 'fitting';
  /** A scalar quoted so. */
  readonly quoted?: Quote;
  /** An anchor, or what else belongs in front of the value. */
  readonly properties?: string;
}

/** `key:` or `-`, which a value follows. */
export interface Head {
  /** Of the value. */
  readonly path: Path;
  /** Of the key or the dash. */
  readonly column: number;
  /** Columns before the value, if it stands on the same line. */
  readonly start: number;
}

const WIDTH = 100;

/** The member or the item that the path leads to, its further lines indented for a key or a dash at the column. */
export function written(value: Json, path: Path, column: number, style: Style, wish: Wish = {}): string {
  const step = path.at(-1);
  const head = typeof step === 'number' ? '-' : `${writtenKey(step ?? '', false, style)}:`;
  return head + writtenTail(value, { path, column, start: column + head.length + 1 }, style, wish);
}

export function writtenKey(name: string, flow: boolean, { quote }: Style): string {
  return writtenScalar(name, { flow, quote, quoted: name === '' });
}

/** One line. */
export function writtenFlow(value: Json, style: Style): string {
  if (isList(value))
    return enclosed(
      '[',
      ']',
      style.padding.list,
      value.map((item) => writtenFlow(item, style)),
    );
  if (!isObject(value)) return writtenScalar(value, { flow: true, quote: style.quote, quoted: false });
  const members = Object.entries(value).map(
    ([name, member]) => `${writtenKey(name, true, style)}: ${writtenFlow(member, style)}`,
  );
  return enclosed('{', '}', style.padding.map, members);
}

function enclosed(open: string, close: string, padding: string, parts: readonly string[]): string {
  return parts.length === 0 ? `${open}${close}` : `${open}${padding}${parts.join(', ')}${padding}${close}`;
}

/** With the space or the line break in front of it. */
export function writtenTail(value: Json, head: Head, style: Style, wish: Wish = {}): string {
  const front = wish.properties === undefined ? '' : ` ${wish.properties}`;
  if (typeof value === 'string' && wish.flow !== 'always' && wish.quoted === undefined) {
    const literal = writtenLiteral(value, head, style);
    if (literal !== null) return `${front} ${literal}`;
  }
  if (!isCollection(value)) {
    const manner = {
      flow: wish.flow === 'always',
      quote: wish.quoted ?? style.quote,
      quoted: wish.quoted !== undefined,
    };
    return `${front} ${writtenScalar(value, manner)}`;
  }
  const role = roleOf(head.path);
  const isWished = wish.flow === 'always' || (wish.flow === 'fitting' && fitsLine(value, head.start, style));
  if (isWished || isWrittenFlow(value, role, head.start, style)) return `${front} ${writtenFlow(value, style)}`;
  const isItem = role === 'item';
  const column = head.column + (isItem ? 2 : isList(value) ? style.dash : style.step);
  const block = writtenBlock(value, head.path, column, style);
  // Behind an anchor, a mapping that begins on the same line would leave the anchor to its first key.
  if (isItem && front === '') return ` ${block}`;
  return `${front}${style.eol}${' '.repeat(column)}${block}`;
}

/** Members or items, the first one where the caller stands, the others on lines of their own. */
export function writtenBlock(value: Collection, path: Path, column: number, style: Style): string {
  const parts: readonly (readonly [step: string | number, part: Json])[] = isList(value)
    ? [...value.entries()]
    : Object.entries(value);
  const lines = parts.map(([step, part]) => written(part, [...path, step], column, style));
  return lines.join(`${style.eol}${' '.repeat(column)}`);
}

/** Whether a collection that begins at a column stands in brackets on that line. */
export function isWrittenFlow(value: Collection, role: Role, start: number, style: Style): boolean {
  if (Object.keys(value).length === 0) return true;
  return isOneLine(value, role) && style.brackets[sortOf(value, role)] === 'flow' && fitsLine(value, start, style);
}

function fitsLine(value: Json, start: number, style: Style): boolean {
  return start + writtenFlow(value, style).length <= WIDTH;
}

function writtenLiteral(text: string, { column }: Head, style: Style): string | null {
  const block = literalBlock(text);
  if (block === null) return null;
  const indent = ' '.repeat(column + Math.max(2, style.step));
  const lines = block.lines.map((line) => (line === '' ? '' : `${indent}${line}`));
  return [block.header, ...lines].join(style.eol);
}
