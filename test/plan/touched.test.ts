// Groups whose `config_version` a plan changes: one too many would be waited for in vain, until the time is up.

import { expect, test } from 'vitest';
import type { Json } from '../../src/base/model.ts';
import type { FieldChange, ResourceChange } from '../../src/plan/plan.ts';
import { seenGroups } from '../../src/plan/touched.ts';
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
