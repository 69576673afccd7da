import { expect, test } from 'vitest';
import { createEmulator, parseSeed } from '../../src/emulator/index.ts';
import { createCaller } from './caller.ts';

const RULE = { access: { groups: [0] }, conditions: { url: { values: [{ value: 'x' }] } } };

test.each<[string, unknown]>([
  ['agent', { agent: [] }],
  ['agents[0].name', { agents: [{ id: 'a' }] }],
  ['agents[0].nickname', { agents: [{ id: 'a', name: 'A', nickname: 'B' }] }],
  ['agents[0].role', { agents: [{ id: 'a', name: 'A', role: 'owner' }] }],
  [
    'agents[0].work_scheduler.timezone',
    { agents: [{ id: 'a', name: 'A', work_scheduler: { timezone: 'X', schedule: [] } }] },
  ],
  ['owner.name', { owner: { id: 'o' } }],
  ['groups[0].id', { groups: [{ id: '1', name: 'G' }] }],
  ['groups[0].agent_priorities.a', { groups: [{ name: 'G', agent_priorities: { a: 'x' } }] }],
  ['bots[0].secret', { bots: [{ name: 'B', secret: '' }] }],
  ['bots[0].groups[0].prio', { bots: [{ name: 'B', groups: [{ id: 0, priority: 'first', prio: 1 }] }] }],
  ['bots[0].work_scheduler.monday', { bots: [{ name: 'B', work_scheduler: { monday: {} } }] }],
  ['agents[0].last_logout', { agents: [{ id: 'a', name: 'A', last_logout: 'yesterday' }] }],
  [
    'agents[0].work_scheduler.schedule[0].from',
    {
      agents: [
        {
          id: 'a',
          name: 'A',
          work_scheduler: {
            timezone: 'UTC',
            schedule: [{ day: 'monday', enabled: true, start: '08:00', end: '09:00', from: '08:00' }],
          },
        },
      ],
    },
  ],
  ['auto_access[0].conditions.host', { auto_access: [{ ...RULE, conditions: { ...RULE.conditions, host: {} } }] }],
  [
    'auto_access[0].conditions.url.values[0].exact',
    { auto_access: [{ ...RULE, conditions: { url: { values: [{ value: 'x', exact: true }] } } }] },
  ],
  ['auto_access[0].access.group', { auto_access: [{ ...RULE, access: { groups: [0], group: 1 } }] }],
  [
    'properties.app.p.range.till',
    {
      properties: {
        app: { p: { type: 'int', access: { license: { agent: ['read'] } }, range: { from: 1, to: 2, till: 3 } } },
      },
    },
  ],
  ['tokens[0].scopes[1]', { tokens: [{ token: 't', scopes: ['agents--all:ro', 'agents--all:readonly'] }] }],
  ['tokens[0].scopes[0]', { tokens: [{ token: 't', scopes: ['agents:ro'] }] }],
  ['tokens[0].scopes[0]', { tokens: [{ token: 't', scopes: ['accountsXrolesXlc--all:rw'] }] }],
  ['tokens[0].token', { tokens: [{ token: 'a b', scopes: [] }] }],
  ['tokens[0].account_id', { tokens: [{ token: 't', scopes: [], account_id: 'a' }] }],
  ['tokens[0].client_id', { tokens: [{ token: 't', kind: 'personal', scopes: [], client_id: 'a' }] }],
  ['tokens[0].scope', { tokens: [{ token: 't', scopes: [], scope: 'agents--all:ro' }] }],
  ['bot_templates[0].owner_client_id', { bot_templates: [{ name: 'T' }] }],
  ['auto_access[0].next_id', { auto_access: [{ ...RULE, next_id: '' }] }],
  ['properties.app.p.access', { properties: { app: { p: { type: 'int', access: {} } } } }],
  ['license_properties.test', { license_properties: { test: 7 } }],
  ['clients', { clients: 'app' }],
])('A wrong %s is an error that names it', (member, json) => {
  expect(() => parseSeed(json)).toThrow('`' + member + '`');
});

test('What is not an object is not a seed', () => {
  for (const json of [null, [], 'text', 7]) expect(() => parseSeed(json)).toThrow();
});

