// Events of a calendar file (RFC 5545): when each begins and how long it lasts, as its lines say it. Local times are milliseconds, as UTC shows them.

import type { Diagnostic, DiagnosticCode } from '../base/model.ts';
import { dayOf } from '../base/week.ts';
import { DAY, HOUR, instantOf, MINUTE, offsetAt, zoneCalled } from '../base/zone.ts';
import type { CalendarComponent, CalendarProperty, MarkHere } from '../yaml/calendar.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import { windowsZone } from './windows-zones.ts';

export interface Moment {
  readonly local: number;
  /** Null for a time that each reader takes for one of their own zone. */
  readonly zone: string | null;
  /** A date without a time. */
  readonly isDay: boolean;
}

/** One time that an event takes place. */
export interface Occurrence {
  readonly start: Moment;
  /** Milliseconds of the local clock. */
  readonly length: number;
}

export interface CalendarEvent extends Occurrence {
  /** Equal for an event and its changed occurrences. */
  readonly uid: string | null;
  readonly isCancelled: boolean;
  readonly rule: CalendarProperty | null;
  /** In addition to those of the rule. */
  readonly dates: readonly Occurrence[];
  readonly excluded: readonly Moment[];
  /** The occurrence that this event takes the place of. */
  readonly replaces: Moment | null;
  readonly properties: readonly CalendarProperty[];
  readonly mark: MarkHere;
}

/** Of an event that repeats. */
const LONGEST_REPEATED = 366 * DAY;

export function eventsIn(components: readonly CalendarComponent[], found: Diagnostic[]): readonly CalendarEvent[] {
  return components.flatMap((component) => eventIn(component, found) ?? []);
}

/** Null for an event with a mistake. */
function eventIn({ properties, mark }: CalendarComponent, found: Diagnostic[]): CalendarEvent | null {
  const before = found.length;
  const wrong = (at: MarkHere, code: DiagnosticCode, message: string, remedy: string): null => {
    found.push(diagnose(at(), { code, message, remedy }));
    return null;
  };
  const one = (name: string): CalendarProperty | null => properties.find((each) => each.name === name) ?? null;
  const all = (name: string): readonly CalendarProperty[] => properties.filter((each) => each.name === name);
  const momentsIn = (property: CalendarProperty | null): readonly Moment[] =>
    property === null ? [] : property.value.split(',').flatMap((text) => momentIn(property, text, wrong) ?? []);

  const beginning = one('DTSTART');
  if (beginning === null)
    return wrong(mark, 'missing-field', 'the event has no DTSTART', 'add it, or remove the event');
  const [start] = momentsIn(beginning);
  if (start === undefined) return null;
  const ending = one('DTEND');
  const lasting = one('DURATION');
  const [end] = momentsIn(ending);
  const length =
    end !== undefined ? lengthTo(start, end) : lasting === null ? (start.isDay ? DAY : 0) : durationIn(lasting.value);
  const stated = ending ?? lasting ?? beginning;
  if (length === null) wrong(stated.mark, 'bad-time', 'this is no duration', 'write it as P1D or PT2H30M');
  else if (length < 0) wrong(stated.mark, 'bad-range', 'the event ends before it begins', 'write its end');
  const rules = all('RRULE');
  const [rule = null, second] = rules;
  if (second !== undefined) wrong(second.mark, 'too-many', 'the event has two rules', 'make an event for each of them');
  const excluding = one('EXRULE');
  if (excluding !== null) wrong(excluding.mark, 'not-allowed', 'EXRULE is not supported', 'write the days as EXDATE');
  const replacing = one('RECURRENCE-ID');
  if (replacing?.parameters.has('RANGE') === true)
    wrong(
      replacing.mark,
      'not-allowed',
      'RANGE is not supported',
      'end the rule with UNTIL, and add an event for the rest',
    );
  const [replaces = null] = momentsIn(replacing);
  const dates = all('RDATE').flatMap((property) =>
    property.value.split(',').flatMap((text): readonly Occurrence[] => {
      const [first = '', last] = text.split('/');
      const from = momentIn(property, first, wrong);
      if (from === null) return [];
      if (last === undefined) return [{ start: from, length: length ?? 0 }];
      const own = last.startsWith('P') ? durationIn(last) : periodLength(from, momentIn(property, last, wrong));
      return own === null ? [] : [{ start: from, length: own }];
    }),
  );
  const excluded = all('EXDATE').flatMap(momentsIn);
  if (rule !== null && length !== null && length > LONGEST_REPEATED)
    wrong(stated.mark, 'bad-range', 'the event repeats and lasts longer than a year', 'write its end');
  if (found.length > before || length === null) return null;
  const uid = one('UID')?.value.trim() ?? null;
  const isCancelled = one('STATUS')?.value.trim().toUpperCase() === 'CANCELLED';
  return { start, length, uid, isCancelled, rule, dates, excluded, replaces, properties, mark };
}

type Wrong = (at: MarkHere, code: DiagnosticCode, message: string, remedy: string) => null;

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
  return wrong(
    mark,
    'bad-timezone',
    `\`${named}\` is no known time zone`,
    'write a zone such as `Europe/Warsaw`, or UTC',
  );
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

function lengthTo(start: Moment, end: Moment): number {
  if (start.zone === end.zone || start.zone === null || end.zone === null) return end.local - start.local;
  const last = instantOf(end.zone, end.local);
  return last + offsetAt(start.zone, last) - start.local;
}

function periodLength(from: Moment, to: Moment | null): number | null {
  return to === null ? null : Math.max(0, lengthTo(from, to));
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
