// Hours that depend on the date, against a calendar that is counted day by day: the week of a day, when it changes, and what a license has
// after an apply on each day.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Desired, Json } from '../../src/base/model.ts';
import { type LoadedManifest, loadManifest } from '../../src/manifest/load.ts';
import { daysIn } from '../../src/manifest/schedules.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { tries } from '../tries.ts';
import { world } from '../world.ts';

const DAY = 86_400_000;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const ZONES = [
  'Europe/Warsaw',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'UTC',
];
/** In the 60 days from it on, each zone that changes its clock does so. */
const BEGIN = Date.UTC(2026, 8, 20);
const DAYS = 60;
const MINUTE = 60_000;
/** Minutes of a day. Times here are minutes since `BEGIN`: of the world, or of a clock on a wall. */
const WHOLE_DAY = 24 * 60;

interface Span {
  readonly start: string;
  readonly end: string;
}

/** Days from `BEGIN` on, and their hours; none when closed. */
interface Dates {
  readonly from: number;
  readonly length: number;
  readonly hours: readonly Span[];
  /** Written without a year. */
  readonly isYearly: boolean;
}

/** An event of a calendar file, from a day on. */
interface FeedEvent {
  readonly from: number;
  readonly days: number;
  /** Minutes of the first day, and how many they are, on the clock of a zone, or of any; null for whole days. */
  readonly time: { readonly first: number; readonly count: number; readonly zone: string | null } | null;
  readonly rule: 'none' | 'daily' | 'weekly' | 'monthly' | 'last' | 'yearly';
  readonly interval: number;
  readonly end: { readonly count: number } | { readonly until: number } | null;
  /** What becomes of some occurrences. */
  readonly changes: readonly Change[];
  /** Days on which it also takes place. */
  readonly added: readonly number[];
}

interface Change {
  readonly index: number;
  readonly by: 'exdate' | 'exdate-of-day' | 'exdate-in-utc' | 'cancelled' | 'moved';
}

/** The hours of one person: where they are written, and with which calendars. */
interface Written {
  readonly zone: string;
  /** By weekday from Monday. */
  readonly usual: readonly (readonly Span[])[];
  readonly shared: readonly Dates[];
  /** Counts more than the shared dates. */
  readonly feed: readonly FeedEvent[];
  readonly named: readonly Dates[];
  readonly own: readonly Dates[];
  readonly isNamed: boolean;
  /** Rows of a table, in any order. */
  readonly absences: readonly Dates[];
  /** Events in the place of the table; null where there is the table. */
  readonly leave: readonly FeedEvent[] | null;
}

const SPANS: readonly (readonly Span[])[] = [
  [],
  [{ start: '09:00', end: '17:00' }],
  [{ start: '10:00', end: '14:00' }],
  [
    { start: '08:00', end: '12:00' },
    { start: '13:00', end: '23:59' },
  ],
];

const dates = fc
  .array(
    fc.record({
      from: fc.integer({ min: 0, max: 40 }),
      length: fc.constantFrom(1, 1, 2, 5, 9),
      hours: fc.constantFrom(...SPANS),
      isYearly: fc.boolean(),
    }),
    { maxLength: 3 },
  )
  // One list names a date once.
  .map((all) => {
    const taken = new Set<number>();
    return all.filter(({ from, length }) => {
      const days = Array.from({ length }, (_, index) => from + index);
      if (days.some((day) => taken.has(day))) return false;
      for (const day of days) taken.add(day);
      return true;
    });
  });

const feedEvent: fc.Arbitrary<FeedEvent> = fc.record({
  from: fc.oneof(fc.integer({ min: 0, max: 45 }), fc.integer({ min: -300, max: 0 })),
  days: fc.constantFrom(1, 1, 2, 4),
  time: fc.option(
    fc.record({
      first: fc.integer({ min: 0, max: WHOLE_DAY - 1 }),
      count: fc.integer({ min: 1, max: 2000 }),
      zone: fc.oneof(fc.constantFrom(null, 'UTC'), fc.constantFrom(...ZONES)),
    }),
  ),
  rule: fc.constantFrom('none', 'daily', 'daily', 'weekly', 'weekly', 'monthly', 'last', 'yearly'),
  interval: fc.integer({ min: 1, max: 3 }),
  end: fc.option(
    fc.oneof(
      fc.record({ count: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ until: fc.integer({ min: 0, max: 60 }) }),
    ),
  ),
  changes: fc.uniqueArray(
    fc.record({
      index: fc.integer({ min: 0, max: 6 }),
      by: fc.constantFrom('exdate', 'exdate-of-day', 'exdate-in-utc', 'cancelled', 'moved'),
    }),
    { maxLength: 3, selector: ({ index }) => index },
  ),
  added: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 2 }),
});

