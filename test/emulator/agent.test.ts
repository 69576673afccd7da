// The Agent Chat API of the emulator: who may set which routing status, and what the list of statuses shows. today/configuration.md,
// "Routing status of bots".

import { expect, test } from 'vitest';
import type { EmulatorOptions, Seed } from '../../src/emulator/index.ts';
import { sendTo } from '../wire.ts';
import { answered, createCaller, PERSONAL, VERSIONS, type Version } from './caller.ts';

const SEED = {
  agents: [{ id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'first' }] }],
  groups: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  bots: [
    { id: 'own', name: 'Own', owner_client_id: 'app', groups: [{ id: 2, priority: 'first' }] },
    { id: 'foreign', name: 'Foreign', owner_client_id: 'other' },
    { id: 'clever', name: 'Clever', owner_client_id: 'other', type: 'ai_agent' },
  ],
} as const satisfies Seed;

function agentApi(options: Partial<EmulatorOptions> = {}, scopes: readonly string[] | null = null) {
  const tokens =
    scopes === null ? {} : { tokens: [{ token: 't', scopes: [...scopes], client_id: 'app', agent_id: 'ann' }] };
  const caller = createCaller({ seed: { ...SEED, ...tokens }, ...options });
  const send = async (
    action: string,
    body: object = {},
    {
      version = '3.6',
      authorization = 'Bearer t',
    }: { readonly version?: Version; readonly authorization?: string } = {},
  ) => {
    const reply = await sendTo(caller.emulator.handle, {
      method: 'POST',
      url: `http://emulator/v${version}/agent/action/${action}`,
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    });
    const { status, body: found } = await answered(reply);
    return status === 200 ? found : found.error.type;
  };
  const set = (agent_id: string | undefined, status: string, how = {}) =>
    send('set_routing_status', { status, ...(agent_id === undefined ? {} : { agent_id }) }, how);
  const statuses = async (filters?: object) => {
    const listed: readonly { agent_id: string; status: string }[] = await send(
      'list_routing_statuses',
      filters === undefined ? {} : { filters },
    );
    return Object.fromEntries(listed.map(({ agent_id, status }) => [agent_id, status]));
  };
  return { ...caller, send, set, statuses };
}

test.each(VERSIONS)(
  'Version %s sets the status of a bot, which is offline at first, and lists everyone',
  async (version) => {
    const { set, statuses } = agentApi();
    expect(await statuses()).toMatchObject({ own: 'offline', foreign: 'offline', ann: 'offline' });
    expect(await set('own', 'accepting_chats', { version })).toEqual({});
    expect(await statuses()).toMatchObject({ own: 'accepting_chats', foreign: 'offline' });
    expect(await statuses({ group_ids: [2] })).toEqual({ own: 'accepting_chats' });
    expect(await set('own', 'not_accepting_chats', { version })).toEqual({});
    expect(await statuses({ group_ids: [1, 2] })).toEqual({ ann: 'offline', own: 'not_accepting_chats' });
  },
);

test('A group has the status of its bots', async () => {
  const { set, call } = agentApi();
  const status = async () => (await call('get_group', { id: 2, fields: ['routing_status'] })).routing_status;
  expect(await status()).toBe('offline');
  await set('own', 'accepting_chats');
  expect(await status()).toBe('accepting_chats');
});

test('An agent is never set offline, an unknown member is not found, and a status in other words is refused', async () => {
  const { set, send } = agentApi();
  expect(await set('ann', 'offline')).toBe('validation');
  expect(await set('ann', 'not_accepting_chats')).toEqual({});
  expect(await set('nobody', 'offline')).toBe('not_found');
  expect(await set('own', 'accepting chats')).toBe('validation');
  expect(await send('set_routing_status', {})).toBe('validation');
  expect(await set(undefined, 'accepting_chats')).toBe('validation');
  expect(await send('list_routing_statuses', { filters: { group_ids: [9] } })).toBe('group_not_found');
  expect(await send('reset_everything')).toBe('not_found');
});

test('The scope says whose status may be set: one’s own, that of bots of one’s application, or that of all', async () => {
  const mine = agentApi({}, ['agents-bot--my:rw', 'agents--my:rw']);
  expect(await mine.set('own', 'accepting_chats')).toEqual({});
  expect(await mine.set('foreign', 'accepting_chats')).toBe('authorization');
  expect(await mine.set(undefined, 'accepting_chats')).toEqual({});
  expect(await mine.set('ann', 'accepting_chats')).toEqual({});
  const all = agentApi({}, ['agents-bot--all:rw']);
  expect(await all.set('foreign', 'accepting_chats')).toEqual({});
  expect(await all.set('ann', 'accepting_chats')).toBe('authorization');
  // Of type `ai_agent`, only tokens of its owner client may.
  expect(await all.set('clever', 'accepting_chats')).toBe('authorization');
});

test('A personal access token sets the status of any bot but an AI agent', async () => {
  const { set } = agentApi();
  expect(await set('own', 'accepting_chats', { authorization: PERSONAL })).toEqual({});
  expect(await set('clever', 'accepting_chats', { authorization: PERSONAL })).toBe('authorization');
});

test('The list needs the scopes of agents and of bots', async () => {
  for (const scopes of [['agents--all:ro'], ['agents-bot--all:ro'], []])
    expect(await agentApi({}, scopes).send('list_routing_statuses')).toBe('authorization');
  expect(await agentApi({}, ['agents--all:ro', 'agents-bot--all:rw']).statuses()).toMatchObject({ own: 'offline' });
});

test('A bot sets its own status with its token, without naming itself', async () => {
  const { call, send, set, statuses } = agentApi();
  const { id, secret } = await call('create_bot', { name: 'New', owner_client_id: 'app' });
  const credentials = { bot_id: id, client_id: 'app', bot_secret: secret, organization_id: 'o' };
  const { token } = await call('issue_bot_token', credentials);
  const as = { authorization: `Bearer ${token}` };
  expect(await send('set_routing_status', { status: 'accepting_chats' }, as)).toEqual({});
  expect(await set('foreign', 'accepting_chats', as)).toBe('authorization');
  expect(await statuses()).toMatchObject({ [id]: 'accepting_chats', foreign: 'offline' });
});

test('The webhook names the status with spaces', async () => {
  const { emulator, set } = agentApi();
  await set('own', 'not_accepting_chats');
  expect(emulator.webhooks().at(-1)).toMatchObject({
    action: 'routing_status_set',
    payload: { agent_id: 'own', status: 'not accepting chats' },
  });
});
