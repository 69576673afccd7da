// Texts in pieces: the same text as of the whole, in pieces that are neither tiny nor the whole.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces, textOf } from '../../src/base/pieces.ts';
import { tries } from '../tries.ts';

test('The pieces of any value are its JSON, with and without indentation', () => {
  const leaf = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant(new Date(0)), fc.string());
  const { value: any } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 9 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(leaf, { minLength: 49, maxLength: 52 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(any, fc.constantFrom('' as const, '  ' as const), (value, indent) => {
      expect(textOf(jsonPieces(value, indent))).toBe(JSON.stringify(value, null, indent) ?? 'null');
    }),
    { numRuns: tries(2_000, 200) },
  );
});

test('A long list comes in pieces, each with items as a whole, and what a generator makes is a list', () => {
  const items = Array.from({ length: 5_000 }, (_, index) => ({ index, text: '##[x]: é' }));
  function* made(): Generator<object> {
    yield* items;
  }
  const pieces = [...jsonPieces({ some: { items: made(), none: [].values() } })];
  expect(pieces.join('')).toBe(JSON.stringify({ some: { items, none: [] } }));
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces.slice(1)) expect(piece).toMatch(/^[,\]}{]/);
});
