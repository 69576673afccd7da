// Demand and cover by hour of the week, where the clock of a zone skips an hour or shows it twice: held to a count of quarters of an hour.

import { describe, expect, test } from 'vitest';
import { dayOf, type Week, weekOf } from '../../src/base/week.ts';
import { hoursOf } from '../../src/demand/range.ts';
import { coverByHour, demandByHour, meanSlots } from '../../src/demand/week.ts';
import { coverageOf } from '../../src/routing/staff/coverage.ts';
import { type Placed, staffOf } from '../../src/routing/staff/staff.ts';

const QUARTER = 900_000;
const HOUR = 4 * QUARTER;
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Zone, and a day of a week in which its clock goes forward or back. */
const WEEKS = [
  ['Europe/Warsaw', '2026-03-29'],
  ['Europe/Warsaw', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Europe/Warsaw', '2026-06-17'],
] as const;

/** By Intl: 0 is Monday 00:00. */
function hourShown(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return DAYS.indexOf(parts.get('weekday') ?? '') * 24 + Number(parts.get('hour'));
  };
}

function weekWith(zone: string, day: string): Week {
  return weekOf(zone, dayOf(day) ?? Number.NaN);
}

describe.each(WEEKS)('%s, the week of %s', (zone, day) => {
  const week = weekWith(zone, day);
  const shown = hourShown(zone);

  test('an hour of the week has the chats that began in it, and counts as often as the clock shows it', () => {
    const chatsAt = (at: number): number => Math.floor(at / HOUR) % 7;
    const expected = Array.from({ length: 168 }, () => ({ chats: 0, times: 0 }));
    for (let at = week.from; at < week.to; at += HOUR) {
      const own = expected[shown(at)];
      if (own === undefined) throw new Error('no hour of the week');
      own.chats += chatsAt(at);
      own.times += 1;
    }
    const hours = hoursOf(week).map((at) => ({ at, chats: chatsAt(at), seconds: 0, agent_seconds: 0 }));
    expect(demandByHour(hours, zone)).toEqual(
      expected.map(({ chats, times }) => ({ chats, times, perHour: times === 0 ? 0 : chats / times })),
    );
  });

  test('an hour of the week has the slots of those at work, and none where the clock skips it', () => {
    const hours = { sunday: ['01:15', '05:00'], monday: ['02:30', '03:45'], saturday: ['22:00', '23:30'] } as const;
    const schedule = Object.entries(hours).map(([name, [start, end]]) => ({ day: name, enabled: true, start, end }));
    const placed: readonly Placed[] = [
      { reference: 'sales', kind: 'group', name: 'Sales', spec: {}, decides: [] },
      {
        reference: 'ann',
        kind: 'agent',
        name: 'Ann',
        spec: { max_chats_count: 4, groups: { sales: 'normal' }, work_scheduler: { timezone: zone, schedule } },
        decides: [],
      },
    ];
    const { groups } = coverageOf(staffOf(placed, { zone, isRead: true, version: '3.6' }), week);
    const cover = groups.find(({ group }) => group.name === 'Sales');
    if (cover === undefined) throw new Error('no group');
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, timeStyle: 'short' });
    const expected = Array.from({ length: 168 }, (): number[] => []);
    for (let at = week.from; at < week.to; at += QUARTER) {
      const name = ['monday', '', '', '', '', 'saturday', 'sunday'][Math.floor(shown(at) / 24)] ?? '';
      const [start, end] = Object.hasOwn(hours, name) ? hours[name as keyof typeof hours] : ['24:00', '00:00'];
      const time = clock.format(at);
      expected[shown(at)]?.push(start <= time && time < end ? 4 : 0);
    }
    const mean = (slots: readonly number[]): number =>
      slots.length === 0 ? 0 : slots.reduce((sum, each) => sum + each, 0) / slots.length;
    const rounded = (slots: number): number => Math.round(slots * 1000) / 1000;
    expect(coverByHour(cover, week).map(meanSlots).map(rounded)).toEqual(expected.map(mean).map(rounded));
  });
});
