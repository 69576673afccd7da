// Files of calendars (RFC 5545, `.ics`) as events with the place of each property, which no library for them tells.

import type { Diagnostic, DiagnosticCode } from '../base/model.ts';
import { thousands } from '../base/text.ts';
import { diagnose, MOST_FINDINGS } from './diagnostics.ts';
import { marker, type PlaceMark } from './places.ts';

/** One line of an event, with the lines that continue it. */
export interface CalendarProperty {
  /** In capitals. */
  readonly name: string;
  /** Parameters by their names in capitals, such as `TZID`. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
  readonly mark: MarkHere;
}

/** Makes the mark when it is asked for: most lines are never told. */
export type MarkHere = () => PlaceMark;

/** What begins and ends. Its properties are its own, such as those of an event without those of its alarms. */
export interface CalendarComponent {
  readonly name: string;
  readonly properties: CalendarProperty[];
  /** Where it begins. */
  readonly mark: MarkHere;
}

const MOST_LINES = 300_000;
const MOST_EVENTS = 20_000;

const NO_CALENDAR = ['this is no calendar', 'name a file that begins with BEGIN:VCALENDAR'] as const;
const AGAIN = 'export the calendar again: the file is damaged';

/** The events of a file; those before the first damage. `isOutside`: the file does not belong to the project, and no finding quotes it. */
export function parseCalendar(
  file: string,
  text: string,
  isOutside: boolean,
  found: Diagnostic[],
): readonly CalendarComponent[] {
  const shown = marker(file, text);
  const markAt = (start: number, end: number): PlaceMark =>
    isOutside ? { place: shown(start, end).place, excerpt: null, isHidden: true } : shown(start, end);
  const events: CalendarComponent[] = [];
  const open: CalendarComponent[] = [];
  const wrong = (mark: MarkHere, message: string, remedy: string, code: DiagnosticCode = 'bad-format') => {
    found.push(diagnose(mark(), { code, message, remedy }));
    return events;
  };
  let lines = 0;
  for (const { line, start, end } of unfolded(text)) {
    if (line.trim() === '') continue;
    lines += 1;
    const mark = (): PlaceMark => markAt(start, end);
    const property = propertyIn(line, mark);
    const of = property?.value.trim().toUpperCase() ?? '';
    if (lines === 1 && (property?.name !== 'BEGIN' || of !== 'VCALENDAR')) return wrong(mark, ...NO_CALENDAR);
    if (lines > MOST_LINES || events.length > MOST_EVENTS) {
      const [most, what] = lines > MOST_LINES ? [MOST_LINES, 'lines'] : [MOST_EVENTS, 'events'];
      const message = `the calendar has more than ${thousands(most)} ${what}`;
      return wrong(mark, message, 'export the years that count only', 'too-many');
    }
    if (property === null) {
      const remedy = 'a line is NAME:VALUE; begin a line that continues the one before with a blank';
      wrong(mark, 'this is no line of a calendar', remedy);
      if (found.length >= MOST_FINDINGS) return events;
    } else if (property.name === 'BEGIN') open.push({ name: of, properties: [], mark });
    else if (property.name === 'END') {
      const last = open.pop();
      if (last === undefined) return wrong(mark, `no ${of} begins before this end`, AGAIN);
      if (last.name !== of) return wrong(mark, `${last.name} ends as ${of}`, AGAIN);
      if (of === 'VEVENT') events.push(last);
    } else open.at(-1)?.properties.push(property);
  }
  const begun = open.at(-1);
  if (begun !== undefined) return wrong(begun.mark, `${begun.name} begins here and does not end`, AGAIN);
  return lines === 0 ? wrong(() => markAt(0, 0), ...NO_CALENDAR) : events;
}

/** Lines together with those that continue them. The range is that of the first one. */
function* unfolded(text: string) {
  for (let at = 0; at < text.length; ) {
    const start = at;
    const end = lineEnd(text, at);
    const parts = [text.slice(at, contentEnd(text, at, end))];
    for (at = end + 1; text[at] === ' ' || text[at] === '\t'; ) {
      const next = lineEnd(text, at);
      parts.push(text.slice(at + 1, contentEnd(text, at, next)));
      at = next + 1;
    }
    yield { line: parts.join(''), start, end };
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

function contentEnd(text: string, start: number, end: number): number {
  return end > start && text[end - 1] === '\r' ? end - 1 : end;
}

/** Null for a line that has no name and value. */
function propertyIn(line: string, mark: MarkHere): CalendarProperty | null {
  const name = /^[A-Za-z0-9-]+/.exec(line)?.[0];
  if (name === undefined) return null;
  const parameters = new Map<string, string>();
  // Sticky, so that a long line is read once.
  const next = /;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:])*)/y;
  let at = name.length;
  while (line[at] === ';') {
    next.lastIndex = at;
    const [all, key = '', value = ''] = next.exec(line) ?? [];
    if (all === undefined) return null;
    parameters.set(key.toUpperCase(), value.replaceAll('"', ''));
    at += all.length;
  }
  return line[at] === ':' ? { name: name.toUpperCase(), parameters, value: line.slice(at + 1), mark } : null;
}

/** The text of a value, without the marks that escape characters. */
export function calendarText(value: string): string {
  return value.replace(/\\([\s\S])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character));
}
