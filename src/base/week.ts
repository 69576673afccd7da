// Weeks of a time zone, and instants as a person in that zone reads them.

import { DAY, type Interval, instantOf, offsetAt, type Stretch, stretchesOf, type Wall, wallOf } from './zone.ts';

export interface Week extends Interval {
  readonly zone: string;
  /** The dates of its seven days, usually from Monday, and when each begins. */
  readonly days: readonly { readonly date: string; readonly from: number }[];
  readonly stretches: readonly Stretch[];
}

/** The days of a week as the service names them; 0 is Monday. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** The same, as people read them. */
export const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Milliseconds of a date such as 2026-10-25, as UTC shows it; null for a text that is no day of the calendar. */
export function dayOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const local = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(local) && wallOf(local).date === text ? local : null;
}

/** The week of a day, as `dayOf` returns it. */
export function weekOf(zone: string, day: number): Week {
  return daysFrom(zone, day - wallOf(day).weekday * DAY);
}

/** Days from the given one on, as `dayOf` returns it: one, or seven, in the place of a week. */
export function daysFrom(zone: string, day: number, count: number = DAY_NAMES.length): Week {
  const days = Array.from({ length: count }, (_, index) => {
    const local = day + index * DAY;
    return { date: wallOf(local).date, from: instantOf(zone, local) };
  });
  const whole = { from: instantOf(zone, day), to: instantOf(zone, day + count * DAY) };
  return { zone, days, ...whole, stretches: stretchesOf(zone, whole) };
}

/**
 * The day that a word means: a date, `today`, `tomorrow`, or the next such weekday from `today` on, which may be today; null for another word.
 */
export function dayMeantBy(word: string, today: number): number | null {
  const name = word.toLowerCase();
  if (name === 'today') return today;
  if (name === 'tomorrow') return today + DAY;
  const weekday = WEEKDAYS.findIndex((each) => each === name || each.slice(0, 3) === name);
  if (weekday < 0) return dayOf(word);
  return today + ((weekday - wallOf(today).weekday + DAY_NAMES.length) % DAY_NAMES.length) * DAY;
}

/** The day that it is in a zone, as `dayOf` returns it. */
export function dayAt(zone: string, instant: number): number {
  return Math.floor((instant + offsetAt(zone, instant)) / DAY) * DAY;
}

/** The week that an instant is in. */
export function weekAt(zone: string, instant: number): Week {
  return weekOf(zone, dayAt(zone, instant));
}

/** The instant of a time with an offset, or of a local time of the zone; null for a text that is no time. */
export function timeIn(zone: string, text: string): number | null {
  const [, date = '', time, offset] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?$/.exec(text) ?? [];
  const instant = Date.parse(`${date}T${time}${offset ?? 'Z'}`);
  if (dayOf(date) === null || Number.isNaN(instant)) return null;
  return offset === undefined ? instantOf(zone, instant) : instant;
}

/** `2026-10-25T02:30:00+02:00`. */
export function timestamp(zone: string, instant: number): string {
  return stamped(instant, offsetAt(zone, instant));
}

/** The same in the zone of a week. */
export function timestampIn(week: Week, instant: number): string {
  return stamped(instant, offsetIn(week, instant));
}

function stamped(instant: number, offset: number): string {
  const { date, minute } = wallOf(instant + offset);
  return `${date}T${clock(minute)}:00${zoneText(offset)}`;
}

/** The offset at an instant of the week; asking the zone takes a hundred times as long. */
function offsetIn({ zone, stretches }: Week, instant: number): number {
  return stretches.find(({ from, to }) => instant >= from && instant < to)?.offset ?? offsetAt(zone, instant);
}

function clock(minute: number): string {
  return `${pair(Math.floor(minute / 60))}:${pair(minute % 60)}`;
}

function pair(number: number): string {
  return String(number).padStart(2, '0');
}

function zoneText(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / 60_000));
  return `${offset < 0 ? '-' : '+'}${clock(minutes)}`;
}

/** `Sun 00:00-08:00`, `Fri 17:00-Mon 08:00`, `the whole week`; a time that the local clock shows twice has its offset from UTC next to it. */
export function spanText(week: Week, { from, to }: Interval): string {
  if (from <= week.from && to >= week.to) return week.days.length === 1 ? 'the whole day' : 'the whole week';
  const [first, last] = [wallAt(week, from), wallAt(week, to)];
  const isOneDay = wallAt(week, to - 1).date === first.date;
  // 24:00 of a day, not 00:00 of the next.
  const end = last.minute === 0 ? { weekday: wallAt(week, to - 1).weekday, minute: 24 * 60 } : last;
  const day = isOneDay ? '' : `${DAY_NAMES[end.weekday]} `;
  return `${DAY_NAMES[first.weekday]} ${wallText(week, first, from)}-${day}${wallText(week, end, to)}`;
}

/** The times with equal hours of neighbouring days together: `Mon-Fri 09:00-17:00`; also hours that end on the next day. */
export function foldedTimes(times: readonly string[]): readonly string[] {
  const names: readonly string[] = DAY_NAMES;
  const indexOf = (name = ''): number => names.indexOf(name);
  const runs: { first: number; last: number; readonly hours: string; readonly text: string }[] = [];
  for (const text of times) {
    const [, name, start, ends, end] = /^(\w{3}) (\d\d:\d\d)-(?:(\w{3}) )?(\d\d:\d\d)$/.exec(text) ?? [];
    const day = indexOf(name);
    const isShort =
      ends === undefined || (indexOf(ends) === (day + 1) % DAY_NAMES.length && (end ?? '') < (start ?? ''));
    const hours = day >= 0 && isShort ? `${start}-${end}` : '';
    const run = hours === '' ? undefined : runs.find((each) => each.hours === hours && each.last === day - 1);
    if (run === undefined) runs.push({ first: day, last: day, hours, text });
    else run.last = day;
  }
  return runs.map(({ first, last, hours, text }) =>
    first === last ? text : `${DAY_NAMES[first]}-${DAY_NAMES[last]} ${hours}`,
  );
}

function wallAt(week: Week, instant: number): Wall {
  return wallOf(instant + offsetIn(week, instant));
}

function wallText({ stretches }: Week, { minute }: Pick<Wall, 'minute'>, instant: number): string {
  const own = stretches.find(({ from, to }) => instant >= from && instant < to);
  const isShownTwice = stretches.some(({ from, to, offset }) => {
    const other = instant + (own?.offset ?? offset) - offset;
    return other !== instant && other >= from && other < to;
  });
  return isShownTwice && own !== undefined ? `${clock(minute)}${zoneText(own.offset)}` : clock(minute);
}
