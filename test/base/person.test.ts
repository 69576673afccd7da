import { expect, test } from 'vitest';
import { miswritten, personOf } from '../../src/base/person.ts';

test.each([
  ['Ann@Example.COM', 'ann@example.com'],
  ['jose\u0301@example.com', 'JOS\u00c9@example.com'],
])('%s and %s are one person', (one, other) => {
  expect(personOf(one)).toBe(personOf(other));
  expect(personOf(personOf(one))).toBe(personOf(one));
});

test.each([
  ['ann+shop@example.com', 'ann@example.com'],
  ['a.nn@example.com', 'ann@example.com'],
  ['ann@example.com', 'ann@example.org'],
  ['stra\u00dfe@example.com', 'strasse@example.com'],
])('%s and %s are two people', (one, other) => {
  expect(personOf(one)).not.toBe(personOf(other));
});

test.each([
  ['bob@example.com\u200b', 'bob@example.com', 'U+200B'],
  ['\ufeffbob@example.com', 'bob@example.com', 'U+FEFF'],
  ['bob@exam\u00adple.com', 'bob@example.com', 'U+00AD'],
  ['bob@example.com\u00a0', 'bob@example.com', 'U+00A0'],
  ['\u202abob@example.com\u202c', 'bob@example.com', 'U+202A'],
  ['\u2066bob@example.com', 'bob@example.com', 'U+2066'],
  ['bob\u2003@example.com', 'bob@example.com', 'U+2003'],
  ['bob@example.com\t', 'bob@example.com', 'U+0009'],
  ['Bob Ore <Bob.Ore@Example.com>', 'Bob.Ore@Example.com', 'angle brackets'],
  ['<bob@example.com>', 'bob@example.com', 'angle brackets'],
  ['Bob <mailto:bob@example.com>', 'bob@example.com', 'angle brackets'],
  ['mailto:bob@example.com', 'bob@example.com', 'a link'],
  ['MAILTO:bob@example.com?subject=Hi', 'bob@example.com', 'a link'],
  ['bob @example.com', 'bob@example.com', 'a blank'],
  [' bob@example.com', 'bob@example.com', 'a blank'],
  ['\u201cbob@example.com\u201d', 'bob@example.com', 'quotes'],
  ['\u00abbob@example.com\u00bb', 'bob@example.com', 'quotes'],
  ['"bob@example.com"', 'bob@example.com', 'quotes'],
  ["'bob@example.com'", 'bob@example.com', 'quotes'],
  ['o\u2019neil@example.com', "o'neil@example.com", 'quotes'],
  ['bob@example.com and ann@example.com', null, 'a blank'],
  ['Bob <bob@example.com', null, 'angle brackets'],
])('%j means %s', (text, meant, why) => {
  expect(miswritten(text)).toMatchObject({ meant, why: expect.stringContaining(why) });
});

test.each(["o'neil@example.com", 'ann+shop@example.com', 'jos\u00e9@example.com', 'ann', 'Ann Ore', '*@example.com'])(
  '%s is left as it is',
  (text) => {
    expect(miswritten(text)).toBeNull();
  },
);
