// Who can take chats now, and the next gap of each group.

import { expect, test } from 'vitest';
import { nextHours } from '../../../src/features/ui/next-hours.ts';
import { nowTable, thereText } from '../../../src/features/ui/now-table.ts';
import { withoutStaffNames } from '../../../src/features/ui/without-people.ts';
import { type Placed, staffOf } from '../../../src/routing/staff/staff.ts';
import { sideOf } from './asked.ts';

const ZONE = 'Europe/Warsaw';
/** A Monday, 10:00 in Warsaw. */
const MONDAY = Date.parse('2026-11-30T09:00:00Z');

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

const group = (name: string): Placed => ({ reference: `group/${name}`, kind: 'group', name, spec: {}, decides: [] });

const worker = (name: string, groups: readonly string[], hours: readonly [string, string] | null): Placed => ({
  reference: `agent/${name}`,
  kind: 'agent',
  name,
  spec: {
    max_chats_count: 3,
    suspended: false,
    awaiting_approval: false,
    groups: Object.fromEntries(groups.map((each) => [`group/${each}`, 'normal'])),
    work_scheduler:
      hours === null
        ? {}
        : { timezone: ZONE, schedule: DAYS.map((day) => ({ day, enabled: true, start: hours[0], end: hours[1] })) },
  },
  decides: [],
});

const bot = (name: string, groups: readonly string[]): Placed => ({
  ...worker(name, groups, null),
  reference: `bot/${name}`,
  kind: 'bot',
});

const staffIn = (placed: readonly Placed[]) => staffOf(placed, { zone: ZONE, version: '3.6', isRead: true });

const textIn = (hours: ReturnType<typeof nextHours>) =>
  JSON.stringify(nowTable(hours, { target: 'shop', places: {}, called: {} }, false));

function next(placed: readonly Placed[], now = MONDAY) {
  const staff = staffIn(placed);
  return nextHours(staff, ZONE, now).groups.map(({ name, there, slots, anytime, gap }) => ({
    name,
    there: there.map((person) => person.name),
    slots,
    anytime,
    gap: gap === null ? null : [gap.isNow ? 'now' : 'later', gap.hasBots ? 'bots' : 'nobody', gap.text, gap.hours],
  }));
}

test('A group has who is at work and takes chats, and the first gap that begins within a day, told to its end', () => {
  const placed = [
    group('sales'),
    worker('ann', ['sales'], ['09:00', '17:00']),
    worker('bob', ['sales'], ['08:00', '12:00']),
  ];
  expect(next(placed)).toEqual([
    { name: 'sales', there: ['ann', 'bob'], slots: 6, anytime: 0, gap: ['later', 'nobody', 'Mon 17:00-Tue 08:00', 15] },
  ]);
});

test('A gap between hours of bots alone says when a person is there again', () => {
  const night = { ...worker('robot', ['sales'], ['06:00', '20:00']), reference: 'bot/robot', kind: 'bot' } as const;
  const placed = [group('sales'), worker('ann', ['sales'], ['09:00', '17:00']), night];
  const { groups } = nextHours(staffIn(placed), ZONE, MONDAY);
  expect(groups[0]?.gap).toMatchObject({ text: 'Mon 20:00-Tue 06:00', hasBots: false, personAt: 'Tue 09:00' });
  const alone = nextHours(staffIn([group('sales'), night]), ZONE, MONDAY);
  expect(alone.groups[0]?.gap).toMatchObject({ text: 'Mon 20:00-Tue 06:00', personAt: 'the end of the coming week' });
});

test('The group without anybody comes first, then the one with a gap to come, then bots alone, then what is well', () => {
  const placed = [
    ...['well', 'bots', 'later', 'empty'].map(group),
    worker('any', ['well'], null),
    bot('b', ['bots']),
    worker('ann', ['later'], ['09:00', '17:00']),
  ];
  expect(next(placed).map(({ name, gap }) => [name, gap?.slice(0, 3) ?? null])).toEqual([
    ['empty', ['now', 'nobody', 'the whole week']],
    ['later', ['later', 'nobody', 'Mon 17:00-Tue 09:00']],
    ['bots', ['now', 'bots', 'the whole week']],
    ['well', null],
  ]);
});

test('Hours in which bots alone are there are a gap of agents', () => {
  const placed = [group('sales'), bot('b', ['sales']), worker('ann', ['sales'], ['09:00', '17:00'])];
  expect(next(placed)[0]?.gap).toEqual(['later', 'bots', 'Mon 17:00-Tue 09:00', 16]);
});

