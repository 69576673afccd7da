// A value and a source of choices in; the text of a YAML file as some author might have written it out, with the paths that stand on each line.
// Shares nothing with the code under test but the value.

import { canonicalJson } from '../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../src/base/model.ts';
import type { Path } from '../../../src/yaml/places.ts';

/** Whole numbers from 0 to the given one, without it. */
export type Choose = (below: number) => number;

export interface Line {
  text: string;
  paths: Path[];
}

interface Author {
  readonly choose: Choose;
  readonly step: number;
  readonly dash: number;
  /** How often of 10 a collection stands in brackets. */
  readonly flow: number;
  readonly anchors: boolean;
  readonly comments: boolean;
  readonly known: Map<string, { readonly name: string; readonly value: Json }>;
  count: number;
}

const isMap = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

export function authored(value: JsonObject, choose: Choose, anchors: boolean) {
  const step = [2, 2, 4, 3][choose(4)] ?? 2;
  const author: Author = {
    choose,
    step,
    dash: [0, step, 2][choose(3)] ?? 2,
    flow: [0, 4, 8][choose(3)] ?? 0,
    anchors,
    comments: choose(3) > 0,
    known: new Map(),
    count: 0,
  };
  const lines: Line[] = [];
  if (choose(4) === 0) lines.push(plain('# leading comment'), plain(''));
  if (choose(5) === 0) lines.push(plain('---'));
  members(author, value, [], 0, lines);
  if (choose(4) === 0) lines.push(plain('# the end'));
  if (choose(8) === 0) lines.push(plain('...'));
  const eol = choose(3) === 0 ? '\r\n' : '\n';
  const last = choose(4) === 0 ? '' : eol;
  return { text: lines.map((line) => line.text).join(eol) + last, lines, eol };
}

function plain(text: string): Line {
  return { text, paths: [] };
}

