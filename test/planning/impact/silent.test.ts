// Bots whose routing status cannot be read: which of them are asked about, and the staff without those that took no chat.

import { expect, test } from 'vitest';
import type { Address, Reference } from '../../../src/base/model.ts';
import { doubtedIn, withoutSilent } from '../../../src/planning/impact/silent.ts';
import { type Placed, type Staff, staffOf } from '../../../src/routing/staff/staff.ts';

const group = (reference: string, more: Partial<Placed> = {}): Placed => ({
  reference,
  kind: 'group',
  name: reference,
  spec: {},
  decides: [],
  ...more,
});
const worker = (kind: 'agent' | 'bot', reference: string, groups: Placed['spec'], slots = 5): Placed => ({
  reference,
  kind,
  name: reference,
  spec: { max_chats_count: slots, groups },
  decides: [],
});

const staff = (...placed: readonly Placed[]): Staff => staffOf(placed, { zone: 'UTC', isRead: true, version: '3.6' });

const groupOf = (reference: Reference): Address => `group/${reference}`;
const personOf = ({ kind, reference }: Pick<Placed, 'kind' | 'reference'>): Address => `${kind}/${reference}`;
/** The id of each is its key in capitals. */
const idOf = (address: Address): string => address.replace(/^\w+\//, '').toUpperCase();

const STAFF = staff(
  group('sales'),
  group('desk'),
  worker('agent', 'ann', { sales: 'first' }),
  worker('bot', 'triage', { sales: 'first', desk: 'normal' }),
  worker('bot', 'guide', { desk: 'first' }),
  worker('bot', 'idle', { sales: 'first' }, 0),
);

const doubted = (known: Staff, asked: readonly Address[], ids: typeof idOf | (() => null) = idOf) =>
  doubtedIn(known, { groupOf, personOf, idOf: ids }, new Set(asked));

test('Asked about are bots with slots that serve a group in question, by their ids', () => {
  expect(doubted(STAFF, ['group/sales'])).toEqual([{ address: 'bot/triage', id: 'TRIAGE' }]);
  expect(doubted(STAFF, ['group/desk']).map(({ id }) => id)).toEqual(['GUIDE', 'TRIAGE']);
  expect(doubted(STAFF, [])).toEqual([]);
});

test('In the default group every bot may get chats; one without an id on the license cannot be asked about', () => {
  const open = staff(group('0', { builtin: true }), group('desk'), worker('bot', 'guide', { desk: 'first' }));
  expect(doubted(open, ['group/0'])).toEqual([{ address: 'bot/guide', id: 'GUIDE' }]);
  expect(doubted(open, ['group/other'])).toEqual([]);
  expect(doubted(open, ['group/0'], () => null)).toEqual([]);
});

test('A silent bot gets no chats in any of its groups and is not in doubt; all others stay as they are', () => {
  const silent = new Set<Address>(['bot/triage']);
  const { people, groups } = withoutSilent(STAFF, { personOf }, silent);
  const barred = (found: Staff): readonly (readonly [string, string | null, string | null])[] =>
    found.groups.flatMap(({ members }) => members.map((each) => [each.reference, each.barred, each.doubt] as const));
  const expected = barred(STAFF).map((each) => (each[0] === 'triage' ? ['triage', 'offline', null] : each));
  expect(barred({ people, groups })).toEqual(expected);
  expect(people.filter(({ bar }) => bar !== null).map(({ reference }) => reference)).toEqual(['triage']);
  expect(doubted({ people, groups }, ['group/sales', 'group/desk']).map(({ id }) => id)).toEqual(['GUIDE']);
  expect(withoutSilent(STAFF, { personOf }, new Set())).toEqual(STAFF);
});

test('What bars a member already stays the reason', () => {
  const known = staff(group('sales'), worker('bot', 'shy', { sales: 'supervisor' }));
  const [sales] = withoutSilent(known, { personOf }, new Set<Address>(['bot/shy'])).groups;
  expect(sales?.members).toMatchObject([{ barred: 'supervisor', bar: 'offline', doubt: null }]);
});
