// A JSON Schema and a path into a value in; the subschema that speaks of what stands there out.

import type { Schema } from '../base/documents.ts';
import { isObject } from '../base/json.ts';
import type { Path } from './mark.ts';

/** Null where none does. */
export function schemaAt(root: Schema, path: Path): Schema | null {
  let at: Schema | null = root;
  for (const step of path) {
    at = stepInto(followed(root, at), step);
    if (at === null) return null;
  }
  return followed(root, at);
}

function followed(root: Schema, schema: Schema): Schema {
  const target = schema['$ref'];
  return typeof target === 'string' ? definition(root, target) : schema;
}

function stepInto(schema: Schema, step: string | number): Schema | null {
  const properties = schema['properties'];
  const named = isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined;
  const below = typeof step === 'number' ? schema['items'] : (named ?? schema['additionalProperties']);
  return isObject(below) ? below : null;
}

/** The subschema that a local `$ref` names. */
function definition(root: Schema, reference: string): Schema {
  const definitions = root['$defs'];
  const found = isObject(definitions) ? definitions[reference.replace('#/$defs/', '')] : undefined;
  return isObject(found) ? found : {};
}
