// Ranges of reports: whole days and hours of a time zone, also of days with 23 or 25 hours. Instants are milliseconds since the epoch.

import { dayOf, timeIn } from '../base/week.ts';
import { DAY, HOUR, type Interval, instantOf, MINUTE, offsetAt, stretchesOf, wallOf } from '../base/zone.ts';

/** The time that a report is about: from `from` on and before `to`. Its days are those of `zone`. */
export interface ReportRange extends Interval {
  /** IANA name. */
  readonly zone: string;
}

/** One day of a zone, or the part of it that is in a range. */
export interface ReportDay extends Interval {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The range has all of it. */
  readonly isWhole: boolean;
}

/** The hour of a week that an instant is in, by the clock of a zone. */
export interface HourOfWeek {
  /** 0 is Monday. */
  readonly weekday: number;
  /** 0 to 23. */
  readonly hour: number;
}

/** Longest range in days: a service that keeps no more answers with less. */
const MOST_DAYS = 366;

/**
 * The range that `28d`, `4w` or `24h` means: so many whole days before today, or whole hours before this one. Null for a text that means none, or
 * more than a year.
 */
export function lastRange(text: string, zone: string, now: number): ReportRange | null {
  const [, number, unit] = /^([1-9]\d{0,3})([hdw])$/.exec(text) ?? [];
  if (number === undefined) return null;
  const count = Number(number) * (unit === 'w' ? 7 : 1);
  if (unit === 'h') {
    const to = hourStart(zone, now);
    return count > MOST_DAYS * 24 ? null : { zone, from: to - count * HOUR, to };
  }
  if (count > MOST_DAYS) return null;
  const today = Math.floor((now + offsetAt(zone, now)) / DAY) * DAY;
  return { zone, from: instantOf(zone, today - count * DAY), to: instantOf(zone, today) };
}

/**
 * The instant that `--from` or `--to` means: a time with an offset or of the zone, or a day. The end of a range that names a day is the end of that
 * day. Null for a text that is no time.
 */
export function instantIn(zone: string, text: string, end: 'from' | 'to'): number | null {
  const day = dayOf(text);
  if (day === null) return timeIn(zone, text);
  return instantOf(zone, end === 'from' ? day : day + DAY);
}

/**
 * The times of a range as filters, which both count: the last one is the microsecond before the range ends, so that a chat is in one of two ranges that
 * follow each other, whether or not a service counts the end of a range.
 */
export function timesOf({ from, to }: Interval): { readonly from: string; readonly to: string } {
  return { from: `${utcText(from)}000Z`, to: `${utcText(to - 1)}999Z` };
}

/** To the millisecond. */
function utcText(instant: number): string {
  const { date, minute } = wallOf(instant);
  const rest = instant - Math.floor(instant / MINUTE) * MINUTE;
  const pair = (number: number, digits = 2): string => String(number).padStart(digits, '0');
  const clock = `${pair(Math.floor(minute / 60))}:${pair(minute % 60)}:${pair(Math.floor(rest / 1000))}`;
  return `${date}T${clock}.${pair(rest % 1000, 3)}`;
}

/** The days of a range, in order; the first and the last can be a part of one. */
export function daysOf({ zone, from, to }: ReportRange): readonly ReportDay[] {
  const days: ReportDay[] = [];
  for (let at = from; at < to; ) {
    const local = Math.floor((at + offsetAt(zone, at)) / DAY) * DAY;
    const [begins, ends] = [instantOf(zone, local), instantOf(zone, local + DAY)];
    // A zone can skip a whole day; then the next one begins where this one does.
    const next = Math.min(Math.max(ends, at + 1), to);
    days.push({ date: wallOf(local).date, from: at, to: next, isWhole: at === begins && next === ends });
    at = next;
  }
  return days;
}

/** When each hour of a range begins, by the clock of its zone; the first can begin before the range. */
export function hoursOf({ zone, from, to }: ReportRange): readonly number[] {
  return stretchesOf(zone, { from, to }).flatMap((stretch) => {
    const first = Math.floor((stretch.from + stretch.offset) / HOUR) * HOUR - stretch.offset;
    // A clock that changes within an hour goes on with the rest of it, which is an hour of its own.
    const begins = stretch.from === from ? first : Math.max(first, stretch.from);
    const rest: number[] = [];
    for (let at = first + HOUR; at < stretch.to; at += HOUR) rest.push(at);
    return [begins, ...rest];
  });
}

export function hourOfWeek(zone: string, instant: number): HourOfWeek {
  const { weekday, minute } = wallOf(instant + offsetAt(zone, instant));
  return { weekday, hour: Math.floor(minute / 60) };
}

function hourStart(zone: string, instant: number): number {
  const offset = offsetAt(zone, instant);
  return Math.floor((instant + offset) / HOUR) * HOUR - offset;
}
