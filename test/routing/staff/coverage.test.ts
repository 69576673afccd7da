// Weekly cover against an oracle that looks at the wall once a minute, on weeks in which clocks are changed; and what a person is told of it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/model.ts';
import { dayOf, spanText, type Week, weekOf } from '../../../src/base/week.ts';
import type { Interval } from '../../../src/base/zone.ts';
import { type Coverage, coverageOf, coverChanges, isThereAt } from '../../../src/routing/staff/coverage.ts';
import { type Placed, type Shift, type Staff, staffOf } from '../../../src/routing/staff/staff.ts';
import { tries } from '../../tries.ts';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const ZONES = ['Europe/Warsaw', 'America/New_York', 'Australia/Lord_Howe'];

/** A day on which each zone changes its clock, both ways. */
const CHANGES = [
  ['Europe/Warsaw', '2026-03-29', 167],
  ['Europe/Warsaw', '2026-10-25', 169],
  ['America/New_York', '2026-03-08', 167],
  ['America/New_York', '2026-11-01', 169],
  ['Australia/Lord_Howe', '2026-04-05', 168.5],
  ['Australia/Lord_Howe', '2026-10-04', 167.5],
] as const;

function weekWith(zone: string, date: string): Week {
  const day = dayOf(date);
  if (day === null) throw new Error(date);
  return weekOf(zone, day);
}

interface Worker {
  readonly zone: string;
  readonly slots: number;
  readonly shifts: readonly Shift[];
  readonly isBot?: boolean;
}

function scheduler({ zone, shifts }: Pick<Worker, 'zone' | 'shifts'>): JsonObject {
  return { timezone: zone, schedule: shifts.map((shift) => ({ ...shift, enabled: true })) };
}

function staffWith(workers: readonly Worker[]): Staff {
  const agents = workers.map(
    (worker, index): Placed => ({
      reference: `a${index}`,
      kind: worker.isBot === true ? 'bot' : 'agent',
      name: `a${index}`,
      spec: { groups: { sales: 'normal' }, max_chats_count: worker.slots, work_scheduler: scheduler(worker) },
      decides: [],
    }),
  );
  return staffOf([...agents, { reference: 'sales', kind: 'group', name: 'Sales', spec: {}, decides: [] }], {
    zone: 'UTC',
    isRead: true,
    version: '3.6',
  });
}

/** What the wall of a zone shows in every minute of a week. Shares no code with what it is the oracle of. */
function wallsOf({ from, to }: Week, zone: string): readonly { readonly day: string; readonly time: string }[] {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });
  return Array.from({ length: (to - from) / 60_000 }, (_, minute) => {
    const [day = '', time = ''] = clock
      .format(new Date(from + minute * 60_000))
      .toLowerCase()
      .split(/[ ,]+/);
    return { day, time };
  });
}

function isOn(shifts: readonly Shift[], wall: { readonly day: string; readonly time: string }): boolean {
  return shifts.some(
    ({ day, start, end }) => day === wall.day && wall.time >= start && (wall.time < end || end === '23:59'),
  );
}

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 15, 30, 45, 59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const shift = fc
  .record({ day: fc.constantFrom(...DAYS, 'sunday', 'saturday'), start: time, end: time })
  // Written the wrong way round it is no shift; a few of those stay.
  .map((each) =>
    each.start > each.end && each.end !== '00:00' ? { ...each, start: each.end, end: each.start } : each,
  );

const worker: fc.Arbitrary<Worker> = fc.record({
  zone: fc.constantFrom(...ZONES),
  slots: fc.integer({ min: 1, max: 9 }),
  shifts: fc.array(shift, { minLength: 1, maxLength: 12 }),
  isBot: fc.boolean(),
});