/** The days on which an event begins by its rule, counted one by one. */
function beginsOf({ from, rule, interval, end }: FeedEvent): readonly number[] {
  const [first, last] = [new Date(BEGIN + from * DAY), end !== null && 'until' in end ? end.until : 80];
  const week = (day: number): number => Math.floor((BEGIN / DAY + day + 3) / 7);
  const isOn = (day: number): boolean => {
    const date = new Date(BEGIN + day * DAY);
    const months = (date.getUTCFullYear() - first.getUTCFullYear()) * 12 + date.getUTCMonth() - first.getUTCMonth();
    if (rule === 'daily') return (day - from) % interval === 0;
    // On Mondays and Thursdays.
    if (rule === 'weekly') return [1, 4].includes(date.getUTCDay()) && (week(day) - week(from)) % interval === 0;
    if (rule === 'monthly') return date.getUTCDate() === first.getUTCDate() && months % interval === 0;
    if (rule === 'last') return new Date(BEGIN + (day + 1) * DAY).getUTCDate() === 1 && months % interval === 0;
    return (
      rule === 'yearly' && date.toISOString().slice(4, 10) === first.toISOString().slice(4, 10) && months % 12 === 0
    );
  };
  const found: number[] = [];
  for (let day = from; day <= last; day += 1) if (isOn(day)) found.push(day);
  const counted = end !== null && 'count' in end ? found.slice(0, end.count) : found;
  return rule === 'none' ? [from] : counted;
}

/** An event of a rule begins on a day of the rule: RFC 5545 leaves open what another means. Days are added once, and to no day of the rule. */
const feed = fc.array(feedEvent, { maxLength: 4 }).map((all) =>
  all.flatMap((event): readonly FeedEvent[] => {
    const [first] = beginsOf({ ...event, interval: 1, end: null });
    const moved = { ...event, from: first ?? event.from };
    const { end } = moved;
    if (first === undefined || (end !== null && 'until' in end && end.until < first)) return [];
    const begins = beginsOf(moved);
    return [{ ...moved, added: moved.added.filter((day) => !begins.includes(day)) }];
  }),
);

/** Occurrences that change, with the days on which they would begin. */
function changedIn(event: FeedEvent): readonly (Change & { readonly day: number })[] {
  const inWindow = beginsOf(event).filter((day) => day >= 0);
  return event.changes.flatMap((each) => {
    const day = event.rule === 'none' ? undefined : inWindow[each.index];
    return day === undefined ? [] : [{ ...each, day }];
  });
}

/** How many days after its own one a moved occurrence begins. */
const MOVED_BY = 3;

/** The days on which an event begins in the end. */
function keptOf(event: FeedEvent): readonly number[] {
  const changed = changedIn(event);
  const left = beginsOf(event).filter((day) => !changed.some((each) => each.day === day));
  return [...left, ...event.added, ...changed.flatMap(({ day, by }) => (by === 'moved' ? [day + MOVED_BY] : []))];
}

