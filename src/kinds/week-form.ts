// Hours of a week as a manifest writes them: a list as the service has it, or days with their spans, such as `mon-fri: 09:00-17:00`.

import { groupedBy } from '../base/grouped.ts';
import { equalJson, isList, isObject } from '../base/json.ts';
import type { DaySpan, Json, JsonObject } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { DAY_NAMES, WEEKDAYS } from '../base/week.ts';
import type { Report } from './kind.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** How to write a text that is no time of day. */
export function timeRemedy(text: string): string {
  const plain = text.replaceAll(/[\u2018-\u201f\u00ab\u00bb]/g, '');
  return plain !== text && TIME.test(plain)
    ? `write "${plain}": these are quotes of a text processor, which YAML reads as letters`
    : 'write it as HH:MM between "00:00" and "23:59"';
}

const SPAN_REMEDY = 'write it as HH:MM-HH:MM, such as `09:00-17:00`, or `closed`';

/** As the keys of the short form have them: `mon`. */
const SHORT_DAYS = DAY_NAMES.map((name) => name.toLowerCase());

/** Hours of one weekday, and where they are written below `schedule`. */
export interface WrittenSpan {
  readonly item: JsonObject;
  readonly path: readonly (string | number)[];
}

/** A day that the short form closes is not among them, unless it closes every day: hours without an item mean any time. */
export function spansIn(schedule: Json | undefined): readonly WrittenSpan[] {
  if (isList(schedule)) return schedule.flatMap((item, index) => (isObject(item) ? [{ item, path: [index] }] : []));
  if (!isObject(schedule)) return [];
  const written = Object.entries(schedule).flatMap(([key, value]) =>
    (daysIn(key) ?? []).flatMap((day) => textsIn(value).map(({ text, path }) => ({ day, text, path: [key, ...path] }))),
  );
  const isClosed = written.every(({ text }) => text === CLOSED);
  return written.flatMap(({ day, text, path }): readonly WrittenSpan[] => {
    if (text === CLOSED) return isClosed ? [{ item: { day, enabled: false, start: '00:00', end: '23:59' }, path }] : [];
    const [start, end] = timesIn(text) ?? [];
    return start === undefined || end === undefined ? [] : [{ item: { day, enabled: true, start, end }, path }];
  });
}

/** The list that hours in any form stand for; undefined for a name, or where there are none. */
export function weekIn(schedule: Json | undefined): readonly Json[] | undefined {
  if (isList(schedule)) return schedule;
  return isObject(schedule) ? spansIn(schedule).map(({ item }) => item) : undefined;
}

/** The hours of a date: `10:00-14:00`, or a list of such spans or of items with `start` and `end`. A text that is no span is not among them. */
export function dateSpansIn(hours: Json | undefined): readonly WrittenSpan[] {
  const spanOf = (item: Json, path: readonly number[]): readonly WrittenSpan[] => {
    if (typeof item !== 'string') return isObject(item) ? [{ item, path }] : [];
    const [start, end] = timesIn(item) ?? [];
    return start === undefined || end === undefined ? [] : [{ item: { start, end }, path }];
  };
  if (typeof hours === 'string') return spanOf(hours, []);
  return (isList(hours) ? hours : []).flatMap((item, index) => spanOf(item, [index]));
}

/** The hours of a date as the service has spans. */
export function dateHoursIn(hours: Json | undefined): readonly DaySpan[] {
  return dateSpansIn(hours).map(({ item: { start, end } }) => ({ start: String(start), end: String(end) }));
}

/** Mistakes in the hours of a date that are written as texts. */
export function checkDateSpans(hours: Json | undefined, report: Report): void {
  const texts = typeof hours === 'string' ? [hours] : isList(hours) ? hours : [];
  for (const [index, text] of texts.entries())
    if (typeof text === 'string' && timesIn(text) === null)
      report(
        typeof hours === 'string' ? [] : [index],
        'bad-time',
        `\`${text}\` is no span of time`,
        'write it as HH:MM-HH:MM, such as `10:00-14:00`',
      );
}

const CLOSED = 'closed';

function textsIn(value: Json): readonly { readonly text: string; readonly path: readonly number[] }[] {
  if (typeof value === 'string') return [{ text: value.trim(), path: [] }];
  return (isList(value) ? value : []).flatMap((text, index) =>
    typeof text === 'string' ? [{ text: text.trim(), path: [index] }] : [],
  );
}

/** Null for a text that is no span of two times. */
function timesIn(text: string): readonly [start: string, end: string] | null {
  const [start = '', end = '', ...more] = text.split('-').map((time) => time.trim());
  return more.length === 0 && TIME.test(start) && TIME.test(end) ? [start, end] : null;
}

/** The weekdays of a key such as `mon` or `sat-mon`; null for a key that is none. */
function daysIn(key: string): readonly string[] | null {
  const [first, last = first, ...more] = key.split('-').map((day) => SHORT_DAYS.indexOf(day));
  if (first === undefined || last === undefined || first < 0 || last < 0 || more.length > 0) return null;
  const count = ((last - first + WEEKDAYS.length) % WEEKDAYS.length) + 1;
  return Array.from({ length: count }, (_, index) => WEEKDAYS[(first + index) % WEEKDAYS.length] ?? '');
}