describe.each(CHANGES)('the week in which %s changes its clock, of %s', (zone, date, hours) => {
  const week = weekWith(zone, date);
  const walls = new Map(ZONES.map((each) => [each, wallsOf(week, each)]));

  test(`has ${hours} hours`, () => {
    expect((week.to - week.from) / 3_600_000).toBe(hours);
    expect(week.days).toHaveLength(7);
  });

  test('is covered as it is minute by minute', () => {
    fc.assert(
      fc.property(fc.array(worker, { minLength: 1, maxLength: 5 }), (workers) => {
        const [sales] = coverageOf(staffWith(workers), week).groups;
        if (sales === undefined) throw new Error('no group');
        const minutes = (walls.get(zone) ?? []).map((_, minute) => {
          const there = workers.filter((each) => {
            const wall = walls.get(each.zone)?.[minute];
            return wall !== undefined && isOn(each.shifts, wall);
          });
          const bots = there.filter(({ isBot }) => isBot).length;
          return { people: there.length, bots, slots: there.reduce((sum, { slots }) => sum + slots, 0) };
        });
        const told = sales.pieces.flatMap(({ from, to, people, bots, slots }) =>
          Array.from({ length: (to - from) / 60_000 }, () => ({ people, bots, slots })),
        );
        // As texts: ten thousand objects are compared in a hundredth of the time.
        expect(JSON.stringify(told)).toBe(JSON.stringify(minutes));
        const agents = minutes.map(({ people, bots }) => people - bots);
        expect(sales.agents).toEqual({ low: Math.min(...agents), high: Math.max(...agents) });
        for (const of of ['people', 'bots', 'slots'] as const) {
          const values = minutes.map((minute) => minute[of]);
          expect(sales[of]).toEqual({ low: Math.min(...values), high: Math.max(...values) });
        }
        const minutesIn = (times: readonly Interval[]): number =>
          times.reduce((sum, { from, to }) => sum + (to - from) / 60_000, 0);
        expect(minutesIn(sales.uncovered)).toBe(minutes.filter(({ people }) => people === 0).length);
        const alone = minutes.filter(({ people, bots }) => people > 0 && people === bots);
        expect(minutesIn(sales.botsOnly)).toBe(alone.length);
      }),
      { numRuns: tries(25, 8) },
    );
  });
});

function coverOf(workers: readonly Worker[], week: Week): Coverage {
  return coverageOf(staffWith(workers), week);
}

function shiftOf(day: string, start: string, end: string): Shift {
  return { day, start, end };
}

function gaps({ groups, week }: Coverage): readonly string[] {
  return groups.flatMap(({ uncovered }) => uncovered.map((gap) => spanText(week, gap)));
}

const ALL_WEEK = DAYS.map((day) => shiftOf(day, '00:00', '23:59'));
const ORDINARY = weekWith('Europe/Warsaw', '2026-06-10');

describe('a shift', () => {
  const warsaw = (shifts: readonly Shift[]): readonly Worker[] => [{ zone: 'Europe/Warsaw', slots: 6, shifts }];

  test('that ends at 23:59 ends at midnight', () => {
    expect(gaps(coverOf(warsaw(ALL_WEEK), ORDINARY))).toEqual([]);
  });

  test('that does not end after its start counts as nothing', () => {
    expect(gaps(coverOf(warsaw([shiftOf('monday', '22:00', '06:00')]), ORDINARY))).toEqual(['the whole week']);
    expect(gaps(coverOf(warsaw([shiftOf('monday', '08:00', '08:00')]), ORDINARY))).toEqual(['the whole week']);
  });

  test('in hours that the clock jumps over is not worked, and in hours that it shows twice is worked twice', () => {
    const night = [{ zone: 'Europe/Warsaw', slots: 6, shifts: [shiftOf('sunday', '02:00', '03:00')] }];
    const worked = (date: string): number | null => {
      const staff = staffWith(night);
      const [person] = staff.people;
      return person === undefined ? null : coverageOf(staff, weekWith('Europe/Warsaw', date)).worked(person);
    };
    expect([worked('2026-03-29'), worked('2026-06-10'), worked('2026-10-25')]).toEqual([0, 1, 2]);
  });

  test('is told with the distance from UTC where the wall shows its time twice', () => {
    const shifts = [...ALL_WEEK.slice(0, 6), shiftOf('sunday', '00:00', '02:30'), shiftOf('sunday', '03:00', '23:59')];
    expect(gaps(coverOf(warsaw(shifts), weekWith('Europe/Warsaw', '2026-10-25')))).toEqual([
      'Sun 02:30+02:00-02:00+01:00',
      'Sun 02:30+01:00-03:00',
    ]);
  });

  test('is told in the zone of whoever asks', () => {
    const shifts = [shiftOf('monday', '00:00', '12:00')];
    expect(gaps(coverOf([{ zone: 'America/New_York', slots: 6, shifts }], ORDINARY))).toEqual([
      'Mon 00:00-06:00',
      'Mon 18:00-Sun 24:00',
    ]);
  });
});

