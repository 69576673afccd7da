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
/** Around it several of the zones change their clocks. */
const BEGIN = Date.UTC(2026, 9, 20);

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
  /** Quarters of an hour that it lasts from a quarter of the first day on; null for whole days. */
  readonly quarters: { readonly first: number; readonly count: number; readonly isUtc: boolean } | null;
  readonly rule: 'none' | 'daily' | 'weekly' | 'monthly' | 'last' | 'yearly';
  readonly interval: number;
  readonly end: { readonly count: number } | { readonly until: number } | null;
  /** Which occurrences are left out, and how. */
  readonly out: readonly { readonly index: number; readonly isEvent: boolean }[];
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

const QUARTER = 15 * 60_000;

const feedEvent: fc.Arbitrary<FeedEvent> = fc.record({
  from: fc.oneof(fc.integer({ min: 0, max: 45 }), fc.integer({ min: -300, max: 0 })),
  days: fc.constantFrom(1, 1, 2, 4),
  quarters: fc.option(
    fc.record({
      first: fc.integer({ min: 0, max: 94 }),
      count: fc.integer({ min: 1, max: 130 }),
      isUtc: fc.boolean(),
    }),
  ),
  rule: fc.constantFrom('none', 'none', 'daily', 'weekly', 'monthly', 'last', 'yearly'),
  interval: fc.integer({ min: 1, max: 3 }),
  end: fc.option(
    fc.oneof(
      fc.record({ count: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ until: fc.integer({ min: 0, max: 60 }) }),
    ),
  ),
  out: fc.array(fc.record({ index: fc.integer({ min: 0, max: 20 }), isEvent: fc.boolean() }), { maxLength: 2 }),
});

/** The days on which an event begins, counted one by one. */
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

/** An event of a rule begins on a day of the rule: RFC 5545 leaves open what another means. */
const feed = fc.array(feedEvent, { maxLength: 4 }).map((all) =>
  all.flatMap((event): readonly FeedEvent[] => {
    const [first] = beginsOf({ ...event, interval: 1, end: null });
    const moved = { ...event, from: first ?? event.from };
    const { end } = moved;
    return first === undefined || (end !== null && 'until' in end && end.until < first) ? [] : [moved];
  }),
);

function keptOf(event: FeedEvent): readonly number[] {
  const out = new Set(event.out.map(({ index }) => index));
  return beginsOf(event).filter((_, index) => event.rule === 'none' || !out.has(index));
}

