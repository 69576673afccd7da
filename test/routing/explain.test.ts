// Why a rule decides and the others do not.

import { expect, test } from 'vitest';
import { timeIn, timestamp } from '../../src/base/week.ts';
import { explain } from '../../src/routing/explain.ts';
import { ASSUMED, type Assumptions, programOf, type RoutingRule } from '../../src/routing/rules.ts';
import { isOffline, noAgentIn, recipients } from '../../src/routing/staff/recipients.ts';
import { staffOf } from '../../src/routing/staff/staff.ts';
import { type ComparedVisitor, seen, type Visitor } from '../../src/routing/visitor.ts';

const RULES: readonly RoutingRule[] = [
  {
    name: 'auto_access/trade',
    groups: ['group/trade'],
    conditions: { domain: { values: [{ value: 'trade.shop.example', exact_match: true }] } },
  },
  {
    name: 'auto_access/pages',
    groups: ['group/sales'],
    conditions: {
      url: { values: [{ value: '/pricing' }, { value: '/plans' }, { value: 'https://a.example/', exact_match: true }] },
    },
  },
  {
    name: 'auto_access/dach',
    groups: ['group/german', 'group/sales'],
    conditions: {
      url: { exclude_values: [{ value: '/careers' }] },
      geolocation: { values: [{ country_code: 'DE' }, { country: 'Austria', city: 'Vienna' }] },
    },
  },
  { name: 'auto_access/rest', groups: ['group/desk'], conditions: { domain: { values: [{ value: 'shop.example' }] } } },
];

function see(visitor: Visitor, assumptions: Assumptions = ASSUMED): ComparedVisitor {
  const found = seen(visitor, assumptions);
  if ('wrong' in found) throw new Error(found.wrong);
  return found;
}

function explanation(visitor: Visitor, assumptions: Partial<Assumptions> = {}, open: readonly string[] = []) {
  const all = { ...ASSUMED, ...assumptions };
  return explain(programOf(RULES, all), see(visitor, all), new Set(open));
}

const HOME: Visitor = { url: 'https://shop.example/', country: 'Poland' };

test('Every rule that was asked is told with what it looked for and what it found', () => {
  const { decided_by, groups, asked, not_asked } = explanation({
    url: 'https://shop.example/careers',
    country: 'Germany',
  });
  expect([decided_by, groups, not_asked]).toEqual(['auto_access/rest', ['group/desk'], 0]);
  expect(asked.map(({ rule, position, matches }) => [rule, position, matches])).toEqual([
    ['auto_access/trade', 1, false],
    ['auto_access/pages', 2, false],
    ['auto_access/dach', 3, false],
    ['auto_access/rest', 4, true],
  ]);
  expect(asked[2]?.looks).toEqual([
    { on: 'url', wants: 'none', holds: false, sought: [{ value: '/careers', exact: false, found: true }] },
    {
      on: 'geolocation',
      wants: 'one',
      holds: true,
      sought: [
        { place: { country_code: 'DE' }, found: true },
        { place: { country: 'Austria', city: 'Vienna' }, found: false },
      ],
    },
  ]);
});

test('What comes after the rule that decides was not asked', () => {
  expect(explanation({ url: 'https://shop.example/plans' })).toMatchObject({
    decided_by: 'auto_access/pages',
    not_asked: 2,
    also_match: [{ rule: 'auto_access/rest', position: 4 }],
  });
  expect(explanation({ url: 'https://shop.example/plans' }, {}, ['auto_access/rest']).also_match).toEqual([]);
});

test('Where the last rule decides, the list is asked from its end', () => {
  const { decided_by, asked, not_asked } = explanation({ url: 'https://shop.example/plans' }, { decides: 'last' });
  expect([decided_by, asked.map(({ position }) => position), not_asked]).toEqual(['auto_access/rest', [4], 3]);
});

test('A rule of which not everything is known is named', () => {
  expect(explanation(HOME, {}, ['auto_access/rest']).depends_on).toBe('auto_access/rest');
});

test('Who gets a chat is told by priority, with who is at work at that time', () => {
  const week = {
    timezone: 'Europe/Warsaw',
    schedule: [{ day: 'monday', enabled: true, start: '09:00', end: '17:00' }],
  };
  const agent = (reference: string, spec: { readonly [name: string]: unknown }) =>
    ({ reference, kind: 'agent', name: reference.slice(6), spec: { groups: {}, ...spec }, decides: [] }) as never;
  const group = {
    reference: 'group/desk',
    kind: 'group',
    name: 'Desk',
    spec: { agent_priorities: { 'agent/b': 'first', 'agent/a': 'normal', 'agent/c': 'supervisor', 'agent/d': 'last' } },
    decides: ['agent_priorities'],
  } as never;
  const staff = staffOf(
    [
      group,
      agent('agent/a', { work_scheduler: week, max_chats_count: 6 }),
      agent('agent/b', { work_scheduler: week, suspended: true }),
      agent('agent/c', { work_scheduler: week }),
      agent('agent/d', {}),
    ],
    { zone: 'UTC', version: '3.6', isRead: false },
  );
  const at = (text: string) => recipients(staff, ['group/desk', 'group 7 "X"'], timeIn('Europe/Warsaw', text) ?? 0);
  const [desk, other] = at('2026-11-23T09:00');
  expect(
    desk?.members.map(({ reference, priority, barred, at_work, slots }) => [
      reference,
      priority,
      barred,
      at_work,
      slots,
    ]),
  ).toEqual([
    ['agent/b', 'first', 'suspended', true, null],
    ['agent/a', 'normal', null, true, 6],
    ['agent/d', 'last', null, null, null],
    ['agent/c', 'supervisor', 'supervisor', true, null],
  ]);
  expect(other).toEqual({ group: 'group 7 "X"', name: null, complete: false, members: [] });
  expect(at('2026-11-23T17:00')[0]?.members[1]?.at_work).toBe(false);
});

