// Merging the declared order of rules with the order on the license.

import { expect, it } from 'vitest';
import { mergedOrder } from '../../../src/plan/order/merged-order.ts';

it.each([
  ['ac', 'abc', '', 'abc', 'between its neighbours'],
  ['bc', 'abc', '', 'abc', 'before the first one'],
  ['ab', 'abcd', '', 'abcd', 'behind the last one, in their order'],
  ['ab', 'xayb', '', 'xayb', 'wherever it stands'],
  ['qrp', 'pxqr', 'p', 'xqrp', 'beside what stays, not beside what moves away'],
  ['axb', 'ayb', '', 'ayxb', 'beside what the license has, whatever it has not'],
  ['', 'ab', '', 'ab', 'alone in the list'],
])('From %s and %s, of which %s moves, comes %s: a new rule stands %s', (declared, live, moving, merged) => {
  const isNew = (item: string): boolean => !declared.includes(item);
  const order = mergedOrder([...declared], [...live], { isNew, moves: (item) => moving.includes(item) });
  expect(order.join('')).toBe(merged);
});

it('A rule that is neither declared nor new has no place, and what follows it stands behind the one before', () => {
  const isNew = (item: string): boolean => item === 'x';
  expect(mergedOrder([...'ab'], [...'agxb'], { isNew, moves: () => false }).join('')).toBe('axb');
});
