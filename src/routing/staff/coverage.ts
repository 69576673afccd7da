// How many members of each group can get a chat at every instant of a week, and how many chats; and where two plans of staff differ in that.

import type { Reference } from '../../base/model.ts';
import type { Week } from '../../base/week.ts';
import { DAY, HOUR, type Interval, type Stretch, stretchesOf } from '../../base/zone.ts';
import type { HoursByDate } from './dates.ts';
import { merged, workedIn } from './shifts.ts';
import type { GroupStaff, Hours, Member, Staff, StaffPerson } from './staff.ts';

/** A time in which the same members are at work by their hours. */
export interface Piece extends Interval {
  /** Bots included. */
  readonly people: number;
  readonly bots: number;
  /** Chats at the same time, of the members whose number is known. */
  readonly slots: number;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface GroupCover {
  readonly group: GroupStaff;
  /** The whole week, in order; neighbours differ. */
  readonly pieces: readonly Piece[];
  /** Bots included. */
  readonly people: Range;
  readonly agents: Range;
  readonly bots: Range;
  readonly slots: Range;
  /** Members who can get chats and have no known hours: they may be there at any time, and are in no piece. */
  readonly anytime: { readonly people: number; readonly slots: number };
  /** How many members can get an unknown number of chats. */
  readonly unsized: number;
  /** When no member can get a chat; empty as soon as one may be there at any time. */
  readonly uncovered: readonly Interval[];
  /** When bots can get a chat and no agent can; empty as soon as an agent may be there at any time. */
  readonly botsOnly: readonly Interval[];
  /** When no member is known to be there: members whose hours are unknown may be, which cannot be checked. */
  readonly unwatched: readonly Interval[];
}

export interface Coverage {
  readonly week: Week;
  /** As `Staff` has them. */
  readonly groups: readonly GroupCover[];
  /** Hours that a person works in the week; null where none are set or known. */
  readonly worked: (person: StaffPerson) => number | null;
  /** When a person is at work in the week, in order; null for one who may be there at any time. */
  readonly presence: Presence;
}

/** Of a member, while the membership lasts. */
type Presence = (person: StaffPerson & Pick<Member, 'from' | 'until'>) => readonly Interval[] | null;

/** The cover of each group in a week. */
export function coverageOf({ groups, people }: Staff, week: Week): Coverage {
  const zones = new Map<string, readonly Stretch[]>();
  const stretchesIn = (zone: string): readonly Stretch[] => {
    const known = zones.get(zone) ?? (zone === week.zone ? week.stretches : stretchesOf(zone, week));
    zones.set(zone, known);
    return known;
  };
  // Thousands of people share a few schedules.
  const times = new Map<string | HoursByDate, readonly Interval[]>();
  const timesOf = (hours: Timed): readonly Interval[] => {
    const { zone, shifts, dated } = hours;
    const name = dated ?? `${zone} ${shifts.map(({ day, start, end }) => `${day} ${start} ${end}`).join()}`;
    const known = times.get(name) ?? workedIn(stretchesIn(zone), hours);
    times.set(name, known);
    return known;
  };
  // By kind and reference: on a license two kinds may share an id.
  const presences = new Map(people.map((person) => [nameOf(person), presenceOf(person, week, timesOf)]));
  const presence: Presence = (person) => {
    const { from = week.from, until = week.to } = person;
    const times = presences.get(nameOf(person)) ?? (from >= week.to ? [] : null);
    if (person.from === undefined && person.until === undefined) return times;
    return (
      times &&
      without(times, [
        { from: week.from, to: from },
        { from: until, to: week.to },
      ])
    );
  };
  return {
    week,
    presence,
    groups: groups.map((group) => coverOf(group, week, presence)),
    worked: (person) =>
      person.hours.status === 'shifts'
        ? (presence(person) ?? []).reduce((sum, { from, to }) => sum + to - from, 0) / HOUR
        : null,
  };
}

function nameOf({ kind, reference }: StaffPerson): string {
  return `${kind} ${reference}`;
}

type Timed = Extract<Hours, { readonly status: 'shifts' }>;

/** Null for a person who may be there at any time. */
function presenceOf(
  { hours, tireless }: StaffPerson,
  week: Week,
  timesOf: (hours: Timed) => readonly Interval[],
): readonly Interval[] | null {
  if (hours.status === 'shifts') return timesOf(hours);
  return tireless ? [{ from: week.from, to: week.to }] : null;
}

function coverOf(group: GroupStaff, week: Week, presence: Presence): GroupCover {
  const free = group.members.filter(({ barred }) => barred === null);
  const timed = free.map((member) => ({ member, times: presence(member) }));
  const anytime = timed.flatMap(({ member, times }) => (times === null ? [member] : []));
  const pieces = piecesOf(
    week,
    timed.flatMap(({ member, times }) =>
      (times ?? []).map((time) => ({ ...time, bots: member.tireless ? 1 : 0, slots: member.slots ?? 0 })),
    ),
  );
  const when = (isMeant: (piece: Piece) => boolean): readonly Interval[] =>
    merged(pieces.filter(isMeant).map(({ from, to }) => ({ from, to })));
  const idle = when(({ people }) => people === 0);
  return {
    group,
    pieces,
    people: rangeOf(pieces.map(({ people }) => people)),
    agents: rangeOf(pieces.map(({ people, bots }) => people - bots)),
    bots: rangeOf(pieces.map(({ bots }) => bots)),
    slots: rangeOf(pieces.map(({ slots }) => slots)),
    anytime: { people: anytime.length, slots: anytime.reduce((sum, { slots }) => sum + (slots ?? 0), 0) },
    unsized: free.filter(({ slots }) => slots === null).length,
    uncovered: anytime.length > 0 ? [] : idle,
    botsOnly: anytime.length > 0 ? [] : when(({ people, bots }) => people > 0 && people === bots),
    unwatched: anytime.some(({ hours }) => hours.status === 'none') ? [] : idle,
  };
}

function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b);
  return { low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 };
}