describe('who may be there at any time', () => {
  const staff = (specs: readonly { readonly kind: 'agent' | 'bot'; readonly spec: JsonObject }[]): Staff =>
    staffOf(
      [
        ...specs.map(({ kind, spec }, index): Placed => {
          const reference = `w${index}`;
          const groups = { sales: 'normal' };
          return { reference, kind, name: reference, spec: { groups, max_chats_count: 4, ...spec }, decides: [] };
        }),
        { reference: 'sales', kind: 'group', name: 'Sales', spec: {}, decides: [] },
      ],
      { zone: 'UTC', isRead: true, version: '3.6' },
    );
  const hours = scheduler({ zone: 'UTC', shifts: [shiftOf('monday', '08:00', '16:00')] });

  test('is counted apart, and leaves no hour without anyone', () => {
    const told = staff([
      { kind: 'agent', spec: { work_scheduler: hours } },
      { kind: 'agent', spec: { work_scheduler: { schedule: [] } } },
      { kind: 'agent', spec: { work_scheduler: null } },
    ]);
    expect(coverageOf(told, ORDINARY).groups).toMatchObject([
      { people: { low: 0, high: 1 }, slots: { low: 0, high: 4 }, anytime: { people: 2, slots: 8 }, uncovered: [] },
    ]);
  });

  test('is no bot: without hours it is there all the time', () => {
    expect(coverageOf(staff([{ kind: 'bot', spec: {} }]), ORDINARY).groups).toMatchObject([
      { people: { low: 1, high: 1 }, anytime: { people: 0 }, uncovered: [] },
    ]);
  });

  test('is nobody to whom no chats are assigned', () => {
    const told = staff([
      { kind: 'agent', spec: { groups: { sales: 'supervisor' } } },
      { kind: 'agent', spec: { suspended: true } },
    ]);
    const cover = coverageOf(told, ORDINARY);
    expect(gaps(cover)).toEqual(['the whole week']);
    expect(cover.groups).toMatchObject([{ anytime: { people: 0 } }]);
  });

  test('is told with those whose chats at a time are not known', () => {
    const told = staff([{ kind: 'bot', spec: { max_chats_count: null } }]);
    expect(coverageOf(told, ORDINARY).groups).toMatchObject([{ unsized: 1, slots: { low: 0, high: 0 } }]);
  });
});

test('whether somebody is there at an instant is known of whoever has hours, and of bots', () => {
  const shifts = [shiftOf('monday', '08:00', '16:00')];
  const at = Date.parse('2026-06-08T08:00:00+02:00');
  const timed = { status: 'shifts', zone: 'Europe/Warsaw', isZoneAssumed: false, shifts } as const;
  expect(isThereAt({ tireless: false, hours: timed }, at)).toBe(true);
  expect(isThereAt({ tireless: false, hours: timed }, at - 1)).toBe(false);
  expect(isThereAt({ tireless: true, hours: { status: 'none' } }, at)).toBe(true);
  expect(isThereAt({ tireless: false, hours: { status: 'none' } }, at)).toBe(null);
});

test('cover is lost where somebody was and nobody is, and gained the other way round', () => {
  const weekend = [shiftOf('saturday', '00:00', '23:59'), shiftOf('sunday', '08:00', '20:00')];
  const [week, later] = [ALL_WEEK.slice(0, 6), ALL_WEEK.slice(1, 6)];
  const before = coverOf([{ zone: 'Europe/Warsaw', slots: 6, shifts: [...later, ...weekend] }], ORDINARY);
  const after = coverOf([{ zone: 'Europe/Warsaw', slots: 6, shifts: week }], ORDINARY);
  const told = coverChanges(before, after).map(({ group, lost, gained }) => ({
    group,
    lost: lost.map((each) => spanText(ORDINARY, each)),
    gained: gained.map((each) => spanText(ORDINARY, each)),
  }));
  expect(told).toEqual([{ group: 'sales', lost: ['Sun 08:00-20:00'], gained: ['Mon 00:00-24:00'] }]);
  expect(coverChanges(before, before)).toEqual([]);
});

test('cover is not lost by learning the hours of somebody, only by narrowing those that were known', () => {
  const cover = (scheduler: JsonObject | null): Coverage => {
    const spec = { groups: { sales: 'normal' }, work_scheduler: scheduler };
    const placed: readonly Placed[] = [
      { reference: 'ann', kind: 'agent', name: 'Ann', spec, decides: [] },
      { reference: 'sales', kind: 'group', name: 'Sales', spec: {}, decides: [] },
    ];
    return coverageOf(staffOf(placed, { zone: 'UTC', isRead: true, version: '3.6' }), ORDINARY);
  };
  const timed = cover(scheduler({ zone: 'UTC', shifts: [shiftOf('monday', '08:00', '16:00')] }));
  expect(coverChanges(cover(null), timed)).toEqual([]);
  expect(coverChanges(cover({ schedule: [] }), timed)).toMatchObject([{ gained: [], lost: [{}, {}] }]);
});

test('a thousand people with hours of their own are counted in well under a second', () => {
  const workers = Array.from({ length: 1_000 }, (_, index) => ({
    zone: ZONES[index % 3] ?? '',
    slots: 6,
    shifts: DAYS.map((day) => shiftOf(day, `0${index % 10}:${10 + (index % 50)}`, '18:00')),
  }));
  const begun = process.cpuUsage();
  coverOf(workers, ORDINARY);
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1_000);
});
