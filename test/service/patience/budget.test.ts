// The requests that clients with one token send together, counted in this process.

import { expect, test } from 'vitest';
import { type Budget, budgetPerToken, createBudget } from '../../../src/service/patience/budget.ts';
import { leapingClock } from '../../many/names.ts';
import { tries } from '../../tries.ts';
import { NOW } from '../scripted.ts';
import { describeBudget } from './budget.conformance.ts';

describeBudget(
  'memory',
  async (rate) => {
    const clock = leapingClock(NOW);
    const budget = createBudget({ rate, clock });
    return { clock, open: () => budget };
  },
  tries(500, 30),
);

test('Tokens have budgets of their own', () => {
  const budgets = budgetPerToken(() => createBudget({ rate: 1, clock: leapingClock(NOW) }));
  const of = (token: string): Budget => budgets({ kind: 'bearer', token });
  expect(of('dal:a')).toBe(of('dal:a'));
  expect(of('dal:a')).not.toBe(of('dal:b'));
  expect(budgets({ kind: 'basic', accountId: 'x', token: 'dal:a' })).toBe(of('dal:a'));
});
