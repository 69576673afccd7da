// Who can take chats now, and where the next 24 hours have a gap, group by group.

import { DAY_NAMES, spanText, timestamp, type Week } from '../../base/week.ts';
import { DAY, HOUR, type Interval, stretchesOf, wallOf } from '../../base/zone.ts';
import { hourOfWeek, hoursOf } from '../../demand/range.ts';
import { coverageOf, type GroupCover, isThereAt, usualHours } from '../../routing/staff/coverage.ts';
import { WEEK } from '../../routing/staff/dates.ts';
import { merged } from '../../routing/staff/shifts.ts';
import type { Member, Staff } from '../../routing/staff/staff.ts';

/** A time without cover, in the zone of the page. */
export interface Gap {
  /** `Mon 18:00-20:00`, `the whole week`. */
  readonly text: string;
  readonly hours: number;
  /** It has begun. */
  readonly isNow: boolean;
  /** Bots alone get chats in it. */
  readonly hasBots: boolean;
  /** `Tue 09:00`: when a person is there again, where bots alone are until then; null where that is its end. */
  readonly personAt: string | null;
  /** Chats that usually come in it; null where that is not known. */
  readonly chats: number | null;
}

/** Chats that usually come to a group in each hour of a week, from Monday 00:00 on, by its address; null for an hour of which that is not known. */
export interface UsualChats {
  readonly [group: string]: readonly (number | null)[];
}

export interface GroupNow {
  readonly address: string;
  readonly name: string;
  /** At work by their hours, first who gets chats first. */
  readonly there: readonly { readonly name: string; readonly bot: boolean }[];
  /** Chats that they can have at the same time. */
  readonly slots: number;
  /** The usual hours of none of its members, bots included, have this time. */
  readonly isClosed: boolean;
  /** At work by their hours, and not approved yet. */
  readonly waiting: number;
  /** Who can get chats and has no hours that are known. */
  readonly anytime: number;
  /** The first one; null when there is none. */
  readonly gap: Gap | null;
  /** False: whether there is one depends on people whose hours are not known. */
  readonly isGapKnown: boolean;
}

export interface NextHours {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** The group that wants a person first, first. */
  readonly groups: readonly GroupNow[];
}

export function nextHours(staff: Staff, zone: string, now: number, usual: UsualChats = {}): NextHours {
  // A gap that begins within a day may end later.
  const time: Interval = { from: now, to: now + WEEK };
  const week: Week = { zone, days: [], ...time, stretches: stretchesOf(zone, time) };
  const groups = coverageOf(staff, week).groups.map((cover) => groupNow(cover, week, usual));
  return {
    from: timestamp(zone, now),
    to: timestamp(zone, now + DAY),
    groups: groups.toSorted((one, other) => urgency(one) - urgency(other)),
  };
}

/** Nobody there now, then a gap to come, then bots alone, then all is well. */
function urgency({ gap }: GroupNow): number {
  if (gap === null) return 4;
  return (gap.isNow ? 0 : 1) + (gap.hasBots ? 2 : 0);
}

function groupNow(
  { group, anytime, uncovered, botsOnly, pieces }: GroupCover,
  week: Week,
  usual: UsualChats,
): GroupNow {
  const address = group.reference;
  const gapIn = ([first]: readonly Interval[], hasBots: boolean): Gap | null =>
    first === undefined || first.from >= week.from + DAY
      ? null
      : {
          ...gapOf(first, week),
          hasBots,
          personAt: personAfter(first, merged([...uncovered, ...botsOnly]), week),
          chats: usualChats(usual[address] ?? [], week.zone, first),
        };
  const free = group.members.filter(({ barred }) => barred === null);
  const there = free.filter((member) => isThereAt(member, week.from) === true);
  return {
    address,
    name: group.name,
    there: there.map(({ name, tireless }) => ({ name, bot: tireless })),
    slots: slotsOf(there),
    isClosed:
      group.members.length > 0 &&
      group.members.every(
        ({ hours, tireless }) => isThereAt({ hours: usualHours(hours), tireless }, week.from) === false,
      ),
    waiting: group.members.filter(
      (each) => each.barred === 'waiting for approval' && isThereAt(each, week.from) === true,
    ).length,
    anytime: anytime.people,
    gap: gapIn(uncovered, false) ?? gapIn(botsOnly, true),
    isGapKnown:
      anytime.people === 0 || !pieces.some(({ people, bots, from }) => people === bots && from < week.from + DAY),
  };
}

function personAfter(gap: Interval, alone: readonly Interval[], week: Week): string | null {
  const whole = alone.find(({ from, to }) => from <= gap.from && to >= gap.to);
  if (whole === undefined || whole.to === gap.to) return null;
  if (whole.to >= week.to) return 'the end of the coming week';
  return clockText(week.zone, whole.to);
}

/** `Tue 09:00`. */
export function clockText(zone: string, instant: number): string {
  const local = timestamp(zone, instant).slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return `${DAY_NAMES[wallOf(Date.parse(`${local}Z`)).weekday]} ${local.slice('YYYY-MM-DDT'.length)}`;
}

/** Chats that usually come in a time; null where that is not known of an hour of it. */
export function usualChats(usual: UsualChats[string], zone: string, time: Interval): number | null {
  let sum = 0;
  for (const at of hoursOf({ zone, ...time })) {
    const { weekday, hour } = hourOfWeek(zone, at);
    const chats = usual[weekday * 24 + hour] ?? null;
    if (chats === null) return null;
    sum += (chats * (Math.min(at + HOUR, time.to) - Math.max(at, time.from))) / HOUR;
  }
  return Math.round(sum * 10) / 10;
}

function slotsOf(members: readonly Member[]): number {
  return members.reduce((sum, { slots }) => sum + (slots ?? 0), 0);
}

function gapOf(time: Interval, week: Week): Pick<Gap, 'text' | 'hours' | 'isNow'> {
  const hours = Math.round(((time.to - time.from) / HOUR) * 10) / 10;
  return { text: spanText(week, time), hours, isNow: time.from === week.from };
}
