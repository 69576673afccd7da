// Words for runs of a ledger.

import { expect, test } from 'vitest';
import { valuesText } from '../../../src/features/history/words.ts';

test('Values are missed only where a run changed some', () => {
  const said = (changes: Parameters<typeof valuesText>[0]['changes']) => valuesText({ values: 'none', changes });
  expect([said({ imported: 57 }), said({ renamed: 1, imported: 1 }), said({})]).toEqual([null, null, null]);
  expect(said({ renamed: 1, changed: 1 })).toBe('This run recorded no values from before it.');
});
