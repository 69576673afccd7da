// A JSON Schema in; one that decides the same, in small parts, out. ajv makes one function of a schema and of each definition: the engine compiles
// those that are called, and equal parts only once. In one piece a function of 300 KB is compiled for a manifest of one line.

import type { Schema } from './documents.ts';
import { isList, isObject } from './json.ts';
import type { Json } from './model.ts';

/** What is said to people, and decides nothing. */
const ABOUT = ['description', 'title', 'default'];

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ['additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not'];
const LISTED = ['anyOf', 'oneOf', 'allOf'];
const NAMED = ['properties', 'patternProperties', '$defs'];

const PREFIX = 'part-';

export function inParts(schema: Schema): Schema {
  const parts = new Map<string, { readonly name: string; readonly schema: Schema }>();

  const part = (value: Json): Json => {
    if (!isObject(value)) return value;
    const inner = members(value);
    if (!['properties', 'items', 'additionalProperties'].some((keyword) => isObject(inner[keyword]))) return inner;
    const text = JSON.stringify(inner);
    const known = parts.get(text) ?? { name: `${PREFIX}${parts.size + 1}`, schema: inner };
    parts.set(text, known);
    return { $ref: `#/$defs/${known.name}` };
  };

  const members = (value: Schema): Schema =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([keyword]) => !ABOUT.includes(keyword))
        .map(([keyword, inner]): [string, Json] => {
          // Checked where its list is: lists have thousands of items, and each would be a call.
          if (keyword === 'items' && isObject(inner)) return [keyword, members(inner)];
          if (ONE.includes(keyword)) return [keyword, part(inner)];
          if (LISTED.includes(keyword) && isList(inner)) return [keyword, inner.map(part)];
          if (!NAMED.includes(keyword) || !isObject(inner)) return [keyword, inner];
          return [keyword, Object.fromEntries(Object.entries(inner).map(([name, item]) => [name, part(item)]))];
        }),
    );

  const whole = members(schema);
  const own = isObject(whole['$defs']) ? whole['$defs'] : {};
  const made = Object.fromEntries([...parts.values()].map(({ name, schema: inner }) => [name, inner]));
  return { ...whole, $defs: { ...own, ...made } };
}
