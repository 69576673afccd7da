// Whether the rules were the same in all days of a range, by the log of the ledger.

import { expect, test } from 'vitest';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { rulesChangedIn } from '../../../src/tasks/impact/impact.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 18);
const RANGE = { zone: 'UTC', from: NOW - 28 * DAY, to: NOW };

function event(type: 'before' | 'bound' | 'order', daysAgo: number, address = 'auto_access/a'): LedgerEvent {
  const at = new Date(NOW - daysAgo * DAY).toISOString();
  const about = type === 'order' ? { kind: 'auto_access', moment: 'before', order: [], run: 'r' } : { address };
  return { v: 1, at, run: 'r', type, ...about } as unknown as LedgerEvent;
}

test.each([
  ['a rule was written within the days', [event('before', 3), event('before', 9)], '2026-03-15'],
  ['the order was written within the days', [event('order', 27)], '2026-02-19'],
  ['rules were written before the days', [event('before', 29), event('order', 40)], null],
  ['another kind was written', [event('before', 3, 'group/a')], null],
  ['a rule was adopted, and not written', [event('bound', 3)], null],
])('%s', (_, events, day) => {
  expect(rulesChangedIn(events, RANGE, 'auto_access')).toBe(day);
});
