// Groups that a run touched, and how, from the events of a ledger.

import { expect, test } from 'vitest';
import type { Address, KindName, Spec } from '../../../../src/base/model.ts';
import { affectedBy, fits } from '../../../../src/features/report/since/touched.ts';
import type { LedgerEvent } from '../../../../src/ledger/events.ts';
import { recordedRuns } from '../../../../src/ledger/runs.ts';
import { ASSUMED } from '../../../../src/routing/rules.ts';

const stamp = { v: 1, run: 'r-2', at: '2026-06-15T08:40:00Z' } as const;
const bound = (address: Address, id: number | string): LedgerEvent => ({
  ...stamp,
  type: 'bound',
  address,
  id,
  origin: 'created',
});
const applied = (address: Address, spec: Spec): LedgerEvent => ({
  ...stamp,
  type: 'applied',
  address,
  spec,
  digests: {},
});
const before = (address: Address, id: number | string | null, spec: Spec | null): LedgerEvent => ({
  ...stamp,
  type: 'before',
  address,
  id,
  spec,
});
const order = (moment: 'before' | 'applied', run: string, rules: readonly Address[]): LedgerEvent => ({
  ...stamp,
  type: 'order',
  moment,
  run,
  kind: 'auto_access' as KindName,
  order: rules,
  ids: rules.map((address) => (address === 'auto_access/prices' ? 'p' : 'a')),
});
const END: LedgerEvent = { ...stamp, type: 'run', run: 'r-2', command: 'apply', outcome: 'done' };

const rule = (group: Address, text: string): Spec => ({
  access: { groups: [group] },
  conditions: { url: { values: [{ value: text }] } },
});

const FIRST: readonly LedgerEvent[] = [
  bound('group/sales', 1),
  applied('group/sales', { name: 'Sales', agent_priorities: { 'agent/ann@example.com': 'first' } }),
  bound('group/desk', 2),
  applied('group/desk', { name: 'Desk', agent_priorities: {} }),
  bound('agent/ann@example.com', 'ann@example.com'),
  applied('agent/ann@example.com', { name: 'Ann', max_chats_count: 8 }),
  bound('auto_access/prices', 'p'),
  applied('auto_access/prices', rule('group/sales', '/pricing')),
  bound('auto_access/all', 'a'),
  applied('auto_access/all', rule('group/desk', '/pri')),
  order('applied', 'r-1', ['auto_access/prices', 'auto_access/all']),
  { ...stamp, type: 'run', command: 'apply', outcome: 'done' },
].map((event) => ({ ...event, run: 'r-1' }) as LedgerEvent);

function effectsOf(...events: readonly LedgerEvent[]): readonly string[] {
  const all = [...FIRST, ...events, END];
  const run = recordedRuns(all).at(-1);
  if (run === undefined) throw new Error('no run');
  return affectedBy(all, run, ASSUMED).groups.flatMap(({ address, id, effects }) =>
    effects.map(({ by, influence, text }) => `${address} ${id}: ${influence} by ${by}: ${text}`),
  );
}

test('A rule that moves before another takes its visitors', () => {
  expect(
    effectsOf(
      order('before', 'r-2', ['auto_access/prices', 'auto_access/all']),
      order('applied', 'r-2', ['auto_access/all', 'auto_access/prices']),
    ),
  ).toEqual([
    'group/desk 2: more-chats by auto_access/all: it was moved, and visitors of group/sales come to group/desk',
    'group/sales 1: fewer-chats by auto_access/all: it was moved, and visitors of group/sales go to group/desk',
  ]);
});

test('A rule that is removed gives its visitors to the rule below, or to the default group', () => {
  const removed: LedgerEvent = { ...stamp, type: 'forgotten', address: 'auto_access/all', because: 'deleted' };
  expect(effectsOf(before('auto_access/all', 'a', rule('group/desk', '/pri')), removed)).toEqual([
    'group/0 0: more-chats by auto_access/all: it was removed, and visitors of group/desk come to group/0',
    'group/desk 2: fewer-chats by auto_access/all: it was removed, and visitors of group/desk go to group/0',
  ]);
});

