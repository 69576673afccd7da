// JSON in which each value stands once.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareJson, unshareJson } from '../../src/base/shared-json.ts';

test('any JSON is what it was, after its text was read again', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(fc.oneof(fc.array(json), fc.dictionary(fc.string(), json)), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(unshareJson(JSON.parse(JSON.stringify(shareJson(value)))))).toBe(text);
    }),
  );
});

test('a member that is undefined is left out, and a value that occurs again costs its place', () => {
  const person = { name: 'Ann', hours: [9, 17], left: undefined };
  const shared = shareJson({ first: person, all: [person, { ...person, name: 'Bob' }] });
  expect(unshareJson(shared)).toEqual({ first: person, all: [person, { ...person, name: 'Bob' }] });
  expect(shared).toEqual({
    shapes: [
      ['first', 'all'],
      ['name', 'hours'],
    ],
    nodes: ['Ann', 9, 17, [-1, 1, 2], [1, 0, 3], 'Bob', [1, 5, 3], [-1, 4, 6], [0, 4, 7]],
  });
});
