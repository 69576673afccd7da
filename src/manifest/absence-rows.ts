// Rows of a table of absences: their columns, and the days and hours of each.

import { isObject } from '../base/json.ts';
import type { Diagnostic, HoursException, JsonObject } from '../base/model.ts';
import { dayOf } from '../base/week.ts';
import { dateHoursIn } from '../kinds/week-form.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { DataRow } from '../yaml/table.ts';

/** The columns, by what they say. */
export const COLUMNS = ['who', 'from', 'to', 'hours'] as const;
type Columns = { readonly [name in (typeof COLUMNS)[number]]: string };

/** Several spans of a day stand between these. */
const SEPARATOR = ';';

export function isNamed({ columns }: JsonObject, name: string): boolean {
  return isObject(columns) && columns[name] !== undefined;
}

export function columnsOf({ columns }: JsonObject): Columns {
  const named = (name: keyof Columns): string => {
    const given = isObject(columns) ? columns[name] : undefined;
    return typeof given === 'string' ? given : name;
  };
  return { who: named('who'), from: named('from'), to: named('to'), hours: named('hours') };
}

/** Without a last day, it is one day; without hours, none are worked. Null for a row with a mistake. */
export function exceptionOf(row: DataRow, columns: Columns, found: Diagnostic[]): HoursException | null {
  const before = found.length;
  const wrong = (name: keyof Columns, code: 'bad-date' | 'bad-range' | 'bad-time', message: string, remedy: string) => {
    found.push(diagnose(row.markAt(columns[name]), { code, message, remedy }));
  };
  const dayIn = (name: 'from' | 'to'): number | null => {
    const text = row.values[columns[name]] ?? '';
    const day = dayOf(text);
    if (day === null && !(name === 'to' && text === ''))
      wrong(name, 'bad-date', 'this is no day of the calendar', 'write it as 2026-12-24');
    return day;
  };
  const [first, last] = [dayIn('from'), dayIn('to')];
  if (first !== null && last !== null && last < first)
    wrong('to', 'bad-range', 'the last day is before the first one', 'write the last day of the absence');
  const texts = (row.values[columns.hours] ?? '').split(SEPARATOR).map((text) => text.trim());
  const written = texts.filter((text) => text !== '');
  const spans = dateHoursIn(written);
  if (spans.length < written.length || spans.some(({ start, end }) => start >= end))
    wrong(
      'hours',
      'bad-time',
      'these are no hours of a day',
      `write 10:00-14:00, with \`${SEPARATOR}\` between several`,
    );
  if (first === null || found.length > before) return null;
  const { place } = row.markAt(columns.from);
  return { from: first, to: last ?? first, hours: written.length === 0 ? null : spans, place };
}
