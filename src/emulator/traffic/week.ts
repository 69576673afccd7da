// How many visitors come in each hour of the week. Knows no zone: its hours are those that a clock shows.

import { WEEKDAYS } from '../../base/week.ts';

export const DAY_NAMES = ['every_day', 'weekdays', 'weekend', ...WEEKDAYS] as const;
export type TrafficDay = (typeof DAY_NAMES)[number];

/** Visitors an hour by hours of the day: `08-18`. */
type HoursOfDay = { readonly [hours: string]: number };
export type HoursOfWeek = { readonly [day in TrafficDay]?: HoursOfDay };

export const HOURS_PATTERN = String.raw`^([01]?\d|2[0-3])-([01]?\d|2[0-4])$`;

/** The first hour and the one after the last; undefined for a text that is no hours of a day. */
export function hoursIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, to] = new RegExp(HOURS_PATTERN).exec(text) ?? [];
  return from === undefined ? undefined : { from: Number(from), to: Number(to) };
}

/** Visitors of an hour, by the day of the week (0 is Monday) and the hour of the day. */
export type WeeklyRate = (weekday: number, hour: number) => number;

export function rateOfHours(given: HoursOfWeek): WeeklyRate {
  const days = WEEKDAYS.map((name, weekday) => {
    const ofSort = weekday >= 5 ? given.weekend : given.weekdays;
    const spans = Object.entries(given[name] ?? ofSort ?? given.every_day ?? {});
    return Array.from({ length: 24 }, (_, hour) => {
      const found = spans.find(([text]) => {
        const { from, to } = hoursIn(text) ?? { from: 0, to: 0 };
        return from <= hour && hour < to;
      });
      return found?.[1] ?? 0;
    });
  });
  return (weekday, hour) => days[weekday]?.[hour] ?? 0;
}

/** Shares of an ordinary day by hour, and of an ordinary week by day. */
const DAY = [1, 1, 1, 1, 1, 2, 3, 5, 8, 10, 11, 11, 10, 10, 10, 10, 9, 9, 8, 8, 7, 5, 3, 2];
const DAYS = [1.15, 1.1, 1.1, 1.05, 1, 0.8, 0.8];
const WHOLE_DAY = DAY.reduce((sum, one) => sum + one, 0);

/** So many visitors a day on average. */
export function rateOfDay(visitors: number): WeeklyRate {
  return (weekday, hour) => (visitors * (DAYS[weekday] ?? 0) * (DAY[hour] ?? 0)) / WHOLE_DAY;
}
