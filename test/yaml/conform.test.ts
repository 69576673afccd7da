import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Schema } from '../../src/base/documents.ts';
import { isList, isObject } from '../../src/base/json.ts';
import type { Json } from '../../src/base/model.ts';
import { manifestSchema } from '../../src/manifest/schema.ts';
import { validator as manifestValidator } from '../../src/manifest/validator.ts';
import { projectSchema } from '../../src/project/schema/project.ts';
import { validator as projectValidator } from '../../src/project/validator.ts';
import { conform } from '../../src/yaml/conform.ts';
import { tries } from '../tries.ts';
import { fitting, words } from './fitting.ts';

const SCHEMAS: readonly (readonly [string, Schema, typeof manifestValidator])[] = [
  ['manifest', manifestSchema(), manifestValidator],
  ['project', projectSchema(), projectValidator],
];

test.each(SCHEMAS)(
  'What the validator of a %s refuses is never refused in silence, and what it accepts gets no finding',
  (_, schema, validator) => {
    const word = fc.constantFrom(...words(schema), 'ann@example.com', 'sales');
    let accepted = 0;
    fc.assert(
      fc.property(fitting(schema, schema, word), (value) => {
        const valid = validator(value);
        if (valid) accepted += 1;
        const found = [...conform(validator, () => schema, value)];
        expect(found.length === 0, JSON.stringify(found)).toBe(valid);
        const told = found.map(({ path, part, code, message }) => JSON.stringify([path, part, code, message]));
        expect(new Set(told).size, 'one mistake is one finding').toBe(told.length);
      }),
      { numRuns: tries(2000, 300), seed: 7 },
    );
    expect(accepted).toBeGreaterThan(tries(20, 1));
  },
);

test.each(SCHEMAS)('The schema of a %s uses no keyword whose errors nobody would word', (_, schema) => {
  const known = new Set([
    ...[
      '$schema',
      '$defs',
      '$ref',
      'title',
      'description',
      'computed',
      'default',
      'examples',
      'type',
      'const',
      'enum',
      'properties',
    ],
    ...[
      'patternProperties',
      'additionalProperties',
      'propertyNames',
      'required',
      'minProperties',
      'maxProperties',
      'maxItems',
    ],
    ...[
      'items',
      'minItems',
      'uniqueItems',
      'minLength',
      'maxLength',
      'pattern',
      'minimum',
      'maximum',
      'if',
      'then',
      'else',
      'anyOf',
    ],
  ]);
  const unknown: string[] = [];
  const walk = (at: Json | undefined): void => {
    if (!isObject(at)) return;
    for (const [keyword, inner] of Object.entries(at)) {
      if (!known.has(keyword)) unknown.push(keyword);
      if (['properties', 'patternProperties', '$defs'].includes(keyword)) {
        for (const member of Object.values(isObject(inner) ? inner : {})) walk(member);
      } else if (keyword === 'anyOf' && isList(inner)) for (const member of inner) walk(member);
      else if (!['default', 'const', 'computed'].includes(keyword)) walk(inner);
    }
  };
  walk(schema);
  expect(unknown).toEqual([]);
});
