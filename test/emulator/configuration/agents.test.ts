import { describe, expect, test } from 'vitest';
import { createCaller } from '../caller.ts';

const ANN = { id: 'ann@example.com', name: 'Ann' };
const SHIFT = { day: 'monday', enabled: true, start: '08:00', end: '16:30' };
const ALL_FIELDS = [
  'work_scheduler',
  'groups',
  'email_subscriptions',
  'notifications',
  'job_title',
  'mobile',
  'max_chats_count',
  'suspended',
  'awaiting_approval',
];

test('A created agent reads back with the default members and no others', async () => {
  const { call } = createCaller();
  expect(await call('create_agent', ANN)).toEqual({ id: ANN.id });
  expect(await call('get_agent', { id: ANN.id })).toEqual({
    ...ANN,
    avatar: '',
    role: 'normal',
    login_status: 'not accepting chats',
    account_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  });
});

test('A list has `avatar_path` where get_agent of 3.6 has `avatar`, and 3.3 knows no account', async () => {
  const { call } = createCaller();
  const [listed] = await call('list_agents');
  expect(Object.keys(listed).sort()).toEqual(['account_id', 'avatar_path', 'id', 'login_status', 'name', 'role']);
  const got = await call('get_agent', { id: listed.id }, { version: '3.3' });
  expect(Object.keys(got).sort()).toEqual(['avatar_path', 'id', 'login_status', 'name', 'role']);
});

test('Fields that were asked for come with their values', async () => {
  const { call } = createCaller();
  const settable = {
    role: 'administrator',
    login_status: 'accepting chats',
    job_title: 'Support',
    mobile: '+48 123',
    max_chats_count: 9,
    groups: [{ id: 0, priority: 'supervisor' }],
    notifications: ['ticket', 'new_goal'],
    email_subscriptions: ['daily_summary'],
    work_scheduler: { timezone: 'Europe/Warsaw', schedule: [SHIFT, SHIFT] },
  };
  await call('create_agent', { ...ANN, ...settable });
  const got = await call('get_agent', { id: ANN.id, fields: ALL_FIELDS });
  expect(got).toMatchObject({ ...settable, suspended: false, awaiting_approval: true });
});

test('Fields that were never set read as empty, or are left out by a setting', async () => {
  const empty = { job_title: '', mobile: '', notifications: [], email_subscriptions: [], groups: [] };
  const one = createCaller();
  await one.call('create_agent', ANN);
  const got = await one.call('get_agent', { id: ANN.id, fields: ALL_FIELDS });
  expect(got).toMatchObject({ ...empty, max_chats_count: 6, work_scheduler: { timezone: 'UTC', schedule: [] } });

  const other = createCaller({ settings: { unsetOnRead: 'omitted' } });
  await other.call('create_agent', ANN);
  const omitted = await other.call('get_agent', { id: ANN.id, fields: ALL_FIELDS });
  for (const name of ['job_title', 'mobile', 'notifications', 'email_subscriptions', 'work_scheduler'])
    expect(omitted).not.toHaveProperty(name);
});

test('`last_logout` exists in 3.6 only and is left out when there was none', async () => {
  const last_logout = '2026-01-01T10:00:00Z';
  const { call, fail } = createCaller({ seed: { agents: [{ ...ANN, last_logout }] } });
  const fields = ['last_logout'];
  expect(await call('get_agent', { id: ANN.id, fields })).toHaveProperty('last_logout', last_logout);
  expect(await call('get_agent', { id: 'owner@example.com', fields })).not.toHaveProperty('last_logout');
  expect(await fail('get_agent', { id: ANN.id, fields }, { version: '3.3' })).toBe('validation');
});

test('`email_subscriptions` can be set to read back as `summaries`', async () => {
  const { call } = createCaller({ settings: { subscriptionsKey: 'summaries' } });
  await call('create_agent', { ...ANN, email_subscriptions: ['weekly_summary'] });
  const got = await call('get_agent', { id: ANN.id, fields: ['email_subscriptions'] });
  expect(got).toHaveProperty('summaries', ['weekly_summary']);
  expect(got).not.toHaveProperty('email_subscriptions');
});

