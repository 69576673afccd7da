// Mistakes in lists of dates with other hours than usual.

import { isList, isObject } from '../base/json.ts';
import type { Address, Json, JsonObject, Version } from '../base/model.ts';
import { dayOf } from '../base/week.ts';
import { wallOf } from '../base/zone.ts';
import { hasFeature } from '../kinds/features.ts';
import type { Report } from '../kinds/kind.ts';
import { checkDateSpans, checkOverlaps, dateSpansIn, isTime, timeRemedy } from '../kinds/week-form.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import type { FileLint, FileLintId } from './near-keys.ts';
import { daysIn, daysOf } from './schedules.ts';

export interface DateTerms {
  readonly version: Version;
  /** The day that it is in a zone. */
  readonly dayIn: (zone: string) => number;
  readonly lintOf: (lint: FileLintId) => FileLint;
}

/** A year with every day. */
const LEAP_YEAR = 2028;
const YEAR = 'YYYY-';

/** Where a day ends last. */
const LAST_ZONE = 'Etc/GMT+12';

/** A list of dates, item by item and among each other. `address` is the object that the list is part of; null where several share it. */
export function checkDates(
  list: Json | undefined,
  path: Path,
  address: Address | null,
  terms: DateTerms,
  emit: Emit,
): void {
  if (!isList(list)) return;
  const items = list.flatMap((item, index) => (isObject(item) ? [{ item, path: [...path, index] }] : []));
  for (const each of items) checkDate(each.item, each.path, terms, emit);
  const timed = items.flatMap((each) => {
    const days = daysOf(each.item);
    return days === null ? [] : [{ ...each, ...days }];
  });
  const yearly = items.flatMap((each) =>
    [LEAP_YEAR, LEAP_YEAR + 1].flatMap((year) => {
      const days = daysIn(each.item, year);
      return days === null ? [] : [{ ...each, ...days }];
    }),
  );
  checkTwice(timed, ({ date }) => date, emit);
  checkTwice(yearly, ({ date }) => date.slice(YEAR.length), emit);
  const over = timed.filter(({ to }) => to < terms.dayIn(LAST_ZONE));
  const [first] = over;
  const { level, isExcepted } = terms.lintOf('past-exception');
  if (first === undefined || level === 'off' || (address !== null && isExcepted(address))) return;
  const which = over.length === 1 ? 'this date is over' : `this date and ${over.length - 1} more of the list are over`;
  emit({ ...at(first.path, 'value', 'past-exception', which, 'remove it, or correct the year'), severity: level });
}

/** One item of a list of dates, or a row of a table of absences. */
export function checkDate(item: JsonObject, path: Path, terms: DateTerms, emit: Emit): void {
  checkDays(item, path, emit);
  checkOpening(item, path, terms, emit);
}

/** Days of which only two of one list can be judged: those that overlap. */
interface ListedDays {
  readonly path: Path;
  readonly from: number;
  readonly to: number;
}

function checkTwice(all: readonly ListedDays[], nameOf: (wall: { readonly date: string }) => string, emit: Emit): void {
  const sorted = all.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const reported = new Set<Path>();
  let last = sorted[0];
  for (const each of sorted.slice(1)) {
    if (last !== undefined && each.from <= last.to && !reported.has(each.path)) {
      reported.add(each.path);
      const message = `${nameOf(wallOf(each.from))} is in the list twice`;
      emit({
        ...at(each.path, 'value', 'duplicate-item', message, 'keep one of the two'),
        related: [{ path: last.path, part: 'value', message: 'the other one' }],
      });
    }
    if (last === undefined || each.to > last.to) last = each;
  }
}

/** Mistakes in a day of each year. */
function checkYearly(item: JsonObject, path: Path, emit: Emit): void {
  const { every, to } = item;
  const other = (['date', 'from'] as const).find((name) => item[name] !== undefined);
  if (other !== undefined)
    emit(at([...path, other], 'key', 'exclusive-fields', `\`every\` cannot be combined with \`${other}\``, 'keep one'));
  for (const [name, text] of Object.entries({ every, to })) {
    if (typeof text !== 'string') continue;
    if (/^\d{4}-/.test(text))
      emit(at([...path, name], 'value', 'bad-date', `${text} has a year`, 'write the month and the day alone'));
    else if (/^\d\d-\d\d$/.test(text) && dayOf(`${LEAP_YEAR}-${text}`) === null)
      emit(
        at([...path, name], 'value', 'bad-date', `${text} is no day of a year`, 'write month and day, such as 12-25'),
      );
  }
}