test('Where no agent is at work, the answer is when the next one is', () => {
  const agent = (name: string, days: readonly string[], more: object = {}) =>
    ({
      reference: `agent/${name}`,
      kind: 'agent',
      name,
      decides: [],
      spec: {
        groups: { 'group/desk': 'normal' },
        work_scheduler: {
          timezone: 'Europe/Warsaw',
          schedule: days.map((day) => ({ day, enabled: true, start: '08:00', end: '16:00' })),
        },
        ...more,
      },
    }) as never;
  const desk = { reference: 'group/desk', kind: 'group', name: 'Desk', spec: {}, decides: [] } as never;
  const bot = { ...(agent('night', []) as object), reference: 'bot/night', kind: 'bot' } as never;
  const next = (people: readonly never[], text: string) => {
    const staff = staffOf([desk, ...people], { zone: 'UTC', version: '3.6', isRead: true });
    const none = noAgentIn(staff, 'group/desk', timeIn('Europe/Warsaw', text) ?? 0);
    return none === null || none.until === null ? none : timestamp('Europe/Warsaw', none.until);
  };
  const people = [agent('a', ['monday', 'wednesday']), agent('b', ['tuesday'], { suspended: true }), bot];
  expect(next(people, '2026-11-23T07:59')).toBe('2026-11-23T08:00:00+01:00');
  expect(next(people, '2026-11-23T08:00')).toBe(null);
  expect(next(people, '2026-11-23T16:00')).toBe('2026-11-25T08:00:00+01:00');
  expect(next(people, '2026-11-25T16:00')).toBe('2026-11-30T08:00:00+01:00');
  expect(next([bot], '2026-11-23T03:00')).toBe(null);
  const never = agent('d', ['monday'], {
    work_scheduler: { schedule: [{ day: 'monday', enabled: true, start: '9', end: '8' }] },
  });
  expect(next([never, bot], '2026-11-23T03:00')).toEqual({ until: null });
  expect(next([...people, agent('c', [], { work_scheduler: { schedule: [] } })], '2026-11-23T03:00')).toBe(null);
});

test('A group is offline where each of its members is known, and none is at work or accepts chats', () => {
  const at = (text: string) => timeIn('Europe/Warsaw', text) ?? 0;
  const staff = (more: object, isRead = true) => {
    const monday = { day: 'monday', enabled: true, start: '08:00', end: '16:00' };
    const spec = {
      groups: { 'group/desk': 'normal' },
      work_scheduler: { timezone: 'Europe/Warsaw', schedule: [monday] },
    };
    const ann = { reference: 'agent/a', kind: 'agent', name: 'a', decides: [], spec: { ...spec, ...more } } as never;
    const desk = { reference: 'group/desk', kind: 'group', name: 'Desk', spec: {}, decides: [] } as never;
    return staffOf([desk, ann], { zone: 'UTC', version: '3.6', isRead });
  };
  const [day, night] = [at('2026-11-23T10:00'), at('2026-11-23T22:00')];
  expect([day, night].map((time) => isOffline(staff({}), 'group/desk', time))).toEqual([false, true]);
  expect(isOffline(staff({ suspended: true }), 'group/desk', day)).toBe(true);
  expect(isOffline(staff({ groups: { 'group/desk': 'supervisor' } }), 'group/desk', day)).toBe(false);
  expect(isOffline(staff({ work_scheduler: { schedule: [] } }), 'group/desk', night)).toBe(false);
  expect(isOffline(staff({}, false), 'group/desk', night)).toBe(false);
  expect(isOffline(staff({}), 'group/other', night)).toBe(false);
});

test('A time is read with its offset, or on the walls of the zone', () => {
  const read = (text: string) => {
    const instant = timeIn('Europe/Warsaw', text);
    return instant === null ? null : timestamp('Europe/Warsaw', instant);
  };
  expect(read('2026-11-23T10:00')).toBe('2026-11-23T10:00:00+01:00');
  expect(read('2026-07-23 10:00:30')).toBe('2026-07-23T10:00:00+02:00');
  expect(read('2026-11-23T10:00Z')).toBe('2026-11-23T11:00:00+01:00');
  expect(read('2026-11-23T10:00:00-05:00')).toBe('2026-11-23T16:00:00+01:00');
  for (const wrong of ['2026-02-30T10:00', '2026-11-23', 'tomorrow', '2026-11-23T25:00', '2026-11-23T10:00+99:99'])
    expect([wrong, read(wrong)]).toEqual([wrong, null]);
});
