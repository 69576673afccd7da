// Calendars from files: which days and hours their events close, in the zone of the hours.

import { expect, test } from 'vitest';
import type { Diagnostic, HoursException } from '../../src/base/model.ts';
import { closedIn, readEvents } from '../../src/manifest/feeds.ts';
import { hoursOn } from '../../src/routing/staff/dates.ts';
import { blankSource } from '../../src/yaml/places.ts';
import { memoryDisk } from './memory-disk.ts';

const WITHIN = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2029, 0, 1) };
const NAMED = { file: 'm.yaml', mark: blankSource('m.yaml').mark([], 'key') };

function calendar(...events: readonly string[]): string {
  const each = events.map((event) => `BEGIN:VEVENT\n${event.trim().replaceAll(/\n\s+/g, '\n')}\nEND:VEVENT\n`);
  return `BEGIN:VCALENDAR\n${each.join('')}END:VCALENDAR\n`;
}

async function exceptions(text: string, zone = 'Europe/Warsaw'): Promise<readonly HoursException[]> {
  const found: Diagnostic[] = [];
  const repeated = await readEvents('a.ics', NAMED, WITHIN, memoryDisk({ 'a.ics': text }), found);
  expect(found).toEqual([]);
  return closedIn(repeated, zone, WITHIN);
}

/** `2026-12-24`, `2026-12-25/2026-12-26`, `2026-12-27 12:00-24:00`. */
async function closed(text: string, zone?: string): Promise<readonly string[]> {
  const date = (day: number): string => new Date(day).toISOString().slice(0, 10);
  const each = (await exceptions(text, zone)).map(({ from, to, hours }) => {
    const days = from === to ? date(from) : `${date(from)}/${date(to)}`;
    const without = hours !== null && 'without' in hours ? hours.without : [];
    return [days, ...without.map(({ start, end }) => `${start}-${end}`)].join(' ');
  });
  return each.sort();
}

