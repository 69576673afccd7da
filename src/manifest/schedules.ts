// Hours by named schedules, calendars and dates: what the files say, and the week that a day asks for.

import { isList, isObject } from '../base/json.ts';
import type { Address, DatedHours, DatedWeek, HoursException, Json, JsonObject, Version } from '../base/model.ts';
import { dayOf } from '../base/week.ts';
import { hasFeature } from '../kinds/features.ts';
import { scheduleNameIn } from '../kinds/scheduler.ts';
import { dateHoursIn, spansIn, weekIn } from '../kinds/week-form.ts';
import { weekdayHours, weekFrom } from '../routing/staff/dates.ts';
import type { Shift } from '../routing/staff/staff.ts';
import type { Part, Path } from '../yaml/places.ts';
import type { DeclaredEntry } from './sections.ts';

/** The hours of an entry, as they are written. */
export interface WrittenHours {
  readonly entry: DeclaredEntry;
  /** Name of the field. */
  readonly field: string;
  readonly value: Json;
  readonly path: Path;
}

/** A list of dates, or the file of a calendar, and where it is written. */
interface DateList {
  readonly list: Json;
  readonly path: Path;
}

/** What the events of a calendar file close, by the zone of the hours. */
export type Feed = (zone: string) => readonly HoursException[];

/** Hours with everything that they name. */
interface WholeHours {
  readonly timezone: Json | undefined;
  /** As the service has it. */
  readonly schedule: readonly Json[] | undefined;
  /** From those that count least to those that count most. */
  readonly dates: readonly DateList[];
}

/** Null for an entry without hours. */
export function hoursIn(entry: DeclaredEntry): WrittenHours | null {
  const { kind, value, path } = entry;
  const field = kind.serving?.hours;
  const hours = field === undefined || !isObject(value) ? undefined : value[field];
  return field === undefined || hours === undefined ? null : { entry, field, value: hours, path: [...path, field] };
}

/** The names in `calendars:` of a schedule, each with its path. */
export function calendarNames(
  { calendars }: JsonObject,
  path: Path,
): readonly { readonly name: string; readonly path: Path }[] {
  const at = [...path, 'calendars'];
  if (typeof calendars === 'string') return [{ name: calendars, path: at }];
  if (!isList(calendars)) return [];
  return calendars.flatMap((name, index) => (typeof name === 'string' ? [{ name, path: [...at, index] }] : []));
}

/** A section of a manifest that may have errors. */
export function sharedIn(manifest: JsonObject, section: 'schedules' | 'calendars'): JsonObject {
  const found = manifest[section];
  return isObject(found) ? found : {};
}

/** Null when they name a schedule that there is not. */
export function wholeHours(value: Json, path: Path, manifest: JsonObject): WholeHours | null {
  const calendars = sharedIn(manifest, 'calendars');
  const datesOf = (holder: JsonObject, at: Path): readonly DateList[] => [
    ...calendarNames(holder, at).flatMap(({ name }) => {
      const list = Object.hasOwn(calendars, name) ? calendars[name] : undefined;
      return list === undefined ? [] : [{ list, path: ['calendars', name] }];
    }),
    ...(holder['except'] === undefined ? [] : [{ list: holder['except'], path: [...at, 'except'] }]),
  ];
  const own = isObject(value) ? value : {};
  const name = scheduleNameIn(value);
  const dates = datesOf(own, path);
  if (name === null) return { timezone: own['timezone'], schedule: weekIn(own['schedule']), dates };
  const schedules = sharedIn(manifest, 'schedules');
  const named = Object.hasOwn(schedules, name) ? schedules[name] : undefined;
  if (!isObject(named)) return null;
  const { timezone, schedule } = named;
  return {
    timezone: own['timezone'] ?? timezone,
    schedule: weekIn(schedule),
    dates: [...datesOf(named, ['schedules', name]), ...dates],
  };
}

/** Where a shift of the hours of an entry is written; null for hours of a date. */
export function shiftPath(entry: DeclaredEntry, shift: Shift, manifest: JsonObject): Path | null {
  const written = hoursIn(entry);
  if (written === null) return null;
  const name = scheduleNameIn(written.value);
  const holder = name === null ? written.value : sharedIn(manifest, 'schedules')[name];
  const found = spansIn(isObject(holder) ? holder['schedule'] : undefined).find(
    ({ item: { day, start, end } }) => day === shift.day && start === shift.start && end === shift.end,
  );
  if (found === undefined) return null;
  return [...(name === null ? written.path : ['schedules', name]), 'schedule', ...found.path];
}

/** The days of an item of a list of dates, as `dayOf` returns them; null for an item with a mistake in them. */
export function daysOf({ date, from, to, every }: JsonObject): { readonly from: number; readonly to: number } | null {
  if (every !== undefined) return null;
  const [first, last] = [date ?? from, date ?? to].map((text) => (typeof text === 'string' ? dayOf(text) : null));
  return first == null || last == null || last < first ? null : { from: first, to: last };
}

