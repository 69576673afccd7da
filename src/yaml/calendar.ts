// Files of calendars (RFC 5545, `.ics`) as components with the place of each property, which no library for them tells.

import type { Diagnostic } from '../base/model.ts';
import { diagnose, MOST_FINDINGS, type UnplacedDiagnostic } from './diagnostics.ts';
import { marker, type PlaceMark } from './places.ts';

/** One line of a component, with the lines that continue it. */
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

/** An event: its own properties, without those of its alarms. */
export interface CalendarComponent {
  readonly properties: readonly CalendarProperty[];
  /** Where it begins. */
  readonly mark: MarkHere;
}

export interface CalendarFile {
  readonly events: readonly CalendarComponent[];
  readonly diagnostics: readonly Diagnostic[];
}

interface OpenComponent {
  readonly name: string;
  readonly properties: CalendarProperty[];
  readonly mark: MarkHere;
}

const MOST_LINES = 500_000;
const MOST_EVENTS = 20_000;

const EVENT = 'VEVENT';

/** @param isOutside - The file does not belong to the project: no finding quotes it. */
export function parseCalendar(file: string, text: string, isOutside: boolean): CalendarFile {
  const shown = marker(file, text);
  const markAt = (start: number, end: number): PlaceMark =>
    isOutside ? { place: shown(start, end).place, excerpt: null, isHidden: true } : shown(start, end);
  const found: Diagnostic[] = [];
  const events: CalendarComponent[] = [];
  const open: OpenComponent[] = [];
  const wrong = (mark: MarkHere, finding: UnplacedDiagnostic): void => {
    found.push(diagnose(mark(), finding));
  };
  let lines = 0;
  let hasCalendar = false;
  for (const { line, start, end } of unfolded(text)) {
    if (line.trim() === '') continue;
    lines += 1;
    const mark = (): PlaceMark => markAt(start, end);
    const property = propertyIn(line, mark);
    if (property === null) {
      const remedy = hasCalendar
        ? 'a line is NAME:VALUE; begin a line that continues the one before with a blank'
        : 'name a file that begins with BEGIN:VCALENDAR';
      wrong(mark, { code: 'bad-format', message: 'this is no line of a calendar', remedy });
      if (!hasCalendar || found.length >= MOST_FINDINGS) break;
      continue;
    }
    const { name, value } = property;
    const of = value.trim().toUpperCase();
    if (!hasCalendar && (name !== 'BEGIN' || of !== 'VCALENDAR')) {
      const remedy = 'name a file that begins with BEGIN:VCALENDAR';
      wrong(mark, { code: 'bad-format', message: 'this is no calendar', remedy });
      break;
    }
    hasCalendar = true;
    if (lines > MOST_LINES || events.length > MOST_EVENTS) {
      const [most, what] = lines > MOST_LINES ? [MOST_LINES, 'lines'] : [MOST_EVENTS, 'events'];
      const message = `the calendar has more than ${most.toLocaleString('en')} ${what}`;
      wrong(mark, { code: 'too-many', message, remedy: 'export the years that count only' });
      return { events: [], diagnostics: found };
    }
    if (name === 'BEGIN') open.push({ name: of, properties: [], mark });
    else if (name === 'END') {
      const last = open.pop();
      if (last?.name !== of) {
        const message = last === undefined ? `no ${of} begins before this end` : `${last.name} ends as ${of}`;
        wrong(mark, { code: 'bad-format', message, remedy: 'export the calendar again: the file is damaged' });
        break;
      }
      if (of === EVENT) events.push(last);
    } else open.at(-1)?.properties.push(property);
  }
  const begun = open.at(-1);
  if (found.length === 0 && begun !== undefined) {
    const message = `${begun.name} begins here and does not end`;
    wrong(begun.mark, { code: 'bad-format', message, remedy: 'export the calendar again: the file is cut off' });
  }
  if (lines === 0)
    wrong(() => markAt(0, 0), {
      code: 'bad-format',
      message: 'the file is empty',
      remedy: 'export the calendar again',
    });
  return { events, diagnostics: found };
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
