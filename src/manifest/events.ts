// Events of a calendar file (RFC 5545), and when each takes place. Local times are milliseconds, as UTC shows them.

import { groupedBy } from '../base/grouped.ts';
import type { Diagnostic, DiagnosticCode } from '../base/model.ts';
import { thousands } from '../base/text.ts';
import { dayOf } from '../base/week.ts';
import { DAY, HOUR, type Interval, instantOf, MINUTE, offsetAt, zoneCalled } from '../base/zone.ts';
import type { CalendarComponent, CalendarProperty, MarkHere } from '../yaml/calendar.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import { daysByRule, type RecurrenceRule, ruleIn } from './recurrence.ts';
import { windowsZone } from './windows-zones.ts';

interface Moment {
  readonly local: number;
  /** Null for a time that each reader takes for one of their own zone. */
  readonly zone: string | null;
  /** A date without a time. */
  readonly isDay: boolean;
}

/** One time that an event takes place. */
export interface Occurrence extends Moment {
  /** Milliseconds of the local clock. */
  readonly length: number;
}

export interface CalendarEvent extends Pick<CalendarComponent, 'properties' | 'mark'> {
  /** Equal for an event and its changed occurrences. */
  readonly uid: string | null;
  readonly isCancelled: boolean;
  readonly first: Occurrence;
  readonly rule: { readonly parts: RecurrenceRule; readonly last: number; readonly mark: MarkHere } | null;
  /** In addition to those of the rule. */
  readonly added: readonly Occurrence[];
  readonly excluded: readonly Moment[];
  /** The occurrence that this event takes the place of. */
  readonly replaces: Moment | null;
}

/** An event, and when it takes place in a time. */
export interface Repeated {
  readonly event: CalendarEvent;
  readonly occurrences: readonly Occurrence[];
}

/** Of an event that repeats. */
const LONGEST_REPEATED = 366 * DAY;

/** Dates that the events of a file add and exclude. */
const MOST_DATES = 20_000;

/** Of a file, in the time that is asked. */
const MOST_OCCURRENCES = 100_000;

/** Days that the rules of a file are compared with: less than two seconds. */
const MOST_DAYS = 2_000_000;

export function eventsIn(components: readonly CalendarComponent[], found: Diagnostic[]): readonly CalendarEvent[] {
  let dates = 0;
  for (const { properties, mark } of components) {
    for (const { name, value } of properties) if (/^(?:RDATE|EXDATE)$/.test(name)) dates += value.split(',').length;
    if (dates <= MOST_DATES) continue;
    found.push(tooMany(mark, 'the events of this calendar add and exclude', MOST_DATES, 'dates'));
    return [];
  }
  return components.flatMap((component) => eventIn(component, found) ?? []);
}

function tooMany(mark: MarkHere, what: string, most: number, noun: string): Diagnostic {
  const message = `${what} more than ${thousands(most)} ${noun}`;
  return diagnose(mark(), { code: 'too-many', message, remedy: 'export the years that count only' });
}

type Wrong = (at: MarkHere, code: DiagnosticCode, message: string, remedy: string) => null;

