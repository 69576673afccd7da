// What a shift means, in instants. A shift is worked whenever the local clock shows a time of it, also on days on which the clock changes: a time
// that the clock jumps over is not worked, a time that it shows twice is worked twice.

import { WEEKDAYS } from '../../base/week.ts';
import { DAY, type Interval, MINUTE, type Stretch, weekdayOf } from '../../base/zone.ts';
import { type HoursByDate, hoursOn } from './dates.ts';
import type { Shift } from './staff.ts';

/** Minutes of its day, from `from` on and before `to`; null when it does not end after it begins, or has no valid times. */
function spanOf({ start, end }: Shift): Interval | null {
  const from = minuteOf(start);
  const to = minuteOf(end);
  if (from === null || to === null) return null;
  // The last minute that can be written means the end of the day.
  const whole = to === LAST_MINUTE ? to + 1 : to;
  return from < whole ? { from, to: whole } : null;
}

export function isWorked(shift: Shift): boolean {
  return spanOf(shift) !== null;
}

const LAST_MINUTE = 24 * 60 - 1;

/** Answers so far: thousands of shifts share a few times. */
const minutes = new Map<string, number | null>();

function minuteOf(time: string): number | null {
  const known = minutes.get(time);
  if (known !== undefined) return known;
  const minute = minuteIn(time);
  minutes.set(time, minute);
  return minute;
}

function minuteIn(time: string): number | null {
  const [, hours, minutes] = /^(\d\d?):(\d\d)$/.exec(time) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return minute <= LAST_MINUTE + 1 ? minute : null;
}

/** Shifts of a week, or by date where that is known. */
interface Worked {
  readonly shifts: readonly Shift[];
  readonly dated?: HoursByDate;
}

/** The times in which shifts are worked, in order, none touching the next; `stretches` are those of the shifts' zone. */
export function workedIn(stretches: readonly Stretch[], { shifts, dated }: Worked): readonly Interval[] {
  const spans: readonly Interval[][] = WEEKDAYS.map((name) =>
    shifts.flatMap((shift) => (shift.day === name ? (spanOf(shift) ?? []) : [])),
  );
  const spansOn = (day: number): readonly Interval[] => {
    if (dated === undefined) return spans[weekdayOf(day)] ?? [];
    return hoursOn(dated, day * DAY).flatMap((shift) => (shift.enabled ? (spanOf(shift) ?? []) : []));
  };
  return merged(
    stretches.flatMap(({ from, to, offset }) => {
      const found: Interval[] = [];
      for (let day = Math.floor((from + offset) / DAY); day * DAY < to + offset; day += 1) {
        for (const span of spansOn(day)) {
          const worked = {
            from: Math.max(from, day * DAY + span.from * MINUTE - offset),
            to: Math.min(to, day * DAY + span.to * MINUTE - offset),
          };
          if (worked.from < worked.to) found.push(worked);
        }
      }
      return found;
    }),
  );
}

/** In order, with overlapping and touching intervals joined. */
export function merged(intervals: readonly Interval[]): readonly Interval[] {
  const joined: Interval[] = [];
  for (const next of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && next.from <= last.to)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
    else joined.push(next);
  }
  return joined;
}