test('A page without the names of people has the gaps of one with them', () => {
  const staff = staffIn([
    ...['sales', 'night'].map(group),
    bot('b', ['sales']),
    worker('ann', ['sales', 'night'], ['09:00', '17:00']),
    worker('bob', ['sales'], ['16:00', '20:00']),
    worker('eve', ['night'], ['20:00', '23:00']),
  ]);
  const gapsOf = (each: typeof staff) => nextHours(each, ZONE, MONDAY).groups.map(({ name, gap }) => [name, gap?.text]);
  const { staff: nameless } = withoutStaffNames(sideOf({ staff }));
  expect(gapsOf(nameless)).toEqual(gapsOf(staff));
  expect(JSON.stringify(nameless)).not.toMatch(/ann|bob|eve/);
});

test('Whoever may be there at any time leaves no gap, and is not counted as there', () => {
  expect(next([group('sales'), worker('any', ['sales'], null)])).toEqual([
    { name: 'sales', there: [], slots: 0, anytime: 1, gap: null },
  ]);
});

test('A gap that begins after more than a day is not told', () => {
  const placed = [group('sales'), worker('ann', ['sales'], ['00:00', '24:00'])];
  expect(next(placed)[0]?.gap).toBeNull();
  expect(next(placed, MONDAY + 4 * 86_400_000)[0]?.gap).toEqual(['later', 'nobody', 'Sat 00:00-Sun 24:00', 48]);
});

test('Whether there is a gap is not known where people without hours may fill it, unless others are there all day', () => {
  const known = (hours: readonly [string, string]) => {
    const placed = [group('sales'), worker('any', ['sales'], null), worker('ann', ['sales'], hours)];
    const [found] = nextHours(staffIn(placed), ZONE, MONDAY).groups;
    return [found?.gap, found?.isGapKnown];
  };
  expect([known(['09:00', '17:00']), known(['00:00', '24:00'])]).toEqual([
    [null, false],
    [null, true],
  ]);
});

test('Who joins a group or leaves it within the day is there from then on, or until then', () => {
  const { groups, people } = staffIn([group('sales'), worker('ann', ['sales'], ['09:00', '17:00'])]);
  const shown = (days: { readonly from?: number; readonly until?: number }) => {
    const staff = {
      people,
      groups: groups.map((each) => ({ ...each, members: each.members.map((ann) => ({ ...ann, ...days })) })),
    };
    const [found] = nextHours(staff, ZONE, MONDAY).groups;
    return [found?.there.length, found?.gap?.text];
  };
  const midnight = Date.parse('2026-12-01T00:00:00+01:00');
  expect([shown({ from: midnight }), shown({ until: midnight })]).toEqual([
    [0, 'Mon 10:00-Tue 09:00'],
    [1, 'Mon 17:00-Mon 10:00'],
  ]);
});

test('A group is closed where the usual hours of no member have the time, and not where a member is away or there are none', () => {
  const dated = {
    ordinary: DAYS.map((day) => ({ day, enabled: true, start: '09:00', end: '17:00' })),
    keepsClosed: false,
    exceptions: [{ from: Date.UTC(2026, 10, 30), to: Date.UTC(2026, 10, 30), hours: null }],
  };
  const away = { ...worker('ann', ['away'], ['09:00', '17:00']), dated };
  const bob = worker('bob', ['night'], ['18:00', '20:00']);
  const carl = worker('carl', ['barred'], ['09:00', '17:00']);
  const placed = [
    ...['away', 'night', 'barred', 'none'].map(group),
    ...[away, bob, { ...carl, spec: { ...carl.spec, suspended: true } }],
  ];
  const { groups } = nextHours(staffIn(placed), ZONE, MONDAY);
  expect(groups.filter(({ isClosed }) => isClosed).map(({ name }) => name)).toEqual(['night']);
  expect(groups.every(({ there }) => there.length === 0)).toBe(true);
  const spec = { ...carl.spec, awaiting_approval: true };
  const waiting = nextHours(staffIn([group('barred'), { ...carl, spec }]), ZONE, MONDAY);
  expect(textIn(waiting)).toContain('"nobody: 1 person waits for approval"');
  expect(textIn(nextHours(staffIn([group('night'), bob]), ZONE, MONDAY))).toContain('"closed at this hour"');
});

test('Groups that have nobody and those that have only bots are counted apart', () => {
  const placed = [...['a', 'b', 'c', 'd'].map(group), bot('r', ['c']), worker('any', ['d'], null)];
  const { groups } = nextHours(staffIn(placed), ZONE, MONDAY);
  expect(thereText({ groups }, 'now')).toBe('2 groups have nobody now, 1 only bots');
  expect(thereText({ groups: groups.filter(({ name }) => name === 'c') }, 'at Mon 10:00')).toBe(
    '1 group has only bots at Mon 10:00',
  );
  expect(thereText({ groups: groups.filter(({ name }) => name === 'd') }, 'now')).toBeNull();
});
