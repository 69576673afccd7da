// Shifts by the clock on the wall in; the instants at which they are worked out. The one place that says what a shift means, also on the days on
// which the clock is changed: it is worked whenever the wall shows a time of it. What the wall jumps over is not worked, what it shows twice is
// worked twice.

import { DAYS } from '../kinds/scheduler.ts';
import type { Shift } from './staff.ts';
import { DAY, type Interval, MINUTE, type Stretch, weekdayOf } from './zone.ts';

/** Minutes of its day, from `from` on and before `to`; null for what is no span of one day: it ends before it has begun, or is no time at all. */
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

/** What was asked already: thousands of shifts share a few times. */
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

/** `stretches` are those of the zone of the shifts. In order, none touching the next. */
export function workedIn(stretches: readonly Stretch[], shifts: readonly Shift[]): readonly Interval[] {
  const spans: readonly Interval[][] = DAYS.map((name) =>
    shifts.flatMap((shift) => (shift.day === name ? (spanOf(shift) ?? []) : [])),
  );
  return merged(
    stretches.flatMap(({ from, to, offset }) => {
      const found: Interval[] = [];
      for (let day = Math.floor((from + offset) / DAY); day * DAY < to + offset; day += 1) {
        for (const span of spans[weekdayOf(day)] ?? []) {
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

/** What overlaps or touches as one. */
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
