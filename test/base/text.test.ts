// Shortcuts about texts: each says what the long way says.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseless, inNfc, isPlainText, thousands } from '../../src/base/text.ts';
import { tries } from '../tries.ts';

test('a whole number has the commas that Intl gives it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (count) => thousands(count) === new Intl.NumberFormat('en').format(count)),
    { numRuns: tries(1_000, 50) },
  );
  expect(thousands(1_234_567)).toBe('1,234,567');
});

/** Letters that compose, halves of characters, zero bytes and escapes among others. */
const odd = fc.string({
  unit: fc.constantFrom('a', 'e', '\u0301', '\ud800', '\u212b', '\0', '\\', 'İ', 'é', 'ł', ' '),
});

test('a plain text is in NFC and has nothing that cannot be kept', () => {
  fc.assert(
    fc.property(odd, (text) => !isPlainText(text) || (inNfc(text) === text && !/\0|\p{Surrogate}|\\/u.test(text))),
    { numRuns: tries(5_000, 200) },
  );
  expect([isPlainText('café ł'), isPlainText('e\u0301'), isPlainText('\\u0301'), isPlainText('\0')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('texts that differ in capitals only are one, whatever they are made of', () => {
  fc.assert(
    fc.property(odd, (text) => caseless(text) === text.normalize('NFC').toLowerCase().normalize('NFC')),
    { numRuns: tries(5_000, 200) },
  );
});
