// The lines of .gitignore for what a target leaves on one machine.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { localLines } from '../../src/project/gitignore.ts';

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
  expect(localLines({ secrets: { type: 'file', path }, baseUrl: 'https://api.example.com' })).toEqual(lines);
});

test('A program has no file, and an emulator has its state', () => {
  const lines = (baseUrl: string) => localLines({ secrets: null, baseUrl });
  expect(lines('https://api.example.com')).toEqual([]);
  expect(lines('emulator:license.json')).toEqual(['/license.json']);
  expect(lines('emulator:.chatform/sandbox.json')).toEqual([]);
});