test.each<[string, object]>([
  ['two agents of one id', { agents: Array(2).fill({ id: 'a', name: 'A' }) }],
  ['an agent with the id of the owner', { owner: { id: 'a', name: 'A' }, agents: [{ id: 'a', name: 'A' }] }],
  ['two groups of one id', { groups: Array(2).fill({ id: 1, name: 'A' }) }],
  ['two bots of one id', { bots: Array(2).fill({ id: 'b', name: 'B' }) }],
  ['two templates of one id', { bot_templates: Array(2).fill({ id: 'b', name: 'B', owner_client_id: 'c' }) }],
  ['two rules of one id', { auto_access: Array(2).fill({ ...RULE, id: 'r' }) }],
  ['an unknown member', { groups: [{ name: 'G', agent_priorities: { a: 'first' } }] }],
  ['an unknown group of an agent', { agents: [{ id: 'a', name: 'A', groups: [{ id: 4, priority: 'first' }] }] }],
  ['an unknown group of a rule', { auto_access: [{ ...RULE, access: { groups: [4] } }] }],
  [
    'two priorities for one edge',
    {
      agents: [{ id: 'a', name: 'A', groups: [{ id: 1, priority: 'first' }] }],
      groups: [{ id: 1, name: 'G', agent_priorities: { a: 'last' } }],
    },
  ],
  ['a value of no property', { license_properties: { app: { x: 1 } } }],
  ['a value of a wrong type', { license_properties: { test: { int_property: 'x' } } }],
  ['values of an unknown group', { group_properties: { 4: {} } }],
  ['a token of an unknown agent', { tokens: [{ token: 't', scopes: [], agent_id: 'a' }] }],
  ['a token twice', { tokens: Array(2).fill({ token: 't', scopes: [] }) }],
  [
    'another definition of a test property',
    { properties: { test: { int_property: { type: 'bool', access: { license: { agent: ['read'] } } } } } },
  ],
  ['a limit that is not the one of the settings', { license_properties: { limits: { 'agents.base': 3 } } }],
])('A seed with %s makes no license', (_, seed) => {
  expect(() => createEmulator({ now: () => 0, random: () => 0, seed: parseSeed(seed) })).toThrow('seed');
});

test('A seed and a state exclude each other', () => {
  const { emulator } = createCaller();
  const options = { now: () => 0, random: () => 0, seed: {}, state: emulator.snapshot() };
  expect(() => createEmulator(options)).toThrow('not both');
});

test('A seed may exceed limits, which apply to requests: a license keeps what older limits allowed', async () => {
  const seed = {
    agents: [{ id: 'a', name: 'A', max_chats_count: 101 }],
    groups: [{ id: 1, name: 'x'.repeat(181) }],
    bot_templates: Array.from({ length: 6 }, () => ({ name: 'B', owner_client_id: 'c', max_chats_count: 501 })),
  };
  const { call, fail } = createCaller({ seed });
  expect(await call('list_agents', { fields: ['max_chats_count'] })).toHaveLength(2);
  expect(await call('list_bot_templates', { owner_client_id: 'c' })).toHaveLength(6);
  expect(await fail('create_bot_template', { owner_client_id: 'c', name: 'B' })).toBe('limit_reached');
});

test('Groups without an id get free ones, and later groups newer ones', async () => {
  const { call } = createCaller({ seed: { groups: [{ name: 'A' }, { id: 2, name: 'B' }, { name: 'C' }] } });
  const groups: { id: number; name: string }[] = await call('list_groups');
  expect(groups.map(({ id, name }) => `${id} ${name}`)).toEqual(['0 General', '1 A', '2 B', '3 C']);
  expect(await call('create_group', { name: 'D', agent_priorities: {} })).toEqual({ id: 4 });
});

test('A seed may describe group 0, its members and the owner', async () => {
  const { call } = createCaller({
    seed: {
      owner: { id: 'o', name: 'O' },
      agents: [{ id: 'a', name: 'A' }],
      groups: [{ id: 0, name: 'All', language_code: 'pl', agent_priorities: { a: 'first' } }],
    },
  });
  expect(await call('get_group', { id: 0, fields: ['agent_priorities'] })).toEqual({
    id: 0,
    name: 'All',
    language_code: 'pl',
    agent_priorities: { a: 'first' },
  });
  expect(await call('get_agent', { id: 'o' })).toMatchObject({ name: 'O', role: 'owner' });
});

test('A seeded bot and the bot of a seeded template have the secret of the seed', async () => {
  const { emulator, call, fail } = createCaller({
    seed: {
      installed_clients: ['app'],
      bots: [
        { id: 'b', name: 'B', owner_client_id: 'app', secret: 'hush' },
        { id: 'none', name: 'B', owner_client_id: 'app' },
      ],
      bot_templates: [{ id: 't', name: 'T', owner_client_id: 'app', secret: 'still' }],
    },
  });
  const asking = (bot_id: string, bot_secret: string) => ({
    bot_id,
    bot_secret,
    client_id: 'app',
    organization_id: 'o',
  });
  expect(Object.keys(await call('issue_bot_token', asking('b', 'hush')))).toEqual(['token']);
  expect(Object.keys(await call('issue_bot_token', asking('t', 'still')))).toEqual(['token']);
  expect(await fail('issue_bot_token', asking('b', 'still'))).toBe('authentication');
  expect(await fail('issue_bot_token', asking('none', 'hush'))).toBe('authentication');
  expect(JSON.stringify(emulator.snapshot())).not.toContain('hush');
});

test('A token may be that of the owner', async () => {
  const tokens = [{ token: 't', scopes: ['agents--my:ro'], agent_id: 'owner@example.com' }];
  const { call } = createCaller({ seed: { tokens } });
  expect(await call('get_agent', { id: 'owner@example.com' }, { authorization: 'Bearer t' })).toMatchObject({
    role: 'owner',
  });
});

test('A seeded template of an installed application has its bot', async () => {
  const { call } = createCaller({
    seed: {
      installed_clients: ['app'],
      bot_templates: [
        { id: 't1', name: 'T', owner_client_id: 'app' },
        { id: 't2', name: 'U', owner_client_id: 'other' },
      ],
    },
  });
  expect(await call('list_bots', { all: true })).toEqual([{ id: 't1', name: 'T', avatar_path: '' }]);
});
