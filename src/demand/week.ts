// The 168 hours of a week, from Monday 00:00 by the clock of a zone: demand of an hour, and the slots at work in it.

import { DAY_NAMES, type Week } from '../base/week.ts';
import type { Interval } from '../base/zone.ts';
import type { GroupCover } from '../routing/staff/coverage.ts';
import { type Waiting, waitingFor } from './erlang.ts';
import { byHourOfWeek, type Hour, type Measures } from './hourly.ts';
import { hourOfWeek, hoursOf } from './range.ts';

const OF_A_DAY = 24;
export const HOURS_OF_WEEK = DAY_NAMES.length * OF_A_DAY;

/** Chats of one hour of the week, over all such hours of the days that were looked at. */
export interface HourDemand {
  readonly chats: number;
  /** How many such hours there were; none for an hour that these days do not have. */
  readonly times: number;
  /** Mean in an hour. */
  readonly perHour: number;
}

const NO_DEMAND: HourDemand = { chats: 0, times: 0, perHour: 0 };

/** Chats in an hour on average, at most, where none came in so many hours: with 95 % certainty, by the rule of three. */
export function mostWithoutAny(hours: number): number {
  return 3 / hours;
}

/** One entry for each hour of the week. */
export function demandByHour(hours: readonly Hour<Measures['chats']>[], zone: string): readonly HourDemand[] {
  const found = new Map(
    byHourOfWeek(hours, zone).map(({ weekday, hour, times, sum }) => [
      weekday * OF_A_DAY + hour,
      { chats: sum.chats, times, perHour: sum.chats / times },
    ]),
  );
  return Array.from({ length: HOURS_OF_WEEK }, (_, index) => found.get(index) ?? NO_DEMAND);
}

export function chatsIn(hours: readonly Pick<HourDemand, 'chats'>[]): number {
  return hours.reduce((sum, { chats }) => sum + chats, 0);
}

/** A part of an hour, and what holds in all of it. */
interface PartOfHour<T> {
  /** Of the hour, from 0 to 1. */
  readonly share: number;
  readonly piece: T;
}

/** No part for an hour that the clock of a week skips. */
export type HourOf<T> = readonly PartOfHour<T>[];

/** One entry for each hour of the week. `pieces` are in order. */
export function byHour<T extends Interval>(pieces: readonly T[], week: Week): readonly HourOf<T>[] {
  const begins = hoursOf(week);
  const parts = Array.from({ length: HOURS_OF_WEEK }, (): { readonly time: number; readonly piece: T }[] => []);
  let next = 0;
  for (const [index, from] of begins.entries()) {
    const to = begins[index + 1] ?? week.to;
    const { weekday, hour } = hourOfWeek(week.zone, from);
    while ((pieces[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1;
    for (let at = next; (pieces[at]?.from ?? to) < to; at += 1) {
      const piece = pieces[at];
      if (piece === undefined) break;
      const time = Math.min(to, piece.to) - Math.max(from, piece.from);
      parts[weekday * OF_A_DAY + hour]?.push({ time, piece });
    }
  }
  return parts.map((hour) => {
    const whole = hour.reduce((sum, { time }) => sum + time, 0);
    return hour.map(({ time, piece }) => ({ share: time / whole, piece }));
  });
}

/** A part of an hour in which the same members are at work. */
export interface HourPart {
  /** Of the hour, from 0 to 1. */
  readonly share: number;
  readonly people: number;
  /** Chats at once, of those at work and of those who may be there at any time. */
  readonly slots: number;
}

/** One entry for each hour of the week, as `byHour`. */
export function coverByHour({ pieces, anytime }: GroupCover, week: Week): readonly (readonly HourPart[])[] {
  return byHour(pieces, week).map((hour) =>
    hour.map(({ share, piece: { people, slots } }) => ({
      share,
      people: people + anytime.people,
      slots: slots + anytime.slots,
    })),
  );
}

/** Mean over the hour. */
export function meanSlots(parts: readonly HourPart[]): number {
  return parts.reduce((sum, { share, slots }) => sum + share * slots, 0);
}

/** A part of an hour, with the chats at once on average that its slots have to serve. */
export interface LoadedPart extends Pick<HourPart, 'share' | 'slots'> {
  readonly load: number;
}

/** Waiting of the chats that come in an hour: each part of the hour with the slots that it has. `length` and `patience` in seconds. */
export function waitingIn(parts: readonly LoadedPart[], length: number, patience: number | null): Waiting {
  return meanWaiting(
    parts.map(({ share, load, slots }) => ({ weight: share, waiting: waitingFor(load, slots, length, patience) })),
  );
}

/** Sum of waitings by their weights: a mean where these add up to 1. */
export function meanWaiting(parts: readonly { readonly weight: number; readonly waiting: Waiting }[]): Waiting {
  return parts.reduce<Waiting>(
    (sum, { weight, waiting: { share, seconds, leaves } }) => ({
      share: sum.share + weight * share,
      seconds: sum.seconds + weight * seconds,
      leaves: sum.leaves === null || leaves === null ? null : sum.leaves + weight * leaves,
    }),
    { share: 0, seconds: 0, leaves: 0 },
  );
}

/** Chats at once beyond the slots, on average over the hour: more of them come than are served. */
export function excessIn(parts: readonly LoadedPart[]): number {
  return parts.reduce((sum, { share, load, slots }) => sum + share * Math.max(0, load - slots), 0);
}

export function dayAndHour(index: number): { readonly weekday: number; readonly hour: number } {
  return { weekday: Math.floor(index / OF_A_DAY), hour: index % OF_A_DAY };
}

/** `Mon 10:00-11:00`, `Fri 17:00-Mon 08:00`; so many hours from one hour of the week on. */
export function hoursText(index: number, count = 1): string {
  if (count >= HOURS_OF_WEEK) return 'the whole week';
  const first = dayAndHour(index);
  const last = dayAndHour((index + count - 1) % HOURS_OF_WEEK);
  const isOneDay = first.weekday === last.weekday && first.hour + count <= OF_A_DAY;
  const end = `${isOneDay ? '' : `${DAY_NAMES[last.weekday]} `}${clock(last.hour + 1)}`;
  return `${DAY_NAMES[first.weekday]} ${clock(first.hour)}-${end}`;
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Neighbouring hours of the week; Sunday 24:00 goes on with Monday 00:00. */
interface HourRun {
  readonly from: number;
  readonly count: number;
}

/** The hours for which `wanted` holds, neighbours together, in order. */
export function runsOf(wanted: (index: number) => boolean): readonly HourRun[] {
  const runs: HourRun[] = [];
  for (let index = 0; index < HOURS_OF_WEEK; index += 1) {
    if (!wanted(index)) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.from + last.count === index)
      runs[runs.length - 1] = { ...last, count: last.count + 1 };
    else runs.push({ from: index, count: 1 });
  }
  const [first, ...others] = runs;
  const last = others.at(-1);
  if (first === undefined || last === undefined || first.from !== 0 || last.from + last.count !== HOURS_OF_WEEK)
    return runs;
  return [...others.slice(0, -1), { from: last.from, count: last.count + first.count }];
}

/** To a thousandth, so that a document is the same on every machine. */
export function rounded(number: number): number {
  return Math.round(number * 1000) / 1000;
}