/** The days of a yearly item that begin in a year; null for a day that the year does not have. */
export function daysIn({ every, to }: JsonObject, year: number): { readonly from: number; readonly to: number } | null {
  if (typeof every !== 'string') return null;
  const dayIn = (text: string, of: number): number | null => dayOf(`${String(of).padStart(4, '0')}-${text}`);
  if (typeof to !== 'string') {
    const day = dayIn(every, year);
    return day === null ? null : { from: day, to: day };
  }
  // A range that begins on a leap day begins after it, and one that ends on it ends before it, in other years.
  const end = to < every ? year + 1 : year;
  const first = dayIn(every, year) ?? dayIn('03-01', year);
  const last = dayIn(to, end) ?? dayIn('02-28', end);
  return first === null || last === null || last < first ? null : { from: first, to: last };
}

/** Years around a day in which yearly items and events are looked for: of the one before, hours may still be on the license. */
export const YEARS_AROUND = [-1, 0, 1, 2];

/** What a day is chosen by. */
interface DayOptions {
  readonly version: Version;
  /** The first day of the week that is wanted, in a zone. */
  readonly dayIn: (zone: string) => number;
  readonly placeAt: (path: Path, part: Part) => HoursException['place'];
  /** Of people: these count more than all dates. */
  readonly absences: ReadonlyMap<Address, readonly HoursException[]>;
  /** Of calendars that are files, by their keys. */
  readonly feeds: ReadonlyMap<string, Feed>;
}

/** The entries of a manifest without errors, with the hours of one week in place of names and dates. */
export function onDay(
  entries: readonly DeclaredEntry[],
  manifest: JsonObject,
  options: DayOptions,
): { readonly entries: readonly DeclaredEntry[]; readonly dated: ReadonlyMap<Address, DatedWeek> } {
  const dated = new Map<Address, DatedWeek>();
  const exceptionsOf = exceptionReader(options);
  // Thousands of entries share a few schedules.
  const named = new Map<Json, ReturnType<typeof weekly>>();
  const weekly = (value: Json, path: Path, absences: readonly HoursException[] = []) => {
    const whole = wholeHours(value, path, manifest);
    return whole === null ? null : weekOf(whole, exceptionsOf, absences, options);
  };
  const onTheDay = (entry: DeclaredEntry): DeclaredEntry => {
    const written = hoursIn(entry);
    const own = options.absences.get(entry.address);
    if (written === null || !isObject(entry.value) || (own === undefined && isPlain(written.value))) return entry;
    const { value, path, field } = written;
    const isShared = typeof value === 'string' && own === undefined;
    const known = isShared ? (named.get(value) ?? weekly(value, path)) : weekly(value, path, own);
    if (known === null) return entry;
    if (isShared) named.set(value, known);
    if (known.dated !== null) dated.set(entry.address, known.dated);
    return { ...entry, value: { ...entry.value, [field]: known.hours } };
  };
  return { entries: entries.map(onTheDay), dated };
}

/** Whether hours are written as the service has them. */
function isPlain(value: Json): boolean {
  if (!isObject(value) || scheduleNameIn(value) !== null) return false;
  return !isObject(value['schedule']) && !('except' in value) && !('calendars' in value);
}

type ExceptionReader = (dates: DateList, zone: string) => readonly HoursException[];

function exceptionReader({ placeAt, dayIn, feeds }: DayOptions): ExceptionReader {
  const known = new Map<Json, readonly HoursException[]>();
  return ({ list, path }, zone) => {
    if (isObject(list)) return feeds.get(String(path.at(-1)))?.(zone) ?? [];
    const found = known.get(list) ?? exceptionsOf(isList(list) ? list : []);
    known.set(list, found);
    return found;

    /** A date counts more than the same day of each year. */
    function exceptionsOf(items: readonly Json[]): readonly HoursException[] {
      const isYearly = (item: Json): boolean => isObject(item) && item['every'] !== undefined;
      const read = (isMeant: boolean) =>
        items.flatMap((item, index) => (isYearly(item) === isMeant ? exceptionsIn(item, index) : []));
      return [...read(true), ...read(false)];
    }

    function exceptionsIn(item: Json, index: number): readonly HoursException[] {
      if (!isObject(item)) return [];
      const year = item['every'] === undefined ? 0 : new Date(dayIn('UTC')).getUTCFullYear();
      const each =
        item['every'] === undefined ? [daysOf(item)] : YEARS_AROUND.map((around) => daysIn(item, year + around));
      const days = each.filter((found) => found !== null);
      if (days.length === 0) return [];
      const hours = item['hours'] === undefined ? null : dateHoursIn(item['hours']);
      const place = placeAt([...path, index], 'value');
      return days.map((range) => ({ ...range, hours, place }));
    }
  };
}

function weekOf(
  { timezone, schedule, dates }: WholeHours,
  exceptionsOf: ExceptionReader,
  absences: readonly HoursException[],
  options: DayOptions,
) {
  const exceptions =
    typeof timezone === 'string' ? [...dates.flatMap((each) => exceptionsOf(each, timezone)), ...absences] : [];
  const zone = timezone === undefined ? {} : { timezone };
  if (exceptions.length === 0 || typeof timezone !== 'string')
    return { hours: { ...zone, schedule: schedule ?? [] }, dated: null };
  const hours: DatedHours = {
    timezone,
    ordinary: weekdayHours(schedule),
    exceptions,
    keepsClosed: hasFeature('weeklyHours', options.version),
  };
  const day = options.dayIn(timezone);
  return { hours: { ...zone, schedule: weekFrom(hours, day) }, dated: { hours, day } };
}
