// Calendars from `.ics` files: the days and the hours that their events close, as the clock of a zone shows them.

import { isObject } from '../base/json.ts';
import type { DaySpan, Diagnostic, HoursException, JsonObject } from '../base/model.ts';
import { DAY, HOUR, type Interval, instantOf, MINUTE, offsetAt, stretchesOf } from '../base/zone.ts';
import { parseCalendar } from '../yaml/calendar.ts';
import { namedHere } from '../yaml/diagnostics.ts';
import type { PlaceMark } from '../yaml/places.ts';
import { type FileSystem, pathIn, readText } from '../yaml/read.ts';
import { eventsIn, type Occurrence } from './events.ts';
import { occurrencesOf, type Repeated } from './recurrence.ts';
import { type Feed, sharedIn, YEARS_AROUND } from './schedules.ts';

/** Where the manifest names a file. */
export interface FileMention {
  readonly file: string;
  readonly mark: PlaceMark;
}

export interface Feeds {
  /** By the key of the calendar. */
  readonly of: ReadonlyMap<string, Feed>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The file of a calendar; null for a list of dates. */
function icsIn(calendar: unknown): string | null {
  const { ics } = isObject(calendar) ? calendar : {};
  return typeof ics === 'string' && ics !== '' ? ics : null;
}

export async function feedsOf(
  manifest: JsonObject,
  namedAt: (name: string) => FileMention,
  today: () => number,
  system: FileSystem,
): Promise<Feeds> {
  const of = new Map<string, Feed>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, calendar] of Object.entries(sharedIn(manifest, 'calendars'))) {
    const ics = icsIn(calendar);
    if (ics === null) continue;
    const within = daysAround(today());
    const read = await readEvents(ics, namedAt(name), within, system);
    diagnostics.push(...read.diagnostics);
    of.set(
      name,
      once((zone) => closedIn(read.repeated, zone, within)),
    );
  }
  return { of, diagnostics };
}

/** The whole years around a day in which events are looked for. */
export function daysAround(day: number): Interval {
  const year = new Date(day).getUTCFullYear();
  const [first = 0, last = 0] = [YEARS_AROUND[0], YEARS_AROUND.at(-1)];
  return { from: Date.UTC(year + first, 0, 1), to: Date.UTC(year + last + 1, 0, 1) };
}

/** The events of a file, and when each takes place; none of a file with a mistake. */
export async function readEvents(
  ics: string,
  { file: naming, mark }: FileMention,
  { from, to }: Interval,
  system: FileSystem,
): Promise<{ readonly repeated: readonly Repeated[]; readonly diagnostics: readonly Diagnostic[] }> {
  const file = pathIn(naming, ics);
  const text = await readText(file, system);
  if (typeof text !== 'string') return { repeated: [], diagnostics: [namedHere(text, mark.place)] };
  const { events, diagnostics } = parseCalendar(file, text, system.isOutside?.(file) === true);
  if (diagnostics.length > 0) return { repeated: [], diagnostics };
  const found: Diagnostic[] = [];
  const dated = eventsIn(events, found);
  // The clocks of two zones differ by at most 26 hours.
  const repeated = await occurrencesOf(dated, { from: from - 2 * DAY, to: to + 2 * DAY }, found);
  return { repeated: found.length > 0 ? [] : repeated, diagnostics: found };
}

/** Remembers what each zone has. */
function once(feed: Feed): Feed {
  const known = new Map<string, readonly HoursException[]>();
  return (zone) => {
    const found = known.get(zone) ?? feed(zone);
    known.set(zone, found);
    return found;
  };
}

interface Closing extends Interval {
  readonly place: HoursException['place'];
}

/** Days that are closed, neighbours together, and then hours of other days. */
export function closedIn(repeated: readonly Repeated[], zone: string, within: Interval): readonly HoursException[] {
  const closings = repeated.flatMap(({ event, occurrences }) => {
    const { place } = event.mark();
    return occurrences.flatMap((each) =>
      shownIn(zone, each).flatMap(({ from, to }): readonly Closing[] => {
        const shown = { from: Math.max(from, within.from), to: Math.min(to, within.to), place };
        return shown.from < shown.to ? [shown] : [];
      }),
    );
  });
  const joined = joinedClosings(closings);
  const days = joined.flatMap(({ from, to, place }): readonly HoursException[] => {
    const [first, last] = [Math.ceil(from / DAY) * DAY, Math.floor(to / DAY) * DAY - DAY];
    return first <= last ? [{ from: first, to: last, hours: null, place }] : [];
  });
  const parts = new Map<number, { readonly place: HoursException['place']; readonly without: DaySpan[] }>();
  for (const { from, to, place } of joined) {
    const addPart = (start: number, end: number): void => {
      const day = Math.floor(start / DAY) * DAY;
      const part = parts.get(day) ?? { place, without: [] };
      part.without.push({ start: clock(start - day), end: clock(end - day) });
      parts.set(day, part);
    };
    const [first, last] = [Math.ceil(from / DAY) * DAY, Math.floor(to / DAY) * DAY];
    if (first > last) addPart(from, to);
    else {
      if (from < first) addPart(from, first);
      if (last < to) addPart(last, to);
    }
  }
  const hours = [...parts].map(([day, { place, without }]) => ({ from: day, to: day, hours: { without }, place }));
  return [...days, ...hours];
}

/** In their order, those that touch or overlap as one. */
function joinedClosings(closings: readonly Closing[]): readonly Closing[] {
  const joined: Closing[] = [];
  for (const each of closings.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || each.from > last.to) joined.push(each);
    else if (each.to > last.to) joined[joined.length - 1] = { ...last, to: each.to };
  }
  return joined;
}

/** An occurrence in whole minutes, as the clock of a zone shows it. A day is a day in each zone. */
function shownIn(zone: string, { start, length }: Occurrence): readonly Interval[] {
  const { local, zone: own, isDay } = start;
  if (isDay) return [{ from: local, to: local + Math.ceil(length / DAY) * DAY }];
  if (length === 0) return [];
  if (own === null || own === zone) return [inMinutes(local, local + length)];
  const [from, to] = [instantOf(own, local), instantOf(own, local + length)];
  if (length > LONGEST_EXACT) return [inMinutes(from + offsetAt(zone, from), to + offsetAt(zone, to))];
  return stretchesOf(zone, { from, to }).map((each) => inMinutes(each.from + each.offset, each.to + each.offset));
}

/** Of a longer occurrence, an hour that the clock shows twice counts as it is shown first or last. */
const LONGEST_EXACT = 2 * DAY;

function inMinutes(begin: number, end: number): Interval {
  const [from, to] = [Math.floor(begin / MINUTE) * MINUTE, Math.ceil(end / MINUTE) * MINUTE];
  // Hours end at 23:59, where a day does.
  return { from, to: (to + MINUTE) % DAY === 0 ? to + MINUTE : to };
}

/** HH:MM of a day, whose end is 24:00. */
function clock(time: number): string {
  const pair = (count: number): string => String(Math.floor(count)).padStart(2, '0');
  return `${pair(time / HOUR)}:${pair((time % HOUR) / MINUTE)}`;
}
