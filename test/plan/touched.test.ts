// Groups that a change touches, and how. Of those whose `config_version` changes, one too many would be waited for in vain, until the time is up.

import { expect, test } from 'vitest';
import type { Address, Json, Spec } from '../../src/base/model.ts';
import type { FieldChange, ResourceChange } from '../../src/plan/plan.ts';
import { groupChanges, memberChanges, reroutes, seenGroups, writtenBy } from '../../src/plan/touched.ts';
import { type Placed, staffOf } from '../../src/routing/staff/staff.ts';
import { subjectOf } from '../features/test/customer/cases.ts';

const MANIFEST = `groups:
  desk: { name: Desk, properties: { shop: { theme: dark } } }
  sales: { name: Sales }
properties:
  shop:
    theme: { type: string, default_value: light, access: { group: { agent: [write], customer: [read] } } }
    plan: { type: string, default_value: free, access: { license: { agent: [write], customer: [read] } } }
    own: { type: string, default_value: x, access: { license: { agent: [write] } } }
license_properties: { shop: { own: y } }
`;

const field = (name: string, before: Json, after: Json, reach: FieldChange['reach'] = 'replace'): FieldChange => ({
  field: name,
  before,
  after,
  reach,
  reason: null,
});

async function touched(address: string, actions: readonly string[], fields: readonly FieldChange[] = []) {
  const { desired } = await subjectOf({ name: '', manifest: MANIFEST, answers: {}, checks: [] });
  const sideOf = (side: 'before' | 'after') => Object.fromEntries(fields.map((each) => [each.field, each[side]]));
  const { spec } = desired.resources.find((each) => each.address === address) ?? { spec: {} };
  const isNew = actions[0] === 'create';
  const written = { actions, before: isNew ? null : sideOf('before'), after: { ...spec, ...sideOf('after') } };
  const change = { address, type: address.split('/')[0], change: written, fields } as unknown as ResourceChange;
  return seenGroups({ resource_changes: [change] }, desired);
}

const BOTH = ['group/desk', 'group/sales'];
const hidden = { group: { agent: ['write'] } };
const shown = { group: { agent: ['write'], customer: ['read'] } };

test.each([
  ['a new group', 'group/sales', ['create'], [], ['group/sales']],
  ['another language', 'group/sales', ['update'], [field('language_code', 'en', 'pl', 'write')], ['group/sales']],
  ['another member', 'group/sales', ['update'], [field('agent_priorities', {}, {}, 'write')], []],
  ['a value on a group', 'group_property/desk/shop/theme', ['create'], [], ['group/desk']],
  ['a value that customers do not see', 'license_property/shop/own', ['update'], [], []],
  ['a new default on groups', 'property/shop/theme', ['create'], [], ['group/sales']],
  ['a new default on the license', 'property/shop/plan', ['create'], [], BOTH],
  ['another default', 'property/shop/plan', ['delete', 'create'], [field('default_value', 'a', 'free')], BOTH],
  [
    'a default that shows now',
    'property/shop/theme',
    ['delete', 'create'],
    [field('access', hidden, shown)],
    [BOTH[1]],
  ],
  ['access elsewhere', 'property/shop/theme', ['delete', 'create'], [field('access', shown, shown)], []],
  ['another description', 'property/shop/theme', ['delete', 'create'], [field('description', '', 'new')], []],
  ['a publication', 'property/shop/plan', ['update'], [field('publish', [], ['read'], 'transition')], []],
  [
    'a default that cannot be read',
    'property/shop/plan',
    ['no-op'],
    [field('default_value', null, 'free', 'unreadable')],
    [],
  ],
])('%s', async (_, address, actions, fields, groups) => {
  expect(await touched(address, actions, fields)).toEqual(groups);
});

const groupAt = (reference: string): Address => `group/${reference}`;

test.each([
  ['no rule decides before', [], ['7'], ['0'], ['7'], ['0'], ['7']],
  ['no rule decides afterwards', ['7'], [], ['7'], ['0'], ['7'], ['0']],
  ['one of two groups is another', ['8', '7'], ['9', '7'], ['7', '8'], ['7', '9'], ['8'], ['9']],
  ['a rule names a group twice', ['7', '7'], ['7', '8'], ['7'], ['7', '8'], [], ['8']],
])('groups of chats that go elsewhere: %s', (_, before, after, from, to, losing, gaining) => {
  const cause = { what: 'added', rule: 'auto_access/a' } as never;
  const routes = [{ before: { rule: 'a', groups: before }, after: { rule: 'b', groups: after }, cause }];
  const named = {
    from: from.map(groupAt),
    to: to.map(groupAt),
    losing: losing.map(groupAt),
    gaining: gaining.map(groupAt),
  };
  expect(reroutes(routes, groupAt)).toEqual([{ cause, ...named }]);
});

const placed = (groups: Spec, more: Spec = {}): readonly Placed[] => [
  { reference: 'sales', kind: 'group', name: 'Sales', spec: { name: 'Sales' }, decides: [] },
  { reference: 'desk', kind: 'group', name: 'Desk', spec: { name: 'Desk' }, decides: [] },
  {
    reference: 'ann',
    kind: 'agent',
    name: 'Ann',
    spec: { name: 'Ann', max_chats_count: 6, groups, ...more },
    decides: ['groups'],
  },
];
const shift = { day: 'monday', enabled: true, start: '09:00', end: '17:00' };

