// What the journal of webhooks has of agents, bots, groups and rules. today/configuration.md, "Webhooks".

import { expect, test } from 'vitest';
import { type ChatCaller, createChatCaller, granted, outcome } from '../customer/caller.ts';

const SEED = { groups: [{ id: 1, name: 'Sales' }], agents: [{ id: 'ann', name: 'Ann', max_chats_count: 3 }] };

/** Names and payloads of what an action is told of. */
async function told(real: ChatCaller, action: string, body: object): Promise<readonly unknown[]> {
  await granted(real.configure(action, body));
  const kept = await granted(real.control('webhooks'));
  await granted(real.control('reset', { stats: true }));
  return kept.map(({ action, payload }: { action: string; payload: object }) => [action, payload]);
}

test('A new object is told of as a whole, a changed one with what changed, a deleted one by its id', async () => {
  const real = createChatCaller({ seed: SEED });
  const created = await told(real, 'create_agent', { id: 'bob', name: 'Bob' });
  expect(created).toMatchObject([
    ['agent_created', { id: 'bob', name: 'Bob', max_chats_count: expect.any(Number), groups: [], job_title: '' }],
  ]);
  expect(await told(real, 'update_agent', { id: 'ann', max_chats_count: 5, job_title: 'Support' })).toEqual([
    ['agent_updated', { id: 'ann', job_title: 'Support', max_chats_count: 5 }],
  ]);
  expect(await told(real, 'suspend_agent', { id: 'bob' })).toEqual([['agent_suspended', { id: 'bob' }]]);
  expect(await told(real, 'delete_agent', { id: 'bob' })).toEqual([['agent_deleted', { id: 'bob' }]]);

  const group = await told(real, 'create_group', { name: 'Night', agent_priorities: { ann: 'last' } });
  expect(group).toMatchObject([['group_created', { id: 2, name: 'Night', agent_priorities: { ann: 'last' } }]]);
  expect(await told(real, 'update_group', { id: 2, name: 'Late' })).toEqual([
    ['group_updated', { id: 2, name: 'Late' }],
  ]);
  expect(await told(real, 'delete_group', { id: 2 })).toEqual([['group_deleted', { id: 2 }]]);

  const bot = await told(real, 'create_bot', { name: 'Owl', max_chats_count: 4, owner_client_id: 'c' });
  expect(bot).toMatchObject([['bot_created', { name: 'Owl', max_chats_count: 4 }]]);
});

test.each(['listed', 'hidden'] as const)(
  'A tag is told of by its name, where tags without groups are %s',
  async (tagsWithoutGroups) => {
    const real = createChatCaller({ seed: SEED, settings: { tagsWithoutGroups } });
    expect(await told(real, 'create_tag', { name: 'vip' })).toMatchObject([
      ['tag_created', { name: 'vip', group_ids: [], author_id: expect.any(String), created_at: expect.any(String) }],
    ]);
    expect(await told(real, 'update_tag', { name: 'vip', group_ids: [1] })).toEqual([
      ['tag_updated', { name: 'vip', group_ids: [1] }],
    ]);
    expect(await told(real, 'update_tag', { name: 'vip' })).toEqual([]);
    expect(await told(real, 'delete_tag', { name: 'vip' })).toEqual([['tag_deleted', { name: 'vip' }]]);
  },
);

test('Nothing is told of what changes nothing, is refused, or only reads', async () => {
  const real = createChatCaller({ seed: SEED });
  expect(await told(real, 'update_agent', { id: 'ann', max_chats_count: 3 })).toEqual([]);
  expect(await told(real, 'list_agents', {})).toEqual([]);
  expect(await outcome(real.configure('update_agent', { id: 'ann', max_chats_count: -1 }))).toBe('validation');
  expect(await granted(real.control('webhooks'))).toEqual([]);
});

test('Each item of a batch is told of', async () => {
  const real = createChatCaller({ seed: SEED });
  const requests = [{ id: 'ann', mobile: '1' }, { id: 'nobody' }];
  expect(await told(real, 'batch_update_agents', { requests })).toEqual([
    ['agent_updated', { id: 'ann', mobile: '1' }],
  ]);
});

test('Rules are told of together: the one that a request names, and those whose place it changes', async () => {
  const real = createChatCaller({ seed: SEED });
  const conditions = (value: string) => ({ url: { values: [{ value }] } });
  const rule = (value: string, more: object = {}) => ({
    access: { groups: [1] },
    conditions: conditions(value),
    ...more,
  });
  const { id: first } = await granted(real.configure('add_auto_access', rule('/a')));
  const { id: second } = await granted(real.configure('add_auto_access', rule('/b')));
  await granted(real.control('reset', { stats: true }));
  const moved = await told(real, 'update_auto_access', { id: second, next_id: first });
  expect(moved).toEqual([
    [
      'auto_accesses_updated',
      expect.arrayContaining([
        expect.objectContaining({ status: 'updated', id: second, next_id: first }),
        expect.objectContaining({ status: 'updated', id: first }),
      ]),
    ],
  ]);
  const gone = await told(real, 'delete_auto_access', { id: second });
  expect(gone).toEqual([['auto_accesses_updated', [{ status: 'deleted', id: second }]]]);
  const added = await told(real, 'add_auto_access', rule('/c', { next_id: first }));
  const rules = [{ status: 'added', access: { groups: [1] }, conditions: conditions('/c') }];
  expect(added).toMatchObject([['auto_accesses_updated', rules]]);
});
