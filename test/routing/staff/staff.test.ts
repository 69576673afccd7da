// Who is in a group, from whichever side says it, and what each can take.

import { describe, expect, test } from 'vitest';
import type { JsonObject, KindName, Spec } from '../../../src/base/model.ts';
import { declaredPlaces, livePlaces } from '../../../src/routing/staff/placed.ts';
import { type Placed, type Staff, staffOf } from '../../../src/routing/staff/staff.ts';
import { declare, desiredOf } from '../../desired.ts';

const READ = { zone: 'UTC', isRead: true, version: '3.6' } as const;
const DECLARED = { zone: 'UTC', isRead: false, version: '3.6' } as const;

function placed(kind: KindName, reference: string, spec: Spec, decides: readonly string[] = []): Placed {
  return { reference, kind, name: reference, spec, decides };
}

function membersOf(staff: Staff, group: string): JsonObject {
  const members = staff.groups.find(({ reference }) => reference === group)?.members ?? [];
  return Object.fromEntries(members.map(({ reference, priority }) => [reference, priority]));
}

describe('membership', () => {
  test('is what either side declares', () => {
    const desired = desiredOf([
      declare('agent', 'ann@example.com', { name: 'Ann', groups: { 'group/sales': 'first' } }),
      declare('agent', 'bob@example.com', { name: 'Bob' }),
      declare('bot', 'triage', { name: 'Triage', groups: { 'group/support': 'first' } }),
      declare('group', 'sales', { name: 'Sales' }),
      declare('group', 'support', { name: 'Support', agent_priorities: { 'agent/bob@example.com': 'last' } }),
    ]);
    const staff = staffOf(declaredPlaces(desired), DECLARED);
    expect(membersOf(staff, 'group/sales')).toEqual({ 'agent/ann@example.com': 'first' });
    expect(membersOf(staff, 'group/support')).toEqual({ 'bot/triage': 'first', 'agent/bob@example.com': 'last' });
    expect(staff.groups.map(({ reference, isWhole }) => [reference, isWhole])).toEqual([
      ['group/sales', false],
      ['group/support', true],
    ]);
    expect(staff.people.map(({ name, isWhole, groups }) => [name, isWhole, groups])).toEqual([
      ['Ann', true, ['group/sales']],
      ['Bob', false, ['group/support']],
      ['Triage', true, ['group/support']],
    ]);
  });

  test('that a manifest decides on one end outweighs what was read on the other', () => {
    const staff = staffOf(
      [
        placed('agent', 'ann', { groups: {} }, ['groups']),
        placed('agent', 'bob', { groups: {} }),
        placed('group', 'sales', { agent_priorities: { ann: 'normal', bob: 'last' } }),
        placed('group', 'support', { agent_priorities: { bob: 'first' } }, ['agent_priorities']),
      ],
      READ,
    );
    expect(membersOf(staff, 'sales')).toEqual({ bob: 'last' });
    expect(membersOf(staff, 'support')).toEqual({ bob: 'first' });
  });

  test('of a bot is not ended by a group that declares its agents', () => {
    const staff = staffOf(
      [
        placed('bot', 'triage', { groups: { sales: 'normal' } }),
        placed('group', 'sales', { agent_priorities: {} }, ['agent_priorities']),
      ],
      READ,
    );
    expect(membersOf(staff, 'sales')).toEqual({ triage: 'normal' });
  });

  test('in something that is not there is none', () => {
    const staff = staffOf([placed('agent', 'ann', { groups: { gone: 'first' } })], READ);
    expect(staff).toMatchObject({ groups: [], people: [{ groups: [] }] });
  });
});

test('members stand in the order in which chats are assigned', () => {
  const groups = { sales: 'normal' };
  const staff = staffOf(
    [
      placed('agent', 'ann', { groups: { sales: 'supervisor' } }),
      placed('agent', 'bob', { groups: { sales: 'last' } }),
      placed('agent', 'cid', { groups }),
      placed('bot', 'triage', { groups: { sales: 'first' } }),
      placed('group', 'sales', {}),
    ],
    READ,
  );
  expect(Object.keys(membersOf(staff, 'sales'))).toEqual(['triage', 'cid', 'bob', 'ann']);
});