test.each([
  ['stays as it is', placed({ sales: 'first' }), placed({ sales: 'first' }, { job_title: 'Lead' }), []],
  ['has another priority', placed({ sales: 'first' }), placed({ sales: 'last' }), ['group/sales first last']],
  ['joins', placed({}), placed({ desk: 'first' }), ['group/desk - first']],
  ['leaves', placed({ desk: 'first' }), placed({}), ['group/desk first -']],
  [
    'is suspended',
    placed({ desk: 'first' }),
    placed({ desk: 'first' }, { suspended: true }),
    ['group/desk first first'],
  ],
  [
    'takes more chats',
    placed({ desk: 'first' }),
    placed({ desk: 'first' }, { max_chats_count: 7 }),
    ['group/desk first first'],
  ],
  [
    'has other hours',
    placed({ desk: 'first' }),
    placed({ desk: 'first' }, { work_scheduler: { timezone: 'UTC', schedule: [shift] } }),
    ['group/desk first first'],
  ],
  ['is in a group that is new', placed({}).slice(2), placed({ sales: 'first' }), ['group/sales - first']],
  ['was in a group that goes', placed({ sales: 'first' }), placed({}).slice(2), ['group/sales first -']],
])('an agent who %s', (_, before, after, changes) => {
  const staffIn = (all: readonly Placed[]) => staffOf(all, { zone: 'UTC', isRead: true, version: '3.6' });
  const found = memberChanges(staffIn(before), staffIn(after), (kind, reference) => `${kind}/${reference}`);
  expect(found.map(({ member }) => member)).toEqual(changes.map(() => 'agent/ann'));
  expect(found.map(({ group, was, is }) => `${group} ${was?.priority ?? '-'} ${is?.priority ?? '-'}`)).toEqual(changes);
});

const KNOWN: ReadonlyMap<Address, Spec> = new Map([
  ['group/sales', { name: 'Sales' }],
  ['group/desk', { name: 'Desk' }],
  ['property/shop/plan', { access: { license: { customer: ['read'] } } }],
  ['property/shop/theme', { access: { group: { customer: ['read'] } } }],
  ['agent/ann', { name: 'Ann' }],
]);

test.each<readonly [string, Address, Spec | null, Spec | null, readonly string[], readonly string[]]>([
  ['a group is made', 'group/new', null, {}, [], ['group/new made seen']],
  ['a group is removed', 'group/old', {}, null, [], ['group/old removed seen']],
  ['the name of a group', 'group/sales', {}, {}, ['name'], ['group/sales fields']],
  ['the language of a group', 'group/sales', {}, {}, ['name', 'language_code'], ['group/sales fields seen']],
  ['a value on a group', 'group_property/sales/shop/theme', {}, {}, ['value'], ['group/sales value seen']],
  ['a value that only licenses show', 'group_property/sales/shop/plan', {}, {}, ['value'], ['group/sales value']],
  [
    'a value on the license',
    'license_property/shop/plan',
    {},
    {},
    ['value'],
    ['group/sales value seen', 'group/desk value seen'],
  ],
  [
    'a value that only groups show',
    'license_property/shop/theme',
    {},
    {},
    ['value'],
    ['group/sales value', 'group/desk value'],
  ],
  [
    'a definition without a default',
    'property/shop/plan',
    null,
    {},
    ['access'],
    ['group/sales value', 'group/desk value'],
  ],
  ['an agent', 'agent/ann', {}, {}, ['name'], []],
])('groups that a change is about: %s', (_, address, before, after, fields, changes) => {
  const found = groupChanges([{ address, before, after, fields }], KNOWN);
  expect(found.map(({ by }) => by)).toEqual(changes.map(() => address));
  expect(found.map(({ group, what, isSeen }) => `${group} ${what}${isSeen ? ' seen' : ''}`)).toEqual(changes);
});

test.each([
  ['nothing', ['no-op'], { a: 1 }, { a: 1 }, []],
  ['a create', ['create'], null, { a: 1, b: 2 }, [{ before: null, after: { a: 1, b: 2 }, fields: ['a', 'b'] }]],
  ['a delete', ['delete'], { a: 1, b: 2 }, null, [{ before: { a: 1, b: 2 }, after: null, fields: ['a', 'b'] }]],
  ['an update', ['update'], { a: 1 }, { a: 2 }, [{ before: { a: 1 }, after: { a: 2 }, fields: ['a'] }]],
  ['a replacement', ['delete', 'create'], { a: 1 }, { a: 2 }, [{ before: { a: 1 }, after: { a: 2 }, fields: ['a'] }]],
])('what is written by %s', (_, actions, before, after, written) => {
  const fields = [
    field('a', 1, 2, 'write'),
    field('b', 1, 2, 'unverified'),
    field('c', 1, 2, 'unreachable'),
    field('d', 1, 2, 'unreadable'),
  ];
  const change = { address: 'group/sales', change: { actions, before, after }, fields } as unknown as ResourceChange;
  expect(writtenBy(change)).toEqual(written.map((each) => ({ address: 'group/sales', ...each })));
});