function calendarOf(all: readonly FeedEvent[], ...more: readonly string[]): string {
  const lines = all.flatMap((event, index) => {
    const { from, days, quarters, rule, interval, end, out } = event;
    const compact = (text: string): string => text.replaceAll(/[-:]|\.000/g, '');
    const stamp = (day: number, quarter: number): string => {
      const text = compact(new Date(BEGIN + day * DAY + quarter * QUARTER).toISOString());
      if (quarters === null) return text.slice(0, 8);
      return quarters.isUtc ? text : text.slice(0, -1);
    };
    const at = (name: string, day: number, quarter = quarters?.first ?? 0): string =>
      `${name}${quarters === null ? ';VALUE=DATE' : ''}:${stamp(day, quarter)}`;
    const begins = beginsOf(event);
    const rules = {
      daily: 'FREQ=DAILY',
      weekly: 'FREQ=WEEKLY;BYDAY=MO,TH',
      monthly: 'FREQ=MONTHLY',
      last: 'FREQ=MONTHLY;BYMONTHDAY=-1',
      yearly: 'FREQ=YEARLY',
    };
    const until =
      end === null ? '' : 'count' in end ? `;COUNT=${end.count}` : `;UNTIL=${stamp(end.until, quarters?.first ?? 0)}`;
    const left =
      rule === 'none'
        ? []
        : out.flatMap((each) => (begins[each.index] === undefined ? [] : [{ ...each, day: begins[each.index] ?? 0 }]));
    return [
      'BEGIN:VEVENT',
      `UID:${index}`,
      ...more,
      at('DTSTART', from),
      quarters === null ? at('DTEND', from + days) : at('DTEND', from, quarters.first + quarters.count),
      ...(rule === 'none' ? [] : [`RRULE:${rules[rule]};INTERVAL=${interval}${until}`]),
      ...left.filter(({ isEvent }) => !isEvent).map(({ day }) => at('EXDATE', day)),
      'END:VEVENT',
      ...left
        .filter(({ isEvent }) => isEvent)
        .flatMap(({ day }) => [
          'BEGIN:VEVENT',
          `UID:${index}`,
          at('RECURRENCE-ID', day),
          at('DTSTART', day),
          'STATUS:CANCELLED',
          'END:VEVENT',
        ]),
    ];
  });
  return ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

/** The quarters of an hour of a day that events close, as a clock on the wall shows them. */
function closedQuarters(all: readonly FeedEvent[], zone: string, day: number): ReadonlySet<number> {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const closed = new Set<number>();
  for (const event of all)
    for (const begin of keptOf(event)) {
      const { days, quarters } = event;
      if (begin > day + 2 || begin < day - 5) continue;
      if (quarters === null) {
        if (begin <= day && day < begin + days) for (let each = 0; each < 96; each += 1) closed.add(each);
        continue;
      }
      for (let each = quarters.first; each < quarters.first + quarters.count; each += 1) {
        const time = BEGIN + begin * DAY + each * QUARTER;
        const shown = quarters.isUtc ? Date.parse(`${clock.format(time).replace(', ', 'T')}Z`) : time;
        if (Math.floor((shown - BEGIN) / DAY) === day) closed.add(Math.floor((((shown % DAY) + DAY) % DAY) / QUARTER));
      }
    }
  return closed;
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

/** The hours of one date: the last list that has it decides, and events take from what shared dates make. Absences come last. */
function hoursOn({ leave, ...given }: Written, day: number): readonly WeekdayHours[] {
  if (leave === null) return datedHours(given, day);
  const before = datedHours({ ...given, absences: [] }, day);
  const worked = before.filter((item) => item.enabled);
  const closed = closedQuarters(leave, given.zone, day);
  const left = worked.flatMap((item) => openIn(item, closed).map((span) => ({ ...item, ...span })));
  if (worked.length === 0 || left.length > 0) return worked.length === 0 ? before : left;
  return datedHours({ ...given, shared: [], feed: [], named: [], own: [], absences: [] }, day).map((item) => ({
    ...item,
    enabled: false,
  }));
}

interface WeekdayHours extends Span {
  readonly day: string;
  readonly enabled: boolean;
}

function datedHours(
  { zone, usual, shared, feed, named, own, isNamed, absences }: Omit<Written, 'leave'>,
  day: number,
): readonly WeekdayHours[] {
  const weekday = (new Date(BEGIN + day * DAY).getUTCDay() + 6) % 7;
  const name = WEEKDAYS[weekday] ?? '';
  const items = (spans: readonly Span[], enabled: boolean): readonly WeekdayHours[] =>
    spans.map((span) => ({ day: name, enabled, ...span }));
  const off = items(usual[weekday] ?? [], false);
  const foundIn = (lists: readonly (readonly Dates[])[]): readonly Span[] | null =>
    lists.flat().findLast((each) => day >= each.from && day < each.from + each.length)?.hours ?? null;
  const last = foundIn([...(isNamed ? [named] : []), own, absences]);
  if (last !== null) return last.length === 0 ? off : items(last, true);
  const dated = foundIn([shared]);
  const before = dated ?? usual[weekday] ?? [];
  if (dated?.length === 0) return off;
  const closed = closedQuarters(feed, zone, day);
  const left = before.flatMap((span) => openIn(span, closed));
  return before.length > 0 && left.length === 0 ? off : items(left, true);
}

/** A day ends at 23:59 in hours. */
function openIn({ start, end }: Span, closed: ReadonlySet<number>): readonly Span[] {
  const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const textOf = (minute: number): string =>
    [minute / 60, minute % 60].map((count) => String(Math.floor(count)).padStart(2, '0')).join(':');
  const found: Span[] = [];
  let begin: number | null = null;
  for (let minute = minuteOf(start); minute <= minuteOf(end); minute += 1) {
    const isOpen = minute < minuteOf(end) && !closed.has(Math.floor(minute / 15));
    if (isOpen) begin ??= minute;
    else if (begin !== null) {
      found.push({ start: textOf(begin), end: textOf(minute) });
      begin = null;
    }
  }
  return found;
}

/** What a license is to have on a day: of each weekday, the hours of the next one. */
function weekOf(given: Written, day: number): Json {
  const week = Array.from({ length: 7 }, (_, index) => day + index);
  const byWeekday = WEEKDAYS.map((_, weekday) =>
    week.filter((each) => (new Date(BEGIN + each * DAY).getUTCDay() + 6) % 7 === weekday),
  );
  return {
    timezone: given.zone,
    schedule: byWeekday.flatMap((days) => days.flatMap((each) => hoursOn(given, each).map((item) => ({ ...item })))),
  };
}

/** The day that a calendar on the wall shows. */
function today(zone: string, now: number): number {
  const shown = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (Date.parse(`${shown.format(now)}T00:00:00Z`) - BEGIN) / DAY;
}

describe('hours with dates', () => {
  it('are those of the seven days from a day on, for whatever calendars and exceptions', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: -10, max: 55 }), async (given, day) => {
        expect(hoursIn(await loaded(given, { day: BEGIN + day * DAY }))).toEqual(weekOf(given, day));
      }),
      { numRuns: tries(400, 40) },
    );
  });

  it('begin with the day that it is in their own zone, also at midnight and when clocks change', async () => {
    const minute = fc.integer({ min: 0, max: 40 * 24 * 4 }).map((quarter) => BEGIN + quarter * 15 * 60_000);
    await fc.assert(
      fc.asyncProperty(written, minute, fc.constantFrom(-1, 0), async (given, instant, before) => {
        const now = instant + before;
        expect(hoursIn(await loaded(given, { now }))).toEqual(weekOf(given, today(given.zone, now)));
      }),
      { numRuns: tries(400, 40) },
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
          expect(live.objects.agent?.find(({ id }) => id === 'ann@example.com')?.spec['work_scheduler']).toEqual(
            weekOf(given, day),
          );
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
  const bound = fc.option(fc.integer({ min: 0, max: 60 }), { nil: null });
  const period = fc
    .record({ from: bound, until: bound })
    .filter(({ from, until }) => from === null || until === null || from <= until);
  const given = fc.record({
    zone: fc.constantFrom(...ZONES),
    rules: fc.array(period, { maxLength: 5 }),
    member: period,
    person: period,
    instant: fc.integer({ min: 0, max: 62 * 24 * 4 }).map((quarter) => BEGIN + quarter * 15 * 60_000),
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