function calendarOf(all: readonly FeedEvent[], ...more: readonly string[]): string {
  const lines = all.flatMap((event, index) => {
    const { from, days, time, rule, interval, end, added } = event;
    const stamp = (day: number, minute: number): string =>
      new Date(BEGIN + day * DAY + minute * MINUTE)
        .toISOString()
        .replaceAll(/[-:]|\.000Z/g, '')
        .slice(0, time === null ? 8 : undefined);
    const at = (name: string, day: number, minute = time?.first ?? 0): string => {
      if (time === null) return `${name};VALUE=DATE:${stamp(day, minute)}`;
      if (time.zone === 'UTC') return `${name}:${stamp(day, minute)}Z`;
      return `${name}${time.zone === null ? '' : `;TZID=${time.zone}`}:${stamp(day, minute)}`;
    };
    const left = (day: number, by: Change['by']): readonly string[] => {
      if (by === 'exdate-of-day') return [`EXDATE;VALUE=DATE:${stamp(day, 0).slice(0, 8)}`];
      if (by === 'exdate-in-utc' && time?.zone != null)
        return [`EXDATE:${stamp(0, firstShowing(time.zone, day * WHOLE_DAY + time.first))}Z`];
      return by === 'cancelled' || by === 'moved' ? [] : [at('EXDATE', day)];
    };
    const ends = (day: number): string =>
      time === null ? at('DTEND', day + days) : at('DTEND', day, time.first + time.count);
    const rules = {
      daily: 'FREQ=DAILY',
      weekly: 'FREQ=WEEKLY;BYDAY=MO,TH',
      monthly: 'FREQ=MONTHLY',
      last: 'FREQ=MONTHLY;BYMONTHDAY=-1',
      yearly: 'FREQ=YEARLY',
    };
    const limit =
      end === null ? '' : 'count' in end ? `;COUNT=${end.count}` : `;UNTIL=${stamp(end.until, 0).slice(0, 8)}`;
    const changed = changedIn(event);
    return [
      'BEGIN:VEVENT',
      `UID:${index}`,
      ...more,
      at('DTSTART', from),
      ends(from),
      ...(rule === 'none' ? [] : [`RRULE:${rules[rule]};INTERVAL=${interval}${limit}`]),
      ...changed.flatMap(({ day, by }) => left(day, by)),
      ...added.map((day) => at('RDATE', day)),
      'END:VEVENT',
      ...changed.flatMap(({ day, by }) =>
        by === 'cancelled' || by === 'moved'
          ? [
              'BEGIN:VEVENT',
              `UID:${index}`,
              ...more,
              at('RECURRENCE-ID', day),
              at('DTSTART', by === 'moved' ? day + MOVED_BY : day),
              ends(by === 'moved' ? day + MOVED_BY : day),
              ...(by === 'cancelled' ? ['STATUS:CANCELLED'] : []),
              'END:VEVENT',
            ]
          : [],
      ),
    ];
  });
  return ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

/** Days before and after `BEGIN` that a clock on the wall is read for. */
const READ = { from: -10, to: 80 };

const clocks = new Map<string, Int32Array>();

/** What a clock on the wall of a zone shows in each minute of the world. */
function clockOf(zone: string): Int32Array {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const form = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  // Clocks change at quarters of an hour.
  const clock = new Int32Array((READ.to - READ.from) * WHOLE_DAY);
  for (let index = 0; index < clock.length; index += 15) {
    const shown = form.format(BEGIN + READ.from * DAY + index * MINUTE).replace(', ', 'T');
    const minute = (Date.parse(`${shown}Z`) - BEGIN) / MINUTE;
    for (let more = 0; more < 15; more += 1) clock[index + more] = minute + more;
  }
  clocks.set(zone, clock);
  return clock;
}

function shownAt(zone: string, minute: number): number {
  return clockOf(zone)[minute - READ.from * WHOLE_DAY] ?? Number.NaN;
}

/** The first minute of the world in which a clock shows this minute of the wall, or a later one. */
function firstShowing(zone: string, wall: number): number {
  let minute = wall - WHOLE_DAY;
  while (shownAt(zone, minute) < wall) minute += 1;
  return minute;
}

/** The minutes of the wall in a zone that events take. */
function takenBy(all: readonly FeedEvent[], zone: string): ReadonlySet<number> {
  const taken = new Set<number>();
  for (const event of all)
    for (const day of keptOf(event)) {
      if (day < -5 || day > 70) continue;
      const { days, time } = event;
      const [from, to] = [day * WHOLE_DAY + (time?.first ?? 0), (day + days) * WHOLE_DAY];
      if (time === null) for (let wall = from; wall < to; wall += 1) taken.add(wall);
      else if (time.zone === null) for (let wall = from; wall < from + time.count; wall += 1) taken.add(wall);
      else {
        const last = firstShowing(time.zone, from + time.count);
        for (let minute = firstShowing(time.zone, from); minute < last; minute += 1) taken.add(shownAt(zone, minute));
      }
    }
  return taken;
}

const written: fc.Arbitrary<Written> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    usual: fc.array(fc.constantFrom(...SPANS), { minLength: 7, maxLength: 7 }),
    shared: dates,
    feed,
    named: dates,
    own: dates,
    isNamed: fc.boolean(),
    absences: dates,
    leave: fc.option(feed),
  })
  .filter(({ usual }) => usual.some((spans) => spans.length > 0));

