// What is odd about who serves whom.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/model.ts';
import { dayOf, weekOf } from '../../src/base/week.ts';
import { type LintFinding, levelled } from '../../src/routing/finding.ts';
import type { RoutingRule } from '../../src/routing/rules.ts';
import { ROUTING_DEFAULTS } from '../../src/routing/settings.ts';
import { coverageOf } from '../../src/routing/staff/coverage.ts';
import type { Placed, Staff } from '../../src/routing/staff/staff.ts';
import { staffOf } from '../../src/routing/staff/staff.ts';
import {
  handOvers,
  idleAgents,
  lostCover,
  nobodyThere,
  overnightJoined,
  overnightShifts,
  suspendedMembers,
  unroutedGroups,
  unstaffedGroups,
  withoutSlots,
} from '../../src/routing/staff-lint.ts';

const place = { file: 'manifest.yaml', line: 3, column: 1, length: 5 };
const placeOf = () => place;

function declared(kind: Placed['kind'], key: string, spec: JsonObject): Placed {
  return { reference: `${kind}/${key}`, kind, name: key, spec, decides: Object.keys(spec) };
}

function staff(...placed: readonly Placed[]): Staff {
  return staffOf(placed, { zone: 'UTC', isRead: false, version: '3.6' });
}

function sales(members: JsonObject): Placed {
  return declared('group', 'sales', { name: 'Sales', agent_priorities: members });
}

const RULE: RoutingRule = { name: 'auto_access/pricing', groups: ['group/sales'], conditions: {} };

function messages(found: readonly LintFinding[]): readonly string[] {
  return found.map(({ message }) => message);
}

function hours(...shifts: readonly string[]): Json {
  const schedule = shifts.map((text) => {
    const [day = '', start = '', end = ''] = text.split(/[ -]/);
    return { day, enabled: true, start, end };
  });
  return { timezone: 'Europe/Warsaw', schedule };
}

describe('a rule that sends chats to a group where nobody can get one', () => {
  const ann = (spec: JsonObject): Placed => declared('agent', 'ann', { name: 'Ann', ...spec });
  const told = (...placed: readonly Placed[]): readonly string[] =>
    messages(nobodyThere([RULE], staff(...placed), placeOf));

  test('is told with the reason', () => {
    expect(told(sales({}))).toEqual([expect.stringContaining('it has no members')]);
    expect(told(sales({ 'agent/ann': 'supervisor' }), ann({}))).toEqual([
      expect.stringContaining('its only member is a supervisor'),
    ]);
    const bob = declared('agent', 'bob', { suspended: true });
    expect(told(sales({ 'agent/ann': 'normal', 'agent/bob': 'last' }), ann({ suspended: true }), bob)).toEqual([
      expect.stringContaining('each of its 2 members is suspended'),
    ]);
    expect(told(sales({ 'agent/ann': 'supervisor', 'agent/bob': 'last' }), ann({}), bob)).toEqual([
      expect.stringContaining('agent/bob is suspended, agent/ann is a supervisor'),
    ]);
    expect(told(sales({ 'agent/ann': 'normal' }), ann({ max_chats_count: 0 }))).toEqual([
      expect.stringContaining('takes no chats'),
    ]);
    expect(told(sales({ 'agent/ann': 'normal' }), ann({ work_scheduler: hours('monday 22:00-06:00') }))).toEqual([
      expect.stringContaining('works no hours'),
    ]);
  });

  test('stands at the place of the rule', () => {
    expect(nobodyThere([RULE], staff(sales({})), (name) => (name === RULE.name ? place : null))).toMatchObject([
      { id: 'nobody-there', place },
    ]);
  });

  test('is none while somebody can, or nothing says who is in it', () => {
    expect(told(sales({ 'agent/ann': 'last' }), ann({}))).toEqual([]);
    expect(told(declared('group', 'sales', { name: 'Sales' }))).toEqual([]);
    expect(told()).toEqual([]);
  });
});

