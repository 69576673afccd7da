// Tags: what their settings decide, what a narrow scope sees, and what they do to chats. Their rows are in test/emulator/conformance/tags.ts.

import { describe, expect, test } from 'vitest';
import type { SettingsInput } from '../../../src/emulator/index.ts';
import { createCaller, START } from '../caller.ts';

const SEED = {
  agents: [{ id: 'ann@example.com', name: 'Ann', groups: [{ id: 1, priority: 'normal' }] }],
  groups: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  tags: [{ name: 'vip', group_ids: [1] }, { name: 'spam', group_ids: [2], author_id: '' }, { name: 'bare' }],
} as const;

const CUSTOMER = '11111111-1111-4111-8111-111111111111';

const named = (tags: readonly { readonly name: string }[]) => tags.map(({ name }) => name);
const calling = (settings: SettingsInput = {}) => createCaller({ seed: SEED, settings });

test('A new tag has its author and its moment, and stands where it was made', async () => {
  const { call } = createCaller({
    seed: { ...SEED, tokens: [{ token: 't', scopes: ['tags--all:rw'], agent_id: 'ann@example.com' }] },
  });
  const how = { authorization: 'Bearer t' };
  expect(await call('create_tag', { name: 'returns', group_ids: [2, 1] }, how)).toEqual({});
  expect((await call('list_tags', {}, how)).at(-1)).toEqual({
    name: 'returns',
    group_ids: [2, 1],
    author_id: 'ann@example.com',
    created_at: new Date(START).toISOString().replace('Z', '000Z'),
  });
});

describe('Groups of a tag', () => {
  const groupsAfter = async (settings: SettingsInput, more: object) => {
    const { call } = calling(settings);
    await call('update_tag', { name: 'vip', ...more });
    return (await call('list_tags')).find(({ name }: { name: string }) => name === 'vip').group_ids;
  };

  test.each([
    [{}, { group_ids: [2] }, [2]],
    [{ tagGroupsWrite: 'merge' }, { group_ids: [2] }, [1, 2]],
    [{}, {}, [1]],
    [{ tagGroupsAbsent: 'none' }, {}, []],
  ] as const)('under %j, an update with %j leaves %j', async (settings, more, left) => {
    expect(await groupsAfter(settings, more)).toEqual(left);
  });
});

test('A tag without groups is listed, or hidden', async () => {
  expect(named(await calling().call('list_tags'))).toEqual(['vip', 'spam', 'bare']);
  expect(named(await calling({ tagsWithoutGroups: 'hidden' }).call('list_tags'))).toEqual(['vip', 'spam']);
});

test('A name that differs in case from another one is refused by a create, and unknown to a delete', async () => {
  expect(await calling().fail('create_tag', { name: 'Vip' })).toBe('already_exists');
  expect(await calling({ duplicateTag: 'validation' }).fail('create_tag', { name: 'Vip' })).toBe('validation');
  const { fail, call } = calling();
  expect(await fail('delete_tag', { name: 'Vip' })).toBe('not_found');
  await call('delete_tag', { name: 'vip' });
  await call('create_tag', { name: 'Vip' });
});

test('The limit counts every tag, and the license says it', async () => {
  const { call, fail } = calling({ limits: { tags: 4 } });
  await call('create_tag', { name: 'fourth' });
  expect(await fail('create_tag', { name: 'fifth' })).toBe('limit_reached');
  const { limits } = await call('list_license_properties', { namespace: 'limits' });
  expect(limits).toMatchObject({ 'tags.base': 4, 'tags.additional': 0, 'tags.hard': 4 });
});

test('With `tags--groups`, a list has the tags of the own groups, and a create meets one that it does not have', async () => {
  const token = { token: 't', scopes: ['tags--groups:rw'], agent_id: 'ann@example.com' };
  const { call, fail } = createCaller({ seed: { ...SEED, tokens: [token] } });
  const how = { authorization: 'Bearer t' };
  expect(named(await call('list_tags', {}, how))).toEqual(['vip']);
  expect(named(await call('list_tags', { filters: { group_ids: [2] } }, how))).toEqual([]);
  expect(await fail('create_tag', { name: 'spam', group_ids: [1] }, how)).toBe('authorization');
  expect(await fail('create_tag', { name: 'Spam', group_ids: [1] }, how)).toBe('already_exists');
});

test.each([
  ['keep', ['vip', 'other']],
  ['remove', ['other']],
] as const)('Chats that have a deleted tag: %s', async (deletedTagInChats, left) => {
  const { emulator, call } = createCaller({
    seed: {
      ...SEED,
      customers: [{ id: CUSTOMER }],
      chats: [{ customer: CUSTOMER, threads: [{ created_at: '2025-12-31T08:00:00Z', tags: ['vip', 'other'] }] }],
    },
    settings: { deletedTagInChats },
  });
  await call('delete_tag', { name: 'vip' });
  expect(JSON.stringify(emulator.snapshot().tables.threads)).toContain(`"tags":${JSON.stringify(left)}`);
});

describe('A seed', () => {
  test.each([
    ['an unknown group', [{ name: 'vip', group_ids: [9] }]],
    ['a name twice', [{ name: 'vip' }, { name: 'vip' }]],
    ['names that differ in case', [{ name: 'vip' }, { name: 'VIP' }]],
  ])('with %s is refused', (_, tags) => {
    expect(() => createCaller({ seed: { ...SEED, tags } })).toThrow(/valid seed/);
  });
});