function dateOf(day: number): string {
  return new Date(BEGIN + day * DAY).toISOString().slice(0, 10);
}

function daysOf(first: number, last: number, isYearly: boolean): { readonly [name: string]: string } {
  const [from, to] = [dateOf(first), dateOf(last)];
  const dayOf = (date: string): string => date.slice('YYYY-'.length);
  if (isYearly) return first === last ? { every: dayOf(from) } : { every: dayOf(from), to: dayOf(to) };
  return first === last ? { date: from } : { from, to };
}

function listOf(all: readonly Dates[]): Json {
  return all.map(({ from, length, hours, isYearly }) => ({
    ...daysOf(from, from + length - 1, isYearly),
    ...(hours.length === 0 ? { closed: true } : { hours: hours.map((span) => ({ ...span })) }),
  }));
}

function manifestOf({ zone, usual, shared, named, own, isNamed, leave }: Written): Json {
  const schedule = usual.flatMap((spans, index) =>
    spans.map((span) => ({ day: WEEKDAYS[index] ?? '', enabled: true, ...span })),
  );
  const whole = { timezone: zone, schedule, calendars: ['shared', 'feed'], except: listOf(isNamed ? named : own) };
  const hours = isNamed ? { schedule: 'usual', except: listOf(own) } : whole;
  return {
    version: 1,
    absences: leave === null ? { csv: 'leave.csv' } : { ics: 'leave.ics' },
    calendars: { shared: listOf(shared), feed: { ics: 'feed.ics' } },
    ...(isNamed ? { schedules: { usual: whole } } : {}),
    agents: { 'ann@example.com': { name: 'Ann', work_scheduler: hours } },
  };
}

/** Closed days are absences; others are swaps. */
function tableOf({ absences }: Written): string {
  const rows = absences.map(({ from, length, hours }) =>
    ['ann@example.com', dateOf(from), length === 1 ? '' : dateOf(from + length - 1), spansText(hours)].join(','),
  );
  return ['who,from,to,hours', ...rows, ''].join('\n');
}

function spansText(hours: readonly Span[]): string {
  return hours.map(({ start, end }) => `${start}-${end}`).join('; ');
}

async function loaded(given: Written, day: { readonly now: number } | { readonly day: number }): Promise<Desired> {
  const io = memoryDisk({
    'm.yaml': JSON.stringify(manifestOf(given)),
    'leave.csv': tableOf(given),
    'feed.ics': calendarOf(given.feed),
    'leave.ics': calendarOf(given.leave ?? [], 'ATTENDEE:mailto:ann@example.com'),
  });
  const manifest: LoadedManifest = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io, ...day });
  if (manifest.desired === null) throw new Error(JSON.stringify(manifest.diagnostics));
  return manifest.desired;
}

function hoursIn({ resources }: Desired): Json {
  return resources[0]?.spec['work_scheduler'] ?? null;
}

/** Whether a minute of the day is in one of the spans. */
function timesIn(spans: readonly Span[]): (minute: number) => boolean {
  const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const times = spans.map(({ start, end }) => ({ start: minuteOf(start), end: minuteOf(end) }));
  return (minute) => times.some(({ start, end }) => start <= minute && minute < end);
}

/** Whether the person works in a minute of the wall, asked step by step: what counts more is asked later. */
function worker({ zone, usual, shared, feed, named, own, isNamed, absences, leave }: Written) {
  const [taken, away] = [takenBy(feed, zone), takenBy(leave ?? [], zone)];
  const timed = (list: readonly Dates[]) => list.map((each) => ({ ...each, isWithin: timesIn(each.hours) }));
  const ordinary = usual.map(timesIn);
  const before = timed(shared);
  const after = timed([...(isNamed ? named : []), ...own, ...(leave === null ? absences : [])]);
  return (wall: number): boolean => {
    const day = Math.floor(wall / WHOLE_DAY);
    const minute = wall - day * WHOLE_DAY;
    let works = ordinary[weekdayOf(day)]?.(minute) === true;
    for (const { from, length, isWithin } of before) if (from <= day && day < from + length) works = isWithin(minute);
    if (taken.has(wall)) works = false;
    for (const { from, length, isWithin } of after) if (from <= day && day < from + length) works = isWithin(minute);
    return works && !away.has(wall);
  };
}

