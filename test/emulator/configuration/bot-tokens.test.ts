import { expect, test } from 'vitest';
import { createCaller, PERSONAL } from '../caller.ts';

const DAY = 24 * 60 * 60 * 1000;

test('A secret gives a token for its bot, without any credential', async () => {
  const { call } = createCaller();
  const { id: bot_id, secret: bot_secret } = await call('create_bot', { name: 'B' });
  const body = { bot_id, bot_secret, client_id: 'emulator-client', organization_id: 'o' };
  const { token } = await call('issue_bot_token', body, { authorization: null });
  expect(token).toMatch(/^dal:/);
  expect(await call('list_bots', {}, { authorization: `Bearer ${token}` })).toHaveLength(1);
});

test('A wrong secret, client, bot or organization is refused alike', async () => {
  const { call, fail } = createCaller({ settings: { organizationId: 'o' } });
  const { id: bot_id, secret: bot_secret } = await call('create_bot', { name: 'B' });
  const right = { bot_id, bot_secret, client_id: 'emulator-client', organization_id: 'o' };
  await call('issue_bot_token', right);
  for (const [name, value] of Object.entries({ bot_id: 'x', bot_secret: 'x', client_id: 'x', organization_id: 'x' }))
    expect(await fail('issue_bot_token', { ...right, [name]: value })).toBe('authentication');
  for (const name of Object.keys(right))
    expect(await fail('issue_bot_token', { ...right, [name]: undefined })).toBe('validation');
});

test('A bot token is good for 24 hours, and for what its scopes say', async () => {
  const { call, fail, clock } = createCaller();
  const { id: bot_id, secret: bot_secret } = await call('create_bot', { name: 'B' });
  const body = { bot_id, bot_secret, client_id: 'emulator-client', organization_id: 'o' };
  const how = { authorization: `Bearer ${(await call('issue_bot_token', body)).token}` };
  await call('update_bot', { id: bot_id, name: 'C' }, how);
  expect(await fail('list_agents', {}, how)).toBe('authorization');
  expect(await fail('list_bots', { all: true }, how)).toBe('authorization');
  clock.now += DAY - 1;
  await call('list_bots', {}, how);
  clock.now += 1;
  expect(await fail('list_bots', {}, how)).toBe('authentication');
});

test('A reset secret replaces the old one, and is never shown again', async () => {
  const { call, fail, emulator } = createCaller();
  const { id: bot_id, secret: old } = await call('create_bot', { name: 'B' });
  const { secret } = await call('reset_bot_secret', { id: bot_id });
  const body = { bot_id, client_id: 'emulator-client', organization_id: 'o' };
  expect(await fail('issue_bot_token', { ...body, bot_secret: old })).toBe('authentication');
  const { token } = await call('issue_bot_token', { ...body, bot_secret: secret });
  for (const kept of [old, secret, token]) expect(JSON.stringify(emulator.snapshot())).not.toContain(kept);
});

test('A personal access token resets a secret only with the owner client', async () => {
  const { call, fail } = createCaller();
  const { id } = await call('create_bot', { name: 'B', owner_client_id: 'c' }, { authorization: PERSONAL });
  const how = { authorization: PERSONAL };
  expect(await fail('reset_bot_secret', { id }, how)).toBe('validation');
  expect(await fail('reset_bot_secret', { id, owner_client_id: 'd' }, how)).toBe('authorization');
  expect(await call('reset_bot_secret', { id, owner_client_id: 'c' }, how)).toHaveProperty('secret');
  expect(await fail('reset_bot_secret', { id: 'x' })).toBe('not_found');
});

test.each(['reset_bot_secret', 'issue_bot_token', 'create_bot_template'])('3.3 has no %s', async (action) => {
  expect(await createCaller({}, '3.3').fail(action)).toBe('not_found');
});
