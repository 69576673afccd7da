// A JSON Schema that values fit after substitution in; one that files fit before it, as they stand in an editor, out.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';

/** Where a number, a flag or one of several words is wanted, a reference to a variable may stand. */
const REFERENCE: Schema = { type: 'string', pattern: '\\$\\{' };

const MAPS_OF_SCHEMAS = ['properties', 'patternProperties', '$defs'];
const SCHEMAS = ['additionalProperties', 'items'];

export function editorSchema(schema: Schema): Schema {
  const inner = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, below(keyword, value)]));
  if (!needsReference(schema)) return inner;
  const { description, ...rest } = inner;
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, REFERENCE] };
}

function below(keyword: string, value: Json): Json {
  if (!isObject(value)) return value;
  if (SCHEMAS.includes(keyword)) return editorSchema(value);
  if (!MAPS_OF_SCHEMAS.includes(keyword)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isObject(member) ? editorSchema(member) : member]),
  );
}

function needsReference(schema: Schema): boolean {
  if (isList(schema['enum'])) return schema['enum'].some((item) => typeof item === 'string');
  return schema['type'] === 'integer' || schema['type'] === 'boolean' || typeof schema['pattern'] === 'string';
}
