// Notes on fields that the manifest no longer declares.

import { expect, test } from 'vitest';
import type { Address, Applied, LiveObject, ObjectId, Spec } from '../../../src/base/model.ts';
import type { PlannerOptions } from '../../../src/plan/input.ts';
import { type Declared, declare, desiredOf } from '../../desired.ts';
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

/** Notes of a plan on what was applied to one object and no file has any more. */
function releasedOf(
  declared: Declared,
  live: LiveObject,
  applied: Partial<Applied>,
  options: Partial<PlannerOptions> & { readonly owned?: ObjectId } = {},
): readonly string[] {
  const address: Address = `${declared.kind}/${declared.key}`;
  const ledger = ledgerOf({ [address]: options.owned ?? live.id }, { [address]: applied });
  const reading = { ...liveOf(), objects: { ...liveOf().objects, [live.kind]: [live] } };
  const { notes } = planOf(desiredOf([declared]), reading, ledger, options);
  return notes.flatMap(({ kind, message }) => (kind === 'released' ? [message] : []));
}

test('Values that cannot be read are told as they were applied, and secrets and what is no field are not told', () => {
  const template = { name: 'Guide', owner_client_id: 'app' };
  const known = {
    spec: { ...template, max_chats_count: 9, former: 1, affect_existing_installations: true },
    digests: { job_title: 'abc' },
  };
  expect(releasedOf(declare('bot_template', 'guide', template), object('bot_template', 't1', template), known)).toEqual(
    ['max_chats_count 9, job_title'],
  );
  const webhook = { owner_client_id: 'app', action: 'incoming_chat', type: 'license', url: 'https://example.com/a' };
  const sent = { spec: { ...webhook, description: 'All' }, digests: { secret_key: 'abc' } };
  const declared = declare('webhook', 'chats', webhook);
  expect(releasedOf(declared, object('webhook', 'w1', { ...webhook, description: 'All' }), sent)).toEqual([
    'description All',
  ]);
  const moved = declare('webhook', 'chats', { ...webhook, url: 'https://example.com/b' });
  expect(releasedOf(moved, object('webhook', 'w1', { ...webhook, description: 'All' }), sent)).toEqual([]);
});

test('Nothing is released of an object in the place of another, of a leaver, or by an undo', () => {
  const applied = { spec: { name: 'Sales', language_code: 'pl' } };
  const sales = object('group', 7, { name: 'Sales', language_code: 'en' });
  const declared = declare('group', 'sales', { name: 'Sales' });
  expect(releasedOf(declared, sales, applied)).toEqual(['language_code en']);
  expect(releasedOf(declared, sales, applied, { owned: 6 })).toEqual([]);
  expect(releasedOf(declared, sales, applied, { partial: true })).toEqual([]);
  expect(releasedOf(declared, sales, applied, { selects: () => false })).toEqual([]);
  const ann = object('agent', 'ann@example.com', { name: 'Ann', job_title: 'Clerk' });
  const gone = { by: 'marked-row', file: 'people.csv' } as const;
  const known = { spec: { name: 'Ann', job_title: 'Clerk' } };
  expect(releasedOf(declare('agent', 'ann@example.com', {}), ann, known)).toEqual(['name Ann, job_title Clerk']);
  expect(releasedOf({ ...declare('agent', 'ann@example.com', {}), leaves: gone }, ann, known)).toEqual([]);
});

test('Of a group that keeps its other members, only who was named before is released', () => {
  const zoe = { ...MEMBERS, 'zoe@example.com': 'last' };
  const live = object('group', 7, { name: 'Sales', agent_priorities: zoe });
  const applied = { spec: { name: 'Sales', agent_priorities: { ...MEMBERS, others: 'keep' } } };
  const keeps = (members: Spec) =>
    releasedOf(
      declare('group', 'sales', { name: 'Sales', agent_priorities: { ...members, others: 'keep' } }),
      live,
      applied,
    );
  expect(keeps({})).toEqual(['agent_priorities agent/ann@example.com (first), agent/bob@example.com (normal)']);
  expect(keeps(MEMBERS)).toEqual([]);
});
