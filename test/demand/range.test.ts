// Ranges of reports: what people write for them, and the days and hours that they have.

import { describe, expect, test } from 'vitest';
import {
  daysOf,
  hourOfWeek,
  hoursOf,
  instantIn,
  lastRange,
  type ReportRange,
  timesOf,
} from '../../src/demand/range.ts';

const ZONE = 'Europe/Warsaw';
const NOW = Date.parse('2026-10-28T11:40:00Z');
const HOUR = 3_600_000;

const text = (range: ReportRange | null) =>
  range === null ? null : [range.from, range.to].map((at) => new Date(at).toISOString().slice(0, 16));

test.each([
  ['7d', ['2026-10-20T22:00', '2026-10-27T23:00']],
  ['1w', ['2026-10-20T22:00', '2026-10-27T23:00']],
  ['1d', ['2026-10-26T23:00', '2026-10-27T23:00']],
  ['24h', ['2026-10-27T11:00', '2026-10-28T11:00']],
  ['366d', ['2025-10-26T23:00', '2026-10-27T23:00']],
  ['367d', null],
  ['53w', null],
  ['0d', null],
  ['7', null],
  ['1.5d', null],
  ['7m', null],
])('--last %s', (last, expected) => {
  expect(text(lastRange(last, ZONE, NOW))).toEqual(expected);
});

test.each([
  ['2026-10-25', 'from', '2026-10-24T22:00:00.000Z'],
  ['2026-10-25', 'to', '2026-10-25T23:00:00.000Z'],
  ['2026-10-25T14:00', 'to', '2026-10-25T13:00:00.000Z'],
  ['2026-10-25T14:00+02:00', 'from', '2026-10-25T12:00:00.000Z'],
] as const)('%s as %s', (given, end, expected) => {
  expect(new Date(instantIn(ZONE, given, end) ?? Number.NaN).toISOString()).toBe(expected);
});

test('What is no time is none', () => {
  expect(['2026-02-30', 'now', ''].map((given) => instantIn(ZONE, given, 'from'))).toEqual([null, null, null]);
});

describe('days and hours', () => {
  const range = (from: string, to: string, zone = ZONE): ReportRange => ({
    zone,
    from: Date.parse(from),
    to: Date.parse(to),
  });

  test('a day with a clock change has 25 or 23 hours, of which each begins once', () => {
    for (const [from, to, hours] of [
      ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25],
      ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
    ] as const) {
      const day = range(from, to);
      expect(daysOf(day)).toMatchObject([{ isWhole: true }]);
      expect(hoursOf(day)).toEqual(Array.from({ length: hours }, (_, hour) => day.from + hour * HOUR));
    }
  });

  test('a range that begins and ends within a day has parts of days, and all of its hours', () => {
    const part = range('2026-10-25T10:30:00Z', '2026-10-26T08:15:00Z');
    expect(daysOf(part).map(({ date, isWhole }) => [date, isWhole])).toEqual([
      ['2026-10-25', false],
      ['2026-10-26', false],
    ]);
    expect(hoursOf(part)[0]).toBe(Date.parse('2026-10-25T10:00:00Z'));
    expect(hoursOf(part)).toHaveLength(23);
  });

  test('a change by half an hour makes hours that are shorter', () => {
    const day = range('2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z', 'Australia/Lord_Howe');
    expect(daysOf(day)).toMatchObject([{ date: '2026-04-05', isWhole: true }]);
    expect(hoursOf(day)).toHaveLength(25);
    expect(hourOfWeek('Australia/Lord_Howe', day.from)).toEqual({ weekday: 6, hour: 0 });
  });

  test('an island that skipped a day has none of it', () => {
    const days = daysOf(range('2011-12-29T10:00:00Z', '2012-01-01T10:00:00Z', 'Pacific/Apia'));
    expect(days.map(({ date }) => date)).toEqual(['2011-12-29', '2011-12-31', '2012-01-01']);
  });

  test('the last microsecond before the end is in the range', () => {
    const { from, to } = timesOf({
      from: Date.parse('2026-10-25T10:00:00.250Z'),
      to: Date.parse('2026-10-26T00:00:00Z'),
    });
    expect([from, to]).toEqual(['2026-10-25T10:00:00.250000Z', '2026-10-25T23:59:59.999999Z']);
  });
});
