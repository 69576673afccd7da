// One broken rule of a schema in; the finding a person reads out: what is wrong, and what would be right.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { DiagnosticCode, Json } from '../base/model.ts';
import { listed, rightNames } from '../base/nearest.ts';
import type { Finding, Part, Path } from './mark.ts';

/** A finding in a composed value. */
export interface Located {
  readonly path: Path;
  readonly part: Part;
  /** Which text in a scalar is meant: its occurrence, counted from 0. */
  readonly within?: { readonly text: string; readonly nth: number };
  readonly finding: Omit<Finding, 'related'>;
  /** Other paths that take part. */
  readonly related?: readonly { readonly path: Path; readonly part: Part; readonly message: string }[];
}

export function at(
  path: Path,
  part: Part,
  code: DiagnosticCode,
  message: string,
  remedy: string | null = null,
): Located {
  return { path, part, finding: { code, message, remedy } };
}

const TYPE_NAMES: { readonly [type: string]: string } = {
  object: 'a mapping',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
};

const LONGEST_QUOTE = 60;

/** A value as messages show it; a long one is cut. */
export function quoted(value: Json): string {
  const shown = JSON.stringify(value);
  return shown.length > LONGEST_QUOTE ? `${shown.slice(0, LONGEST_QUOTE - 3)}...` : shown;
}

function described(value: Json): string {
  if (value === null) return 'nothing';
  if (isList(value)) return 'a list';
  return isObject(value) ? 'a mapping' : quoted(value);
}

/** How the value itself could be brought to the type; null when it cannot. */
function typeRemedy(value: Json, types: readonly string[], schema: Schema): string | null {
  const scalar = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
  if (types.includes('string') && value === null)
    return withAbout('write one; a text that begins with `#` needs quotes', schema);
  if (types.includes('string') && scalar)
    return isForm(String(value), schema['pattern']) ? 'put it in quotes to make it a text' : null;
  if (types.includes('array') && scalar) return `write a list: \`[${String(value)}]\``;
  if (types.includes('array') && isObject(value))
    return withAbout('write a list, each item of which begins with `-`', schema);
  const needed = isList(schema['required']) ? schema['required'].map(String) : [];
  if (types.includes('object') && value === null) return emptyRemedy(needed, schema);
  if (types.includes('object') && isList(value))
    return withAbout('write entries such as `key: ...`, without `-`', schema);
  if (types.includes('object') && scalar && needed.length === 1)
    return `write \`{ ${String(needed[0])}: ${String(value)} }\``;
  if (types.includes('object') && scalar && isObject(schema['properties']))
    return withAbout(`write a mapping of ${listed(Object.keys(schema['properties']))}`, schema);
  if (typeof value === 'string' && types.some((type) => UNQUOTED[type]?.test(value) === true))
    return `write it without quotes: \`${value}\``;
  return null;
}

/** Texts that are of another type without their quotes. */
const UNQUOTED: { readonly [type: string]: RegExp } = {
  integer: /^-?\d{1,15}$/,
  number: /^-?\d{1,15}(\.\d+)?$/,
  boolean: /^(true|false)$/,
};

/** For a mapping of which only the key is there. */
function emptyRemedy(needed: readonly string[], schema: Schema): string {
  if (needed.length > 0) return `it needs ${listed(needed)}`;
  if (typeof schema['minProperties'] === 'number') return withAbout('it needs at least one member', schema);
  return 'write `{}` for a mapping without members';
}

function isForm(text: string, pattern: Json | undefined): boolean {
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
}

function withAbout(remedy: string, { description }: Schema): string {
  return typeof description === 'string' ? `${remedy}: ${description}` : remedy;
}

function textOr<T>(text: Json | undefined, otherwise: T): string | T {
  return typeof text === 'string' ? text : otherwise;
}

/** One function per rule. */
export const refused = {
  type: (path: Path, value: Json, types: readonly string[], schema: Schema): Located => {
    const expected = types.filter((type) => type !== 'null').map((type) => TYPE_NAMES[type] ?? type);
    const message = `${described(value)} stands where ${expected.join(' or ')} is expected`;
    return at(
      path,
      'value',
      'wrong-type',
      message,
      typeRemedy(value, types, schema) ?? textOr(schema['description'], null),
    );
  },
  value: (path: Path, value: Json, allowed: readonly Json[]): Located => {
    const names = [...new Set(allowed.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))))];
    const remedy = typeof value === 'string' ? rightNames(value, names) : `allowed: ${listed(names)}`;
    return at(path, 'value', 'not-allowed', `${described(value)} is not allowed here`, remedy);
  },
  shortText: (path: Path): Located =>
    at(path, 'value', 'too-short', 'the text is empty', 'write one, or leave the field out'),
  tooLong: (path: Path, length: number, remedy: string): Located =>
    at(path, 'value', 'too-long', `the text has ${length} characters`, remedy),
  form: (path: Path, value: string, about: Json | undefined): Located =>
    at(path, 'value', 'bad-format', `${quoted(value)} does not have the right form`, textOr(about, null)),
  small: (path: Path, value: number, least: number): Located =>
    at(path, 'value', 'out-of-range', `${value} is too small`, `at least ${least}`),
  tooLarge: (path: Path, value: number, remedy: string): Located =>
    at(path, 'value', 'out-of-range', `${value} is too large`, remedy),
  shortList: (path: Path, least: number): Located =>
    at(path, 'value', 'too-short', 'the list is empty', `it needs at least ${least} item`),
  repeated: (path: Path, index: number, first: number, item: Json): Located => ({
    ...at(
      [...path, index],
      'value',
      'duplicate-item',
      `${quoted(item)} stands in the list twice`,
      'keep one of the two',
    ),
    related: [{ path: [...path, first], part: 'value', message: 'the first one' }],
  }),
  field: (path: Path, name: string, names: readonly string[]): Located =>
    at([...path, name], 'key', 'unknown-field', `there is no field \`${name}\` here`, rightNames(name, names)),
  key: (path: Path, name: string, about: Json | undefined): Located => {
    const message = name === '' ? 'a key cannot be empty' : `the key \`${name}\` does not have the right form`;
    return at([...path, name], 'key', 'bad-format', message, textOr(about, null));
  },
  noMember: (path: Path, names: readonly string[], about: Json | undefined): Located => {
    const remedy = names.length === 0 ? textOr(about, null) : `add one of ${listed(names)}`;
    return at(path, 'key', 'missing-field', 'the mapping is empty', remedy);
  },
  together: (path: Path, names: readonly string[]): Located =>
    at(path, 'key', 'exclusive-fields', `${listed(names)} cannot be combined`, 'keep one of them'),
  absent: (path: Path, name: string, schema: Json | undefined): Located => {
    const about = isObject(schema) ? schema['description'] : undefined;
    const remedy = typeof about === 'string' ? `add \`${name}\`: ${about}` : `add \`${name}\``;
    return at(path, 'key', 'missing-field', `\`${name}\` is missing`, remedy);
  },
};
