// The hours since an apply and those before, also where clocks change.

import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../../src/base/zone.ts';
import { hoursOf } from '../../../../src/demand/range.ts';
import { matched, rangeOf, weeksBefore, windowSince } from '../../../../src/features/report/since/window.ts';

const text = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString().slice(0, 16));
const at = (time: string) => Date.parse(`${time}:00Z`);
const since = (applied: string, now: string, wanted: number | null = null, zone = 'UTC', lag = 0) =>
  windowSince({ since: at(applied), now: at(now), lag, zone, wanted });

describe('windowSince', () => {
  test('begins with the first whole hour, and ends with the last that the reports show', () => {
    const window = since('2026-06-15T08:40', '2026-06-15T15:10', null, 'UTC', 3 * HOUR);
    expect([text(window.from), text(window.to), window.hours, text(window.next), window.end]).toEqual([
      '2026-06-15T09:00',
      '2026-06-15T12:00',
      3,
      '2026-06-15T16:00',
      null,
    ]);
  });

  test('has no more hours than are wanted, and says when the reports show them', () => {
    const window = since('2026-06-15T08:40', '2026-06-15T11:30', 4);
    expect([window.hours, text(window.end)]).toEqual([2, '2026-06-15T13:00']);
    const whole = since('2026-06-15T08:40', '2026-06-20T11:30', 4);
    expect([whole.hours, whole.next, text(whole.to)]).toEqual([4, null, '2026-06-15T13:00']);
  });

  test('ends after a week, and has no hour before there is one', () => {
    expect(since('2026-06-15T08:40', '2026-08-15T08:40').hours).toBe(168);
    expect(since('2026-06-15T08:40', '2026-06-15T08:50').hours).toBe(0);
  });

  test('begins with an hour of the zone', () => {
    expect(text(since('2026-06-15T08:40', '2026-06-15T15:10', null, 'Asia/Kolkata').from)).toBe('2026-06-15T09:30');
  });
});

/** Every hour of the range, each with the number of the hour. */
function numbered(window: ReturnType<typeof windowSince>) {
  return hoursOf(rangeOf(window)).map((each) => ({ at: each, chats: 1 }));
}

describe('matched', () => {
  test('compares the same hours of the same weekday, and the other days at that time', () => {
    const window = since('2026-06-15T08:40', '2026-06-16T12:00', 4);
    const days = matched(window, numbered(window));
    expect(days.map(({ now }) => now.length)).toEqual([4, 0, 0, 0, 0, 0, 0]);
    expect(days.map(({ before }) => before.map(({ length }) => length))).toEqual(Array(7).fill([4, 4, 4, 4]));
    expect(days[0]?.before.map(([first]) => text(first?.at ?? null))).toEqual([
      '2026-06-08T09:00',
      '2026-06-01T09:00',
      '2026-05-25T09:00',
      '2026-05-18T09:00',
    ]);
    // The other days of the week that ended as the window began.
    expect(text(days[6]?.before[0]?.[0]?.at ?? null)).toBe('2026-06-14T09:00');
  });

  test('goes by the clock when it went forward in between: Warsaw, 29 March', () => {
    const window = since('2026-04-06T06:30', '2026-04-07T12:00', 3, 'Europe/Warsaw');
    const [day] = matched(window, numbered(window));
    expect(day?.now.map((hour) => text(hour.at))).toEqual(['2026-04-06T07:00', '2026-04-06T08:00', '2026-04-06T09:00']);
    expect(day?.before.map(([first]) => text(first?.at ?? null))).toEqual([
      '2026-03-30T07:00',
      '2026-03-23T08:00',
      '2026-03-16T08:00',
      '2026-03-09T08:00',
    ]);
    expect(weeksBefore(window).map(({ from }) => text(from))).toEqual([
      '2026-03-30T07:00',
      '2026-03-23T08:00',
      '2026-03-16T08:00',
      '2026-03-09T08:00',
    ]);
  });

  test('leaves out an hour that one of the weeks skips, in all of them', () => {
    // 02:00 of 29 March is skipped.
    const window = since('2026-04-04T23:30', '2026-04-06T12:00', 5, 'Europe/Warsaw');
    const [day] = matched(window, numbered(window));
    expect(day?.now.map((hour) => text(hour.at))).toEqual(
      ['2026-04-05T00:00', '2026-04-05T01:00', '2026-04-05T02:00', '2026-04-05T03:00', '2026-04-05T04:00'].filter(
        (time) => time !== '2026-04-05T00:00',
      ),
    );
    expect(day?.before.map(({ length }) => length)).toEqual([4, 4, 4, 4]);
  });

  test('counts the first of two hours that the clock shows the same', () => {
    // 02:00 of 25 October comes twice in Warsaw.
    const window = since('2026-10-24T23:30', '2026-10-26T12:00', 4, 'Europe/Warsaw');
    const [day] = matched(window, numbered(window));
    expect(day?.now.map((hour) => text(hour.at))).toEqual(['2026-10-25T00:00', '2026-10-25T02:00', '2026-10-25T03:00']);
    expect(day?.before.map(({ length }) => length)).toEqual([3, 3, 3, 3]);
  });

  test('of more than a day, every day of the window is compared by itself', () => {
    const window = since('2026-06-15T08:40', '2026-06-18T12:00', 36);
    const days = matched(window, numbered(window));
    expect(days.map(({ now }) => now.length)).toEqual([24, 12, 0, 0, 0, 0, 0]);
    expect(days.map(({ before }) => before[0]?.length)).toEqual([24, 12, 24, 24, 24, 24, 24]);
  });
});
