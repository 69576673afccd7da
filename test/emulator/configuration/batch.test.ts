import { expect, test } from 'vitest';
import { createCaller } from '../caller.ts';

const BATCHES = [
  'batch_create_agents',
  'batch_update_agents',
  'batch_delete_agents',
  'batch_suspend_agents',
  'batch_unsuspend_agents',
  'batch_approve_agents',
  'batch_create_bots',
  'batch_update_bots',
  'batch_delete_bots',
  'batch_request_agent_unsuspensions',
];

test.each(BATCHES)('%s exists in 3.6, takes an empty list and needs `requests`', async (action) => {
  const { call, fail } = createCaller();
  expect(await call(action, { requests: [] })).toEqual({ responses: [] });
  expect(await fail(action, {})).toBe('validation');
  expect(await fail(action, { requests: {} })).toBe('validation');
  expect(await fail(action, { requests: [] }, { version: '3.3' })).toBe('not_found');
});

test.each(['get_agents', 'list_agents', 'create_groups', 'add_auto_accesss', 'reset_bot_secrets'])(
  'There is no batch_%s',
  async (name) => {
    expect(await createCaller().fail(`batch_${name}`, { requests: [] })).toBe('not_found');
  },
);

test('Replies stand in the order of the requests, failed items carry their error and the others succeed', async () => {
  const { call } = createCaller();
  const requests = [
    { id: 'a', name: 'A' },
    { name: 'no id' },
    'text',
    null,
    { id: 'b', name: 'B' },
    { id: 'owner@example.com', name: 'O' },
  ];
  const { responses } = await call('batch_create_agents', { requests });
  const slots = responses.map((slot: { id?: string; error?: { type: string } }) => slot.id ?? slot.error?.type);
  expect(slots).toEqual(['a', 'validation', 'validation', 'validation', 'b', 'already_exists']);
  expect(Object.keys(responses[1])).toEqual(['error']);
  expect(Object.keys(responses[1].error)).toEqual(['type', 'message']);
  expect(await call('list_agents')).toHaveLength(3);
  expect(responses[2].error.message).toBe('an item of `requests` must be an object');
  expect(responses[3].error.message).toBe('`id` is required');
});

test('A slot of a method without response payload is {}, whatever the setting for empty replies', async () => {
  const { call } = createCaller({ settings: { emptyReply: 'zero-bytes' } });
  const requests = [{ id: 'owner@example.com', job_title: 'x' }];
  expect(await call('batch_update_agents', { requests })).toEqual({ responses: [{}] });
});

test('Items take effect in no order that can be relied on, unless the setting says so', async () => {
  const requests = Array.from('0123456789', (id) => ({ id, name: id }));
  const created = async (batchOrder: 'shuffled' | 'sent'): Promise<string> => {
    const { call } = createCaller({ settings: { batchOrder } });
    await call('batch_create_agents', { requests });
    const [, ...agents] = await call('list_agents');
    return agents.map(({ id }: { id: string }) => id).join('');
  };
  expect(await created('sent')).toBe('0123456789');
  const shuffled = await created('shuffled');
  expect(shuffled).not.toBe('0123456789');
  expect(Array.from(shuffled).sort().join('')).toBe('0123456789');
});

test('A batch can be too long', async () => {
  const { call, fail } = createCaller({ settings: { limits: { batchItems: 2 } } });
  await call('batch_delete_agents', { requests: [{}, {}] });
  expect(await fail('batch_delete_agents', { requests: [{}, {}, {}] })).toBe('validation');
});

test('A batch of bots gives each its own secret', async () => {
  const { call } = createCaller();
  const { responses } = await call('batch_create_bots', { requests: [{ name: 'A' }, { name: 'B' }] });
  expect(new Set(responses.map(({ secret }: { secret: string }) => secret)).size).toBe(2);
});
