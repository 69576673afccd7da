// Parts of days of a week in which a clock is changed.

import { expect, test } from 'vitest';
import { dayOf, weekOf } from '../../../src/base/week.ts';
import { missingStrips, stripsOf } from '../../../src/features/coverage/maps.ts';

const AUTUMN = weekOf('Europe/Warsaw', dayOf('2026-10-25') ?? 0);

test('a time that the wall shows twice is there twice, and one that it never shows is missing', () => {
  const from = Date.parse('2026-10-25T01:00:00+02:00');
  const worked = stripsOf(AUTUMN, { from, to: Date.parse('2026-10-25T02:30:00+01:00') });
  expect(worked.map(({ day, from, to, which }) => [day, from, to, which])).toEqual([
    [6, 60, 120, 'only'],
    [6, 120, 180, 'earlier'],
    [6, 120, 150, 'later'],
  ]);
  const minutes = stripsOf(AUTUMN, AUTUMN).reduce((sum, { from, to }) => sum + to - from, 0);
  expect(minutes).toBe(169 * 60);
  expect(missingStrips(AUTUMN)).toEqual([]);
  const spring = weekOf('Europe/Warsaw', dayOf('2026-03-29') ?? 0);
  expect(missingStrips(spring)).toEqual([{ day: 6, from: 120, to: 180, which: 'only' }]);
});