const REFUSED: readonly [string, object][] = [
  ['id', { name: 'Ann' }],
  ['id', { ...ANN, id: '' }],
  ['id', { ...ANN, id: 7 }],
  ['name', { id: 'x' }],
  ['role', { ...ANN, role: 'owner' }],
  ['role', { ...ANN, role: 'boss' }],
  ['login_status', { ...ANN, login_status: 'accepting_chats' }],
  ['max_chats_count', { ...ANN, max_chats_count: 101 }],
  ['max_chats_count', { ...ANN, max_chats_count: -1 }],
  ['max_chats_count', { ...ANN, max_chats_count: 1.5 }],
  ['max_chats_count', { ...ANN, max_chats_count: '6' }],
  ['job_title', { ...ANN, job_title: 1 }],
  ['awaiting_approval', { ...ANN, awaiting_approval: 'no' }],
  ['groups', { ...ANN, groups: { id: 0, priority: 'first' } }],
  ['groups[0].id', { ...ANN, groups: [{ priority: 'first' }] }],
  ['groups[0].id', { ...ANN, groups: [{ id: -1, priority: 'first' }] }],
  ['groups[1].priority', { ...ANN, groups: [{ id: 0, priority: 'first' }, { id: 1 }] }],
  ['groups[0].priority', { ...ANN, groups: [{ id: 0, priority: 'primary' }] }],
  ['groups', { ...ANN, groups: Array(2).fill({ id: 0, priority: 'first' }) }],
  ['notifications[1]', { ...ANN, notifications: ['ticket', 'sms'] }],
  ['email_subscriptions[0]', { ...ANN, email_subscriptions: ['monthly_summary'] }],
  ['work_scheduler', { ...ANN, work_scheduler: [] }],
  ['work_scheduler.timezone', { ...ANN, work_scheduler: { schedule: [SHIFT] } }],
  ['work_scheduler.timezone', { ...ANN, work_scheduler: { timezone: 'Mars/Olympus', schedule: [] } }],
  ['work_scheduler.timezone', { ...ANN, work_scheduler: { timezone: 'europe/warsaw', schedule: [] } }],
  ['work_scheduler.timezone', { ...ANN, work_scheduler: { timezone: '+02:00', schedule: [] } }],
  ['work_scheduler.schedule[0].day', { ...ANN, work_scheduler: week({ day: 'Monday' }) }],
  ['work_scheduler.schedule[0].enabled', { ...ANN, work_scheduler: week({ enabled: undefined }) }],
  ['work_scheduler.schedule[0].start', { ...ANN, work_scheduler: week({ start: '8:00' }) }],
  ['work_scheduler.schedule[0].end', { ...ANN, work_scheduler: week({ end: '24:00' }) }],
];

function week(change: object): object {
  return { timezone: 'Europe/Warsaw', schedule: [{ ...SHIFT, ...change }] };
}

test.each(REFUSED)('create_agent refuses a wrong %s and names it: %j', async (field, body) => {
  const { send, call } = createCaller();
  const answer = await send('create_agent', body);
  expect([answer.status, answer.body.error.type]).toEqual([400, 'validation']);
  expect(answer.body.error.message).toContain('`' + field + '`');
  expect(await call('list_agents')).toHaveLength(1);
});

test('`null` members are absent and unknown members are ignored', async () => {
  const { call, fail } = createCaller();
  await call('create_agent', { ...ANN, role: null, groups: null, owner: true, constructor: 7 });
  expect(await call('get_agent', { id: ANN.id })).toHaveProperty('role', 'normal');
  expect(await fail('create_agent', { id: null, name: 'x' })).toBe('validation');
});

test('An agent of a group that does not exist is refused with `group_not_found` and is not made', async () => {
  const { call, fail } = createCaller();
  expect(await fail('create_agent', { ...ANN, groups: [{ id: 9, priority: 'first' }] })).toBe('group_not_found');
  expect(await call('list_agents')).toHaveLength(1);
});