/** Null for an event with a mistake. */
function eventIn({ properties, mark }: CalendarComponent, found: Diagnostic[]): CalendarEvent | null {
  const before = found.length;
  const wrong: Wrong = (at, code, message, remedy) => {
    found.push(diagnose(at(), { code, message, remedy }));
    return null;
  };
  const all = (name: string): readonly CalendarProperty[] => properties.filter((each) => each.name === name);
  const one = (name: string): CalendarProperty | null => all(name)[0] ?? null;
  const momentsIn = (property: CalendarProperty): readonly Moment[] =>
    property.value.split(',').flatMap((text) => momentIn(property, text, wrong) ?? []);
  const momentOf = (property: CalendarProperty | null): Moment | null =>
    property === null ? null : momentIn(property, property.value, wrong);

  const [beginning, ending, lasting, replacing] = [one('DTSTART'), one('DTEND'), one('DURATION'), one('RECURRENCE-ID')];
  if (beginning === null)
    return wrong(mark, 'missing-field', 'the event has no DTSTART', 'add it, or remove the event');
  const start = momentOf(beginning);
  if (start === null) return null;
  const end = momentOf(ending);
  const stated = ending ?? lasting ?? beginning;
  const usual = start.isDay ? DAY : 0;
  const length = end !== null ? lengthTo(start, end) : lasting === null ? usual : durationIn(lasting.value);
  if (length === null) wrong(stated.mark, 'bad-time', 'this is no duration', 'write it as P1D or PT2H30M');
  else if (length < 0) wrong(stated.mark, 'bad-range', 'the event ends before it begins', 'write its end');
  const [ruling = null, second] = all('RRULE');
  if (second !== undefined) wrong(second.mark, 'too-many', 'the event has two rules', 'make an event for each of them');
  const excluding = one('EXRULE');
  if (excluding !== null) wrong(excluding.mark, 'not-allowed', 'EXRULE is not supported', 'write the days as EXDATE');
  if (replacing?.parameters.has('RANGE') === true) {
    const remedy = 'end the rule with UNTIL, and add an event for the rest';
    wrong(replacing.mark, 'not-allowed', 'RANGE is not supported', remedy);
  }
  const added = all('RDATE').flatMap((property) =>
    property.value.split(',').flatMap((text): readonly Occurrence[] => {
      const [first = '', last] = text.split('/');
      const from = momentIn(property, first, wrong);
      const to = last === undefined || last.startsWith('P') ? null : momentIn(property, last, wrong);
      const own = to !== null && from !== null ? lengthTo(from, to) : durationIn(last ?? '');
      return from === null ? [] : [{ ...from, length: Math.max(0, own ?? length ?? 0) }];
    }),
  );
  const rule = ruling === null ? null : ruleOf(ruling, start, wrong);
  if (ruling !== null && length !== null && length > LONGEST_REPEATED)
    wrong(stated.mark, 'bad-range', 'the event repeats and lasts longer than a year', 'write its end');
  const excluded = all('EXDATE').flatMap(momentsIn);
  const replaces = momentOf(replacing);
  if (found.length > before || length === null) return null;
  const uid = one('UID')?.value.trim() ?? null;
  const isCancelled = one('STATUS')?.value.trim().toUpperCase() === 'CANCELLED';
  return { uid, isCancelled, first: { ...start, length }, rule, added, excluded, replaces, properties, mark };
}

/** A rule, and the last local time at which an occurrence of it may begin. A date stands for its whole day. */
function ruleOf(property: CalendarProperty, start: Moment, wrong: Wrong): CalendarEvent['rule'] {
  const { mark, value } = property;
  const read = ruleIn(value);
  if (read.rule === null) return wrong(mark, 'bad-format', ...read.mistake);
  const { until } = read.rule;
  const given = until === null ? null : momentIn({ ...property, parameters: new Map() }, until, wrong);
  if (given === null) return { parts: read.rule, last: Number.POSITIVE_INFINITY, mark };
  return { parts: read.rule, last: given.isDay ? given.local + DAY - 1 : localIn(start.zone, given), mark };
}

/** A date or a time, in the zone of its property. */
function momentIn({ parameters, mark }: CalendarProperty, text: string, wrong: Wrong): Moment | null {
  const [, year, month, day, time, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)(T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text.trim()) ?? [];
  const date = dayOf(`${year}-${month}-${day}`);
  if (date === null || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 60)
    return wrong(mark, 'bad-date', 'this is no date', 'write 20261224, or 20261224T090000 with a time');
  if (time === undefined) return { local: date, zone: null, isDay: true };
  const local = date + Number(hour) * HOUR + Number(minute) * MINUTE + Number(second) * 1000;
  const named = parameters.get('TZID');
  if (utc === 'Z') return { local, zone: 'UTC', isDay: false };
  if (named === undefined) return { local, zone: null, isDay: false };
  const zone = zoneNamed(named);
  if (zone !== null) return { local, zone, isDay: false };
  const remedy = 'write a zone such as `Europe/Warsaw`, or UTC';
  return wrong(mark, 'bad-timezone', `\`${named}\` is no known time zone`, remedy);
}

