// Languages of groups.

import { expect, test } from 'vitest';
import { LANGUAGES } from '../../src/kinds/group.ts';

test('Intl has a name for each language that is known without it', () => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  expect([...LANGUAGES].filter((code) => names.of(code) === undefined)).toEqual([]);
  expect([LANGUAGES.size > 180, LANGUAGES.has('pl'), LANGUAGES.has('xx')]).toEqual([true, true, false]);
});
