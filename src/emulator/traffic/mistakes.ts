// What is wrong in a description of traffic in addition to its shape, all of it at once. Passes over members whose shape is wrong.

import { isObject, type ParsedObject } from '../../base/json.ts';
import { DAY } from '../../base/zone.ts';
import { pageAddress } from '../chats/matching.ts';
import { isRefusal } from '../engine/refusal.ts';
import * as s from '../engine/shape.ts';
import { pageOf, spanOf } from './draws.ts';
import { momentIn } from './period.ts';
import { hoursIn } from './week.ts';

/** One mistake, at a member of the description. */
export interface TrafficMistake {
  readonly path: readonly string[];
  /** Whether the name of the member is meant, or its value. */
  readonly part: 'key' | 'value';
  readonly code: 'missing-field' | 'exclusive-fields' | 'bad-timezone' | 'bad-time' | 'bad-range' | 'bad-format';
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

const mistake = (
  path: readonly string[],
  part: TrafficMistake['part'],
  code: TrafficMistake['code'],
  message: string,
  remedy: string,
): TrafficMistake => ({ path, part, code, message, remedy });

/** Undefined where the value does not have its shape. */
function attempt<T>(read: s.JsonReader<T>, value: unknown): T | undefined {
  try {
    return read(value, '');
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

const membersOf = (value: unknown): ParsedObject => (isObject(value) ? value : {});

export function mistakesIn(given: unknown): readonly TrafficMistake[] {
  const members = membersOf(given);
  const streams = Object.entries(membersOf(members['visitors']));
  return [
    ...inZone(members, []),
    ...inPeriod(members),
    ...inDurations(members, []),
    ...streams.flatMap(([name, stream]) => (isObject(stream) ? inStream(stream, ['visitors', name]) : [])),
  ];
}

const LONGEST_DAYS = 366;

function inZone({ timezone: named }: ParsedObject, path: readonly string[]): readonly TrafficMistake[] {
  if (typeof named !== 'string' || named === '' || attempt(s.timezone, named) !== undefined) return [];
  const message = `${s.quoted(named)} is not an IANA time zone`;
  return [mistake([...path, 'timezone'], 'value', 'bad-timezone', message, 'write one such as `Europe/Warsaw`')];
}

function inPeriod({ timezone, days, from, to }: ParsedObject): readonly TrafficMistake[] {
  const found: TrafficMistake[] = [];
  const zone = attempt(s.timezone, timezone) ?? 'UTC';
  const ends = Object.entries({ from, to }).map(([name, text]) => {
    const at = typeof text === 'string' ? momentIn(text, zone) : undefined;
    if (typeof text === 'string' && at === undefined)
      found.push(
        mistake(
          [name],
          'value',
          'bad-time',
          `no calendar has ${s.quoted(text)}`,
          'write a date such as `2026-01-31`, or an RFC 3339 date-time',
        ),
      );
    return at;
  });
  const [begin, end] = ends;
  if (from !== undefined && to !== undefined && days !== undefined)
    found.push(
      mistake(['days'], 'key', 'exclusive-fields', '`from` and `to` say the days already', 'keep two of the three'),
    );
  if (begin === undefined || end === undefined) return found;
  if (begin >= end)
    found.push(mistake(['to'], 'value', 'bad-range', 'the end is not after the beginning', 'write a later moment'));
  if (end - begin > LONGEST_DAYS * DAY)
    found.push(
      mistake(['to'], 'value', 'bad-range', 'the time is too long', `play at most ${LONGEST_DAYS} days at once`),
    );
  return found;
}

function inDurations(members: ParsedObject, path: readonly string[]): readonly TrafficMistake[] {
  return ['length', 'patience', 'answer'].flatMap((name) => {
    const text = members[name];
    const span = typeof text === 'string' ? spanOf(text) : { mean: 0 };
    if ('mean' in span || !(span.from > span.to)) return [];
    const message = 'the shortest duration is above the longest';
    return [mistake([...path, name], 'value', 'bad-range', message, 'swap the two')];
  });
}

function inStream(stream: ParsedObject, path: readonly string[]): readonly TrafficMistake[] {
  const { page, per_day, by_hour } = stream;
  const found: TrafficMistake[] = [];
  if (per_day === undefined && by_hour === undefined) {
    const message = 'the stream does not say how many visitors come';
    found.push(mistake(path, 'key', 'missing-field', message, 'add `per_day: 100`, or `by_hour`'));
  }
  if (per_day !== undefined && by_hour !== undefined) {
    const message = '`per_day` and `by_hour` cannot be combined';
    found.push(mistake([...path, 'per_day'], 'key', 'exclusive-fields', message, 'keep one of them'));
  }
  const days = Object.entries(membersOf(by_hour));
  return [
    ...found,
    ...inPages(page, [...path, 'page']),
    ...days.flatMap(([day, hours]) => inHours(membersOf(hours), [...path, 'by_hour', day])),
    ...inZone(stream, path),
    ...inDurations(stream, path),
  ];
}

function inPages(page: unknown, path: readonly string[]): readonly TrafficMistake[] {
  const urls = typeof page === 'string' ? [page] : Object.keys(membersOf(page));
  return urls.flatMap((url) => {
    const at = typeof page === 'string' ? path : [...path, url];
    const part = typeof page === 'string' ? 'value' : 'key';
    const backwards = Array.from(url.matchAll(/\{(\d+)\.\.(\d+)\}/g)).some(([, from, to]) => Number(from) > Number(to));
    if (backwards)
      return [mistake(at, part, 'bad-range', 'a range in braces begins above its end', 'write such as `{1..40}`')];
    if (url === '' || pageAddress(pageOf(url, () => 0)) !== undefined) return [];
    const message = `${s.quoted(url)} is not the URL of a page`;
    return [mistake(at, part, 'bad-format', message, 'write one such as `https://shop.example/products/{1..40}`')];
  });
}

function inHours(hours: ParsedObject, path: readonly string[]): readonly TrafficMistake[] {
  const taken = new Map<number, string>();
  return Object.keys(hours).flatMap((text) => {
    const { from, to } = hoursIn(text) ?? { from: 0, to: 1 };
    const at = [...path, text];
    if (from >= to) {
      const message = `${s.quoted(text)} ends before it begins`;
      return [mistake(at, 'key', 'bad-range', message, 'split hours across midnight: `22-24` and `00-06`')];
    }
    const span = hoursIn(text) === undefined ? [] : Array.from({ length: to - from }, (_, index) => from + index);
    const other = span.map((hour) => taken.get(hour)).find((one) => one !== undefined);
    for (const hour of span) taken.set(hour, text);
    if (other === undefined) return [];
    const message = `${s.quoted(text)} has hours of ${s.quoted(other)}`;
    return [mistake(at, 'key', 'bad-range', message, 'give each hour of a day once')];
  });
}