/** Also with what some programs write before it: `/example.org/Europe/Warsaw`. */
function zoneNamed(name: string): string | null {
  const parts = name.split('/').filter((part) => part !== '');
  const ends = [parts.join('/'), ...[3, 2].map((count) => parts.slice(-count).join('/'))];
  for (const end of ends) {
    const zone = zoneCalled(end);
    if (zone !== null) return zone;
  }
  return windowsZone(name);
}

/** What the clock of a zone shows at a moment. */
function localIn(zone: string | null, moment: Moment): number {
  if (zone === null || moment.zone === null || zone === moment.zone) return moment.local;
  const instant = instantOf(moment.zone, moment.local);
  return instant + offsetAt(zone, instant);
}

function lengthTo(start: Moment, end: Moment): number {
  return localIn(start.zone, end) - start.local;
}

/** Milliseconds; null for a text that is no duration. */
function durationIn(text: string): number | null {
  const [all, sign, weeks, days, , hours, minutes, seconds] =
    /^([+-]?)P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/.exec(text.trim()) ?? [];
  if (all === undefined || !/\d/.test(all)) return null;
  const counts = [weeks, days, hours, minutes, seconds].map((count) => Number(count ?? 0));
  const [w = 0, d = 0, h = 0, m = 0, s = 0] = counts;
  return (sign === '-' ? -1 : 1) * ((w * 7 + d) * DAY + h * HOUR + m * MINUTE + s * 1000);
}

/** Occurrences that take place in `within`, of local clocks; more may be among them. Cancelled ones are not. */
export function occurrencesOf(
  events: readonly CalendarEvent[],
  within: Interval,
  found: Diagnostic[],
): readonly Repeated[] {
  const replacing = groupedBy(events.filter(isReplacing), ({ uid }) => uid);
  const budget = { left: MOST_DAYS };
  let count = 0;
  const each: Repeated[] = [];
  for (const event of events) {
    const { first, rule, added, excluded, replaces, uid } = event;
    if (event.isCancelled) continue;
    const days = rule === null || replaces !== null ? [] : repeatedOn(first, rule, within, budget);
    if (days === null) {
      found.push(tooMany(rule?.mark ?? event.mark, 'up to this rule, rules are compared with', MOST_DAYS, 'days'));
      return [];
    }
    const others = replaces === null && uid !== null ? (replacing.get(uid) ?? []) : [];
    const isGone = matcher(first.zone, [...excluded, ...others.map((each) => each.replaces)]);
    const occurrences = [first, ...days, ...added].filter((one) => !isGone(one));
    count += occurrences.length;
    if (count > MOST_OCCURRENCES) {
      found.push(tooMany(event.mark, 'up to this event, events take place', MOST_OCCURRENCES, 'times'));
      return [];
    }
    each.push({ event, occurrences });
  }
  return each;
}

function isReplacing(
  event: CalendarEvent,
): event is CalendarEvent & { readonly uid: string; readonly replaces: Moment } {
  return event.uid !== null && event.replaces !== null;
}

/** Occurrences by a rule, after the first one. Null when the budget is spent. */
function repeatedOn(
  first: Occurrence,
  { parts, last }: NonNullable<CalendarEvent['rule']>,
  within: Interval,
  budget: { left: number },
): readonly Occurrence[] | null {
  const day = Math.floor(first.local / DAY);
  const time = first.local - day * DAY;
  const to = Math.floor((Math.min(within.to, last) - time) / DAY) + 1;
  const days = daysByRule(parts, day, { from: Math.floor((within.from - first.length) / DAY), to }, budget);
  return days?.map((each) => ({ ...first, local: each * DAY + time })) ?? null;
}

/** Whether an occurrence is at one of some moments. A date stands for each time of its day. */
function matcher(zone: string | null, moments: readonly Moment[]): (one: Moment) => boolean {
  const dayIn = (local: number): number => Math.floor(local / DAY);
  const locals = moments.filter(({ isDay }) => !isDay).map((each) => localIn(zone, each));
  const days = new Set(moments.filter(({ isDay }) => isDay).map(({ local }) => dayIn(local)));
  const [times, daysOfTimes] = [new Set(locals), new Set(locals.map(dayIn))];
  return (one) => {
    const local = localIn(zone, one);
    return days.has(dayIn(local)) || (one.isDay ? daysOfTimes.has(dayIn(local)) : times.has(local));
  };
}