describe('an agent in no group', () => {
  const told = (...placed: readonly Placed[]): readonly string[] => messages(idleAgents(staff(...placed), placeOf));

  test('is told', () => {
    expect(told(declared('agent', 'ann', { groups: {} }))).toEqual([expect.stringContaining('agent/ann')]);
  });

  test('is none who is suspended, whose groups nothing decides, or who is a bot', () => {
    expect(told(declared('agent', 'ann', { groups: {}, suspended: true }))).toEqual([]);
    expect(told(declared('agent', 'ann', { name: 'Ann' }))).toEqual([]);
    expect(told(declared('bot', 'triage', { groups: {} }))).toEqual([]);
  });
});

describe('an agent whose group expects chats, and who takes none', () => {
  const told = (...placed: readonly Placed[]): readonly string[] => messages(withoutSlots(staff(...placed), placeOf));
  const ann = (spec: JsonObject): Placed => declared('agent', 'ann', { name: 'Ann', ...spec });

  test('is told with the groups', () => {
    expect(told(sales({ 'agent/ann': 'first' }), ann({ max_chats_count: 0 }))).toEqual([
      'agent/ann gets no chats of group/sales: max_chats_count is 0',
    ]);
  });

  test('is none who is a supervisor, is suspended, is in no group, or takes chats', () => {
    expect(told(sales({ 'agent/ann': 'supervisor' }), ann({ max_chats_count: 0 }))).toEqual([]);
    expect(told(sales({ 'agent/ann': 'first' }), ann({ max_chats_count: 0, suspended: true }))).toEqual([]);
    expect(told(sales({}), ann({ max_chats_count: 0, groups: {} }))).toEqual([]);
    expect(told(sales({ 'agent/ann': 'first' }), ann({ max_chats_count: 1 }), ann({}))).toEqual([]);
  });
});

describe('a group of which no file names a member', () => {
  const unknown = declared('group', 'night', { name: 'Night' });
  const rule: RoutingRule = { ...RULE, groups: ['group/night'] };
  const ann = declared('agent', 'ann', { name: 'Ann' });
  const told = (mayBeNew: boolean, ...placed: readonly Placed[]): readonly string[] =>
    messages(unstaffedGroups([rule], staff(...placed), () => mayBeNew, placeOf));

  test('is told where a rule leads to it, and the files name members of other groups', () => {
    expect(told(true, sales({ 'agent/ann': 'first' }), ann, unknown)).toEqual([
      'auto_access/pricing sends chats to group/night, of which the files name no member: if the group is new, it has none',
    ]);
  });

  test('is not told where it exists, where a person names it, or where the files leave all members to the license', () => {
    expect(told(false, sales({ 'agent/ann': 'first' }), ann, unknown)).toEqual([]);
    expect(told(true, sales({}), declared('agent', 'ann', { groups: { 'group/night': 'first' } }), unknown)).toEqual(
      [],
    );
    expect(told(true, declared('group', 'sales', { name: 'Sales' }), ann, unknown)).toEqual([]);
  });
});

describe('a group that no rule reaches', () => {
  const support = declared('group', 'support', { name: 'Support' });
  const told = (rules: readonly RoutingRule[], ...placed: readonly Placed[]): readonly string[] =>
    messages(unroutedGroups(rules, staff(...placed), placeOf));

  test('is told', () => {
    expect(told([RULE], sales({}), support)).toEqual([expect.stringContaining('group/support')]);
  });

  test('is not the one that came with the license, one that is not declared, or any where there are no rules', () => {
    expect(told([RULE], { ...support, builtin: true })).toEqual([]);
    expect(told([RULE], { ...support, decides: [] })).toEqual([]);
    expect(told([], support)).toEqual([]);
  });
});

test('a shift that ends before it begins is told with the way to write it', () => {
  const ann = declared('agent', 'ann', {
    work_scheduler: hours('sunday 22:00-06:00', 'monday 16:00-00:00', 'tuesday 08:00-08:00', 'friday 08:00-23:59'),
  });
  const [found, ...others] = overnightShifts(staff(ann), placeOf);
  expect(others).toEqual([]);
  expect(found?.message).toBe(
    'agent/ann works sunday 22:00-06:00, monday 16:00-00:00, tuesday 08:00-08:00: a shift that does not end after it begins counts as nothing',
  );
  for (const form of ['sunday 22:00-23:59 and monday 00:00-06:00', 'monday 16:00-23:59', 'tuesday 00:00-23:59'])
    expect(found?.remedy).toContain(form);
});

