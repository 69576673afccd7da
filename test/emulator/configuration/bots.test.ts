import { expect, test } from 'vitest';
import { createCaller, PERSONAL } from '../caller.ts';

const personal = { authorization: PERSONAL };
const SHIFT = { day: 'sunday', enabled: false, start: '00:00', end: '23:59' };

test('A created bot answers with its id and a secret, and reads back in full from get_bot', async () => {
  const { call } = createCaller();
  const { id, secret } = await call('create_bot', { name: 'Triage' });
  expect([id, secret]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(secret).not.toBe(id);
  expect(await call('get_bot', { id })).toEqual({
    id,
    name: 'Triage',
    avatar_path: '',
    default_group_priority: 'normal',
    owner_client_id: 'emulator-client',
    max_chats_count: 6,
    groups: [],
  });
});

test('3.3 answers a created bot with its id alone', async () => {
  const { call } = createCaller({}, '3.3');
  expect(Object.keys(await call('create_bot', { name: 'Triage' }))).toEqual(['id']);
});

test('list_bots gives the fields that were asked for, and never owner or default priority', async () => {
  const { call } = createCaller();
  const given = {
    name: 'B',
    avatar: 'https://a',
    max_chats_count: 500,
    default_group_priority: 'first',
    job_title: 'Bot',
    groups: [{ id: 0, priority: 'first' }],
    work_scheduler: { timezone: 'Europe/Warsaw', schedule: [SHIFT] },
  };
  const { id } = await call('create_bot', given);
  expect(await call('list_bots', { all: true })).toEqual([{ id, name: 'B', avatar_path: 'https://a' }]);
  const fields = ['groups', 'work_scheduler', 'job_title', 'max_chats_count', 'timezone'];
  const { avatar, default_group_priority, ...listed } = given;
  expect(await call('list_bots', { all: true, fields })).toEqual([
    { id, avatar_path: avatar, timezone: 'Europe/Warsaw', ...listed },
  ]);
  expect(await call('get_bot', { id, fields: ['job_title'] })).toMatchObject({
    default_group_priority,
    job_title: 'Bot',
  });
});

test.each([
  ['name', {}],
  ['max_chats_count', { name: 'B', max_chats_count: 501 }],
  ['default_group_priority', { name: 'B', default_group_priority: 'top' }],
  ['groups[0].priority', { name: 'B', groups: [{ id: 0 }] }],
  ['groups', { name: 'B', groups: [{ priority: 'first' }, { id: 0, priority: 'last' }] }],
  ['work_scheduler.timezone', { name: 'B', work_scheduler: { schedule: [SHIFT] } }],
  ['owner_client_id', { name: 'B', owner_client_id: 7 }],
])('create_bot refuses a wrong %s: %j', async (field, body) => {
  const { send, call } = createCaller();
  const answer = await send('create_bot', body);
  expect([answer.status, answer.body.error.type]).toEqual([400, 'validation']);
  expect(answer.body.error.message).toContain('`' + field + '`');
  expect(await call('list_bots', { all: true })).toEqual([]);
});

test('A group item without an id is about group 0 on create, and refused on update', async () => {
  const { call, fail } = createCaller();
  const { id } = await call('create_bot', { name: 'B', groups: [{ priority: 'last' }] });
  expect((await call('get_bot', { id })).groups).toEqual([{ id: 0, priority: 'last' }]);
  expect(await fail('update_bot', { id, groups: [{ priority: 'last' }] })).toBe('validation');
  expect(await fail('update_bot', { id, groups: [{ id: 4, priority: 'last' }] })).toBe('group_not_found');
});

test('An update changes what it gives', async () => {
  const { call, fail } = createCaller();
  const { id } = await call('create_bot', { name: 'B', job_title: 'old', groups: [{ id: 0, priority: 'last' }] });
  expect(await call('update_bot', { id, name: 'C', job_title: 'new', max_chats_count: 7 })).toEqual({});
  expect(await call('get_bot', { id, fields: ['job_title'] })).toMatchObject({
    name: 'C',
    job_title: 'new',
    max_chats_count: 7,
    groups: [{ id: 0, priority: 'last' }],
  });
  expect(await fail('update_bot', { id, max_chats_count: 501 })).toBe('validation');
  expect(await fail('update_bot', { id: 'x' })).toBe('not_found');
});

test('A deleted bot is gone', async () => {
  const { call, fail } = createCaller();
  const { id } = await call('create_bot', { name: 'B' });
  await call('delete_bot', { id });
  expect(await fail('delete_bot', { id })).toBe('not_found');
  expect(await fail('get_bot', { id })).toBe('not_found');
});

test('A personal access token must name the owner client, a bearer token may do so in 3.6 only', async () => {
  const { call, fail } = createCaller();
  expect(await fail('create_bot', { name: 'B' }, personal)).toBe('validation');
  const own = await call('create_bot', { name: 'B', owner_client_id: 'c' }, personal);
  expect(await call('get_bot', { id: own.id })).toHaveProperty('owner_client_id', 'c');
  const other = await call('create_bot', { name: 'B', owner_client_id: 'd' });
  expect(await call('get_bot', { id: other.id })).toHaveProperty('owner_client_id', 'd');
  expect(await fail('create_bot', { name: 'B', owner_client_id: 'd' }, { version: '3.3' })).toBe('validation');
});

test('Without `all`, list_bots shows the bots that were made with the same kind of credential', async () => {
  const { call } = createCaller({ seed: { bots: [{ id: 'foreign', name: 'F', owner_client_id: 'other' }] } });
  const { id: app } = await call('create_bot', { name: 'B' });
  const { id: own } = await call('create_bot', { name: 'B', owner_client_id: 'c' }, personal);
  const ids = async (body: object, how?: object) =>
    (await call('list_bots', body, how)).map(({ id }: { id: string }) => id);
  expect(await ids({})).toEqual([app]);
  expect(await ids({ all: false }, personal)).toEqual([own]);
  expect(await ids({ all: true }, personal)).toEqual(['foreign', app, own]);
});

test('3.3 has the timezone of a bot next to its scheduler', async () => {
  const { call, fail } = createCaller({}, '3.3');
  const work_scheduler = { monday: { start: '08:00', end: '16:00' } };
  expect(await fail('create_bot', { name: 'B', work_scheduler })).toBe('validation');
  const { id } = await call('create_bot', { name: 'B', work_scheduler, timezone: 'Europe/Warsaw' });
  const fields = ['work_scheduler', 'timezone'];
  expect(await call('get_bot', { id, fields })).toMatchObject({ work_scheduler, timezone: 'Europe/Warsaw' });
  expect(await fail('update_bot', { id, work_scheduler })).toBe('validation');
  await call('update_bot', { id, timezone: 'Asia/Tokyo' });
  expect(await call('get_bot', { id, fields })).toMatchObject({ work_scheduler, timezone: 'Asia/Tokyo' });
  const newer = await call('get_bot', { id, fields }, { version: '3.6' });
  expect(newer.work_scheduler).toMatchObject({ timezone: 'Asia/Tokyo', schedule: [{ day: 'monday', enabled: true }] });
});

test('The license can be full of bots', async () => {
  const { call, fail } = createCaller({ settings: { limits: { bots: 1 } } });
  await call('create_bot', { name: 'B' });
  expect(await fail('create_bot', { name: 'C' })).toBe('limit_reached');
});

test('update_bot takes `job_title` since 3.5, unless the settings ignore it', async () => {
  const { call, fail } = createCaller({}, '3.5');
  const { id } = await call('create_bot', { name: 'B', job_title: 'old' });
  const title = async () => (await call('get_bot', { id, fields: ['job_title'] })).job_title;
  await call('update_bot', { id, job_title: 'ignored' }, { version: '3.3' });
  await call('update_bot', { id, name: 'C' });
  expect(await title()).toBe('old');
  await call('update_bot', { id, job_title: 'new' });
  expect(await title()).toBe('new');
  expect(await fail('update_bot', { id, job_title: 7 })).toBe('validation');
  const { call: strict } = createCaller({
    seed: { bots: [{ id: 'b', name: 'B', job_title: 'old' }] },
    settings: { botJobTitleOnUpdate: 'ignored' },
  });
  await strict('update_bot', { id: 'b', job_title: 'new' });
  expect(await strict('get_bot', { id: 'b', fields: ['job_title'] })).toHaveProperty('job_title', 'old');
});

test('A bot has a type since 3.6, which reads back where the settings show it', async () => {
  const { call } = createCaller({ settings: { botTypeOnRead: 'shown' } });
  const { id } = await call('create_bot', { name: 'B', type: 'ai_agent' });
  await call('create_bot', { name: 'C', type: 'ignored' }, { version: '3.5' });
  const types = async () => (await call('list_bots')).map(({ type }: { type: string }) => type);
  expect(await types()).toEqual(['ai_agent', 'chatbot']);
  await call('update_bot', { id, type: 'ignored' }, { version: '3.5' });
  await call('update_bot', { id, type: 'helper' }, { version: '3.7' });
  expect(await types()).toEqual(['helper', 'chatbot']);
  expect(await call('get_bot', { id }, { version: '3.5' })).not.toHaveProperty('type');
  const { call: usual } = createCaller();
  const made = await usual('create_bot', { name: 'B', type: 'ai_agent' });
  expect(await usual('get_bot', { id: made.id })).not.toHaveProperty('type');
});
