// Answers of the reports as they are kept: whole past days of one question, hour by hour. What is not as it was written counts as not kept.

import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { type Hour, type HourCounts, withoutTime } from './hourly.ts';
import { hoursOf, type ReportDay } from './range.ts';

/** One question of one license. The account is in it, and the zone whose days they are. */
export interface KeptQuestion {
  readonly base_url: string;
  readonly account: string | null;
  readonly report: string;
  readonly zone: string;
  readonly filters: Json;
}

/** Whether a report takes a filter, in one version of one license. The specification does not say it of every report. */
export interface FilterQuestion {
  readonly base_url: string;
  readonly account: string | null;
  readonly version: string;
  readonly report: string;
  readonly filter: 'groups';
}

/** What was found out by asking. */
export interface FilterSupport {
  /** As in `KeptDays`. */
  readonly identity: string | null;
  readonly works: boolean;
}

/** The days of one question, by date. */
export interface KeptDays {
  /** What tells the license from every other, as an emulator states it; null for a service. */
  readonly identity: string | null;
  readonly days: { readonly [date: string]: KeptDay };
}

interface KeptDay {
  /** When it was read, in milliseconds since the epoch. */
  readonly read: number;
  /** The numbers of each hour. */
  readonly hours: readonly HourCounts[];
}

/** Version 1 kept days too early, and zero where a reply was no report. */
const FORMAT = 2;

/** Days of a question that is asked no more must not grow without end. */
const MOST_DAYS = 800;

export const NOTHING_KEPT: KeptDays = { identity: null, days: {} };

/** What a file says about the question; nothing where it is damaged, or says something about another question. */
export function keptIn(json: Json | undefined, question: KeptQuestion): KeptDays {
  if (!isObject(json) || json['format'] !== FORMAT || !isObject(json['days'])) return NOTHING_KEPT;
  if (JSON.stringify(json['question']) !== JSON.stringify(question)) return NOTHING_KEPT;
  const { identity = null, days } = json;
  if (identity !== null && typeof identity !== 'string') return NOTHING_KEPT;
  const whole = Object.entries(days).flatMap(([date, day]) => {
    const kept = keptDay(day);
    return kept === null ? [] : [[date, kept] as const];
  });
  return { identity, days: Object.fromEntries(whole) };
}

function keptDay(day: Json): KeptDay | null {
  if (!isObject(day) || typeof day['read'] !== 'number' || !isList(day['hours'])) return null;
  return day['hours'].every(areCounts) ? { read: day['read'], hours: day['hours'] } : null;
}

function areCounts(hour: Json): hour is HourCounts {
  return isObject(hour) && Object.values(hour).every((value) => Number.isFinite(value) && Number(value) >= 0);
}

export function keptText(question: KeptQuestion, { identity, days }: KeptDays): string {
  const latest = Object.entries(days)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(-MOST_DAYS);
  return `${JSON.stringify({ format: FORMAT, question, identity, days: Object.fromEntries(latest) })}\n`;
}

/** Null where a file is damaged, or about another question. */
export function supportIn(json: Json | undefined, question: FilterQuestion): FilterSupport | null {
  if (!isObject(json) || json['format'] !== FORMAT) return null;
  if (JSON.stringify(json['question']) !== JSON.stringify(question)) return null;
  const { identity = null, works } = json;
  if (typeof works !== 'boolean' || (identity !== null && typeof identity !== 'string')) return null;
  return { identity, works };
}

export function supportText(question: FilterQuestion, { identity, works }: FilterSupport): string {
  return `${JSON.stringify({ format: FORMAT, question, identity, works })}\n`;
}

interface KeptFor<Content> {
  readonly zone: string;
  readonly now: number;
  readonly lag: number;
  readonly members: Content;
}

/** Whether a reading has all chats of a day; `lag` is how late they may show. */
function isSettled({ isWhole, to }: ReportDay, read: number, lag: number): boolean {
  return isWhole && to + lag <= read;
}

/** The hours of a day; null where it is not kept, was read too early or at a later time than now, or has other hours than the zone has now. */
export function keptHours<Content extends HourCounts>(
  { days }: KeptDays,
  day: ReportDay,
  { zone, now, lag, members }: KeptFor<Content>,
): readonly Hour<Content>[] | null {
  const kept = days[day.date];
  const starts = hoursOf({ zone, ...day });
  if (kept === undefined || kept.read > now || !isSettled(day, kept.read, lag)) return null;
  if (kept.hours.length !== starts.length) return null;
  const names = Object.keys(members);
  const isWhole = (hour: HourCounts): hour is Content => names.every((name) => name in hour);
  const hours = kept.hours.filter(isWhole);
  if (hours.length < kept.hours.length) return null;
  return hours.map((hour, index) => ({ ...hour, at: starts[index] ?? day.from }));
}

/** The same days with those of `hours` that are whole, and that have all of their chats by now. */
export function withDays<Content extends HourCounts>(
  kept: KeptDays,
  days: readonly ReportDay[],
  hours: readonly Hour<Content>[],
  { identity, now, lag }: { readonly identity: string | null; readonly now: number; readonly lag: number },
): KeptDays {
  const settled = days.filter((day) => isSettled(day, now, lag));
  const fresh = settled.map((day): readonly [string, KeptDay] => {
    const own = hours.filter(({ at }) => at >= day.from && at < day.to);
    return [day.date, { read: now, hours: own.map(withoutTime) }];
  });
  const before = kept.identity === identity ? kept.days : {};
  return { identity, days: { ...before, ...Object.fromEntries(fresh) } };
}
