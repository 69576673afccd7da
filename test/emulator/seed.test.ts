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
  ['bots[0].secret', { bots: [{ name: 'B', secret: 's' }] }],
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
])('A seed with %s makes no license', (_, seed) => {
  expect(() => createEmulator({ now: () => 0, random: () => 0, seed: parseSeed(seed) })).toThrow('seed');
});

test('A seed and a state exclude each other', () => {
  const { emulator } = createCaller();
  const options = { now: () => 0, random: () => 0, seed: {}, state: emulator.snapshot() };
  expect(() => createEmulator(options)).toThrow('not both');
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