test('An agent that exists is refused with `already_exists`', async () => {
  const { call, send } = createCaller();
  await call('create_agent', ANN);
  const { status, body } = await send('create_agent', ANN);
  expect([status, body.error.type]).toEqual([409, 'already_exists']);
});

test('The license can be full', async () => {
  const { call, fail } = createCaller({ settings: { limits: { agents: 2 } } });
  await call('create_agent', ANN);
  expect(await fail('create_agent', { id: 'b', name: 'B' })).toBe('limit_reached');
  await call('delete_agent', { id: ANN.id });
  await call('create_agent', { id: 'b', name: 'B' });
});

test('An update changes only what it gives, and 3.6 ignores `name`', async () => {
  const { call } = createCaller();
  await call('create_agent', { ...ANN, job_title: 'A', mobile: '1' });
  expect(await call('update_agent', { id: ANN.id, job_title: 'B', name: 'Changed', avatar_path: 'x' })).toEqual({});
  const got = await call('get_agent', { id: ANN.id, fields: ['job_title', 'mobile'] });
  expect(got).toMatchObject({ name: 'Ann', avatar: '', job_title: 'B', mobile: '1' });
});

test('3.3 accepts `name` and `avatar_path` of an existing agent', async () => {
  const { call } = createCaller({}, '3.3');
  await call('create_agent', { ...ANN, avatar_path: 'https://a' });
  await call('update_agent', { id: ANN.id, name: 'Anna' });
  expect(await call('get_agent', { id: ANN.id })).toMatchObject({ name: 'Anna', avatar_path: 'https://a' });
});

test('3.5 accepts `name` and `avatar` of an existing agent, and 3.6 neither', async () => {
  const { call } = createCaller({}, '3.5');
  await call('create_agent', { ...ANN, avatar: 'https://a', avatar_path: 'ignored' });
  expect(await call('get_agent', { id: ANN.id })).toHaveProperty('avatar', 'https://a');
  await call('update_agent', { id: ANN.id, name: 'Anna', avatar: 'https://b' });
  await call('update_agent', { id: ANN.id, name: 'Ignored', avatar: 'ignored' }, { version: '3.6' });
  expect(await call('get_agent', { id: ANN.id })).toMatchObject({ name: 'Anna', avatar: 'https://b' });
  expect(await call('get_agent', { id: ANN.id }, { version: '3.3' })).toHaveProperty('avatar_path', 'https://b');
});

test.each([
  ['create_agent', '3.3', 100],
  ['create_agent', '3.5', 20],
  ['create_agent', '3.6', 100],
  ['create_agent', '3.7', 20],
  ['update_agent', '3.3', 100],
  ['update_agent', '3.5', 20],
  ['update_agent', '3.6', 20],
  ['update_agent', '3.7', 20],
] as const)('%s of %s takes up to %d chats', async (action, version, limit) => {
  const { call, fail } = createCaller({ seed: { agents: [{ id: 'x', name: 'X' }] } }, version);
  const body = action === 'create_agent' ? ANN : { id: 'x' };
  expect(await fail(action, { ...body, max_chats_count: limit + 1 })).toBe('validation');
  await call(action, { ...body, max_chats_count: limit });
});

test.each(['get_agent', 'update_agent', 'delete_agent', 'suspend_agent', 'unsuspend_agent', 'approve_agent'])(
  '%s of an unknown agent is `not_found`, and without an id `validation`',
  async (action) => {
    const { fail } = createCaller();
    expect(await fail(action, { id: 'missing' })).toBe('not_found');
    expect(await fail(action, {})).toBe('validation');
  },
);

