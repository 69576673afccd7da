// The whole hours since an apply, and the same hours of the week in the four weeks before. Hours are matched by the clock of a zone.

import { DAY, HOUR, type Interval, instantOf, offsetAt, stretchesOf } from '../../../base/zone.ts';
import type { Hour } from '../../../demand/hourly.ts';
import { hoursOf, type ReportRange } from '../../../demand/range.ts';

export const WEEKS_BEFORE = 4;
const OF_A_DAY = 24;
const OF_A_WEEK = 7 * OF_A_DAY;

/** More hours than this would be compared with themselves. */
export const MOST_HOURS = OF_A_WEEK;

/** Hours since an apply, as far as the reports show them. */
export interface FollowWindow extends ReportRange {
  /** Whole hours of `from` to `to`. */
  readonly hours: number;
  /** When the reports show the next hour that is wanted; null when they show all of them. */
  readonly next: number | null;
  /** When they show the last hour that is wanted; null where none is wanted in particular. */
  readonly end: number | null;
}

export interface FollowTime {
  /** When the apply ended. */
  readonly since: number;
  readonly now: number;
  /** How late a chat may show in the reports. */
  readonly lag: number;
  readonly zone: string;
  /** How many hours are wanted; null for those that the reports show by now. */
  readonly wanted: number | null;
}

/** The first hour is the first that began after the apply; at most a week is compared. */
export function windowSince({ since, now, lag, zone, wanted }: FollowTime): FollowWindow {
  const from = nextHour(zone, since);
  const shown = Math.floor((now - lag - from) / HOUR);
  const most = Math.min(wanted ?? MOST_HOURS, MOST_HOURS);
  const hours = Math.max(0, Math.min(shown, most));
  const isWhole = hours === most;
  return {
    zone,
    from,
    to: from + hours * HOUR,
    hours,
    next: isWhole ? null : from + (hours + 1) * HOUR + lag,
    end: wanted === null ? null : from + most * HOUR + lag,
  };
}

function nextHour(zone: string, instant: number): number {
  const offset = offsetAt(zone, instant);
  return Math.ceil((instant + offset) / HOUR) * HOUR - offset;
}

/** What is asked of the reports: whole days, so that all but the last are asked once. */
export function rangeOf({ zone, from, to }: ReportRange): ReportRange {
  const local = Math.floor((from + offsetAt(zone, from)) / DAY) * DAY;
  return { zone, from: instantOf(zone, local - WEEKS_BEFORE * 7 * DAY), to };
}

/** The same hours of the weeks before, oldest last. */
export function weeksBefore({ zone, from, to }: ReportRange): readonly Interval[] {
  const localOf = (instant: number): number => instant + offsetAt(zone, instant);
  return Array.from({ length: WEEKS_BEFORE }, (_, index) => {
    const back = (index + 1) * 7 * DAY;
    return { from: instantOf(zone, localOf(from) - back), to: instantOf(zone, localOf(to) - back) };
  });
}

/** Hours of one stretch of a week, now and in each of the weeks before. Each has as many as the others. */
export interface MatchedHours<Content> {
  /** Empty for a stretch that is not part of the window. */
  readonly now: readonly Hour<Content>[];
  readonly before: readonly (readonly Hour<Content>[])[];
}

/**
 * A week from the begin of a window on, day by day: first the days of the window, then the other days of the week as far as they are at the time of the
 * window. An hour that the clock skips in one of the weeks is left out of all; of an hour that the clock shows twice, the first counts.
 */
export function matched<Content extends object>(
  window: FollowWindow,
  hours: readonly Hour<Content>[],
): readonly MatchedHours<Content>[] {
  const { zone, from, to } = window;
  const stretches = stretchesOf(zone, { from: Math.min(from, hours[0]?.at ?? from), to });
  const localHour = (instant: number): number => {
    const known = stretches.find((stretch) => instant >= stretch.from && instant < stretch.to);
    return Math.floor((instant + (known?.offset ?? offsetAt(zone, instant))) / HOUR);
  };
  const known = new Map<number, Hour<Content>>();
  for (const hour of hours) {
    const local = localHour(hour.at);
    if (!known.has(local)) known.set(local, hour);
  }
  const first = localHour(from);
  const own = [...new Set(hoursOf({ zone, from, to }).map(localHour))];
  const length = Math.min(OF_A_DAY, window.hours);
  return Array.from({ length: 7 }, (_, day): MatchedHours<Content> => {
    const begin = first + day * OF_A_DAY;
    const isOwn = own.some((local) => Math.floor((local - first) / OF_A_DAY) === day);
    const locals = isOwn
      ? own.filter((local) => Math.floor((local - first) / OF_A_DAY) === day)
      : Array.from({ length }, (__, index) => begin + index);
    const rows = locals.flatMap((local) => {
      const before = Array.from({ length: WEEKS_BEFORE }, (__, week) => known.get(local - (week + 1) * OF_A_WEEK));
      const now = isOwn ? known.get(local) : undefined;
      const found = before.flatMap((hour) => hour ?? []);
      return found.length === WEEKS_BEFORE && (now !== undefined || !isOwn) ? [{ now, before: found }] : [];
    });
    return {
      now: rows.flatMap(({ now }) => now ?? []),
      before: Array.from({ length: WEEKS_BEFORE }, (__, week) => rows.flatMap(({ before }) => before[week] ?? [])),
    };
  });
}
