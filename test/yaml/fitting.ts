// Random values that mostly fit a schema.

import fc from 'fast-check';
import type { Schema } from '../../src/base/documents.ts';
import { isList, isObject } from '../../src/base/json.ts';
import type { Json } from '../../src/base/model.ts';

/** Words that lead values deep into the schema instead of failing at its door. */
export function words(schema: Json, found = new Set<string>()): ReadonlySet<string> {
  if (isList(schema)) for (const item of schema) words(item, found);
  else if (isObject(schema)) {
    for (const [name, inner] of Object.entries(schema)) {
      if (name === 'properties' && isObject(inner)) for (const field of Object.keys(inner)) found.add(field);
      if (name === 'enum' && isList(inner)) for (const item of inner) if (typeof item === 'string') found.add(item);
      words(inner, found);
    }
  }
  return found;
}

/** Values that mostly fit a schema, and sometimes do not. */
export function fitting(root: Schema, schema: Schema, word: fc.Arbitrary<string>, depth = 0): fc.Arbitrary<Json> {
  const wrong: fc.Arbitrary<Json> = fc.oneof(
    fc.constantFrom<Json>(null, true, 7, -1, 1.5, 1e6, '', 'a/b', [], {}, [[]], { toString: 1 }, [{ toString: 1 }]),
    word,
  );
  const target = schema['$ref'];
  if (typeof target === 'string') {
    const definitions = root['$defs'];
    const found = isObject(definitions) ? definitions[target.replace('#/$defs/', '')] : undefined;
    return fitting(root, isObject(found) ? found : {}, word, depth);
  }
  return fc.oneof({ weight: 60, arbitrary: right(root, schema, word, depth) }, { weight: 1, arbitrary: wrong });
}

function right(root: Schema, schema: Schema, word: fc.Arbitrary<string>, depth: number): fc.Arbitrary<Json> {
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  if (isList(schema['enum'])) return fc.constantFrom(...schema['enum']);
  const types = isList(schema['type']) ? schema['type'] : [schema['type'] ?? 'string'];
  return fc.oneof(...types.map((type) => ofType(root, schema, String(type), word, depth)));
}

const SAMPLES = [
  'x',
  'group/a',
  '150s',
  '0s..5s',
  'https://example.com',
  'emulator:a',
  'tenants/a.yaml',
  'licenses.csv',
  'ring=canary',
  '10/s',
  '2%',
  '12345',
  '2027-01-31',
  '12-25',
  'é'.repeat(181),
  '😀'.repeat(180),
];

function ofType(
  root: Schema,
  schema: Schema,
  type: string,
  word: fc.Arbitrary<string>,
  depth: number,
): fc.Arbitrary<Json> {
  switch (type) {
    case 'integer':
      return fc.oneof(
        {
          weight: 20,
          arbitrary: fc.integer({ min: numberOf(schema['minimum'], -5), max: numberOf(schema['maximum'], 700) }),
        },
        { weight: 1, arbitrary: fc.integer() },
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string': {
      const { pattern } = schema;
      const fits = SAMPLES.filter((text) => typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text));
      return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fits) }, { weight: 1, arbitrary: word });
    }
    case 'array': {
      const items = schema['items'];
      return fc.array(isObject(items) ? fitting(root, items, word, depth + 1) : word, {
        minLength: numberOf(schema['minItems'], 0),
        maxLength: 3,
      });
    }
    default:
      return mapping(root, schema, word, depth);
  }
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function mapping(root: Schema, schema: Schema, word: fc.Arbitrary<string>, depth: number): fc.Arbitrary<Json> {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = isList(schema['required']) ? schema['required'].map(String) : [];
  const named = properties.map(([name, inner]) => {
    const weight = required.includes(name) ? 30 : depth > 3 ? 0.2 : 1;
    const member = fitting(root, isObject(inner) ? inner : {}, word, depth + 1).map((value) => [
      [name, value] as const,
    ]);
    // Of many members each is seldom there, or some would nearly always be wrong.
    const absent = fc.constant([]);
    return fc.oneof(
      { weight: Math.max(2, Math.ceil(properties.length / 4)), arbitrary: absent },
      { weight: Math.ceil(weight * 2), arbitrary: member },
    );
  });
  const other = schema['additionalProperties'];
  const keys = fc.oneof({ weight: 9, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom('a/b', '', 'x y') });
  const rest = isObject(other)
    ? fc.dictionary(keys, fitting(root, other, word, depth + 1), { minKeys: 1, maxKeys: 3 })
    : fc.oneof(
        { weight: 19, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.dictionary(word, word, { maxKeys: 1 }) },
      );
  return fc
    .tuple(fc.tuple(...named), rest)
    .map(([members, more]): Json => ({ ...more, ...Object.fromEntries(members.flat()) }));
}
