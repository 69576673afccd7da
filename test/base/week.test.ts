// Days that a word means, one day in the place of a week, and times of neighbouring days together.

import { expect, test } from 'vitest';
import { dayMeantBy, dayOf, daysFrom, foldedTimes, spanText } from '../../src/base/week.ts';

/** A Wednesday. */
const TODAY = dayOf('2026-11-25') ?? 0;

test.each([
  ['today', '2026-11-25'],
  ['tomorrow', '2026-11-26'],
  ['wednesday', '2026-11-25'],
  ['Tue', '2026-12-01'],
  ['SATURDAY', '2026-11-28'],
  ['2026-12-24', '2026-12-24'],
])('%s is %s', (word, date) => {
  expect(dayMeantBy(word, TODAY)).toBe(dayOf(date));
});

test('Other words are no day', () => {
  expect(['sales', '2026-02-30', 'sat.', ''].map((word) => dayMeantBy(word, TODAY))).toEqual([null, null, null, null]);
});

test('A day is as long as its clock says', () => {
  const days = ['2026-10-25', '2026-03-29', '2026-11-25'].map((date) => daysFrom('Europe/Warsaw', dayOf(date) ?? 0, 1));
  expect(days.map(({ from, to }) => (to - from) / 3_600_000)).toEqual([25, 23, 24]);
  const [day] = days;
  expect(day === undefined ? '' : spanText(day, day)).toBe('the whole day');
});

test('Equal times of neighbouring days are told together', () => {
  const times = ['Mon 09:00-17:00', 'Tue 09:00-17:00', 'Tue 18:00-19:00', 'Wed 09:00-17:00', 'Fri 09:00-17:00'];
  expect(foldedTimes(times)).toEqual(['Mon-Wed 09:00-17:00', 'Tue 18:00-19:00', 'Fri 09:00-17:00']);
  expect(foldedTimes(['Mon 21:00-Tue 07:00', 'Tue 21:00-Wed 07:00', 'Fri 17:00-Mon 08:00'])).toEqual([
    'Mon-Tue 21:00-07:00',
    'Fri 17:00-Mon 08:00',
  ]);
  // More than a day, and a time that the clock shows twice, stay as they are.
  for (const text of ['Mon 07:00-Tue 09:00', 'Sun 02:30+02:00-04:00', 'the whole week'])
    expect(foldedTimes([text, text])).toEqual([text, text]);
});
