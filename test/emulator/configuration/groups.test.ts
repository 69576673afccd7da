import { expect, test } from 'vitest';
import { createCaller } from '../caller.ts';

const SEED = {
  agents: [
    { id: 'ann', name: 'Ann' },
    { id: 'bob', name: 'Bob' },
  ],
} as const;

test('A fresh license has the owner and group 0', async () => {
  const { call } = createCaller();
  expect(await call('list_groups', { fields: ['agent_priorities', 'routing_status'] })).toEqual([
    {
      id: 0,
      name: 'General',
      language_code: 'en',
      agent_priorities: { 'owner@example.com': 'normal' },
      routing_status: 'offline',
    },
  ]);
});

test('A created group has an increasing id, and reads back with what was given', async () => {
  const { call } = createCaller({ seed: SEED });
  expect(await call('create_group', { name: 'Sales', agent_priorities: {} })).toEqual({ id: 1 });
  await call('delete_group', { id: 1 });
  const priorities = { ann: 'first', bob: 'supervisor' };
  expect(await call('create_group', { name: 'Sales', language_code: 'pl', agent_priorities: priorities })).toEqual({
    id: 2,
  });
  expect(await call('get_group', { id: 2 })).toEqual({ id: 2, name: 'Sales', language_code: 'pl' });
  const [, listed] = await call('list_groups', { fields: ['agent_priorities'] });
  expect(listed).toEqual({ id: 2, name: 'Sales', language_code: 'pl', agent_priorities: priorities });
});

test.each([
  ['name', { agent_priorities: {} }],
  ['name', { name: 'x'.repeat(181), agent_priorities: {} }],
  ['agent_priorities', { name: 'x' }],
  ['agent_priorities', { name: 'x', agent_priorities: [] }],
  ['agent_priorities.ann', { name: 'x', agent_priorities: { ann: 'second' } }],
  ['agent_priorities.missing', { name: 'x', agent_priorities: { missing: 'first' } }],
  ['language_code', { name: 'x', agent_priorities: {}, language_code: 7 }],
])('create_group refuses a wrong %s: %j', async (field, body) => {
  const { send, call } = createCaller({ seed: SEED });
  const answer = await send('create_group', body);
  expect([answer.status, answer.body.error.type]).toEqual([400, 'validation']);
  expect(answer.body.error.message).toContain('`' + field + '`');
  expect(await call('list_groups')).toHaveLength(1);
});

test('The length of a name is counted in characters', async () => {
  const { call } = createCaller();
  await call('create_group', { name: '😀'.repeat(180), agent_priorities: {} });
});

test.each(['3.3', '3.5'] as const)('%s needs one agent with `normal` to create a group', async (version) => {
  const { call, fail } = createCaller({ seed: SEED }, version);
  expect(await fail('create_group', { name: 'x', agent_priorities: {} })).toBe('validation');
  expect(await fail('create_group', { name: 'x', agent_priorities: { ann: 'first' } })).toBe('validation');
  await call('create_group', { name: 'x', agent_priorities: { ann: 'first', bob: 'normal' } });
});

test('update_group replaces the map, or merges it by a setting', async () => {
  for (const [membershipWrite, expected] of [
    ['replace', { bob: 'first' }],
    ['merge', { ann: 'normal', bob: 'first' }],
  ] as const) {
    const { call } = createCaller({ seed: SEED, settings: { membershipWrite } });
    const { id } = await call('create_group', { name: 'x', agent_priorities: { ann: 'normal', bob: 'last' } });
    expect(await call('update_group', { id, agent_priorities: { bob: 'first' } })).toEqual({});
    const got = await call('get_group', { id, fields: ['agent_priorities'] });
    expect(got.agent_priorities).toEqual(expected);
    await call('update_group', { id, name: 'y' });
    expect(await call('get_group', { id, fields: ['agent_priorities'] })).toEqual({ ...got, name: 'y' });
  }
});

test.each(['get_group', 'update_group', 'delete_group'])('%s of an unknown group is `not_found`', async (action) => {
  const { fail } = createCaller();
  expect(await fail(action, { id: 9 })).toBe('not_found');
  expect(await fail(action, { id: '0' })).toBe('validation');
});

test('A deleted group leaves its members, rules and values behind without it', async () => {
  const { call, fail, emulator } = createCaller({
    seed: {
      ...SEED,
      groups: [{ id: 3, name: 'x', agent_priorities: { ann: 'first' } }],
      bots: [{ id: 'b', name: 'B', groups: [{ id: 3, priority: 'first' }] }],
      auto_access: [{ access: { groups: [3, 0] }, conditions: { url: { values: [{ value: 'x' }] } } }],
      group_properties: { 3: { test: { int_property: 5 } } },
    },
  });
  await call('delete_group', { id: 3 });
  expect((await call('get_agent', { id: 'ann', fields: ['groups'] })).groups).toEqual([]);
  expect((await call('get_bot', { id: 'b' })).groups).toEqual([]);
  expect((await call('list_auto_accesses'))[0].access.groups).toEqual([0]);
  expect(await fail('list_groups_properties', { group_ids: [3] })).toBe('group_not_found');
  expect(emulator.snapshot().tables.values).toEqual([]);
});

test('Deleting a group that a rule names can be set to be refused', async () => {
  const { call, fail } = createCaller({
    settings: { deletedGroupInRules: 'refuse' },
    seed: {
      groups: [{ id: 3, name: 'x' }],
      auto_access: [{ access: { groups: [3] }, conditions: { url: { values: [{ value: 'x' }] } } }],
    },
  });
  expect(await fail('delete_group', { id: 3 })).toBe('validation');
  expect(await call('list_groups')).toHaveLength(2);
});

test('Group 0 cannot be deleted and can be changed', async () => {
  const { call, fail } = createCaller();
  expect(await fail('delete_group', { id: 0 })).toBe('validation');
  await call('update_group', { id: 0, name: 'Everyone' });
  expect(await call('get_group', { id: 0 })).toHaveProperty('name', 'Everyone');
});

test('The license can be full of groups', async () => {
  const { call, fail } = createCaller({ settings: { limits: { groups: 2 } } });
  await call('create_group', { name: 'x', agent_priorities: {} });
  expect(await fail('create_group', { name: 'y', agent_priorities: {} })).toBe('limit_reached');
});

test('An unknown group can be set to be `group_not_found`', async () => {
  const { fail } = createCaller({ settings: { missingGroup: 'group_not_found' } });
  for (const action of ['get_group', 'update_group', 'delete_group'])
    expect(await fail(action, { id: 9 })).toBe('group_not_found');
});
