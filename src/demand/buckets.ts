// Keys of the hours of a report, whose form the specification does not show: `2026-10-25 02:00`, or `02:00` without a date. Where hours are asked for so
// that no two of them can have the same key, and what a reply then says of each.

import { DAY, HOUR, type Interval, offsetAt, stretchesOf, wallOf } from '../base/zone.ts';
import { daysOf, hoursOf, type ReportRange } from './range.ts';
import type { ReportRow } from './reply.ts';

/** Whether the keys of hours carry a date. */
export type HourKeys = 'dated' | 'undated';

/** One bucket of a reply: its numbers by member. */
export type Bucket = ReportRow['values'];

/** Part of a range in which each hour has a key of its own, in the zone that is asked for. */
export interface HourWindow extends Interval {
  readonly zone: string;
}

interface ParsedKey {
  /** Null for a key without a date. */
  readonly date: string | null;
  readonly hour: number;
  /** Minutes by which its clock is ahead of UTC; null when the key does not say. */
  readonly offset: number | null;
}

const KEY = /^(?:(\d{4}-\d{2}-\d{2})[T ])?(\d{1,2})(?::\d{2})?(?::\d{2})?(?:\.\d+)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/;

function parsedKey(key: string): ParsedKey | null {
  const [, date, hour, utc, sign, hours, minutes] = KEY.exec(key) ?? [];
  if (hour === undefined || Number(hour) > 23) return null;
  const ahead = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  const offset = utc !== undefined ? 0 : sign === undefined ? null : sign === '-' ? -ahead : ahead;
  return { date: date ?? null, hour: Number(hour), offset };
}

/** The form of the keys of a reply; null for one without a bucket, or with a key that is no hour. */
export function hourKeysIn(keys: readonly string[]): HourKeys | null {
  const parsed = keys.map(parsedKey);
  if (parsed.length === 0 || parsed.includes(null)) return null;
  return parsed.every((key) => key?.date === null) ? 'undated' : 'dated';
}

/**
 * The windows in which a range is asked for: one for all of it where keys carry a date, otherwise one for each day. Hours of UTC never repeat, so UTC
 * is asked for where the hours of the zone begin with those of UTC; in other zones, a window ends where the clock goes back.
 */
export function windowsOf(range: ReportRange, keys: HourKeys): readonly HourWindow[] {
  const stretches = stretchesOf(range.zone, range);
  const isWhole = stretches.every(({ offset }) => offset % HOUR === 0);
  const zone = isWhole ? 'UTC' : range.zone;
  const back = stretches.slice(1).flatMap(({ from, offset }, index) => {
    const earlier = stretches[index]?.offset ?? offset;
    return !isWhole && offset < earlier ? [from] : [];
  });
  // A window that ends where the clock goes back has no hour twice already.
  const endsOf = (day: Omit<ReportRange, 'zone'>) => (isWhole ? longDay({ ...day, zone: range.zone }) : [day.to]);
  const days = keys === 'dated' ? [] : daysOf(range).flatMap(endsOf);
  const ends = [...new Set([...back, ...days, range.to])].sort((a, b) => a - b);
  return ends.map((to, index) => ({ zone, from: ends[index - 1] ?? range.from, to }));
}

/** A day of 25 hours is two windows: an hour of it has the key of another. The first ends with an hour, also where the range began within one. */
function longDay(day: ReportRange): readonly number[] {
  const [first = day.from] = hoursOf(day);
  return day.to > first + DAY ? [first + DAY, day.to] : [day.to];
}

/** What a reply says of each hour of a window, by when the hour begins; or what is wrong with a key. */
export function hoursIn(
  rows: readonly ReportRow[],
  { zone, from, to }: HourWindow,
): ReadonlyMap<number, Bucket> | { readonly wrong: string } {
  const starts = hoursOf({ zone, from, to });
  const hours = starts.map((at) => {
    const offset = offsetAt(zone, Math.max(at, from));
    const { date, minute } = wallOf(at + offset);
    return { at, date, hour: Math.floor(minute / 60), offset: offset / 60_000 };
  });
  const found = new Map<number, { readonly key: string; readonly bucket: Bucket }>();
  for (const { keys, values: bucket } of rows) {
    const [key = ''] = keys;
    if (isEmpty(bucket)) continue;
    const parsed = parsedKey(key);
    const same = hours.filter(
      (hour) =>
        parsed !== null &&
        parsed.hour === hour.hour &&
        (parsed.date === null || parsed.date === hour.date) &&
        (parsed.offset === null || parsed.offset === hour.offset),
    );
    const [only] = same;
    if (only === undefined || same.length > 1) return { wrong: `the bucket ${key} is no hour that was asked for` };
    const other = found.get(only.at);
    if (other !== undefined) return { wrong: `the buckets ${other.key} and ${key} are the same hour` };
    found.set(only.at, { key, bucket });
  }
  return new Map([...found].map(([at, { bucket }]) => [at, bucket]));
}

/** A bucket without data can be there for an hour outside of the range. */
function isEmpty(bucket: Bucket): boolean {
  return Object.values(bucket).every((value) => value === 0);
}
