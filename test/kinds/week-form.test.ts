// The short form of hours: it says what the list says, and a mistake in it is told at its place.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/model.ts';
import { WEEKDAYS } from '../../src/base/week.ts';
import { workScheduler } from '../../src/kinds/scheduler.ts';
import { authoredWeek, checkWeek, weekIn } from '../../src/kinds/week-form.ts';

const item = (day: string, start: string, end: string, enabled = true) => ({ day, enabled, start, end });

function mistakes(schedule: Json): readonly string[] {
  const found: string[] = [];
  checkWeek(schedule, (path, code, message) => found.push(`${path.join('.')} ${code}: ${message}`));
  return found;
}

test('Days from one to another, a list of spans, and a week over its end', () => {
  expect(weekIn({ 'sat-mon': '09:00-12:00', wed: ['08:00-10:00', '11:00-12:00'], fri: 'closed' })).toEqual([
    item('saturday', '09:00', '12:00'),
    item('sunday', '09:00', '12:00'),
    item('monday', '09:00', '12:00'),
    item('wednesday', '08:00', '10:00'),
    item('wednesday', '11:00', '12:00'),
  ]);
});

test('A week that is closed every day has hours that are switched off: without any, it would mean any time', () => {
  expect(weekIn({ 'sat-sun': 'closed' })).toEqual([
    item('saturday', '00:00', '23:59', false),
    item('sunday', '00:00', '23:59', false),
  ]);
});

const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
const clock = (at: number) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
const spans = fc
  .uniqueArray(minute, { minLength: 2, maxLength: 6 })
  .map((times) => times.toSorted((a, b) => a - b))
  .map((times) => times.slice(0, times.length - (times.length % 2)))
  .map((times) => times.flatMap((at, index) => (index % 2 === 0 ? [[clock(at), clock(times[index + 1] ?? at)]] : [])));

test('Hours in the short form are the hours of the list, without the days that are switched off', () => {
  const week = fc.tuple(...WEEKDAYS.map(() => fc.option(fc.record({ enabled: fc.boolean(), own: spans }))));
  const isWorked = (days: readonly ({ readonly enabled: boolean } | null)[]) =>
    days.some((each) => each?.enabled === true);
  fc.assert(
    fc.property(week.filter(isWorked), (days) => {
      const list = days.flatMap((each, index) =>
        (each?.own ?? []).map(([start = '', end = '']) => item(WEEKDAYS[index] ?? '', start, end, each?.enabled)),
      );
      const short = authoredWeek(list);
      expect(Array.isArray(short)).toBe(false);
      expect(mistakes(short)).toEqual([]);
      const again = workScheduler.canonical({ timezone: 'UTC', schedule: weekIn(short) ?? [] });
      const live = workScheduler.canonical({ timezone: 'UTC', schedule: list });
      expect(workScheduler.align(live, again)).toEqual(again);
      expect(again).toEqual(
        workScheduler.canonical({ timezone: 'UTC', schedule: list.filter(({ enabled }) => enabled) }),
      );
    }),
  );
});

describe('Hours that the short form cannot say stay a list', () => {
  test.each<[string, readonly Json[]]>([
    ['all are switched off', [item('monday', '09:00', '17:00', false)]],
    ['a day is in part switched off', [item('monday', '09:00', '12:00'), item('monday', '13:00', '17:00', false)]],
    ['a span does not end after it begins', [item('monday', '22:00', '06:00')]],
  ])('%s', (_, list) => expect(authoredWeek(list)).toBe(list));
});

test('Every mistake is told at its place', () => {
  expect(
    mistakes({
      'mon-fry': '09:00-17:00',
      tue: '9-17',
      wed: ['09:00-12:00', '11:00-15:00'],
      'thu-fri': 'free',
      fri: '09:00-12:00',
      sat: ['closed', '09:00-10:00'],
    }),
  ).toEqual([
    'mon-fry bad-range: `fry` in `mon-fry` is no weekday',
    'tue bad-time: `9-17` is no span of time',
    'wed.1 bad-range: 11:00-15:00 overlaps 09:00-12:00',
    'thu-fri bad-time: `free` is no span of time',
    'fri duplicate-item: friday is here twice: `thu-fri` and `fri`',
    'sat.0 bad-time: a day is closed, or it has hours',
  ]);
});

test('A list with a day twice says which hours overlap', () => {
  expect(mistakes([item('monday', '09:00', '17:00'), item('monday', '16:00', '20:00')])).toEqual([
    '1 bad-range: monday is here twice: 16:00-20:00 overlaps 09:00-17:00',
  ]);
  expect(mistakes([item('monday', '09:00', '12:00'), item('monday', '13:00', '17:00')])).toEqual([]);
});
