// What a delete takes with it, and the settings under which it is refused instead.

import { expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { createCaller } from '../caller.ts';

const ACCESS = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } } as const;
const SEED: Seed = {
  agents: [{ id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'first' }] }],
  groups: [
    { id: 1, name: 'Agents' },
    { id: 2, name: 'Bots' },
    { id: 3, name: 'Values' },
    { id: 4, name: 'Rules' },
    { id: 5, name: 'Tags' },
  ],
  bots: [{ id: 'bot', name: 'B', groups: [{ id: 2, priority: 'first' }] }],
  auto_access: [{ access: { groups: [4] }, conditions: { url: { values: [{ value: 'x' }] } } }],
  tags: [{ name: 'vip', group_ids: [5, 0] }],
  properties: { app: { p: { type: 'int', access: ACCESS }, q: { type: 'int', access: ACCESS } } },
  license_properties: { app: { p: 1 } },
  group_properties: { 3: { app: { q: 1 } } },
};

test.each<readonly [string, object, SettingsInput]>([
  ['delete_agent', { id: 'ann' }, { deletedAgentInGroups: 'refuse' }],
  ['delete_bot', { id: 'bot' }, { deletedBotInGroups: 'refuse' }],
  ['delete_group', { id: 1 }, { deletedGroupMembers: 'refuse' }],
  ['delete_group', { id: 2 }, { deletedGroupMembers: 'refuse' }],
  ['delete_group', { id: 3 }, { deletedGroupValues: 'refuse' }],
  ['delete_group', { id: 4 }, { deletedGroupInRules: 'refuse' }],
  ['delete_group', { id: 5 }, { deletedGroupInTags: 'refuse' }],
  ['unregister_property', { owner_client_id: 'app', name: 'p' }, { unregisteredValues: 'refuse' }],
  ['unregister_property', { owner_client_id: 'app', name: 'q' }, { unregisteredValues: 'refuse' }],
])('%s %j takes along what hangs on it, and is refused under %j', async (action, body, settings) => {
  const { call, emulator } = createCaller({ seed: SEED });
  await call(action, body);
  const { agentMemberships, botMemberships, rules, tags, values } = emulator.snapshot().tables;
  const hanging = [agentMemberships, botMemberships, rules, tags, values].map((rows) => JSON.stringify(rows));
  expect(hanging.join()).not.toContain(`"group":${Object(body).id},`);
  expect(hanging.join()).not.toContain(`group/${Object(body).id}`);
  expect(hanging.join()).not.toContain(`"group_ids":[${Object(body).id},`);

  const strict = createCaller({ seed: SEED, settings });
  const before = strict.emulator.snapshot();
  expect(await strict.fail(action, body)).toBe('validation');
  expect(strict.emulator.snapshot()).toEqual(before);
});

test('What nothing hangs on can be deleted under the strictest settings', async () => {
  const { call } = createCaller({
    seed: { agents: [{ id: 'ann', name: 'Ann' }], groups: [{ id: 1, name: 'One' }], bots: [{ id: 'bot', name: 'B' }] },
    settings: {
      deletedAgentInGroups: 'refuse',
      deletedBotInGroups: 'refuse',
      deletedGroupMembers: 'refuse',
      deletedGroupValues: 'refuse',
      deletedGroupInRules: 'refuse',
      unregisteredValues: 'refuse',
    },
  });
  await call('delete_agent', { id: 'ann' });
  await call('delete_bot', { id: 'bot' });
  await call('delete_group', { id: 1 });
});

test('Group 0 can be set to be deleted like any other', async () => {
  const { call } = createCaller({ settings: { deletedGroupZero: 'accept' } });
  await call('delete_group', { id: 0 });
  expect(await call('list_groups')).toEqual([]);
});

test('The token of a deleted bot stays good, because none can be revoked, unless a setting refuses it', async () => {
  for (const [deletedBotTokens, expected] of [
    ['accepted', 200],
    ['refused', 401],
  ] as const) {
    const { call, send } = createCaller({ settings: { deletedBotTokens } });
    const { id: bot_id, secret: bot_secret } = await call('create_bot', { name: 'B' });
    const ids = { bot_id, client_id: 'emulator-client', organization_id: 'o' };
    const { token } = await call('issue_bot_token', { ...ids, bot_secret });
    const authorization = `Bearer ${token}`;
    expect((await send('list_bots', {}, { authorization })).status).toBe(200);
    await call('delete_bot', { id: bot_id });
    expect((await send('list_bots', {}, { authorization })).status).toBe(expected);
  }
});

test('A template whose bot may not be deleted stays', async () => {
  const OF_APP = { owner_client_id: 'app' };
  const { call, fail } = createCaller({
    seed: { installed_clients: ['app'] },
    settings: { deletedBotInGroups: 'refuse' },
  });
  const { id } = await call('create_bot_template', { ...OF_APP, name: 'T', affect_existing_installations: true });
  await call('update_bot', { id, groups: [{ id: 0, priority: 'first' }] });
  const body = { ...OF_APP, id, affect_existing_installations: true };
  expect(await fail('delete_bot_template', body)).toBe('validation');
  expect(await call('list_bot_templates', OF_APP)).toHaveLength(1);
});
