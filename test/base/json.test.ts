// Two values are equal when their canonical texts are, and nobody has to write the texts to know it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, equalJson, unlessChanged } from '../../src/base/json.ts';
import type { Json, JsonObject } from '../../src/base/model.ts';
import { tries } from '../tries.ts';

/** Few names and few values, so that equal ones are drawn, in whatever order of their members. */
const json: fc.Arbitrary<Json> = fc.letrec<{ readonly value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1, '', 'a', '0'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '1', '10', '9', '__proto__'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('values are equal exactly when their canonical texts are', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(equalJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
      expect(equalJson(one, structuredClone(one))).toBe(true);
    }),
    { numRuns: tries(300) },
  );
});

test('nothing and null are one value', () => {
  expect(equalJson(undefined, null)).toBe(true);
  expect(equalJson({ a: 1 }, {})).toBe(false);
});

test('what has the same members in the same order is kept, and anything else is taken', () => {
  const before: JsonObject = { a: 1, b: [] };
  expect(unlessChanged(before, { ...before })).toBe(before);
  for (const after of [{ b: before['b'] ?? null, a: 1 }, { a: 1 }, { a: 1, b: [] }, { ...before, c: 1 }] as const)
    expect(unlessChanged<JsonObject>(before, after)).toBe(after);
});
