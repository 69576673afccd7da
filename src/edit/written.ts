// A new value and a style in; its YAML text out, as it stands behind `key:` or `-`, or as a whole member or item. Knows no text that is there already.

import { isList, isObject } from '../kinds/wire.ts';
import type { Json } from '../model.ts';
import { literalBlock, type Quote, writtenScalar } from './written-scalar.ts';

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
  /** How a collection of scalars is written, where it fits on a line. */
  readonly flat: { readonly map: 'flow' | 'block'; readonly list: 'flow' | 'block' };
}

export const PLAIN_STYLE: Style = {
  step: 2,
  dash: 2,
  eol: '\n',
  quote: '"',
  padding: { map: ' ', list: '' },
  flat: { map: 'flow', list: 'flow' },
};

/** What one value is made to be, whatever the style says. */
export interface Wish {
  readonly flow?: boolean;
  /** A scalar quoted so. */
  readonly quoted?: Quote;
  /** An anchor, or what else belongs in front of the value. */
  readonly properties?: string;
}

/** What `key:` and `-` that stand at a column are followed by. */
export interface Head {
  readonly of: 'member' | 'item';
  readonly column: number;
}

const WIDTH = 100;

/** `name: value`, its further lines indented for a key at the column. */
export function writtenMember(name: string, value: Json, column: number, style: Style, wish: Wish = {}): string {
  return `${writtenKey(name, false, style)}:${writtenTail(value, { of: 'member', column }, style, wish)}`;
}

/** `- value`, its further lines indented for a dash at the column. */
export function writtenItem(value: Json, column: number, style: Style, wish: Wish = {}): string {
  return `-${writtenTail(value, { of: 'item', column }, style, wish)}`;
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
  if (typeof value === 'string' && wish.flow !== true && wish.quoted === undefined) {
    const literal = writtenLiteral(value, head, style);
    if (literal !== null) return `${front} ${literal}`;
  }
  if (!isList(value) && !isObject(value)) {
    const manner = { flow: wish.flow === true, quote: wish.quoted ?? style.quote, quoted: wish.quoted !== undefined };
    return `${front} ${writtenScalar(value, manner)}`;
  }
  if (wish.flow ?? isWrittenFlow(value, head, style)) return `${front} ${writtenFlow(value, style)}`;
  const column = head.column + (head.of === 'item' ? 2 : isList(value) ? style.dash : style.step);
  const block = writtenBlock(value, column, style);
  // Behind an anchor, a mapping that begins on the same line would leave the anchor to its first key.
  if (head.of === 'item' && front === '') return ` ${block}`;
  return `${front}${style.eol}${' '.repeat(column)}${block}`;
}

/** Members or items, the first one where the caller stands, the others on lines of their own. */
export function writtenBlock(
  value: Exclude<Json, string | number | boolean | null>,
  column: number,
  style: Style,
): string {
  const lines = isList(value)
    ? value.map((item) => writtenItem(item, column, style))
    : Object.entries(value).map(([name, member]) => writtenMember(name, member, column, style));
  return lines.join(`${style.eol}${' '.repeat(column)}`);
}

function isWrittenFlow(value: Json, head: Head, style: Style): boolean {
  const parts = isList(value) ? value : Object.values(value ?? {});
  if (parts.length === 0) return true;
  if ((isList(value) ? style.flat.list : style.flat.map) === 'block') return false;
  return isFlat(parts) && fitsLine(value, head.column, style);
}

/** Whether a collection in brackets is short enough for a line. */
export function fitsLine(value: Json, column: number, style: Style): boolean {
  return column + writtenFlow(value, style).length <= WIDTH;
}

export function isFlat(parts: readonly Json[]): boolean {
  return parts.every((part) => !isList(part) && !isObject(part) && !(typeof part === 'string' && part.includes('\n')));
}

function writtenLiteral(text: string, { column }: Head, style: Style): string | null {
  const block = literalBlock(text);
  if (block === null) return null;
  const indent = ' '.repeat(column + Math.max(2, style.step));
  const lines = block.lines.map((line) => (line === '' ? '' : `${indent}${line}`));
  return [block.header, ...lines].join(style.eol);
}
