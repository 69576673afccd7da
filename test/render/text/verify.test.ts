// The columns of `verify`: names of one length stand under each other, however long those of properties are.

import { expect, test } from 'vitest';
import { verifyText } from '../../../src/render/text/verify.ts';
import type { Checked, CustomerView } from '../../../src/tasks/verify/schema.ts';
import { uncoloured } from '../../../src/view/paint.ts';

const check = (name: Checked['check'], subject: string): Checked => ({
  check: name,
  outcome: 'ok',
  as: 'visitor',
  subject,
  message: '| seen',
  asked: null,
  expected: null,
  found: null,
  hindrance: null,
  source: null,
});

const CLIENT = 'b1946ac92492d2347c6235b4d2611184';

function columnsOf(...checks: readonly Checked[]): readonly number[] {
  const view = {
    checks,
    requests: { visitor: 1, customer: 0 },
    token: 'none',
    summary: {},
    left_behind: [],
    chat: null,
  };
  const text = verifyText({ ...view, after_apply: null } as unknown as CustomerView, { quiet: false }, uncoloured);
  return text.split('\n').flatMap((line) => (line.includes('|') ? [line.indexOf('|')] : []));
}

test('Properties stand in a column of their own, where their addresses are longer than other names', () => {
  const [route, other, tier, region] = columnsOf(
    check('route', 'prices'),
    check('language', 'group/sales'),
    check('property', `property/${CLIENT}/tier`),
    check('property', `property/${CLIENT}/shipping_region`),
  );
  expect(other).toBe(route);
  expect(region).toBe(tier);
  expect(tier).toBeGreaterThan(route ?? 0);
});

test('Short names of all kinds share one column', () => {
  expect(new Set(columnsOf(check('route', 'prices'), check('property', 'property/shop/tier'))).size).toBe(1);
});