/** Like prose of this file, and unlike that of the code: only what certainly reads back goes without quotes. */
function scalar({ choose }: Author, value: Json, flow: boolean): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isSafe = /^[A-Za-z][A-Za-z0-9_@.-]*$/.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value);
  const kind = choose(4);
  if (isSafe && kind < 2) return value;
  if (kind === 2 && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (!flow && kind === 3 && /^[a-z]+( [a-z]+)+$/.test(value)) return value;
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function flowed(author: Author, value: Json): string {
  const pad = author.choose(2) === 0 ? ' ' : '';
  if (isList(value)) {
    const items = value.map((item) => aliasOf(author, item) ?? flowed(author, item));
    return items.length === 0 ? '[]' : `[${pad}${items.join(', ')}${author.choose(6) === 0 ? ',' : ''}${pad}]`;
  }
  if (!isMap(value)) return scalar(author, value, true);
  const parts = Object.entries(value).map(
    ([name, member]) => `${scalar(author, name, true)}: ${aliasOf(author, member) ?? flowed(author, member)}`,
  );
  return parts.length === 0 ? '{}' : `{${pad}${parts.join(', ')}${pad}}`;
}

function aliasOf(author: Author, value: Json): string | null {
  const known = author.anchors && typeof value === 'object' ? author.known.get(canonicalJson(value)) : undefined;
  return known !== undefined && author.choose(3) > 0 ? `*${known.name} `.trimEnd() : null;
}

function trailing(author: Author): string {
  return author.comments && author.choose(5) === 0 ? `${' '.repeat(1 + author.choose(2))}# note ${author.count++}` : '';
}

function above(author: Author, column: number, lines: Line[]): void {
  if (author.choose(8) === 0) lines.push(plain(''));
  if (author.comments && author.choose(6) === 0) lines.push(plain(`${' '.repeat(column)}# above ${author.count++}`));
}

/** What stands behind `key:` or `-`, the first part of it on the last line. */
function tail(author: Author, value: Json, path: Path, column: number, of: 'member' | 'item', lines: Line[]): void {
  const line = lines.at(-1);
  if (line === undefined) return;
  const alias = aliasOf(author, value);
  if (alias !== null) {
    line.text += ` ${alias}${trailing(author)}`;
    line.paths.push(...pathsIn(value, path));
    return;
  }
  const isCollection = isList(value) || isMap(value);
  const isEmpty = isCollection && Object.keys(value).length === 0;
  const name = author.anchors && isCollection && author.choose(3) === 0 ? `a${author.count++}` : null;
  const inFlow = isEmpty || (isCollection && author.choose(10) < author.flow);
  if (!isCollection || inFlow) {
    const front = name === null ? '' : ` &${name}`;
    const literal = typeof value === 'string' && /^[a-z]+\n[a-z]+\n$/.test(value) && author.choose(2) === 0;
    if (literal) {
      line.text += `${front} |`;
      line.paths.push(path);
      const indent = ' '.repeat(column + author.step);
      for (const text of value.trimEnd().split('\n')) lines.push({ text: `${indent}${text}`, paths: [path] });
    } else if (value === null && author.choose(2) === 0) {
      line.text += trailing(author);
      line.paths.push(path);
    } else {
      line.text += `${front} ${isCollection ? flowed(author, value) : scalar(author, value, false)}${trailing(author)}`;
      line.paths.push(...pathsIn(value, path));
    }
  } else if (of === 'item' && name === null && author.choose(5) > 0) {
    block(author, value, path, column + 2, lines, true);
  } else {
    line.text += `${name === null ? '' : ` &${name}`}${trailing(author)}`;
    line.paths.push(path);
    const inner = column + (of === 'item' ? 2 : isList(value) ? author.dash : author.step);
    block(author, value, path, inner, lines, false);
    if (author.comments && author.choose(9) === 0) lines.push(plain(`${' '.repeat(inner)}# tail ${author.count++}`));
  }
  if (name !== null) author.known.set(canonicalJson(value), { name, value });
}

function block(author: Author, value: Json, path: Path, column: number, lines: Line[], continues: boolean): void {
  if (isMap(value)) members(author, value, path, column, lines, continues);
  else if (isList(value)) {
    for (const [index, item] of value.entries()) {
      begin(author, `-`, [...path, index], column, lines, continues && index === 0);
      tail(author, item, [...path, index], column, 'item', lines);
    }
  }
}

function begin(author: Author, text: string, path: Path, column: number, lines: Line[], continues: boolean): void {
  const last = lines.at(-1);
  if (continues && last !== undefined) {
    last.text += ` ${text}`;
    last.paths.push(path);
    return;
  }
  above(author, column, lines);
  lines.push({ text: `${' '.repeat(column)}${text}`, paths: [path] });
}

function members(
  author: Author,
  value: JsonObject,
  path: Path,
  column: number,
  lines: Line[],
  continues = false,
): void {
  const merge = mergeFor(author, value);
  let first = continues;
  if (merge !== null) {
    const given = Object.keys(value).filter((name) => Object.hasOwn(merge.value, name));
    begin(author, `<<: *${merge.name}`, path, column, lines, first);
    lines.at(-1)?.paths.push(...given.map((name) => [...path, name]));
    first = false;
  }
  for (const [name, member] of Object.entries(value)) {
    if (merge !== null && Object.hasOwn(merge.value, name) && same(merge.value[name], member)) continue;
    begin(author, `${scalar(author, name, false)}:`, [...path, name], column, lines, first);
    first = false;
    tail(author, member, [...path, name], column, 'member', lines);
  }
}

/** An anchor whose mapping has nothing that the value lacks. */
function mergeFor(author: Author, value: JsonObject): { readonly name: string; readonly value: JsonObject } | null {
  if (!author.anchors || author.choose(2) === 0) return null;
  for (const { name, value: known } of author.known.values()) {
    if (!isMap(known) || Object.keys(known).length === 0) continue;
    if (Object.keys(known).every((key) => Object.hasOwn(value, key))) return { name, value: known };
  }
  return null;
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

export function pathsIn(value: Json, path: Path): Path[] {
  if (isList(value)) return [path, ...value.flatMap((item, index) => pathsIn(item, [...path, index]))];
  if (isMap(value)) return [path, ...Object.entries(value).flatMap(([name, item]) => pathsIn(item, [...path, name]))];
  return [path];
}
