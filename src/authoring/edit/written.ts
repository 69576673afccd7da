// YAML text of new values: what follows `key:` or `-`, or a whole member or item. Knows no existing text.

import { isList, isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { LEADING_COMMAND, RUNNER_COMMAND, UNSEEN } from '../../base/unseen.ts';
import type { Path } from '../../yaml/places.ts';
import { isCollection, isOneLine, type JsonCollection, type Sort, sortOf } from './brackets.ts';
import { type PathRole, roleOf } from './role.ts';

/** How a scalar is written. */
export interface ScalarNotation {
  /** Inside of `{}` or `[]`. */
  readonly flow: boolean;
  readonly quote: Quote;
  /** In quotes also where none are needed. */
  readonly quoted: boolean;
}

export type Quote = '"' | "'";

/** Texts that the core schema, or YAML 1.1, which many tools use, reads as other values. */
const OTHERWISE =
  /^(~|null|true|false|yes|no|on|off|y|n|[-+]?\.inf|\.nan|<<|=|[-+]?(0[box])?[\d_.]+|[-+]?[\d_]*\.?[\d_]*e[-+]?\d+|0x[\da-f_]+|\d{4}-\d\d?-\d\d?([Tt\s].*)?|[-+]?\d[\d_]*(:[0-5]?\d)+(\.\d*)?)$/i;

/** Begins with a letter, a digit or a sign without meaning in YAML. Signs that open something are not in it. */
const PLAIN_START = /^[\p{L}\p{N}\p{So}\p{Sc}_/.(+<^;\\]|^[-?:](?=[\p{L}\p{N}_/.])/u;

/** What is written as an escape: a reader would not see it, or a runner that shows the file would obey it. */
const UNWRITTEN = [UNSEEN, RUNNER_COMMAND, LEADING_COMMAND];

function isWritten(text: string): boolean {
  return UNWRITTEN.every((pattern) => text.search(pattern) < 0);
}

export function writtenScalar(value: null | boolean | number | string, notation: ScalarNotation): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return !notation.quoted && isPlain(value, notation.flow) ? value : quotedText(value, notation.quote);
}

function isPlain(text: string, flow: boolean): boolean {
  if (OTHERWISE.test(text) || !PLAIN_START.test(text) || !isWritten(text)) return false;
  if (/: |:$| #|^\s|\s$|^(---|\.\.\.)/.test(text)) return false;
  return !flow || !/[,[\]{}]|^[-?:]|:[,[\]{}]/.test(text);
}

export function quotedText(text: string, quote: Quote): string {
  if (quote === "'" && isWritten(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replaceAll(UNSEEN, escaped).replaceAll(RUNNER_COMMAND, '#\\u0023');
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The header and the lines of a literal block (`|`); null for a text that cannot be one, or needs none. */
export function literalBlock(text: string): { readonly header: string; readonly lines: readonly string[] } | null {
  const body = text.replace(/\n$/, '');
  const lines = body.split('\n');
  if (lines.length < 2 && body === text) return null;
  // How many empty lines the end has would depend on what follows.
  if (/^\s|\n$/.test(body) || body === '') return null;
  if (lines.some((line) => !isWritten(line) || /^\s+$/.test(line))) return null;
  return { header: body === text ? '|-' : '|', lines };
}

export type Notation = 'flow' | 'block';

/** How an author writes. */
export interface YamlStyle {
  /** Indentation of a mapping in a mapping. */
  readonly step: number;
  /** Indentation of the dashes of a list in a mapping. */
  readonly dash: number;
  readonly eol: string;
  readonly quote: Quote;
  /** White space inside of the brackets of a flow mapping, and of a flow list. */
  readonly padding: { readonly map: string; readonly list: string };
  /** How collections that could be in brackets on one line are written. */
  readonly brackets: { readonly [sort in Sort]: Notation };
}

export const PLAIN_STYLE: YamlStyle = {
  step: 2,
  dash: 2,
  eol: '\n',
  quote: '"',
  padding: { map: ' ', list: '' },
  brackets: { entry: 'flow', item: 'flow', map: 'flow', list: 'flow', nested: 'flow' },
};

/** Notation of one value that differs from the style. */
export interface ValueNotation {
  /** In brackets on one line: always, or where it fits. */
  readonly flow?: 'always' | 'fitting';
  /** A scalar in these quotes. */
  readonly quoted?: Quote;
  /** An anchor or a tag before the value. */
  readonly properties?: string;
}

/** The `key:` or `-` before a value. */
export interface Head {
  /** Of the value. */
  readonly path: Path;
  /** Of the key or the dash. */
  readonly column: number;
  /** Column of the value, if it is on the same line. */
  readonly start: number;
}

const WIDTH = 100;

/** The member or the item at the path, with its further lines indented for a key or a dash at the column. */
export function written(
  value: Json,
  path: Path,
  column: number,
  style: YamlStyle,
  notation: ValueNotation = {},
): string {
  const step = path.at(-1);
  const head = typeof step === 'number' ? '-' : `${writtenKey(step ?? '', false, style)}:`;
  return head + writtenTail(value, { path, column, start: column + head.length + 1 }, style, notation);
}

export function writtenKey(name: string, flow: boolean, { quote }: YamlStyle): string {
  return writtenScalar(name, { flow, quote, quoted: name === '' });
}

/** One line. */
export function writtenFlow(value: Json, style: YamlStyle): string {
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

/** A value with the space or the line break before it. */
export function writtenTail(value: Json, head: Head, style: YamlStyle, notation: ValueNotation = {}): string {
  const front = notation.properties === undefined ? '' : ` ${notation.properties}`;
  if (typeof value === 'string' && notation.flow !== 'always' && notation.quoted === undefined) {
    const literal = writtenLiteral(value, head, style);
    if (literal !== null) return `${front} ${literal}`;
  }
  if (!isCollection(value)) {
    const manner = {
      flow: notation.flow === 'always',
      quote: notation.quoted ?? style.quote,
      quoted: notation.quoted !== undefined,
    };
    return `${front} ${writtenScalar(value, manner)}`;
  }
  const role = roleOf(head.path);
  const isValueNotationed =
    notation.flow === 'always' || (notation.flow === 'fitting' && fitsLine(value, head.start, style));
  if (isValueNotationed || isWrittenFlow(value, role, head.start, style))
    return `${front} ${writtenFlow(value, style)}`;
  const isItem = role === 'item';
  const column = head.column + (isItem ? 2 : isList(value) ? style.dash : style.step);
  const block = writtenBlock(value, head.path, column, style);
  // After an anchor, a mapping on the same line would give the anchor to its first key.
  if (isItem && front === '') return ` ${block}`;
  return `${front}${style.eol}${' '.repeat(column)}${block}`;
}

/** Members or items: the first one without indentation, the others on their own lines. */
export function writtenBlock(value: JsonCollection, path: Path, column: number, style: YamlStyle): string {
  const parts: readonly (readonly [step: string | number, part: Json])[] = isList(value)
    ? [...value.entries()]
    : Object.entries(value);
  const lines = parts.map(([step, part]) => written(part, [...path, step], column, style));
  return lines.join(`${style.eol}${' '.repeat(column)}`);
}

/** Whether a collection that begins at a column is written in brackets on that line. */
export function isWrittenFlow(value: JsonCollection, role: PathRole, start: number, style: YamlStyle): boolean {
  if (Object.keys(value).length === 0) return true;
  return isOneLine(value, role) && style.brackets[sortOf(value, role)] === 'flow' && fitsLine(value, start, style);
}

function fitsLine(value: Json, start: number, style: YamlStyle): boolean {
  return start + writtenFlow(value, style).length <= WIDTH;
}

function writtenLiteral(text: string, { column }: Head, style: YamlStyle): string | null {
  const block = literalBlock(text);
  if (block === null) return null;
  const indent = ' '.repeat(column + Math.max(2, style.step));
  const lines = block.lines.map((line) => (line === '' ? '' : `${indent}${line}`));
  return [block.header, ...lines].join(style.eol);
}
