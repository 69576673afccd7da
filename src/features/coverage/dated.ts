// The next weeks in which hours are not the usual ones, and the cover of them.

import { dayOf, daysFrom, type Week } from '../../base/week.ts';
import { DAY } from '../../base/zone.ts';
import { MEMBERSHIP } from '../../kinds/index.ts';
import { addressOf } from '../../plan/reference.ts';
import { coverageOf, coverChanges, usualHours } from '../../routing/staff/coverage.ts';
import { WEEK } from '../../routing/staff/dates.ts';
import type { Staff, StaffPerson } from '../../routing/staff/staff.ts';
import { type DatedReport, namedSpan } from './report.ts';

/** How many weeks are told, and how far ahead they are looked for. */
const MOST_WEEKS = 8;
const WEEKS_AHEAD = 53;

/** From the first day of the given week on; without the weeks in which no hours depend on the date. */
export function datedWeeks(staff: Staff, first: Week): readonly DatedReport[] {
  const exceptions = new Set(
    staff.people.flatMap(({ hours }) => (hours.status === 'shifts' ? (hours.dated?.exceptions ?? []) : [])),
  );
  const begin = dayOf(first.days[0]?.date ?? '') ?? 0;
  const begins = Array.from({ length: WEEKS_AHEAD }, (_, index) => begin + index * WEEK).filter((day) =>
    [...exceptions].some(({ from, to }) => from < day + WEEK && to >= day),
  );
  const usual = { ...staff, people: staff.people.map(asUsual) };
  return begins.slice(0, MOST_WEEKS).map((day) => {
    const week = daysFrom(first.zone, day);
    const changes = coverChanges(coverageOf(usual, week), coverageOf(staff, week));
    return {
      from: week.days[0]?.date ?? '',
      to: week.days.at(-1)?.date ?? '',
      dates: week.days.flatMap(({ date }, index) => {
        const own = day + index * DAY;
        return [...exceptions].some(({ from, to }) => from <= own && to >= own) ? [date] : [];
      }),
      groups: changes.map(({ group, lost, gained, alone }) => ({
        address: addressOf(MEMBERSHIP.right.kind.name, group),
        lost: lost.map((time) => namedSpan(week, time)),
        gained: gained.map((time) => namedSpan(week, time)),
        bots_only: alone.map((time) => namedSpan(week, time)),
      })),
    };
  });
}

function asUsual(person: StaffPerson): StaffPerson {
  return { ...person, hours: usualHours(person.hours) };
}
