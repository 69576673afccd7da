// Calendars from `.ics` files: the days and the hours that their events close, as the clock of a zone shows them.

import { isObject } from '../base/json.ts';
import type { Diagnostic, HoursException, JsonObject } from '../base/model.ts';
import { DAY, HOUR, type Interval, instantOf, MINUTE, offsetAt, stretchesOf } from '../base/zone.ts';
import { parseCalendar } from '../yaml/calendar.ts';
import { namedHere } from '../yaml/diagnostics.ts';
import type { PlaceMark } from '../yaml/places.ts';
import { type FileSystem, pathIn, readText } from '../yaml/read.ts';
import { eventsIn, type Occurrence, occurrencesOf, type Repeated } from './events.ts';
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

export async function feedsOf(
  manifest: JsonObject,
  namedAt: (name: string) => FileMention,
  today: () => number,
  system: FileSystem,
): Promise<Feeds> {
  const of = new Map<string, Feed>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, calendar] of Object.entries(sharedIn(manifest, 'calendars'))) {
    const { ics } = isObject(calendar) ? calendar : {};
    if (typeof ics !== 'string' || ics === '') continue;
    const within = daysAround(today());
    const events = await readEvents(ics, namedAt(name), within, system, diagnostics);
    const known = new Map<string, readonly HoursException[]>();
    of.set(name, (zone) => {
      const closed = known.get(zone) ?? closedIn(events, zone, within);
      known.set(zone, closed);
      return closed;
    });
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
  found: Diagnostic[],
): Promise<readonly Repeated[]> {
  const file = pathIn(naming, ics);
  const text = await readText(file, system);
  const own: Diagnostic[] = typeof text === 'string' ? [] : [namedHere(text, mark)];
  const components = typeof text === 'string' ? parseCalendar(file, text, system.isOutside?.(file) === true, own) : [];
  const events = own.length > 0 ? [] : eventsIn(components, own);
  // The clocks of two zones differ by at most 26 hours.
  const repeated = own.length > 0 ? [] : occurrencesOf(events, { from: from - 2 * DAY, to: to + 2 * DAY }, own);
  found.push(...own);
  return own.length > 0 ? [] : repeated;
}

interface Closing extends Interval {
  readonly place: HoursException['place'];
}

/** Days that are closed, neighbours together, and hours of other days. */
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
  return joinedClosings(closings).flatMap(({ from, to, place }): readonly HoursException[] => {
    const [first, end] = [Math.ceil(from / DAY) * DAY, Math.floor(to / DAY) * DAY];
    const hoursOf = (start: number, last: number): readonly HoursException[] => {
      const day = Math.floor(start / DAY) * DAY;
      const without = [{ start: clock(start - day), end: clock(last - day) }];
      return start < last ? [{ from: day, to: day, hours: { without }, place }] : [];
    };
    if (first > end) return hoursOf(from, to);
    const days = first < end ? [{ from: first, to: end - DAY, hours: null, place }] : [];
    return [...hoursOf(from, first), ...days, ...hoursOf(end, to)];
  });
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
function shownIn(zone: string, { local, zone: own, isDay, length }: Occurrence): readonly Interval[] {
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