describe('The owner', () => {
  const id = 'owner@example.com';

  test.each([
    ['3.5', 'ownership_transfer'],
    ['3.6', 'ownership_transfer'],
    ['3.3', 'transfer_ownership'],
  ] as const)('of %s cannot be deleted, suspended or given a role: %s', async (version, type) => {
    const { fail, call, send } = createCaller({}, version);
    expect(await fail('delete_agent', { id })).toBe(type);
    expect(await fail('suspend_agent', { id })).toBe(type);
    const { status, body } = await send('update_agent', { id, role: 'administrator' });
    expect([status, body.error.type]).toEqual([409, type]);
    await call('update_agent', { id, job_title: 'Boss' });
    expect(await call('get_agent', { id })).toHaveProperty('role', 'owner');
  });
});

test('list_agents filters by group and, in 3.6, by suspension', async () => {
  const seed = {
    groups: [{ id: 5, name: 'Five' }],
    agents: [
      { id: 'a', name: 'A', groups: [{ id: 5, priority: 'first' }] },
      { id: 'b', name: 'B', suspended: true, groups: [{ id: 5, priority: 'last' }] },
      { id: 'c', name: 'C' },
    ],
  } as const;
  const { call } = createCaller({ seed });
  const ids = async (filters: object, version: '3.3' | '3.6' = '3.6') =>
    (await call('list_agents', { filters }, { version })).map((agent: { id: string }) => agent.id);
  expect(await ids({ group_ids: [5] })).toEqual(['a', 'b']);
  expect(await ids({ group_ids: [5], suspended: true })).toEqual(['b']);
  expect(await ids({ suspended: false })).toEqual(['owner@example.com', 'a', 'c']);
  expect(await ids({ group_ids: [0, 5] })).toEqual(['owner@example.com', 'a', 'b']);
  expect(await ids({ group_ids: [77] })).toEqual([]);
  expect(await ids({ group_ids: [] })).toHaveLength(4);
  expect(await ids({ group_ids: [5], suspended: true }, '3.3')).toEqual(['a', 'b']);
});

test('A field, or a group of a filter, that is named twice is answered once', async () => {
  const { call } = createCaller();
  const [agent] = await call('list_agents', { filters: { group_ids: [0, 0] }, fields: ['mobile', 'mobile'] });
  expect(agent).toHaveProperty('mobile', '');
  expect(await call('list_groups', { fields: ['routing_status', 'routing_status'] })).toHaveLength(1);
  expect(await call('list_bots', { fields: ['groups', 'groups'] })).toEqual([]);
  expect(await call('list_groups_properties', { group_ids: [0, 0] })).toHaveLength(1);
});

test('An unknown field is refused', async () => {
  const { fail } = createCaller();
  expect(await fail('list_agents', { fields: ['groups', 'password'] })).toBe('validation');
});

test('A deleted agent is gone, with its memberships', async () => {
  const { call, fail } = createCaller();
  await call('create_agent', { ...ANN, groups: [{ id: 0, priority: 'first' }] });
  await call('delete_agent', { id: ANN.id });
  expect(await fail('get_agent', { id: ANN.id })).toBe('not_found');
  const group = await call('get_group', { id: 0, fields: ['agent_priorities'] });
  expect(group.agent_priorities).toEqual({ 'owner@example.com': 'normal' });
  await call('create_agent', ANN);
  expect((await call('get_agent', { id: ANN.id, fields: ['groups'] })).groups).toEqual([]);
});

test('An agent may have any name of an object member', async () => {
  const { call } = createCaller();
  const groups = [{ id: 0, priority: 'first' }];
  await call('create_agent', { id: '__proto__', name: 'P', groups });
  const text = JSON.stringify((await call('get_group', { id: 0, fields: ['agent_priorities'] })).agent_priorities);
  expect(text).toBe('{"owner@example.com":"normal","__proto__":"first"}');
});

test('A new agent can be set to join group 0', async () => {
  const { call } = createCaller({ settings: { groupsOfNewAgent: 'general' } });
  await call('create_agent', ANN);
  const { groups } = await call('get_agent', { id: ANN.id, fields: ['groups'] });
  expect(groups).toEqual([{ id: 0, priority: 'normal' }]);
});