test('A group that is named by its id is the one that the ledger knows', () => {
  const removed: LedgerEvent = { ...stamp, type: 'forgotten', address: 'auto_access/all', because: 'deleted' };
  const effects = effectsOf(
    bound('group/front-desk', 0),
    before('auto_access/all', 'a', rule('group/desk', '/pri')),
    removed,
    before('agent/ann@example.com', 'ann@example.com', { groups: { 'group/0': 'first' } }),
    applied('agent/ann@example.com', { name: 'Ann', groups: { 'group/front-desk': 'last' } }),
    before('group/front-desk', 0, { name: 'Front Desk', language_code: 'en' }),
    applied('group/front-desk', { name: 'Front Desk', language_code: 'pl' }),
  );
  expect(effects).toEqual([
    'group/desk 2: fewer-chats by auto_access/all: it was removed, and visitors of group/desk go to group/front-desk',
    'group/front-desk 0: more-chats by auto_access/all: it was removed, and visitors of group/desk come to group/front-desk',
    'group/front-desk 0: any by group/front-desk: language_code changed',
    'group/front-desk 0: any by agent/ann@example.com: it got another priority in group/front-desk',
  ]);
});

test('A group that gets another name keeps its members, and their priorities', () => {
  const renamed = { name: 'Sales team', agent_priorities: { 'agent/ann@example.com': 'first' } };
  expect(effectsOf(before('group/sales', 1, { name: 'Sales' }), applied('group/sales', renamed))).toEqual([
    'group/sales 1: any by group/sales: name changed',
  ]);
});

test('A member that gets another priority stays in its group', () => {
  expect(
    effectsOf(
      before('group/sales', 1, { agent_priorities: { 'agent/ann@example.com': 'first' } }),
      applied('group/sales', { name: 'Sales', agent_priorities: { 'agent/ann@example.com': 'last' } }),
    ),
  ).toEqual(['group/sales 1: any by group/sales: agent/ann@example.com got another priority in group/sales']);
});

test('Fewer slots of a member touch the groups that name it', () => {
  expect(
    effectsOf(
      before('agent/ann@example.com', 'ann@example.com', { max_chats_count: 8 }),
      applied('agent/ann@example.com', { name: 'Ann', max_chats_count: 5 }),
    ),
  ).toEqual(['group/sales 1: less-staff by agent/ann@example.com: it has another max_chats_count: 8 -> 5']);
});

test('A group that loses a member has less staff, and one that is deleted fewer chats', () => {
  expect(
    effectsOf(
      before('group/sales', 1, { agent_priorities: { 'agent/ann@example.com': 'first' } }),
      applied('group/sales', { name: 'Sales', agent_priorities: {} }),
      before('group/desk', 2, { name: 'Desk', agent_priorities: {} }),
      { ...stamp, type: 'forgotten', address: 'group/desk', because: 'deleted' },
    ),
  ).toEqual([
    'group/desk 2: fewer-chats by group/desk: it was deleted',
    'group/sales 1: less-staff by group/sales: agent/ann@example.com left group/sales',
  ]);
});

test('A member who gets no chats is no staff', () => {
  expect(
    effectsOf(
      before('agent/ann@example.com', 'ann@example.com', { suspended: false }),
      applied('agent/ann@example.com', { name: 'Ann', max_chats_count: 8, suspended: true }),
      before('group/desk', 2, { agent_priorities: {} }),
      applied('group/desk', { name: 'Desk', agent_priorities: { 'agent/ann@example.com': 'first' } }),
    ),
  ).toEqual(['group/sales 1: less-staff by agent/ann@example.com: it gets no chats any more']);
});

test('A field that the run did not write is as it was, also of an object that it adopted', () => {
  expect(
    effectsOf(
      bound('group/vip', 3),
      before('group/vip', 3, { name: 'V.I.P.' }),
      applied('group/vip', {
        name: 'VIP',
        language_code: 'en',
        agent_priorities: { 'agent/ann@example.com': 'first' },
      }),
    ),
  ).toEqual(['group/vip 3: any by group/vip: name changed']);
});

test('Members that a run takes from a list are named together', () => {
  const all = { 'agent/ann@example.com': 'first', 'agent/bob@example.com': 'last' };
  expect(
    effectsOf(before('group/desk', 2, { agent_priorities: {} }), applied('group/desk', { agent_priorities: all })),
  ).toEqual(['group/desk 2: more-staff by group/desk: agent/ann@example.com, agent/bob@example.com joined group/desk']);
});

test('A change fits what goes its way', () => {
  expect(fits({ influence: 'more-chats' }, 'arrivals', 'rises')).toBe(true);
  expect(fits({ influence: 'more-chats' }, 'arrivals', 'falls')).toBe(false);
  expect(fits({ influence: 'less-staff' }, 'arrivals', 'falls')).toBe(false);
  expect(fits({ influence: 'less-staff' }, 'first_response', 'rises')).toBe(true);
  expect(fits({ influence: 'any' }, 'ratings', 'falls')).toBe(true);
});