test('shifts over night are told once for all who have the same hours', () => {
  const nights = hours('monday 22:00-06:00', 'tuesday 22:00-06:00');
  const agents = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay'].map((key) =>
    declared('agent', key, { work_scheduler: nights }),
  );
  const other = declared('agent', 'guy', { work_scheduler: hours('friday 22:00-06:00') });
  const found = overnightJoined(overnightShifts(staff(...agents, other), placeOf));
  expect(messages(found)).toEqual([
    'agent/ann, agent/bob, agent/cyd, agent/dan, agent/eve and 1 more work monday 22:00-06:00, tuesday 22:00-06:00: a shift that does not end after it begins counts as nothing',
    'agent/guy works friday 22:00-06:00: a shift that does not end after it begins counts as nothing',
  ]);
  expect(found[0]?.about).toHaveLength(6);
  expect(found[0]?.remedy).toMatch(/monday 22:00-23:59 and tuesday 00:00-06:00.*; the others in the same way$/);
});

test('a suspended agent who joins a group is told, and one who was in it is not', () => {
  const ann = declared('agent', 'ann', { suspended: true });
  const bob = declared('agent', 'bob', { suspended: true });
  const before = staff(ann, bob, sales({ 'agent/bob': 'normal' }));
  const after = staff(ann, bob, sales({ 'agent/ann': 'first', 'agent/bob': 'normal' }));
  expect(messages(suspendedMembers(before, after, placeOf))).toEqual([
    'agent/ann is suspended and joins group/sales: no chat is assigned to them',
  ]);
  const active = staff(declared('agent', 'ann', { suspended: false }), sales({ 'agent/ann': 'first' }));
  expect(suspendedMembers(before, active, placeOf)).toEqual([]);
});

test('a group that loses all cover is told with the times', () => {
  const week = weekOf('Europe/Warsaw', dayOf('2026-11-18') ?? 0);
  const covered = (...shifts: readonly string[]) =>
    coverageOf(
      staff(sales({ 'agent/ann': 'normal' }), declared('agent', 'ann', { work_scheduler: hours(...shifts) })),
      week,
    );
  const before = covered('sunday 00:00-16:00', 'monday 08:00-16:00', 'friday 08:00-16:00', 'tuesday 08:00-16:00');
  expect(
    messages(
      lostCover(
        before,
        covered('sunday 08:00-16:00', 'monday 00:00-23:59', 'tuesday 00:00-23:59', 'friday 08:00-20:00'),
        placeOf,
      ),
    ),
  ).toEqual(['group/sales loses all cover Sun 00:00-08:00 Europe/Warsaw']);
  expect(messages(lostCover(before, covered('saturday 08:00-16:00'), placeOf))).toEqual([
    'group/sales loses all cover Mon-Tue 08:00-16:00, Fri 08:00-16:00, Sun 00:00-16:00 Europe/Warsaw',
  ]);
  expect(lostCover(before, before, placeOf)).toEqual([]);
});

test('a group whose members wait for approval is told so where it loses cover', () => {
  const week = weekOf('Europe/Warsaw', dayOf('2026-11-18') ?? 0);
  const covered = (...waiting: readonly string[]) =>
    coverageOf(
      staff(
        sales(Object.fromEntries(['ann', ...waiting].map((name) => [`agent/${name}`, 'normal']))),
        declared('agent', 'ann', { suspended: waiting.length > 0, work_scheduler: hours('monday 08:00-16:00') }),
        ...waiting.map((name) => declared('agent', name, { awaiting_approval: true })),
      ),
      week,
    );
  const cover = 'group/sales loses all cover Mon 08:00-16:00 Europe/Warsaw';
  const [one] = lostCover(covered(), covered('bob'), placeOf);
  expect(one?.message).toBe(`${cover}: 1 member waits for approval`);
  expect(one?.remedy).toContain('approve');
  expect(messages(lostCover(covered(), covered('bob', 'kim'), placeOf))).toEqual([
    `${cover}: 2 members wait for approval`,
  ]);
});