/** From Monday on. */
function weekdayOf(day: number): number {
  return (((BEGIN / DAY + day + 3) % 7) + 7) % 7;
}

/** Whether hours as a license has them say that the person works, on the next day of a weekday. */
function saidBy(hours: Json, day: number): (minute: number) => boolean {
  const { schedule } = hours as unknown as { readonly schedule: readonly (Span & { day: string; enabled: boolean })[] };
  return timesIn(schedule.filter((item) => item.enabled && item.day === WEEKDAYS[weekdayOf(day)]));
}

/** Days of the week from a day on whose hours differ in a minute from what the person works. Hours never have the last minute of a day. */
function differencesIn(hours: Json, works: (wall: number) => boolean, from: number): readonly string[] {
  const found: string[] = [];
  for (let day = from; day < from + WEEKDAYS.length; day += 1) {
    const isSaid = saidBy(hours, day);
    for (let minute = 0; minute < WHOLE_DAY - 1; minute += 1)
      if (isSaid(minute) !== works(day * WHOLE_DAY + minute)) {
        found.push(`${dateOf(day)}, minute ${minute} of the day: not ${works(day * WHOLE_DAY + minute)}`);
        break;
      }
  }
  return found;
}

/** The day that a calendar on the wall shows. */
function today(zone: string, now: number): number {
  const shown = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (Date.parse(`${shown.format(now)}T00:00:00Z`) - BEGIN) / DAY;
}

describe('hours with dates', () => {
  it('are those of the seven days from a day on, for whatever calendars and exceptions', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: 0, max: DAYS }), async (given, day) => {
        const hours = hoursIn(await loaded(given, { day: BEGIN + day * DAY }));
        expect(differencesIn(hours, worker(given), day)).toEqual([]);
      }),
      { numRuns: tries(400, 40) },
    );
  });

  it('made at each midnight are those of each minute of 60 days', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (given) => {
        const works = worker(given);
        let isSaid = saidBy({ schedule: [] }, 0);
        let today = Number.NaN;
        for (let minute = 0; minute < DAYS * WHOLE_DAY; minute += 1) {
          const wall = shownAt(given.zone, minute);
          const day = Math.floor(wall / WHOLE_DAY);
          if (day !== today) isSaid = saidBy(hoursIn(await loaded(given, { now: BEGIN + minute * MINUTE })), day);
          today = day;
          const shown = wall - day * WHOLE_DAY;
          if (shown < WHOLE_DAY - 1 && isSaid(shown) !== works(wall))
            throw new Error(`${dateOf(day)}, minute ${shown} of the day: not ${works(wall)}`);
        }
      }),
      { numRuns: tries(100, 6) },
    );
  });

  it('are the same on each day without a date', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: -10, max: 55 }), async (given, day) => {
        const plain = { ...given, shared: [], feed: [], named: [], own: [], absences: [], leave: null };
        const { dated, ...desired } = await loaded(plain, { day: BEGIN + day * DAY });
        expect(dated).toBeUndefined();
        const { dated: _, ...other } = await loaded(plain, { day: BEGIN });
        expect(desired).toEqual(other);
      }),
      { numRuns: tries(100, 10) },
    );
  });
});

describe('an apply on each day of a month', () => {
  it('leaves the license with the hours of that day, and says on which day the next one is needed', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (given) => {
        const license = world();
        const works = worker(given);
        const first = await loaded(given, { day: BEGIN - DAY });
        await license.apply(await license.plan(first), first);
        let announced: string | null = null;
        let isFirst = true;
        for (let day = 0; day < 31; day += 1) {
          const desired = await loaded(given, { day: BEGIN + day * DAY });
          const plan = await license.plan(desired);
          if (!isFirst) expect(plan.steps.length > 0, dateOf(day)).toBe(announced === dateOf(day));
          isFirst = false;
          announced = plan.hours?.next_change?.date ?? null;
          if (plan.steps.length > 0) await license.apply(plan, desired);
          const { live } = await license.settled(desired);
          const ann = live.objects.agent?.find(({ id }) => id === 'ann@example.com');
          expect(differencesIn(ann?.spec['work_scheduler'] ?? null, works, day)).toEqual([]);
        }
      }),
      { numRuns: tries(40, 2) },
    );
  });
});