test('a day is a day in each zone, and the end of an event is not part of it', async () => {
  const text = calendar(
    'DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261225',
    'DTSTART;VALUE=DATE:20261231',
    'DTSTART;VALUE=DATE:20270101\nDURATION:P2D',
  );
  for (const zone of ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago'])
    expect(await closed(text, zone)).toEqual(['2026-12-24', '2026-12-31/2027-01-02']);
});

test('an event with times closes these hours, as the zone of the schedule shows them', async () => {
  const utc = calendar('DTSTART:20261224T110000Z\nDTEND:20261226T060030Z');
  expect(await closed(utc)).toEqual(['2026-12-24 12:00-24:00', '2026-12-25', '2026-12-26 00:00-07:01']);
  expect(await closed(utc, 'Asia/Tokyo')).toEqual(['2026-12-24 20:00-24:00', '2026-12-25', '2026-12-26 00:00-15:01']);
  const floating = calendar('DTSTART:20261224T110000\nDURATION:PT2H');
  expect(await closed(floating, 'Asia/Tokyo')).toEqual(['2026-12-24 11:00-13:00']);
  const zoned = calendar('DTSTART;TZID=America/New_York:20261224T110000\nDTEND;TZID=Europe/Warsaw:20261224T183000');
  expect(await closed(zoned)).toEqual(['2026-12-24 17:00-18:30']);
  expect(await closed(calendar('DTSTART:20261224T110000'))).toEqual([]);
});

test('an event until 23:59 closes the last minute also', async () => {
  expect(await closed(calendar('DTSTART:20261224T000000\nDTEND:20261224T235900'))).toEqual(['2026-12-24']);
});

test('a rule repeats at the local time of its event, when clocks change also', async () => {
  const weekly = 'RRULE:FREQ=WEEKLY;UNTIL=20261101T080000Z';
  const text = calendar(`DTSTART;TZID=America/New_York:20261018T090000\nDURATION:PT1H\n${weekly}`);
  // Europe leaves its summer time on 25 October, and America on 1 November.
  expect(await closed(text)).toEqual(['2026-10-18 15:00-16:00', '2026-10-25 14:00-15:00']);
});

test('excluded, added, moved and cancelled occurrences', async () => {
  const master = `UID:1
    DTSTART;VALUE=DATE:20261201
    RRULE:FREQ=DAILY;COUNT=6
    EXDATE;VALUE=DATE:20261202
    EXDATE;TZID=Europe/Warsaw:20261204T000000
    RDATE;VALUE=DATE:20261224,20261226`;
  const moved = 'UID:1\nRECURRENCE-ID;VALUE=DATE:20261203\nDTSTART;VALUE=DATE:20261210';
  const cancelled = 'UID:1\nRECURRENCE-ID;VALUE=DATE:20261205\nDTSTART;VALUE=DATE:20261205\nSTATUS:CANCELLED';
  const other = 'UID:2\nRECURRENCE-ID;VALUE=DATE:20261206\nDTSTART;VALUE=DATE:20261212';
  const days = ['2026-12-01', '2026-12-06', '2026-12-10', '2026-12-12', '2026-12-24', '2026-12-26'];
  expect(await closed(calendar(master, moved, cancelled, other))).toEqual(days);
  expect(await closed(calendar('DTSTART:20261224\nSTATUS:CANCELLED'))).toEqual([]);
});

test('an occurrence is excluded by its instant, in whatever zone that is written', async () => {
  const text = calendar(`DTSTART;TZID=Europe/Warsaw:20261201T090000
    DURATION:PT1H
    RRULE:FREQ=DAILY;COUNT=4
    EXDATE:20261202T080000Z
    EXDATE;VALUE=DATE:20261203
    EXDATE:20261204T090000Z
    RDATE;VALUE=PERIOD:20261210T080000Z/PT30M,20261211T080000Z/20261211T100000Z`);
  expect(await closed(text)).toEqual([
    '2026-12-01 09:00-10:00',
    '2026-12-04 09:00-10:00',
    '2026-12-10 09:00-09:30',
    '2026-12-11 09:00-11:00',
  ]);
});

test('a transparent event closes also: feeds of public holidays mark theirs so', async () => {
  expect(await closed(calendar('DTSTART:20261224\nTRANSP:TRANSPARENT'))).toEqual(['2026-12-24']);
});

test('a rule without an end is counted for the years around the day only', async () => {
  expect(await closed(calendar('DTSTART:19700101\nRRULE:FREQ=DAILY'))).toEqual(['2025-01-01/2028-12-31']);
  expect(await closed(calendar('DTSTART:16040229\nRRULE:FREQ=YEARLY'))).toEqual(['2028-02-29']);
  const last = 'DTSTART;TZID=America/New_York:20281231T000000\nDURATION:P1D\nRRULE:FREQ=DAILY;UNTIL=99991231T235959Z';
  expect(await closed(calendar(last), 'America/New_York')).toEqual(['2028-12-31']);
  expect(await closed(calendar('DTSTART:19700101\nDTEND:99991231'))).toEqual(['2025-01-01/2028-12-31']);
  expect(await closed(calendar('DTSTART:20260101\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'))).toEqual(['2026-01-01']);
});

test('a file that asks for too much is an error where it does, at each limit', async () => {
  const event = (...lines: readonly string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT', ''].join('\n');
  const first = 'DTSTART:20260101';
  const errorOf = async (events: string): Promise<string> => {
    const found: Diagnostic[] = [];
    const text = `BEGIN:VCALENDAR\n${events}END:VCALENDAR\n`;
    const repeated = await readEvents('a.ics', NAMED, WITHIN, memoryDisk({ 'a.ics': text }), found);
    expect(repeated.length > 0).toBe(found.length === 0);
    return found.map(({ place, code, message }) => `${place.line} ${code} ${message}`).join();
  };
  const daily = event('DTSTART:20250101', 'RRULE:FREQ=DAILY');
  const dates = (count: number): string => `RDATE:${Array.from({ length: count }, () => '20260102').join()}`;
  const never = event(first, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30');
  expect(await errorOf(daily.repeat(60))).toBe('');
  expect(await errorOf(daily.repeat(70))).toMatch(/^27\d too-many .*events take place more than 100,000 times$/);
  expect(await errorOf(never.repeat(1300))).toBe('');
  expect(await errorOf(never.repeat(2000))).toMatch(
    /^\d{4} too-many .*rules are compared with more than 2,000,000 days$/,
  );
  expect(await errorOf(event(first, 'RRULE:FREQ=DAILY;COUNT=100000'))).toBe('');
  const centuries = event('DTSTART:01000101', 'RRULE:FREQ=DAILY;COUNT=999999');
  expect(await errorOf(centuries.repeat(4))).toMatch(/^1\d too-many .*rules are compared/);
  expect(await errorOf(event(first, dates(20_000)))).toBe('');
  expect(await errorOf(event(first) + event(first, dates(20_001)))).toMatch(
    /^5 too-many .*exclude more than 20,000 dates$/,
  );
  expect(await errorOf(event(first).repeat(20_000))).toBe('');
  expect(await errorOf(event(first).repeat(20_002))).toBe('60005 too-many the calendar has more than 20,000 events');
  const long = event(first, 'X:1\n'.repeat(300_000));
  expect(await errorOf(long)).toBe('300001 too-many the calendar has more than 300,000 lines');
  expect(await errorOf(event(first, `RRULE:FREQ=DAILY;BYMONTH=${'1,'.repeat(600)}1`))).toBe(
    '4 bad-format the rule is too long',
  );
  expect(await errorOf(event(first, 'DTEND:20280101', 'RRULE:FREQ=YEARLY'))).toMatch(
    /^4 bad-range .*longer than a year$/,
  );
});

test('what an event leaves of the hours of a day', async () => {
  const all = await exceptions(
    calendar(
      'DTSTART:20261221T120000\nDURATION:PT1H',
      'DTSTART:20261222T140000\nDURATION:PT10H',
      'DTSTART:20261223T080000\nDURATION:PT12H',
    ),
  );
  const days = ['monday', 'tuesday', 'wednesday'];
  const ordinary = days.map((day) => ({ day, enabled: true, start: '09:00', end: '17:00' }));
  const shown = (keepsClosed: boolean, before: readonly HoursException[] = []) =>
    days.map((_, index) =>
      hoursOn({ ordinary, exceptions: [...before, ...all], keepsClosed }, Date.UTC(2026, 11, 21 + index)).map(
        ({ enabled, start, end }) => `${enabled ? '' : 'off '}${start}-${end}`,
      ),
    );
  expect(shown(true)).toEqual([['09:00-12:00', '13:00-17:00'], ['09:00-14:00'], ['off 09:00-17:00']]);
  expect(shown(false)).toEqual([['09:00-12:00', '13:00-17:00'], ['09:00-14:00'], []]);
  const { place } = NAMED.mark;
  const short = {
    from: Date.UTC(2026, 11, 21),
    to: Date.UTC(2026, 11, 22),
    hours: [{ start: '11:00', end: '14:30' }],
    place,
  };
  expect(shown(true, [short])).toEqual([['11:00-12:00', '13:00-14:30'], ['11:00-14:00'], ['off 09:00-17:00']]);
});
