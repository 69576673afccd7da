// The JSON Schema of a file in an editor, made from the schema of its value after substitution.

import type { Schema } from '../../src/base/documents.ts';
import { isList, isObject } from '../../src/base/json.ts';
import type { Json } from '../../src/base/model.ts';

/** Allowed in place of a number, a flag or one of several words: a reference to a variable. */
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
