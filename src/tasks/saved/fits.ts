// A schema of ours and a value in; where the value is not what the schema says, out. Only the words that our schemas of documents are made of
// (plan/schema-parts.ts), and one thing otherwise: a member that is not known is none of its business.

import type { Schema } from '../../base/documents.ts';
import { equalJson, isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';

/** Path of the first member that does not fit, empty for the value itself; null when all do. */
export function misfit(schema: Schema, value: Json): string | null {
  const { type, enum: values, const: only, anyOf, pattern, minimum } = schema;
  if (isList(anyOf)) return misfitOfAny(anyOf as readonly Schema[], value);
  if (type !== undefined && !isOfAny(type, value)) return '';
  if (isList(values) && !values.some((each) => equalJson(each, value))) return '';
  if (only !== undefined && !equalJson(only, value)) return '';
  if (typeof pattern === 'string' && typeof value === 'string' && !expression(pattern).test(value)) return '';
  if (typeof minimum === 'number' && typeof value === 'number' && value < minimum) return '';
  if (isList(value)) return misfitOfItems(schema, value);
  return isObject(value) ? misfitOfMembers(schema, value) : null;
}

function misfitOfAny(schemas: readonly Schema[], value: Json): string | null {
  let furthest = '';
  for (const each of schemas) {
    const found = misfit(each, value);
    if (found === null) return null;
    // What gets further is what was meant.
    if (found.length > furthest.length) furthest = found;
  }
  return furthest;
}

function misfitOfItems({ items }: Schema, list: readonly Json[]): string | null {
  if (!isObject(items)) return null;
  for (const [index, item] of list.entries()) {
    const found = misfit(items, item);
    if (found !== null) return within(String(index), found);
  }
  return null;
}

function misfitOfMembers({ required, properties, additionalProperties: others }: Schema, object: JsonObject) {
  if (isList(required)) for (const name of required) if (!Object.hasOwn(object, String(name))) return String(name);
  const known = isObject(properties) ? properties : {};
  for (const name of Object.keys(object)) {
    const own = Object.hasOwn(known, name) ? known[name] : others;
    const found = isObject(own) ? misfit(own, object[name] ?? null) : null;
    if (found !== null) return within(name, found);
  }
  return null;
}

function within(name: string, path: string): string {
  return path === '' ? name : `${name}.${path}`;
}

function isOfAny(type: Json, value: Json): boolean {
  return isList(type) ? type.some((each) => isOf(each, value)) : isOf(type, value);
}

function isOf(type: Json, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isList(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** A plan of ten thousand changes has hundreds of thousands of texts. */
const expressions = new Map<string, RegExp>();

function expression(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(pattern, 'u');
  expressions.set(pattern, known);
  return known;
}