/** A list in the short form, neighbours with the same hours together; the list itself where the short form cannot say it. Days that are switched off are left out. */
export function authoredWeek(schedule: readonly Json[]): Json {
  const items = schedule.flatMap((item) => (isObject(item) ? [item] : []));
  const worked = items.filter(({ enabled }) => enabled === true);
  const days = WEEKDAYS.map((day) => items.filter((item) => item['day'] === day));
  const isPlain = days.every((own) => own.every(isPlainSpan) && new Set(own.map(({ enabled }) => enabled)).size < 2);
  if (worked.length === 0 || !isPlain || days.flat().length < schedule.length) return schedule;
  const spansOf = days.map((own) =>
    own.flatMap(({ enabled, start, end }) => (enabled === true ? [`${String(start)}-${String(end)}`] : [])),
  );
  const week: Record<string, Json> = {};
  for (let from = 0; from < spansOf.length; ) {
    const spans = spansOf[from] ?? [];
    let to = from;
    while (to + 1 < spansOf.length && equalJson(spansOf[to + 1], spans)) to += 1;
    const key = from === to ? SHORT_DAYS[from] : `${SHORT_DAYS[from]}-${SHORT_DAYS[to]}`;
    if (spans.length > 0) week[key ?? ''] = spans.length === 1 ? (spans[0] ?? '') : spans;
    from = to + 1;
  }
  return week;
}

function isPlainSpan({ start, end, enabled }: JsonObject): boolean {
  return isTime(start) && isTime(end) && (enabled === false || (enabled === true && start < end));
}

/** Whether it is a time of day, HH:MM. */
export function isTime(text: Json | undefined): text is string {
  return typeof text === 'string' && TIME.test(text);
}

/** Mistakes in hours of a week, each at its place below `schedule`. */
export function checkWeek(schedule: Json | undefined, report: Report): void {
  if (isObject(schedule)) {
    checkShort(schedule, report);
    return;
  }
  const spans = spansIn(schedule);
  for (const { item, path } of spans)
    for (const name of ['start', 'end'] as const)
      if (typeof item[name] === 'string' && !TIME.test(item[name]))
        report([...path, name], 'bad-time', `\`${item[name]}\` is not a time of day`, timeRemedy(item[name]));
  const worked = spans.filter(({ item }) => item['enabled'] === true);
  for (const [day, own] of groupedBy(worked, ({ item }) => item['day']))
    if (own.length > 1 && WEEKDAYS.some((each) => each === day))
      checkOverlaps(own, (path, code, message, remedy) =>
        report(path, code, `${String(day)} is here twice: ${message}`, remedy),
      );
}

function checkShort(schedule: JsonObject, report: Report): void {
  const known = new Map<string, string>();
  for (const [key, value] of Object.entries(schedule)) {
    const days = daysIn(key);
    if (days === null) {
      const wrong = key.split('-').find((day) => !SHORT_DAYS.includes(day)) ?? key;
      const meant = nearest(wrong.slice(0, 3).toLowerCase(), SHORT_DAYS);
      const guess = meant === null ? '' : `did you mean \`${meant}\`? `;
      const message = wrong === key ? `\`${key}\` is no weekday` : `\`${wrong}\` in \`${key}\` is no weekday`;
      report(
        [key],
        'bad-range',
        message,
        `${guess}Days are ${SHORT_DAYS.join(', ')}, or from one to another: \`mon-fri\``,
      );
      continue;
    }
    const twice = days.find((day) => known.has(day));
    if (twice !== undefined)
      report(
        [key],
        'duplicate-item',
        `${twice} is here twice: \`${known.get(twice)}\` and \`${key}\``,
        'keep one of the two',
      );
    for (const day of days) known.set(day, key);
    const texts = textsIn(value);
    for (const { text, path } of texts) {
      if (text === CLOSED && texts.length === 1) continue;
      const message = text === CLOSED ? 'a day is closed, or it has hours' : `\`${text}\` is no span of time`;
      if (timesIn(text) === null) report([key, ...path], 'bad-time', message, SPAN_REMEDY);
    }
    checkOverlaps(spansIn({ [key.split('-')[0] ?? key]: value }), (path, ...finding) =>
      report([key, ...path.slice(1)], ...finding),
    );
  }
}

/** Spans of one day that overlap, each reported with the one before it. */
export function checkOverlaps(spans: readonly WrittenSpan[], report: Report): void {
  const timed = spans.flatMap(({ item: { start, end }, path }) =>
    isTime(start) && isTime(end) && start < end ? [{ start, end, path }] : [],
  );
  const sorted = timed.toSorted((a, b) => (a.start < b.start ? -1 : 1));
  for (const [index, span] of sorted.slice(1).entries()) {
    const before = sorted[index];
    if (before === undefined || span.start >= before.end) continue;
    report(span.path, 'bad-range', `${span.start}-${span.end} overlaps ${before.start}-${before.end}`, 'join the two');
  }
}
