// The part of a JSON Schema that applies to one member of a value.

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Path } from './places.ts';

/** Null where no part applies. */
export function schemaAt(root: Schema, path: Path): Schema | null {
  let at: Schema | null = root;
  for (const step of path) {
    at = stepInto(followed(root, at), step);
    if (at === null) return null;
  }
  return followed(root, at);
}

/** The names in `type`; none when every type is allowed. */
export function typesOf(schema: Schema | null): readonly string[] {
  const type = schema?.['type'];
  return type === undefined ? [] : isList(type) ? type.map(String) : [String(type)];
}

/** The schema that a `$ref` into `$defs` names. */
function followed(root: Schema, schema: Schema): Schema {
  const target = schema['$ref'];
  if (typeof target !== 'string') return schema;
  const definitions = root['$defs'];
  const found = isObject(definitions) ? definitions[target.replace('#/$defs/', '')] : undefined;
  return isObject(found) ? found : {};
}

/** The schema of a mapping, where a text can stand in its place. */
export function ofMapping(schema: Schema): Schema {
  return isObject(schema['then']) ? { ...schema, ...schema['then'] } : schema;
}

function stepInto(either: Schema, step: string | number): Schema | null {
  const schema = ofMapping(either);
  const properties = schema['properties'];
  const named = isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined;
  const below = typeof step === 'number' ? schema['items'] : (named ?? schema['additionalProperties']);
  return isObject(below) ? below : null;
}
