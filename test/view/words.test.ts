// Words of a plan: its hours, and what is to come.

import { expect, test } from 'vitest';
import { comingTexts, hoursLine } from '../../src/view/words/plan.ts';

test('Hours are told with the days that they are made for, and when they change', () => {
  const day = (from: string, to: string, zone = 'Europe/Berlin') => ({ timezones: [zone], from, to });
  const next = { date: '2026-12-21', timezone: 'Europe/Berlin', at: '2026-12-20T23:00:00Z' };
  expect(hoursLine({ hours: { days: [day('2026-12-20', '2026-12-20')], next_change: null } })).toBe(
    'Rules and people are those of Sun 20 December 2026; no later date is declared.',
  );
  expect(hoursLine({ hours: { days: [day('2026-12-20', '2026-12-26')], next_change: next } })).toBe(
    'Hours are those of Sun 20 December 2026 to Sat 26 December 2026; they change next on Mon 21 December 2026 (Europe/Berlin): run `chatform apply` again then.',
  );
  expect(hoursLine({})).toBeNull();
});

test('What is to come is told by its day, with the member whom it is about', () => {
  const coming = (member: string | null, change: 'begins' | 'away') =>
    ({ address: 'group/sales', member, change, date: '2026-12-20' }) as const;
  expect(comingTexts({ coming: [coming(null, 'begins'), coming('agent/ann', 'away')] as never })).toEqual([
    'Sun 20 December 2026: group/sales begins',
    'Sun 20 December 2026: agent/ann in group/sales is away',
  ]);
  expect(comingTexts({ coming: [coming('agent/ann', 'away')] as never }, () => 'Sales')).toEqual([
    'Sun 20 December 2026: agent/ann in Sales is away',
  ]);
  expect(comingTexts({})).toEqual([]);
});
