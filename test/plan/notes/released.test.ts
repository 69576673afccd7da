// Notes on fields that the manifest no longer declares.

import { expect, test } from 'vitest';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

const MEMBERS = { 'agent/ann@example.com': 'first', 'agent/bob@example.com': 'normal' } as const;

test('Members of a group are released one by one: those whose own entry declares their groups are not', () => {
  const live = liveOf(
    object('agent', 'ann@example.com', { name: 'Ann', groups: { 'group/sales': 'first' } }),
    object('agent', 'bob@example.com', { name: 'Bob', groups: { 'group/sales': 'normal' } }),
    object('group', 7, { name: 'Sales', language_code: 'en', agent_priorities: MEMBERS }),
  );
  const applied = { 'group/sales': { spec: { name: 'Sales', language_code: 'en', agent_priorities: MEMBERS } } };
  const notesOf = (...agents: readonly ReturnType<typeof declare>[]) =>
    planOf(
      desiredOf([declare('group', 'sales', { name: 'Sales' }), ...agents]),
      live,
      ledgerOf({ 'group/sales': 7 }, applied),
    ).notes.flatMap((note) => (note.kind === 'released' ? [`${note.address}: ${note.message}`] : []));
  expect(notesOf()).toEqual([
    'group/sales: language_code en, agent_priorities agent/ann@example.com (first), agent/bob@example.com (normal)',
  ]);
  expect(notesOf(declare('agent', 'ann@example.com', { groups: { 'group/sales': 'first' } }))).toEqual([
    'group/sales: language_code en, agent_priorities agent/bob@example.com (normal)',
  ]);
  expect(notesOf(declare('agent', 'ann@example.com', { name: 'Ann' }))).toEqual([
    'group/sales: language_code en, agent_priorities agent/ann@example.com (first), agent/bob@example.com (normal)',
  ]);
});
