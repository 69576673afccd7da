// The days whose hours a plan makes, and when they change next.

import { byText } from '../base/json.ts';
import type { Address, DatedHours, Desired } from '../base/model.ts';
import { timestamp } from '../base/week.ts';
import { DAY, instantOf, wallOf } from '../base/zone.ts';
import { nextChange, WEEK } from '../routing/staff/dates.ts';
import type { PlannedHours } from './hours-schema.ts';

/** Null when no hours depend on the date. */
export function plannedHours({ dated }: Desired, selects: (address: Address) => boolean): PlannedHours | null {
  // Thousands of resources share a few schedules.
  const days = new Map<DatedHours, number>();
  for (const [address, { hours, day }] of dated ?? []) if (selects(address)) days.set(hours, day);
  if (days.size === 0) return null;
  const zones = new Map<number, Set<string>>();
  for (const [{ timezone }, day] of days) zones.set(day, (zones.get(day) ?? new Set()).add(timezone));
  const changes = [...days].flatMap(([hours, day]) => changeOf(hours, day) ?? []);
  const [next] = changes.sort((a, b) => a.at - b.at || byText(a.timezone, b.timezone));
  return {
    days: [...zones]
      .sort(([a], [b]) => a - b)
      .map(([day, timezones]) => ({
        timezones: [...timezones].sort(byText),
        from: wallOf(day).date,
        to: wallOf(day + WEEK - DAY).date,
      })),
    next_change:
      next === undefined
        ? null
        : { date: wallOf(next.day).date, timezone: next.timezone, at: timestamp(next.timezone, next.at) },
  };
}

function changeOf(hours: DatedHours, today: number) {
  const { timezone } = hours;
  const day = nextChange(hours, today);
  return day === null ? null : { timezone, day, at: instantOf(timezone, day) };
}
