// Working hours by date: those of a day, those of the week that begins with it, and when that week changes. A day is what `dayOf` returns.

import { equalJson, isList, isObject } from '../../base/json.ts';
import type { DatedHours, DaySpan, HoursException, Json, WeekdayHours } from '../../base/model.ts';
import { WEEKDAYS } from '../../base/week.ts';
import { DAY, wallOf } from '../../base/zone.ts';
import { workScheduler } from '../../kinds/scheduler.ts';

/** Hours by date, wherever they are written. */
export interface HoursByDate extends Pick<DatedHours, 'ordinary' | 'keepsClosed'> {
  readonly exceptions: readonly Omit<HoursException, 'place'>[];
}

/** Days of a week, in milliseconds. */
export const WEEK = WEEKDAYS.length * DAY;

/** Hours of weekdays that a file or the ledger has. */
export function weekdayHours(schedule: Json | undefined): readonly WeekdayHours[] {
  const items = isList(schedule) ? schedule.filter(isObject) : [];
  return items.map(({ day, enabled, start, end }) => ({
    day: String(day),
    enabled: enabled === true,
    start: String(start),
    end: String(end),
  }));
}

/** What decides about the hours of a day; null on an ordinary day. */
export function exceptionOn({ exceptions }: DatedHours, day: number): HoursException | null {
  return exceptions.findLast(({ from, to }) => day >= from && day <= to) ?? null;
}

/** The hours of one day. */
export function hoursOn(dated: HoursByDate, day: number): readonly WeekdayHours[] {
  const name = weekdayOn(day);
  const usual = dated.ordinary.filter((item) => item.day === name);
  const closed = dated.keepsClosed ? usual.map((item) => ({ ...item, enabled: false })) : [];
  let counting: readonly WeekdayHours[] = usual;
  for (const { from, to, hours } of dated.exceptions) {
    if (day < from || day > to) continue;
    if (hours === null) counting = closed;
    else if ('without' in hours) counting = narrowed(counting, hours.without) ?? closed;
    else counting = hours.map(({ start, end }) => ({ day: name, enabled: true, start, end }));
  }
  return counting;
}

/** Hours by date that are those of `week` on one day, whatever the files say: an apply has not changed that day yet. */
export function heldOn(
  { ordinary, keepsClosed, exceptions }: DatedHours,
  day: number,
  week: readonly WeekdayHours[],
): HoursByDate {
  const dated = { ordinary, keepsClosed, exceptions: exceptions.map(({ from, to, hours }) => ({ from, to, hours })) };
  const held = week.filter((item) => item.day === weekdayOn(day));
  if (isSame(hoursOn(dated, day), held)) return dated;
  const open = held.filter(({ enabled }) => enabled).map(({ start, end }) => ({ start, end }));
  const own = { from: day, to: day, hours: open.length === 0 ? null : open };
  return { ...dated, exceptions: [...dated.exceptions, own] };
}

/** The hours without some; null when none of those that are worked are left. */
function narrowed(all: readonly WeekdayHours[], without: readonly DaySpan[]): readonly WeekdayHours[] | null {
  const left = without.reduce<readonly WeekdayHours[]>(
    (each, less) =>
      each.flatMap((item) => {
        if (!item.enabled || item.end <= less.start || less.end <= item.start) return [item];
        return [
          ...(item.start < less.start ? [{ ...item, end: less.start }] : []),
          ...(less.end < item.end ? [{ ...item, start: less.end }] : []),
        ];
      }),
    all,
  );
  const isOpen = (hours: readonly WeekdayHours[]): boolean => hours.some(({ enabled }) => enabled);
  return isOpen(left) || !isOpen(all) ? left : null;
}

/** The hours of the seven days from `day` on: a weekday has those of its next date, `day` included. */
export function weekFrom(dated: DatedHours, day: number): readonly WeekdayHours[] {
  return WEEKDAYS.flatMap((_, index) => hoursOn(dated, day + index * DAY));
}

/** The next day of a weekday, such as `thursday`, from `day` on. */
export function nextOf(weekday: string, day: number): number {
  const ahead = WEEKDAYS.findIndex((each) => each === weekday) - wallOf(day).weekday;
  return day + (ahead < 0 ? ahead + WEEKDAYS.length : ahead) * DAY;
}

/** The first day after `day` whose week differs from the week of `day`; null when none does. */
export function nextChange(dated: DatedHours, day: number): number | null {
  // The weeks of a day and of the next one differ in one weekday: in today's hours, and those of today in a week. The two can only differ when
  // an exception begins or ends between them.
  const turns = new Set(dated.exceptions.flatMap(({ from, to }) => [from, to + DAY]));
  const candidates = new Set([...turns].flatMap((turn) => WEEKDAYS.map((_, index) => turn - (index + 1) * DAY)));
  const ahead = [...candidates].filter((candidate) => candidate >= day).sort((a, b) => a - b);
  const last = ahead.find((candidate) => !isSame(hoursOn(dated, candidate), hoursOn(dated, candidate + WEEK)));
  return last === undefined ? null : last + DAY;
}

/** Whether hours are the same, in whatever order they are listed. */
export function isSame(one: readonly WeekdayHours[], other: readonly WeekdayHours[]): boolean {
  const { canonical } = workScheduler;
  return one === other || equalJson(canonical({ schedule: one }), canonical({ schedule: other }));
}

function weekdayOn(day: number): string {
  return WEEKDAYS[wallOf(day).weekday] ?? '';
}
