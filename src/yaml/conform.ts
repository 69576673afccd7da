// A schema and a value in; every way in which the value does not conform out, one finding per mistake, each with its path.
// ajv decides; here its errors become findings, and those that only follow from another one are left out.

import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import type { Path } from './mark.ts';
import { schemaAt } from './schema-at.ts';
import { type Located, refused } from './wording.ts';

/** `validate` is the schema, compiled; the schema itself is made only to say what is wrong. */
export function conform(validate: ValidateFunction, schemaOf: () => Schema, value: Json): readonly Located[] {
  if (validate(value)) return [];
  const schema = schemaOf();
  const errors = validate.errors ?? [];
  const unknown = unknownFields(errors);
  return errors.flatMap((error) => {
    const path = pathOf(error.instancePath, value);
    return finding(
      error,
      path,
      valueAt(value, path),
      schemaAt(schema, path) ?? {},
      unknown.get(error.instancePath) ?? [],
    );
  });
}

/** Instance path -> the names that stand there and should not. */
function unknownFields(errors: readonly ErrorObject[]): ReadonlyMap<string, readonly string[]> {
  const unknown = new Map<string, string[]>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'additionalProperties') continue;
    unknown.set(instancePath, [...(unknown.get(instancePath) ?? []), String(params['additionalProperty'])]);
  }
  return unknown;
}

/** A JSON Pointer as the path it is in this value: a digit is an index only in a list. */
function pathOf(pointer: string, value: Json): Path {
  const path: (string | number)[] = [];
  let at: Json | undefined = value;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = isList(at) ? Number(name) : name;
    path.push(step);
    at = memberOf(at, step);
  }
  return path;
}

function memberOf(value: Json | undefined, step: string | number): Json | undefined {
  if (isList(value)) return value[Number(step)];
  return isObject(value) ? value[step] : undefined;
}

function valueAt(value: Json, path: Path): Json {
  return path.reduce<Json | undefined>(memberOf, value) ?? null;
}

function finding(
  error: ErrorObject,
  path: Path,
  value: Json,
  schema: Schema,
  unknown: readonly string[],
): readonly Located[] {
  const { keyword, params } = error;
  // Said of a key, and said again by `propertyNames` of the mapping it stands in.
  if (error.propertyName !== undefined) return [];
  const names = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const bound = Number(params['limit']);
  switch (keyword) {
    case 'type':
      return [refused.type(path, value, typesOf(schema['type']), schema)];
    case 'enum':
    case 'const':
      return [refused.value(path, value, isList(schema['enum']) ? schema['enum'] : [schema['const'] ?? null])];
    case 'minLength':
      return [refused.shortText(path)];
    case 'pattern':
      return value === '' && schema['minLength'] !== undefined
        ? []
        : [refused.form(path, String(value), schema['description'])];
    case 'minimum':
      return [refused.small(path, Number(value), bound)];
    case 'maximum':
      return [refused.tooLarge(path, Number(value), `at most ${bound}`)];
    case 'minItems':
      return [refused.shortList(path, bound)];
    case 'uniqueItems':
      return [repeated(path, value, Number(params['i']), Number(params['j']))];
    case 'additionalProperties':
      return [refused.field(path, String(params['additionalProperty']), names)];
    case 'propertyNames':
      return [refused.key(path, String(params['propertyName']), aboutKeys(schema))];
    case 'minProperties':
      return [refused.noMember(path, names, schema['description'])];
    case 'maxProperties':
      return [refused.together(path, names)];
    case 'required':
      return absent(path, String(params['missingProperty']), schema, names, unknown);
    // `if` only says that its `else` failed, and how it did stands beside it.
    default:
      return [];
  }
}

function repeated(path: Path, value: Json, i: number, j: number): Located {
  const [first, second] = [Math.min(i, j), Math.max(i, j)];
  return refused.repeated(path, second, first, memberOf(value, second) ?? null);
}

function aboutKeys(schema: Schema): Json | undefined {
  return isObject(schema['propertyNames']) ? schema['propertyNames']['description'] : undefined;
}

/** A field that is missing because it is misspelt is one mistake, not two. */
function absent(
  path: Path,
  name: string,
  schema: Schema,
  names: readonly string[],
  unknown: readonly string[],
): readonly Located[] {
  if (unknown.some((other) => nearest(other, names) === name)) return [];
  return [refused.absent(path, name, isObject(schema['properties']) ? schema['properties'][name] : undefined)];
}

/** The names in `type`; none when everything is allowed. */
export function typesOf(type: Json | undefined): readonly string[] {
  return type === undefined ? [] : isList(type) ? type.map(String) : [String(type)];
}
