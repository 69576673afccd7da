// Rows of a table of absences: their columns, and the days and hours of each.

import { isObject } from '../base/json.ts';
import type { Diagnostic, HoursException, JsonObject } from '../base/model.ts';
import { dateHoursIn } from '../kinds/week-form.ts';
import { at, diagnose, type Emit } from '../yaml/diagnostics.ts';
import type { DataRow } from '../yaml/table.ts';
import { checkDate, type DateTerms } from './date-checks.ts';
import { daysOf } from './schedules.ts';

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
export function exceptionOf(
  row: DataRow,
  columns: Columns,
  terms: DateTerms,
  found: Diagnostic[],
): HoursException | null {
  const before = found.length;
  const textOf = (name: keyof Columns): string => row.values[columns[name]] ?? '';
  const texts = textOf('hours').split(SEPARATOR);
  const hours = texts.map((text) => text.trim()).filter((text) => text !== '');
  const [from, to] = [textOf('from'), textOf('to') || textOf('from')];
  const item = { from, to, ...(hours.length === 0 ? { closed: true } : { hours }) };
  const emit: Emit = (given) => {
    for (const { path, ...finding } of 'code' in given ? [given] : given)
      found.push(diagnose(row.markAt(columns[path[0] as keyof Columns]), finding));
  };
  for (const name of ['from', 'to'] as const)
    if (!/^\d{4}-\d\d-\d\d$/.test(item[name]) && (name === 'from' || textOf('to') !== ''))
      emit(at([name], 'value', 'bad-date', 'this is no day of the calendar', 'write it as 2026-12-24'));
  checkDate(item, [], terms, emit);
  const days = daysOf(item);
  if (days === null || found.length > before) return null;
  const { place } = row.markAt(columns.from);
  return { ...days, hours: hours.length === 0 ? null : dateHoursIn(hours), place };
}