/** Reports the members that have the form of a day and are none, such as `2026-02-30`. */
export function checkDaysExist(item: JsonObject, names: readonly string[], path: Path, emit: Emit): void {
  for (const name of names) {
    const text = item[name];
    if (typeof text !== 'string' || dayOf(text) !== null || !/^\d{4}-\d\d-\d\d$/.test(text)) continue;
    emit(at([...path, name], 'value', 'bad-date', `${text} is no day of the calendar`, 'write a day that exists'));
  }
}

function checkDays(item: JsonObject, path: Path, emit: Emit): void {
  const { date, from, to } = item;
  if (item['every'] !== undefined) {
    checkYearly(item, path, emit);
    return;
  }
  if (typeof to === 'string' && /^\d\d-\d\d$/.test(to))
    emit(at([...path, 'to'], 'value', 'bad-date', `${to} has no year`, 'write it with its year'));
  checkDaysExist(item, ['date', 'from', 'to'], path, emit);
  const range = from === undefined ? 'to' : 'from';
  if (date !== undefined && (from !== undefined || to !== undefined))
    emit(at([...path, range], 'key', 'exclusive-fields', '`date` cannot be combined with `from` and `to`', 'keep one'));
  else if (date === undefined && from === undefined && to === undefined)
    emit(
      at(
        path,
        'key',
        'missing-field',
        'there is no date here',
        'add `date: 2026-12-24`, `from` and `to`, or `every: 12-25`',
      ),
    );
  else if (date === undefined && (from === undefined || to === undefined)) {
    const lacks = from === undefined ? 'from' : 'to';
    emit(at(path, 'key', 'missing-field', `\`${lacks}\` is missing`, 'write both, or `date` for one day'));
  } else if (typeof from === 'string' && typeof to === 'string') {
    const [first, last] = [dayOf(from), dayOf(to)];
    if (first !== null && last !== null && last < first)
      emit(at([...path, 'to'], 'value', 'bad-range', `${to} is before ${from}`, 'write the last day of the range'));
  }
}

function checkOpening(item: JsonObject, path: Path, { version }: DateTerms, emit: Emit): void {
  const { closed, hours } = item;
  if (closed === false)
    emit(
      at(
        [...path, 'closed'],
        'value',
        'not-allowed',
        '`closed: false` says nothing',
        'write `hours`, or remove the date',
      ),
    );
  if (closed !== undefined && hours !== undefined)
    emit(at([...path, 'hours'], 'key', 'exclusive-fields', '`closed` cannot be combined with `hours`', 'keep one'));
  else if (closed === undefined && hours === undefined)
    emit(at(path, 'key', 'missing-field', 'the date has neither `hours` nor `closed: true`', 'add one of the two'));
  const report: Report = (inner, code, message, remedy) =>
    emit(at([...path, 'hours', ...inner], 'value', code, message, remedy));
  if (isList(hours) && hours.length > 1 && !hasFeature('weeklyHours', version))
    report([1], 'unsupported-by-version', 'version 3.3 of the service has one time span a day', 'join them');
  const spans = dateSpansIn(hours);
  checkDateSpans(hours, report);
  for (const { item, path: inner } of spans)
    checkSpan(item, (name, ...finding) => report(isWritten(hours, inner) ? inner : [...inner, name], ...finding));
  checkOverlaps(spans, report);
}

/** Whether a span is one text. */
function isWritten(hours: Json | undefined, [index]: readonly (string | number)[]): boolean {
  return typeof hours === 'string' || (isList(hours) && typeof hours[Number(index)] === 'string');
}

function checkSpan(
  { start, end }: JsonObject,
  report: (member: 'start' | 'end', code: 'bad-time' | 'bad-range', message: string, remedy: string) => void,
): void {
  for (const [name, text] of [
    ['start', start],
    ['end', end],
  ] as const)
    if (typeof text === 'string' && !isTime(text))
      report(name, 'bad-time', `\`${text}\` is not a time of day`, timeRemedy(text));
  if (!isTime(start) || !isTime(end) || start < end) return;
  const message = `${start}-${end} does not end after it begins, so it counts as nothing`;
  const remedy = end === '00:00' ? 'a day ends at "23:59"' : 'end it at "23:59", and continue it on the next date';
  report('end', 'bad-range', message, remedy);
}
