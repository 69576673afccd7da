// Whether the rules were the same in all days of a range, by the log of the ledger and the license.

import { describe, expect, test } from 'vitest';
import type { LedgerState, Spec } from '../../../src/base/model.ts';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { compare } from '../../../src/plan/compare.ts';
import { rulesChangedIn } from '../../../src/planning/impact/read.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object } from '../../plan/license.ts';
import { EVERYTHING } from '../../world.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 18);
const RANGE = { zone: 'UTC', from: NOW - 28 * DAY, to: NOW };

const rule = (page: string, description = 'A'): Spec => ({
  description,
  access: { groups: ['7'] },
  conditions: { url: { values: [{ value: page }] } },
});

const LEDGER: LedgerState = {
  ...ledgerOf(
    { 'auto_access/a': 'r1', 'auto_access/b': 'r2' },
    { 'auto_access/a': { spec: rule('/a') }, 'auto_access/b': { spec: rule('/b') } },
  ),
  orders: new Map([['auto_access', { order: ['auto_access/a', 'auto_access/b'], at: '' }]]),
};
const SALES = object('group', 7, { name: 'Sales', language_code: 'en' });
const [A, B] = [object('auto_access', 'r1', rule('/a')), object('auto_access', 'r2', rule('/b'))];
const DESIRED = desiredOf([declare('auto_access', 'a', rule('/a')), declare('auto_access', 'b', rule('/b'))]);

function changed(events: readonly LedgerEvent[], ...rules: readonly ReturnType<typeof object>[]): string | null {
  const input = { desired: DESIRED, live: liveOf(SALES, ...rules), ledger: LEDGER, moved: [], options: EVERYTHING };
  return rulesChangedIn(events, compare(input), RANGE);
}

function event(type: LedgerEvent['type'], daysAgo: number, more: object = {}): LedgerEvent {
  const at = new Date(NOW - daysAgo * DAY).toISOString();
  return { v: 1, at, run: 'r', type, ...more } as unknown as LedgerEvent;
}

const about = { address: 'auto_access/a' };
const order = { kind: 'auto_access', moment: 'before', order: [], ids: [] };
const compacted = (changes: object) => ({
  command: 'apply',
  outcome: 'done',
  compacted: { began: '', changes, values: true },
});

test.each([
  ['a rule was written within the days', [event('before', 3, about), event('before', 9, about)], '2026-03-15'],
  ['a rule may have been made within the days', [event('intent', 3, about)], '2026-03-15'],
  ['the order was written within the days', [event('order', 27, order)], '2026-02-19'],
  ['an action wrote a rule', [event('run', 2, { command: 'api update_auto_access', outcome: 'done' })], '2026-03-16'],
  ['an action failed', [event('run', 2, { command: 'api update_auto_access', outcome: 'failed' })], null],
  ['a compacted run changed something, perhaps rules', [event('run', 5, compacted({ changed: 2 }))], '2026-03-13'],
  ['a compacted run only adopted', [event('run', 5, compacted({ adopted: 2 }))], null],
  ['rules were written before the days', [event('before', 29, about), event('order', 40, order)], null],
  ['another kind was written', [event('before', 3, { address: 'group/a' })], null],
  ['a rule was adopted, and not written', [event('bound', 3, about)], null],
])('%s', (_, events, day) => {
  expect(changed(events, A, B)).toBe(day === null ? null : `rules were changed on ${day}, within these days`);
});

describe('The license shows that rules were changed by hand', () => {
  const known = event('order', 40, { kind: 'auto_access', moment: 'applied', order: [], ids: ['r1', 'r2'] });
  test.each([
    ['in its conditions', [object('auto_access', 'r1', rule('/else')), B]],
    ['as it is gone', [A]],
    ['as they were moved', [B, A]],
    ['as another one was added', [A, object('auto_access', 'r9', rule('/c')), B]],
  ])('%s', (_, rules) => {
    expect(changed([known], ...rules)).toBe('rules were changed on the license since the last apply');
  });

  test('but not by another description', () => {
    expect(changed([known], object('auto_access', 'r1', rule('/a', 'Other')), B)).toBeNull();
  });
});
