// The JSON Schema of a file in an editor, made from the schema of its value after substitution.

import type { Schema } from '../../src/base/documents.ts';
import { isList, isObject } from '../../src/base/json.ts';
import type { Json } from '../../src/base/model.ts';

/** Allowed in place of a number, a flag, one of several words, a list or a mapping: a reference to a variable. */
const REFERENCE: Schema = { type: 'string', pattern: '\\$\\{' };

const MAPS_OF_SCHEMAS = ['properties', 'patternProperties', '$defs'];
const SCHEMAS = ['additionalProperties', 'items'];

/** From how far below the root on a variable can stand for a list or a mapping: the fields of entries. */
const FIELD_DEPTH = 3;

export function editorSchema(schema: Schema, isManifest: boolean, depth = 0): Schema {
  const below = (inner: Json): Json => (isObject(inner) ? editorSchema(inner, isManifest, depth + 1) : inner);
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (SCHEMAS.includes(keyword)) return [keyword, below(value)];
      if (!MAPS_OF_SCHEMAS.includes(keyword) || !isObject(value)) return [keyword, value];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, below(member)]))];
    }),
  );
  const isField = isManifest && depth >= FIELD_DEPTH && (schema['type'] === 'array' || schema['type'] === 'object');
  if (!isField && !needsReference(schema)) return inner;
  const { description, ...rest } = inner;
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, REFERENCE] };
}

function needsReference(schema: Schema): boolean {
  if (isList(schema['enum'])) return schema['enum'].some((item) => typeof item === 'string');
  return schema['type'] === 'integer' || schema['type'] === 'boolean' || typeof schema['pattern'] === 'string';
}
