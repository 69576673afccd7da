// A JSON Schema and a value in; every way in which the value does not conform out, one finding per mistake, each with its path.
// Interprets the keywords that our schemas use: a compiling validator costs half a second before it looks at the first value,
// and its errors would have to be sorted out again. A test holds it equal to one.

import { canonicalJson } from '../canonical.ts';
import type { Schema } from '../kinds/kind.ts';
import { isList, isObject } from '../kinds/wire.ts';
import type { Json, JsonObject } from '../model.ts';
import type { Path } from './mark.ts';
import { nearest } from './nearest.ts';
import { type Located, refused } from './wording.ts';

type Emit = (finding: Located) => void;

/** Findings in the order of the value. A finding hides those that only follow from it. */
export function conform(root: Schema, value: Json): readonly Located[] {
  const found: Located[] = [];
  check(root, root, value, [], (finding) => found.push(finding));
  return found;
}

function check(root: Schema, schema: Schema, value: Json, path: Path, emit: Emit): void {
  const target = schema['$ref'];
  const allowed = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (typeof target === 'string') check(root, definition(root, target), value, path, emit);
  else if (!isOfType(schema['type'], value))
    emit(refused.type(path, value, typesOf(schema['type']), schema['description']));
  else if (isList(allowed) && !allowed.includes(value)) emit(refused.value(path, value, allowed));
  else if (typeof value === 'string') checkText(schema, value, path, emit);
  else if (typeof value === 'number') checkNumber(schema, value, path, emit);
  else if (isList(value)) checkList(root, schema, value, path, emit);
  else if (isObject(value)) checkMapping(root, schema, value, path, emit);
}

/** The subschema that a local `$ref` names. */
export function definition(root: Schema, reference: string): Schema {
  const definitions = root['$defs'];
  const found = isObject(definitions) ? definitions[reference.replace('#/$defs/', '')] : undefined;
  return isObject(found) ? found : {};
}

/** The names in `type`; none when everything is allowed. */
export function typesOf(type: Json | undefined): readonly string[] {
  return type === undefined ? [] : isList(type) ? type.map(String) : [String(type)];
}

function isOfType(type: Json | undefined, value: Json): boolean {
  const types = typesOf(type);
  if (types.length === 0) return true;
  if (value === null) return types.includes('null');
  if (isList(value)) return types.includes('array');
  if (typeof value === 'number' && Number.isInteger(value) && types.includes('integer')) return true;
  return types.includes(typeof value);
}

function limit(schema: Schema, keyword: string): number | null {
  const value = schema[keyword];
  return typeof value === 'number' ? value : null;
}

const patterns = new Map<string, RegExp>();

function fits(schema: Schema, text: string): boolean {
  const pattern = schema['pattern'];
  if (typeof pattern !== 'string') return true;
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, 'u');
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}

/** Length as JSON Schema counts it: in code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function checkText(schema: Schema, value: string, path: Path, emit: Emit): void {
  const least = limit(schema, 'minLength');
  const most = limit(schema, 'maxLength');
  if (least !== null && lengthOf(value) < least) emit(refused.shortText(path));
  else if (most !== null && value.length > most && lengthOf(value) > most) {
    emit(refused.longText(path, lengthOf(value), most));
  } else if (!fits(schema, value)) emit(refused.form(path, value, schema['description']));
}

function checkNumber(schema: Schema, value: number, path: Path, emit: Emit): void {
  const least = limit(schema, 'minimum');
  const most = limit(schema, 'maximum');
  if (least !== null && value < least) emit(refused.small(path, value, least));
  if (most !== null && value > most) emit(refused.large(path, value, most));
}

function checkList(root: Schema, schema: Schema, value: readonly Json[], path: Path, emit: Emit): void {
  const least = limit(schema, 'minItems');
  if (least !== null && value.length < least) emit(refused.shortList(path, least));
  if (schema['uniqueItems'] === true) checkUnique(value, path, emit);
  const items = schema['items'];
  if (!isObject(items)) return;
  for (const [index, item] of value.entries()) check(root, items, item, [...path, index], emit);
}

function checkUnique(value: readonly Json[], path: Path, emit: Emit): void {
  const first = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const text = canonicalJson(item);
    const before = first.get(text);
    if (before === undefined) first.set(text, index);
    else emit(refused.repeated(path, index, before, item));
  }
}

function checkMapping(root: Schema, schema: Schema, value: JsonObject, path: Path, emit: Emit): void {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const names = Object.keys(properties);
  const unknown: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : otherMember(schema, name);
    if (inner === false) {
      unknown.push(name);
      emit(refused.field(path, name, names));
      continue;
    }
    const keys = schema['propertyNames'];
    if (isObject(keys) && !isKey(keys, name)) emit(refused.key(path, name, keys['description']));
    if (isObject(inner)) check(root, inner, member, [...path, name], emit);
  }
  checkNumberOfMembers(schema, value, names, path, emit);
  const meant = new Set(unknown.map((name) => nearest(name, names)));
  for (const name of requiredIn(schema, value)) {
    if (!Object.hasOwn(value, name) && !meant.has(name)) emit(refused.absent(path, name, properties[name]));
  }
}

function otherMember(schema: Schema, name: string): Json | undefined {
  const byPattern = isObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  for (const [pattern, inner] of byPattern) if (fits({ pattern }, name)) return inner;
  return schema['additionalProperties'];
}

function isKey(schema: Schema, name: string): boolean {
  return lengthOf(name) >= (limit(schema, 'minLength') ?? 0) && fits(schema, name);
}

function checkNumberOfMembers(
  schema: Schema,
  value: JsonObject,
  names: readonly string[],
  path: Path,
  emit: Emit,
): void {
  const size = Object.keys(value).length;
  const least = limit(schema, 'minProperties');
  const most = limit(schema, 'maxProperties');
  if (least !== null && size < least) emit(refused.noMember(path, names));
  if (most !== null && names.filter((name) => Object.hasOwn(value, name)).length > most) {
    emit(refused.together(path, names));
  }
}

/** `required`, with that of `else` unless one of the alternatives of `if` holds. */
function requiredIn(schema: Schema, value: JsonObject): readonly string[] {
  const always = names(schema['required']);
  const condition = schema['if'];
  const otherwise = schema['else'];
  if (!isObject(condition) || !isObject(otherwise) || !isList(condition['anyOf'])) return always;
  const holds = condition['anyOf'].some(
    (alternative) =>
      isObject(alternative) && names(alternative['required']).every((name) => Object.hasOwn(value, name)),
  );
  return holds ? always : [...always, ...names(otherwise['required'])];
}

function names(list: Json | undefined): readonly string[] {
  return isList(list) ? list.map(String) : [];
}
