// What is said of a selection that covers nothing.

import { expect, test } from 'vitest';
import type { Address } from '../../src/base/model.ts';
import { requireHits } from '../../src/kinds/selection.ts';

const KNOWN: readonly Address[] = ['group/sales', 'group/support', 'agent/ann@example.com'];

test.each([
  ['group/sale', 'did you mean group/sales?'],
  ['group/nope', 'addresses look like group/sales'],
  ['grop/sales', 'did you mean group/sales?'],
  ['group/sales,group/support', 'give each address a flag of its own: --only group/sales --only group/support'],
  ['group/sales,group/nope', 'addresses look like group/sales'],
])('%s: %s', (glob, said) => {
  expect(() => requireHits('--only', [glob], KNOWN)).toThrow(said);
});
