// Exit code of a look, from what it found and whether every channel was told.

import { expect, test } from 'vitest';
import { codeOf } from '../../src/commands/drift-check.ts';
import { CALM, FAILED, SEEN } from '../tasks/drift/example.ts';

test('What was found decides how a look ends; that a channel was not told shows where all else is well', () => {
  const codes = [CALM, SEEN, FAILED].map((look) => [codeOf(look, true), codeOf(look, false)]);
  expect(codes).toEqual([
    [0, 1],
    [2, 2],
    [1, 1],
  ]);
});
