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

/** The hours of one person: where they are written, and with which calendars. */
interface Written {
  readonly zone: string;
  /** By weekday from Monday. */
  readonly usual: readonly (readonly Span[])[];
  readonly shared: readonly Dates[];
  readonly named: readonly Dates[];
  readonly own: readonly Dates[];
  readonly isNamed: boolean;
  /** Rows of a table, in any order. */
  readonly absences: readonly Dates[];
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

const written: fc.Arbitrary<Written> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    usual: fc.array(fc.constantFrom(...SPANS), { minLength: 7, maxLength: 7 }),
    shared: dates,
    named: dates,
    own: dates,
    isNamed: fc.boolean(),
    absences: dates,
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

function manifestOf({ zone, usual, shared, named, own, isNamed }: Written): Json {
  const schedule = usual.flatMap((spans, index) =>
    spans.map((span) => ({ day: WEEKDAYS[index] ?? '', enabled: true, ...span })),
  );
  const whole = { timezone: zone, schedule, calendars: ['shared'], except: listOf(isNamed ? named : own) };
  const hours = isNamed ? { schedule: 'usual', except: listOf(own) } : whole;
  return {
    version: 1,
    absences: { csv: 'leave.csv' },
    calendars: { shared: listOf(shared) },
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
  const io = memoryDisk({ 'm.yaml': JSON.stringify(manifestOf(given)), 'leave.csv': tableOf(given) });
  const manifest: LoadedManifest = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io, ...day });
  if (manifest.desired === null) throw new Error(JSON.stringify(manifest.diagnostics));
  return manifest.desired;
}

function hoursIn({ resources }: Desired): Json {
  return resources[0]?.spec['work_scheduler'] ?? null;
}

/** The hours of one date: the last list that has it decides. */
function hoursOn({ usual, shared, named, own, isNamed, absences }: Written, day: number): readonly Json[] {
  const weekday = (new Date(BEGIN + day * DAY).getUTCDay() + 6) % 7;
  const lists = [shared, ...(isNamed ? [named] : []), own, absences];
  let found: Dates | undefined;
  for (const list of lists)
    for (const each of list) if (day >= each.from && day < each.from + each.length) found = each;
  const name = WEEKDAYS[weekday] ?? '';
  const items = (spans: readonly Span[], enabled: boolean): readonly Json[] =>
    spans.map((span) => ({ day: name, enabled, ...span }));
  if (found === undefined) return items(usual[weekday] ?? [], true);
  return found.hours.length === 0 ? items(usual[weekday] ?? [], false) : items(found.hours, true);
}

/** What a license is to have on a day: of each weekday, the hours of the next one. */
function weekOf(given: Written, day: number): Json {
  const week = Array.from({ length: 7 }, (_, index) => day + index);
  const byWeekday = WEEKDAYS.map((_, weekday) =>
    week.filter((each) => (new Date(BEGIN + each * DAY).getUTCDay() + 6) % 7 === weekday),
  );
  return { timezone: given.zone, schedule: byWeekday.flatMap((days) => days.flatMap((each) => hoursOn(given, each))) };
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
        const plain = { ...given, shared: [], named: [], own: [], absences: [] };
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