test('only those of whom approval gives back the lost cover are told', () => {
  const week = weekOf('Europe/Warsaw', dayOf('2026-11-18') ?? 0);
  const covered = (...shifts: readonly string[]) =>
    coverageOf(
      staff(
        sales({ 'agent/ann': 'normal', 'agent/bob': 'normal', 'agent/kim': 'supervisor' }),
        declared('agent', 'ann', { work_scheduler: hours(...shifts) }),
        declared('agent', 'bob', { awaiting_approval: true, work_scheduler: hours('tuesday 08:00-16:00') }),
        declared('agent', 'kim', { awaiting_approval: true, work_scheduler: hours('monday 08:00-16:00') }),
      ),
      week,
    );
  const both = covered('monday 08:00-16:00', 'tuesday 08:00-16:00');
  const [monday] = lostCover(both, covered('tuesday 08:00-16:00'), placeOf);
  expect(monday?.message).toBe('group/sales loses all cover Mon 08:00-16:00 Europe/Warsaw');
  expect(monday?.remedy).not.toContain('approve');
  expect(messages(lostCover(both, covered('monday 08:00-16:00'), placeOf))).toEqual([
    'group/sales loses all cover Tue 08:00-16:00 Europe/Warsaw: 1 member waits for approval',
  ]);
});

test('what was found has the level that the project says, and warns otherwise', () => {
  const found = idleAgents(staff(declared('agent', 'ann', { groups: {} })), placeOf);
  const { lint } = ROUTING_DEFAULTS;
  expect(levelled(found, lint)).toMatchObject([{ level: 'warning' }]);
  expect(levelled(found, { ...lint, 'idle-agent': 'error' })).toMatchObject([{ level: 'error' }]);
  expect(levelled(found, { ...lint, 'idle-agent': 'off' })).toEqual([]);
});

describe('a bot that hands chats over', () => {
  const week = weekOf('Europe/Warsaw', dayOf('2026-11-23') ?? 0);
  const ann = (spec: JsonObject): Placed => declared('agent', 'ann', { name: 'Ann', ...spec });
  const bot = (spec: JsonObject): Placed => declared('bot', 'triage', { name: 'Triage', ...spec });
  const told = (...placed: readonly Placed[]): readonly string[] => {
    const all = staff(...placed);
    const bots = [{ address: 'bot/triage', handsOver: ['group/sales'] }] as const;
    return messages(handOvers(bots, all, coverageOf(all, week), (group) => group, placeOf));
  };
  const members = { 'agent/ann': 'normal' };

  test('is told where no agent of the group is at work while it is', () => {
    expect(told(sales(members), ann({ work_scheduler: hours('monday 09:00-17:00') }), bot({ groups: {} }))).toEqual([
      'bot/triage hands chats over to group/sales, where no agent is at work Mon 00:00-09:00, Mon 17:00-Sun 24:00 Europe/Warsaw',
    ]);
    const always = bot({ groups: { 'group/sales': 'first' }, work_scheduler: hours('monday 08:00-10:00') });
    expect(told(sales(members), ann({ work_scheduler: hours('monday 09:00-17:00') }), always)).toEqual([
      expect.stringContaining('no agent is at work Mon 08:00-09:00 Europe/Warsaw'),
    ]);
  });

  test('is told where the group has no agent', () => {
    expect(told(sales({}), bot({ groups: { 'group/sales': 'first' } }))).toEqual([
      'bot/triage hands chats over to group/sales, where no agent can get a chat',
    ]);
  });

  test('is none while an agent may be there, or nothing says who is', () => {
    expect(told(sales(members), ann({ work_scheduler: {} }), bot({}))).toEqual([]);
    expect(told(declared('group', 'sales', { name: 'Sales' }), bot({}))).toEqual([]);
  });
});
