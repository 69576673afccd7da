// When the people of a license work, and what of it is not as usual in the next weeks. Days are those of the files.

import type { Coming, Desired, HoursException } from '../../base/model.ts';
import { DAY_NAMES, foldedTimes, WEEKDAYS } from '../../base/week.ts';
import { wallOf } from '../../base/zone.ts';
import { addressOf, keyOf } from '../../plan/reference.ts';
import { WEEK } from '../../routing/staff/dates.ts';
import type { Hours, Staff } from '../../routing/staff/staff.ts';
import { dayText } from '../../view/words/plan.ts';

export interface WorkingPerson {
  /** Chats at the same time; null when it is not known. */
  readonly slots: number | null;
  /** `Mon-Fri 09:00-17:00`: the usual ones. */
  readonly hours: readonly string[];
  /** `Thu 24 December 2026 off`, `joins group/sales on Tue 1 December 2026`. */
  readonly ahead: readonly string[];
}

/** By the address of a person. */
export interface WorkingPeople {
  readonly [person: string]: WorkingPerson;
}

/** How far ahead other hours are told. */
const WEEKS_AHEAD = 8;

/** `today`: milliseconds of its date. `zone`: hours of another one name it. */
export function workingPeople(staff: Staff, desired: Desired, zone: string, today: number): WorkingPeople {
  const until = today + WEEKS_AHEAD * WEEK;
  const isNear = (from: number, to: number): boolean => to >= today && from < until;
  const comings = (desired.coming ?? []).filter(({ day }) => isNear(day, day));
  const people = staff.people.map(({ kind, reference, slots, hours, tireless }) => {
    const address = addressOf(kind, reference);
    const exceptions = desired.dated?.get(address)?.hours.exceptions ?? [];
    const ahead = [
      ...exceptions.filter(({ from, to }) => isNear(from, to)).map((each) => [each.from, exceptionText(each)] as const),
      ...comings.flatMap((each) => comingText(each, address).map((text) => [each.day, text] as const)),
    ];
    const inOrder = ahead.toSorted(([one], [other]) => one - other).map(([, text]) => text);
    return [address, { slots, hours: hoursTexts(hours, tireless, zone), ahead: [...new Set(inOrder)] }] as const;
  });
  return Object.fromEntries(people);
}

function hoursTexts(hours: Hours, isBot: boolean, zone: string): readonly string[] {
  if (hours.status !== 'shifts') return [hours.status === 'none' || isBot ? 'at any time' : 'not known'];
  const usual = hours.dated?.ordinary.filter(({ enabled }) => enabled) ?? hours.shifts;
  const times = WEEKDAYS.flatMap((day, at) =>
    usual.filter((shift) => shift.day === day).map(({ start, end }) => `${DAY_NAMES[at]} ${start}-${end}`),
  );
  const other = hours.zone === zone ? [] : [hours.zone];
  return times.length === 0 ? ['never'] : [...foldedTimes(times), ...other];
}

function exceptionText({ from, to, hours }: HoursException): string {
  const spans = (all: readonly { readonly start: string; readonly end: string }[]): string =>
    all.map(({ start, end }) => `${start}-${end}`).join(' and ');
  const what = hours === null ? 'off' : 'without' in hours ? `without ${spans(hours.without)}` : spans(hours);
  return `${dateText(from)}${from === to ? '' : ` to ${dateText(to)}`} ${what}`;
}

/** What begins or ends of a person, or of a membership; absences are among the hours. */
function comingText({ address, member, change, day }: Coming, person: string): readonly string[] {
  if (change !== 'begins' && change !== 'ends') return [];
  const isBegin = change === 'begins';
  if (address === person && member === null) return [`${isBegin ? 'begins' : 'ends'} on ${dateText(day)}`];
  if (member !== keyOf(person as Coming['address'])) return [];
  return [`${isBegin ? 'joins' : 'leaves'} ${address} on ${dateText(day)}`];
}

function dateText(day: number): string {
  return dayText(wallOf(day).date);
}