test('a supervisor, a suspended agent, one waiting for approval and whoever takes none at a time get no chats', () => {
  const groups = { sales: 'normal' };
  const staff = staffOf(
    [
      placed('agent', 'ann', { groups: { sales: 'supervisor' } }),
      placed('agent', 'bob', { groups, suspended: true, awaiting_approval: true }),
      placed('agent', 'cid', { groups, awaiting_approval: true }),
      placed('agent', 'dan', { groups }),
      placed('bot', 'triage', { groups, max_chats_count: 0 }),
      placed('group', 'sales', {}),
    ],
    READ,
  );
  const [sales] = staff.groups;
  expect(new Map(sales?.members.map(({ reference, barred }) => [reference, barred]))).toEqual(
    new Map([
      ['ann', 'supervisor'],
      ['bob', 'suspended'],
      ['cid', 'waiting for approval'],
      ['dan', null],
      ['triage', 'no slots'],
    ]),
  );
});

describe('chats at the same time', () => {
  test('are what the service fills in for whoever a file declares without them', () => {
    const desired = desiredOf([
      declare('agent', 'ann@example.com', { name: 'Ann' }),
      declare('agent', 'bob@example.com', { name: 'Bob', max_chats_count: 3 }),
    ]);
    expect(staffOf(declaredPlaces(desired), DECLARED).people).toMatchObject([
      { slots: 6, areSlotsAssumed: true },
      { slots: 3, areSlotsAssumed: false },
    ]);
  });

  test('of whoever is only named, or was not read, are not known', () => {
    const external = { address: 'agent/x', kind: 'agent', id: 'x@example.com', name: null } as const;
    const place = { file: 'manifest.yaml', line: 1, column: 1, length: 1 };
    const desired = desiredOf([], [{ ...external, place }]);
    expect(staffOf(declaredPlaces(desired), DECLARED).people).toMatchObject([
      { slots: null, areSlotsAssumed: false, hours: { status: 'unknown' }, isWhole: false },
    ]);
    const live = {
      version: '3.6',
      objects: { agent: [{ kind: 'agent', id: 'ann@example.com', name: 'Ann', spec: {}, facts: {} }] },
      ruleOrder: [],
      scopes: [],
    } as const;
    expect(staffOf(livePlaces(live), READ).people).toMatchObject([{ reference: 'ann@example.com', slots: null }]);
  });
});

describe('hours', () => {
  const hours = (scheduler: JsonObject | null | undefined): unknown =>
    staffOf([placed('agent', 'ann', scheduler === undefined ? {} : { work_scheduler: scheduler })], {
      zone: 'Europe/Warsaw',
      isRead: true,
      version: '3.6',
    }).people[0]?.hours;
  const monday = { day: 'monday', start: '08:00', end: '16:00' };

  test('are the shifts that are switched on, in their own zone', () => {
    const off = { day: 'sunday', start: '08:00', end: '16:00', enabled: false };
    expect(hours({ timezone: 'Asia/Tokyo', schedule: [{ ...monday, enabled: true }, off] })).toEqual({
      status: 'shifts',
      zone: 'Asia/Tokyo',
      isZoneAssumed: false,
      shifts: [monday],
    });
    expect(hours({ timezone: 'Asia/Tokyo', schedule: [off] })).toMatchObject({ status: 'shifts', shifts: [] });
  });

  test('without a zone are in the one that is assumed', () => {
    expect(hours({ schedule: [monday] })).toMatchObject({ zone: 'Europe/Warsaw', isZoneAssumed: true });
    expect(hours({ timezone: '', schedule: [monday] })).toMatchObject({ zone: 'Europe/Warsaw', isZoneAssumed: true });
  });

  test('that are empty limit nothing, and those that nobody told are not known', () => {
    expect(hours({ schedule: [] })).toEqual({ status: 'none' });
    expect(hours({ timezone: 'UTC' })).toEqual({ status: 'none' });
    expect(hours(undefined)).toEqual({ status: 'unknown' });
    expect(hours(null)).toEqual({ status: 'unknown' });
  });
});

test('five thousand agents in five hundred groups are told in well under a second', () => {
  const groups = Array.from({ length: 500 }, (_, index) => placed('group', `g${index}`, {}));
  const agents = Array.from({ length: 5_000 }, (_, index) =>
    placed('agent', `a${index}`, { groups: { [`g${index % 500}`]: 'normal', [`g${(index * 7) % 500}`]: 'last' } }),
  );
  const begun = process.cpuUsage();
  const { groups: told } = staffOf([...agents, ...groups], READ);
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(500);
  expect(told).toHaveLength(500);
});
