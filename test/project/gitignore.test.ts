// The line of .gitignore for the file with the secrets of a target.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { secretLines } from '../../src/project/gitignore.ts';

test.each([
  ['secrets.json', ['/secrets.json']],
  ['./keys/[live] secrets.json', [String.raw`/keys/\[live\]\ secrets.json`]],
  [resolve('keys/secrets.json'), ['/keys/secrets.json']],
  ['..secrets.json', ['/..secrets.json']],
  ['../secrets.json', []],
  [resolve('/elsewhere/secrets.json'), []],
  ['.chatform/shop.secrets.json', []],
  ['.env', []],
])('The secrets in %s', (path, lines) => {
  expect(secretLines({ secrets: { type: 'file', path } })).toEqual(lines);
});

test('A program has no file', () => {
  expect(secretLines({ secrets: null })).toEqual([]);
});
