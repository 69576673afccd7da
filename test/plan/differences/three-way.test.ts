// The table of the three-way comparison, written out: every combination of base, live and desired of one field.

import { expect, test } from 'vitest';
import { statusOf } from '../../../src/plan/differences/about.ts';

type Value = '-' | 'a' | 'b';
const VALUES: readonly Value[] = ['-', 'a', 'b'];

/**
 * `-` is absent: in base nothing was applied, in live it reads as the service's empty, in desired it is not managed. `.` is nothing to tell.
 */
const TABLE = `
  base live desired  what is told
  -    -    -        .
  -    -    a        pending
  -    -    b        pending
  -    a    -        .
  -    a    a        .
  -    a    b        pending
  -    b    -        .
  -    b    a        pending
  -    b    b        .
  a    -    -        .
  a    -    a        drift
  a    -    b        conflict
  a    a    -        .
  a    a    a        .
  a    a    b        pending
  a    b    -        .
  a    b    a        drift
  a    b    b        converged
  b    -    -        .
  b    -    a        conflict
  b    -    b        drift
  b    a    -        .
  b    a    a        converged
  b    a    b        drift
  b    b    -        .
  b    b    a        pending
  b    b    b        .
`;

const ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((row) => row.trim().split(/\s+/) as [Value, Value, Value, string]);

const value = (name: Value): string | undefined => (name === '-' ? undefined : name);

test('the table has every one of the 27 combinations once', () => {
  const all = VALUES.flatMap((base) => VALUES.flatMap((live) => VALUES.map((desired) => `${base}${live}${desired}`)));
  expect(ROWS.map(([base, live, desired]) => `${base}${live}${desired}`).sort()).toEqual(all.sort());
});

test.each(ROWS)('base %s, live %s, desired %s: %s', (base, live, desired, told) => {
  const sides = { base: value(base), live: value(live), desired: value(desired) };
  expect(statusOf(sides) ?? '.').toBe(told);
});

test.each(ROWS)("with `a` being the service's empty: base %s, live %s, desired %s", (base, live, desired) => {
  // What is absent in live reads as the empty, so it is told what a live `a` is told.
  const asEmpty = live === '-' ? 'a' : live;
  const told = ROWS.find((row) => row[0] === base && row[1] === asEmpty && row[2] === desired)?.[3];
  const sides = { base: value(base), live: value(asEmpty), desired: value(desired) };
  expect(statusOf(sides) ?? '.').toBe(told);
});
