import { expect, test } from 'vitest';
import { createCaller } from '../caller.ts';

const OWNER = { owner_client_id: 'app' };
const INSTALLED = { seed: { installed_clients: ['app'] } };
const affecting = { ...OWNER, affect_existing_installations: true };

test('A created template answers with id and secret, and lists its name and avatar alone', async () => {
  const { call } = createCaller();
  const { id, secret } = await call('create_bot_template', {
    ...OWNER,
    name: 'T',
    avatar: 'https://a',
    max_chats_count: 500,
    default_group_priority: 'last',
    job_title: 'Helper',
  });
  expect(secret).toMatch(/^[0-9a-f]{32}$/);
  expect(await call('list_bot_templates', OWNER)).toEqual([{ id, name: 'T', avatar_path: 'https://a' }]);
  expect(await call('list_bot_templates', { owner_client_id: 'another' })).toEqual([]);
  expect(await call('list_bots', { all: true })).toEqual([]);
});

test.each([
  ['name', OWNER],
  ['owner_client_id', { name: 'T' }],
  ['max_chats_count', { ...OWNER, name: 'T', max_chats_count: 501 }],
  ['default_group_priority', { ...OWNER, name: 'T', default_group_priority: 'x' }],
  ['affect_existing_installations', { ...OWNER, name: 'T', affect_existing_installations: 'yes' }],
])('create_bot_template refuses a wrong %s: %j', async (field, body) => {
  const { send } = createCaller();
  const answer = await send('create_bot_template', body);
  expect(answer.body.error.type).toBe('validation');
  expect(answer.body.error.message).toContain('`' + field + '`');
});

test('One client has at most five templates', async () => {
  const { call, fail } = createCaller();
  for (const name of 'ABCDE') await call('create_bot_template', { ...OWNER, name });
  expect(await fail('create_bot_template', { ...OWNER, name: 'F' })).toBe('limit_reached');
  await call('create_bot_template', { owner_client_id: 'another', name: 'F' });
});

test('A client of another organization is refused', async () => {
  const { fail, call } = createCaller({ seed: { clients: ['app'] } });
  await call('create_bot_template', { ...OWNER, name: 'T' });
  expect(await fail('create_bot_template', { owner_client_id: 'unknown', name: 'T' })).toBe('authorization');
  expect(await fail('list_bot_templates', { owner_client_id: 'unknown' })).toBe('authorization');
});

test('A template that affects installations has a bot with its id, which follows it', async () => {
  const { call, fail } = createCaller(INSTALLED);
  const { id, secret } = await call('create_bot_template', { ...affecting, name: 'T', default_group_priority: 'last' });
  expect(await call('get_bot', { id })).toMatchObject({ name: 'T', default_group_priority: 'last', ...OWNER });
  const token = { bot_id: id, client_id: 'app', organization_id: 'o' };
  await call('issue_bot_token', { ...token, bot_secret: secret });

  await call('update_bot_template', { ...OWNER, id, name: 'quiet' });
  expect(await call('get_bot', { id })).toHaveProperty('name', 'T');
  await call('update_bot_template', { ...affecting, id, name: 'loud' });
  expect(await call('get_bot', { id })).toHaveProperty('name', 'loud');

  const quiet = await call('reset_bot_template_secret', { ...OWNER, id });
  expect(await fail('issue_bot_token', { ...token, bot_secret: quiet.secret })).toBe('authentication');
  const loud = await call('reset_bot_template_secret', { ...affecting, id });
  await call('issue_bot_token', { ...token, bot_secret: loud.secret });
});

test('Deleting a template deletes its bot only when installations are affected', async () => {
  for (const [body, left] of [
    [OWNER, 1],
    [affecting, 0],
  ] as const) {
    const { call, fail } = createCaller(INSTALLED);
    const { id } = await call('create_bot_template', { ...affecting, name: 'T' });
    await call('update_bot', { id, groups: [{ id: 0, priority: 'first' }] });
    expect(await call('delete_bot_template', { ...body, id })).toEqual({});
    expect(await call('list_bots', { all: true })).toHaveLength(left);
    expect(await call('list_bot_templates', OWNER)).toEqual([]);
    expect(await fail('delete_bot_template', { ...body, id })).toBe('not_found');
  }
});

test('Where the application is not installed, no bot comes of a template', async () => {
  const { call } = createCaller();
  await call('create_bot_template', { ...affecting, name: 'T' });
  expect(await call('list_bots', { all: true })).toEqual([]);
});

test.each(['update_bot_template', 'delete_bot_template', 'reset_bot_template_secret'])(
  '%s of an unknown template, or one of another client, is `not_found`',
  async (action) => {
    const { call, fail } = createCaller();
    const { id } = await call('create_bot_template', { ...OWNER, name: 'T' });
    expect(await fail(action, { ...OWNER, id: 'x' })).toBe('not_found');
    expect(await fail(action, { owner_client_id: 'another', id })).toBe('not_found');
    expect(await fail(action, { id })).toBe('validation');
  },
);
