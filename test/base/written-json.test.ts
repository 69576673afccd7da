// JSON that a person wrote: every text that JSON.parse refuses is refused with its place, and so is what it would change.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writtenJson } from '../../src/base/written-json.ts';

test.each([
  ['{"a": 1', 'line 1, column 8: it ends too early'],
  ['', 'line 1, column 1: it ends too early'],
  ['{"a": 1,}', 'line 1, column 9: the name of a member is missing, in double quotes'],
  ['{\n  "a" 1}', 'line 2, column 7: a colon is missing'],
  ['{"a": 1 "b": 2}', 'line 1, column 9: a comma or } is missing'],
  ['[1 2]', 'line 1, column 4: a comma or ] is missing'],
  ['[1,]', 'line 1, column 4: a value is missing: a text stands in double quotes'],
  ["{'a': 1}", 'line 1, column 2: the name of a member is missing, in double quotes'],
  ['{"a": sesame}', 'line 1, column 7: a value is missing: a text stands in double quotes'],
  ['{"a": "b\n"}', 'line 1, column 7: the text does not end, or has a character that must be escaped'],
  ['{"a": "\\x"}', 'line 1, column 7: the text does not end, or has a character that must be escaped'],
  ['{} x', 'line 1, column 4: nothing may follow the value'],
  ['{}\0', 'line 1, column 3: nothing may follow the value'],
  ['{"a": 1, "\\u0061": 2}', 'line 1, column 10: this member stands twice'],
  ['{"id": 9007199254740993}', 'line 1, column 8: the number would be sent as another one'],
  ['{"id": 1e400}', 'line 1, column 8: the number would be sent as another one'],
  ['['.repeat(100_000), 'line 1, column 502: it is nested more than 500 deep'],
])('%j is wrong at its place', (text, wrong) => {
  expect(writtenJson(text)).toEqual({ wrong });
});

test('What JSON.parse takes is taken, with the same value', () => {
  expect(writtenJson('"\u007f\u0085\ud800"')).toEqual({ value: '\u007f\u0085\ud800' });
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2, '\t'), (text, space) => {
      const value: unknown = JSON.parse(text);
      expect(writtenJson(JSON.stringify(value, null, space))).toEqual({ value });
    }),
    { numRuns: 200 },
  );
});

test('What JSON.parse refuses is refused', () => {
  const signs = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '1',
    '-',
    '.5',
    'e1',
    'true',
    'nul',
    ' ',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 9 }), (parts) => {
      const text = parts.join('');
      const isTaken = 'value' in writtenJson(text);
      if (isTaken) expect(() => JSON.parse(text)).not.toThrow();
      else if (!parts.includes('"a"') && !parts.includes('"b"')) expect(() => JSON.parse(text)).toThrow();
    }),
    { numRuns: 2000 },
  );
});
