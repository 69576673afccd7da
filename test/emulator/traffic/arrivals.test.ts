// When visitors come: counts of a long run against the Poisson distribution, and days on which clocks change.

import { expect, test } from 'vitest';
import { offsetAt, wallOf } from '../../../src/base/zone.ts';
import { arrivalsOf, QUARTER } from '../../../src/emulator/traffic/play.ts';
import { rateOfDay, rateOfHours, type WeeklyRate } from '../../../src/emulator/traffic/week.ts';
import { tries } from '../../tries.ts';
import { DAY, HOUR } from './played.ts';

const SEED = Number(process.env['SEED']) || 3;

/** Moments at which visitors come from `from` on. */
function moments(rate: WeeklyRate, zone: string, from: number, hours: number): readonly number[] {
  const quarters = Array.from({ length: (hours * HOUR) / QUARTER }, (_, index) => from + index * QUARTER);
  return quarters.flatMap((at) => arrivalsOf({ name: 'all', rate, zone }, SEED, at).map((one) => one.at));
}

test('Each hour of the week has the visitors that are expected, and they vary as a Poisson process does', () => {
  const weeks = tries(400, 60);
  const monday = Date.UTC(2024, 0, 1);
  const rate = rateOfHours({ weekdays: { '8-18': 12, '18-22': 3 }, saturday: { '10-14': 5 } });
  const perHour = new Map<number, number>();
  for (const at of moments(rate, 'UTC', monday, weeks * 168)) {
    const hour = Math.floor((at - monday) / HOUR);
    perHour.set(hour, (perHour.get(hour) ?? 0) + 1);
  }
  for (let hour = 0; hour < 168; hour += 1) {
    const counts = Array.from({ length: weeks }, (_, week) => perHour.get(week * 168 + hour) ?? 0);
    const sum = counts.reduce((all, one) => all + one, 0);
    const expected = rate(Math.floor(hour / 24), hour % 24);
    if (expected === 0) {
      expect(sum).toBe(0);
      continue;
    }
    expect(Math.abs(sum - expected * weeks) / Math.sqrt(expected * weeks)).toBeLessThan(4.5);
    const mean = sum / weeks;
    const variance = counts.reduce((all, one) => all + (one - mean) ** 2, 0) / (weeks - 1);
    // The index of dispersion of Poisson counts is 1, with a standard deviation of about the root of 2 / weeks.
    expect(Math.abs(variance / mean - 1) / Math.sqrt(2 / weeks)).toBeLessThan(5);
  }
});

test('per_day is the mean of a week, with more visitors in the day than at night', () => {
  const rate = rateOfDay(100);
  const hours = Array.from({ length: 168 }, (_, index) => rate(Math.floor(index / 24), index % 24));
  expect(hours.reduce((sum, one) => sum + one, 0)).toBeCloseTo(700, 6);
  expect(rate(0, 11)).toBeGreaterThan(4 * rate(0, 3));
  expect(rate(6, 11)).toBeLessThan(rate(0, 11));
});

test('A day by its name comes before weekdays and weekend, and these before every_day', () => {
  const rate = rateOfHours({ every_day: { '00-24': 1 }, weekend: { '00-24': 2 }, weekdays: {}, friday: { '9-10': 3 } });
  const noon = [6, 0, 4, 5].map((weekday) => rate(weekday, 12));
  expect(noon).toEqual([2, 0, 0, 2]);
  expect(rate(4, 9)).toBe(3);
});

test('Hours are those of the time zone, on days of 23 and 25 hours also', () => {
  const rate = rateOfHours({ every_day: { '2-3': 2000, '12-13': 2000 } });
  const zone = 'Europe/Warsaw';
  const shown = (day: number) => {
    const hours = moments(rate, zone, day - DAY, 72).flatMap((at) => {
      const { date, minute } = wallOf(at + offsetAt(zone, at));
      return date === new Date(day).toISOString().slice(0, 10) ? [Math.floor(minute / 60)] : [];
    });
    // In units of the 2,000 that are expected, whose standard deviation is 45.
    return [2, 12].map((hour) => Math.round(hours.filter((one) => one === hour).length / 200) / 10);
  };
  expect(shown(Date.UTC(2026, 2, 28))).toEqual([1, 1]);
  // Clocks go from 2:00 to 3:00, and in autumn from 3:00 back to 2:00.
  expect(shown(Date.UTC(2026, 2, 29))).toEqual([0, 1]);
  expect(shown(Date.UTC(2026, 9, 25))).toEqual([2, 1]);
});
