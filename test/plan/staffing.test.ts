// Who is on a license before and after an apply.

import { expect, test } from 'vitest';
import type { Desired, JsonObject, LedgerState, Live } from '../../src/base/model.ts';
import { compare } from '../../src/plan/compare.ts';
import { staffing } from '../../src/plan/staffing.ts';
import type { Placed } from '../../src/routing/staff/staff.ts';
import { staffOf } from '../../src/routing/staff/staff.ts';
import { declare, desiredOf } from '../desired.ts';
import { EVERYTHING } from '../world.ts';
import { ledgerOf, liveOf, object } from './license.ts';

/** Group -> member -> priority, slots and why nothing is assigned. */
function told(placed: readonly Placed[]): JsonObject {
  const { groups } = staffOf(placed, { zone: 'UTC', isRead: true, version: '3.6' });
  return Object.fromEntries(
    groups.map(({ reference, members }) => [
      reference,
      Object.fromEntries(
        members.map((member) => [member.reference, `${member.priority} ${member.slots} ${member.barred}`]),
      ),
    ]),
  );
}

function sides(desired: Desired, live: Live, ledger: LedgerState = ledgerOf({}), options = EVERYTHING) {
  const { before, after } = staffing(compare({ desired, live, ledger, options }));
  return { before: told(before), after: told(after) };
}

const ann = (spec: JsonObject) =>
  object('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 6, groups: { 7: 'normal' }, ...spec });
const sales = object('group', 7, { name: 'Sales', agent_priorities: { 'ann@example.com': 'normal' } });

test('what is not declared stays as it is, under the names of the manifest', () => {
  const desired = desiredOf([declare('group', 'sales', { name: 'Sales' })]);
  const same = { 'group/sales': { 'ann@example.com': 'normal 6 null' } };
  expect(sides(desired, liveOf(ann({}), sales))).toEqual({ before: same, after: same });
});

test('a membership that is declared on either side ends what the other side was read to have', () => {
  const byAgent = desiredOf([
    declare('agent', 'ann@example.com', { name: 'Ann', groups: {} }),
    declare('group', 'sales', { name: 'Sales' }),
  ]);
  const byGroup = desiredOf([declare('group', 'sales', { name: 'Sales', agent_priorities: {} })]);
  for (const desired of [byAgent, byGroup]) {
    const { before, after } = sides(desired, liveOf(ann({}), sales));
    expect(Object.values(Object(before['group/sales']))).toEqual(['normal 6 null']);
    expect(after).toEqual({ 'group/sales': {} });
  }
});

test('somebody new awaits approval, and has the chats that the service gives', () => {
  const desired = desiredOf([
    declare('agent', 'bob@example.com', { name: 'Bob', groups: { 'group/sales': 'first' } }),
    declare('group', 'sales', { name: 'Sales' }),
  ]);
  expect(sides(desired, liveOf(ann({}), sales)).after).toEqual({
    'group/sales': { 'agent/bob@example.com': 'first 6 waiting for approval', 'ann@example.com': 'normal 6 null' },
  });
});

test('a new bot gets no chats until its routing status is set; of one that exists nothing tells', () => {
  const bot = (slots: number) => ({ name: 'Triage', max_chats_count: slots, groups: { 'group/sales': 'first' } });
  const sold = declare('group', 'sales', { name: 'Sales' });
  const desired = desiredOf([declare('bot', 'triage', bot(9)), sold]);
  expect(sides(desired, liveOf(sales)).after).toEqual({ 'group/sales': { 'bot/triage': 'first 9 offline' } });
  const live = liveOf(object('bot', 'b1', { ...bot(8), groups: { 7: 'first' } }), sales);
  const bound = ledgerOf({ 'bot/triage': 'b1' });
  expect(sides(desired, live, bound)).toEqual({
    before: { 'group/sales': { 'bot/triage': 'first 8 null' } },
    after: { 'group/sales': { 'bot/triage': 'first 9 null' } },
  });
  const { after } = staffing(compare({ desired, live, ledger: bound, options: EVERYTHING }));
  const { people } = staffOf(after, { zone: 'UTC', isRead: true, version: '3.6' });
  expect(people.map(({ bar, doubt }) => [bar, doubt])).toEqual([[null, 'offline']]);
});

test.each([
  ['alone', {}],
  ['next to one that is written', { job_title: 'Lead' }],
])('a value that is out of reach changes nobody: %s', (_, more) => {
  const desired = desiredOf([
    declare('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 50, ...more }),
    declare('group', 'sales', { name: 'Sales' }),
  ]);
  expect(sides(desired, liveOf(ann({}), sales)).after).toEqual({
    'group/sales': { 'agent/ann@example.com': 'normal 6 null' },
  });
});

test('what is deleted is nowhere afterwards', () => {
  const desired = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann' })]);
  const { before, after } = sides(desired, liveOf(ann({}), sales), ledgerOf({ 'group/sales': 7 }));
  expect(Object.values(before)).toHaveLength(1);
  expect(after).toEqual({});
});

test('who is left out of the run is not made', () => {
  const desired = desiredOf([
    declare('agent', 'bob@example.com', { name: 'Bob', groups: { 'group/sales': 'first' } }),
    declare('group', 'sales', { name: 'Sales' }),
  ]);
  const options = { ...EVERYTHING, selects: (address: string) => address !== 'agent/bob@example.com' };
  const { before, after } = sides(desired, liveOf(ann({}), sales), ledgerOf({}), options);
  expect(after).toEqual({ 'group/sales': { 'ann@example.com': 'normal 6 null' } });
  expect(after).toEqual(before);
  const compared = compare({ desired, live: liveOf(ann({}), sales), ledger: ledgerOf({}), options });
  expect(staffing(compared).after.map(({ reference }) => reference)).toEqual(['group/sales', 'ann@example.com']);
});

test('the group that came with the license is known as such on both sides', () => {
  const general = object('group', 0, { name: 'General' }, { builtin: true });
  const desired = desiredOf([
    declare('group', 'general', { name: 'Everyone' }, 0),
    declare('group', 'sales', { name: 'Sales' }),
  ]);
  const compared = compare({ desired, live: liveOf(general, sales), ledger: ledgerOf({}), options: EVERYTHING });
  const { before, after } = staffing(compared);
  for (const placed of [before, after])
    expect(placed.map(({ reference, builtin }) => [reference, builtin])).toEqual([
      ['group/general', true],
      ['group/sales', undefined],
    ]);
});