/** Sweeps over the beginnings and ends of all times. */
function piecesOf(week: Week, times: readonly Omit<Piece, 'people'>[]): readonly Piece[] {
  const edges = times
    .flatMap(({ from, to, bots, slots }) => [
      { at: from, people: 1, bots, slots },
      { at: to, people: -1, bots: -bots, slots: -slots },
    ])
    .sort((a, b) => a.at - b.at);
  const pieces: Piece[] = [];
  let now: Piece = { from: week.from, to: week.to, people: 0, bots: 0, slots: 0 };
  const close = (to: number): void => {
    const last = pieces.at(-1);
    if (to === now.from) return;
    if (last !== undefined && last.people === now.people && last.bots === now.bots && last.slots === now.slots)
      pieces[pieces.length - 1] = { ...last, to };
    else pieces.push({ ...now, to });
  };
  for (const { at, people, bots, slots } of edges) {
    close(at);
    now = {
      from: at,
      to: week.to,
      people: now.people + people,
      bots: now.bots + bots,
      slots: now.slots + slots,
    };
  }
  close(week.to);
  return pieces;
}

/** Times in which a group has a member at work before or after a change only. */
export interface CoverChange {
  readonly group: Reference;
  readonly lost: readonly Interval[];
  readonly gained: readonly Interval[];
  /** Times in which an agent is at work before, and bots alone after; empty where an agent might be there at any time before. */
  readonly alone: readonly Interval[];
}

/** The groups that exist before and after, and whose cover changes. Both are of the same week. */
export function coverChanges(before: Coverage, after: Coverage): readonly CoverChange[] {
  const known = new Map(before.groups.map((each) => [each.group.reference, each]));
  return after.groups.flatMap((now): readonly CoverChange[] => {
    const { reference: group } = now.group;
    const then = known.get(group);
    if (then === undefined) return [];
    const lost = without(now.uncovered, then.unwatched);
    const gained = without(then.uncovered, now.unwatched);
    const empty = merged([...then.botsOnly, ...then.uncovered]);
    const alone = then.anytime.people > 0 ? [] : without(now.botsOnly, empty);
    return [lost, gained, alone].every(({ length }) => length === 0) ? [] : [{ group, lost, gained, alone }];
  });
}

/** The times that are not in `others`; both in order, none overlapping. */
function without(times: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  return times.flatMap(({ from, to }) => {
    const left: Interval[] = [];
    let begun = from;
    for (const other of others) {
      if (other.to <= begun || other.from >= to) continue;
      if (other.from > begun) left.push({ from: begun, to: other.from });
      begun = other.to;
    }
    return begun < to ? [...left, { from: begun, to }] : left;
  });
}

/** Without what is other on some dates. */
export function usualHours(hours: Hours): Hours {
  if (hours.status !== 'shifts' || hours.dated === undefined) return hours;
  return { ...hours, dated: { ...hours.dated, exceptions: [] } };
}

/** Whether the membership has begun at an instant, and has not ended. */
export function isMemberAt({ from, until }: Pick<Member, 'from' | 'until'>, instant: number): boolean {
  return (from === undefined || from <= instant) && (until === undefined || instant < until);
}

/** Whether a member is there at an instant; null when it is not known. */
export function isThereAt(
  { hours, tireless, ...days }: Pick<Member, 'hours' | 'tireless' | 'from' | 'until'>,
  instant: number,
): boolean | null {
  if (!isMemberAt(days, instant)) return false;
  if (hours.status !== 'shifts') return tireless ? true : null;
  return worksAt(hours, instant);
}

function worksAt(hours: Timed, instant: number): boolean {
  return workedIn(stretchesOf(hours.zone, { from: instant, to: instant + 1 }), hours).length > 0;
}

/** The next instant at which a member is there by its hours, within a week; null when there is none, or the hours are not known. */
export function nextThere(
  { hours, from = 0, until = Number.POSITIVE_INFINITY }: Pick<Member, 'hours' | 'from' | 'until'>,
  instant: number,
): number | null {
  const week = { from: Math.max(instant, from), to: Math.min(instant + 7 * DAY, until) };
  if (hours.status !== 'shifts' || week.from >= week.to) return null;
  return workedIn(stretchesOf(hours.zone, week), hours)[0]?.from ?? null;
}