describe('a day of each year', () => {
  const span = (every: string, to: string | undefined, year: number): string | null => {
    const days = daysIn(to === undefined ? { every } : { every, to }, year);
    return days && [days.from, days.to].map((day) => new Date(day).toISOString().slice(0, 10)).join(' ');
  };

  it('may be over the end of the year, and a leap day is in leap years only', () => {
    expect(span('12-30', '01-02', 2026)).toBe('2026-12-30 2027-01-02');
    expect(span('12-25', undefined, 2026)).toBe('2026-12-25 2026-12-25');
    expect(span('02-29', undefined, 2026)).toBeNull();
    expect(span('02-29', undefined, 2028)).toBe('2028-02-29 2028-02-29');
    expect(span('02-27', '02-29', 2027)).toBe('2027-02-27 2027-02-28');
    expect(span('02-29', '03-02', 2027)).toBe('2027-03-01 2027-03-02');
  });
});

describe('rules, members and people with days', () => {
  /** Few days, so that the day that is asked is often the first or the last one. */
  const FEW = 5;
  const given = fc.integer({ min: 0, max: DAYS - FEW }).chain((begin) => {
    const bound = fc.option(fc.integer({ min: begin, max: begin + FEW }), { nil: null });
    const period = fc
      .record({ from: bound, until: bound })
      .filter(({ from, until }) => from === null || until === null || from <= until);
    return fc.record({
      zone: fc.constantFrom(...ZONES),
      rules: fc.array(period, { maxLength: 5 }),
      member: period,
      person: period,
      instant: fc
        .integer({ min: begin * 24 * 4, max: (begin + FEW + 1) * 24 * 4 })
        .map((quarter) => BEGIN + quarter * 15 * MINUTE),
    });
  });
  type Period = { readonly from: number | null; readonly until: number | null };
  const written = ({ from, until }: Period) => ({
    ...(from === null ? {} : { from: dateOf(from) }),
    ...(until === null ? {} : { until: dateOf(until) }),
  });
  const isOn = ({ from, until }: Period, day: number): boolean =>
    (from ?? Number.NEGATIVE_INFINITY) <= day && day <= (until ?? Number.POSITIVE_INFINITY);

  it('count on the days that a calendar on the wall of the target shows, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(given, async ({ zone, rules, member, person, instant }) => {
        const manifest = {
          version: 1,
          agents: { 'ann@example.com': { name: 'Ann' }, 'eve@example.com': { name: 'Eve', ...written(person) } },
          groups: {
            sales: {
              name: 'Sales',
              agent_priorities: { 'ann@example.com': { priority: 'first', ...written(member) } },
            },
          },
          auto_access: rules.map((rule, index) => ({
            key: `r${index}`,
            ...written(rule),
            access: { groups: ['sales'] },
            conditions: { url: { values: [{ value: `/${index}` }] } },
          })),
        };
        const io = memoryDisk({ 'm.yaml': JSON.stringify(manifest) });
        const { desired } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io, now: instant, zone });
        const day = today(zone, instant);
        const specOf = (address: string) => desired?.resources.find((each) => each.address === address)?.spec;
        const hasDays = person.from !== null || person.until !== null;
        expect(desired?.ruleOrder).toEqual(
          rules.flatMap((rule, index) => (isOn(rule, day) ? [`auto_access/r${index}`] : [])),
        );
        expect(specOf('group/sales')?.['agent_priorities']).toEqual(
          isOn(member, day) ? { 'agent/ann@example.com': 'first' } : {},
        );
        expect(specOf('agent/eve@example.com')?.['suspended']).toBe(hasDays ? !isOn(person, day) : undefined);
      }),
      { numRuns: tries(400, 60) },
    );
  });
});
