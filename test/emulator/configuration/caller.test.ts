import { expect, test } from 'vitest';
import type { Seed } from '../../../src/emulator/index.ts';
import { createCaller } from '../caller.ts';

type Token = NonNullable<Seed['tokens']>[number];

const BASE = {
  agents: [
    { id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'first' }] },
    { id: 'bob', name: 'Bob' },
    { id: 'sue', name: 'Sue', suspended: true },
  ],
  groups: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  bots: [
    { id: 'own', name: 'B', owner_client_id: 'app' },
    { id: 'foreign', name: 'F', owner_client_id: 'other' },
  ],
  properties: {
    app: { p: { type: 'int', access: { license: { agent: ['read', 'write'] } }, default_value: 1 } },
    other: {
      q: {
        type: 'int',
        access: { license: { agent: ['read', 'write'] } },
        default_value: 2,
        public_access: ['read', 'write'],
      },
    },
  },
} as const satisfies Seed;

function withToken(token: Partial<Token>) {
  const how = { authorization: 'Bearer dal:t' };
  const caller = createCaller({
    seed: { ...BASE, tokens: [{ token: 'dal:t', scopes: [], client_id: 'app', ...token }] },
  });
  return {
    try: async (action: string, body: unknown = {}) => {
      const { status, body: reply } = await caller.send(action, body, how);
      return status === 200 ? 'ok' : reply.error.type;
    },
    call: (action: string, body: unknown = {}) => caller.call(action, body, how),
  };
}

test('A license that lists tokens accepts no others', async () => {
  const token = { token: 'fra:known', scopes: ['groups--all:ro'] };
  const pat = { token: 'p', kind: 'personal', account_id: 'acc', scopes: ['groups--all:ro'] } as const;
  const { send, emulator } = createCaller({ seed: { tokens: [token, pat] } });
  const status = async (authorization: string) => (await send('list_groups', {}, { authorization })).status;
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  expect(await status('Bearer fra:known')).toBe(200);
  expect(await status('Bearer fra:other')).toBe(401);
  expect(await status('Bearer p')).toBe(401);
  expect(await status(basic('acc:p'))).toBe(200);
  expect(await status(basic('other:p'))).toBe(401);
  expect(await status(basic('acc:fra:known'))).toBe(401);
  expect(JSON.stringify(emulator.snapshot())).not.toContain('fra:known');
});

test('The tokens of a license are part of its state', async () => {
  const { emulator } = createCaller({ seed: { tokens: [{ token: 't', scopes: ['groups--all:ro'] }] } });
  const { call, fail } = createCaller({ state: JSON.parse(JSON.stringify(emulator.snapshot())) });
  await call('list_groups', {}, { authorization: 'Bearer t' });
  expect(await fail('list_groups', {}, { authorization: 'Bearer u' })).toBe('authentication');
});

test('The token of a deleted agent is good for nothing', async () => {
  const caller = withToken({ agent_id: 'ann', scopes: ['agents--my:rw', 'accounts--my:rw'] });
  expect(await caller.try('delete_agent', { id: 'ann' })).toBe('ok');
  expect(await caller.try('get_agent', { id: 'ann' })).toBe('authentication');
});

test('Only a suspended agent can ask for its unsuspension', async () => {
  expect(await withToken({ agent_id: 'sue' }).try('request_agent_unsuspension')).toBe('ok');
  expect(await withToken({ agent_id: 'ann' }).try('request_agent_unsuspension')).toBe('validation');
});

test('The private scope, `accounts--all:rw` and `awaiting_approval` false together spare the wait', async () => {
  const scopes = ['accounts--all:rw', 'agents--all:ro'];
  const seed = {
    tokens: [
      { token: 'plain', scopes },
      { token: 'creator', scopes: ['accounts--all:rc', 'agents--all:ro', 'subscription.lc:rw'] },
      { token: 'private', scopes: [...scopes, 'subscription.lc:rw'] },
    ],
  };
  const { call } = createCaller({ seed });
  const waits = async (token: string, body: object): Promise<boolean> => {
    const how = { authorization: `Bearer ${token}` };
    await call('create_agent', { name: 'X', ...body }, how);
    const agents: { awaiting_approval: boolean }[] = await call('list_agents', { fields: ['awaiting_approval'] }, how);
    return agents.at(-1)?.awaiting_approval ?? false;
  };
  expect(await waits('plain', { id: 'a', awaiting_approval: false })).toBe(true);
  expect(await waits('private', { id: 'b' })).toBe(true);
  expect(await waits('creator', { id: 'c', awaiting_approval: false })).toBe(true);
  expect(await waits('private', { id: 'd', awaiting_approval: false })).toBe(false);
});

test('Values of other owners are listed only with `all`', async () => {
  const my = withToken({ scopes: ['properties.license.value--my:ro'] });
  expect(await my.call('list_license_properties')).toEqual({ app: { p: 1 } });
  const all = withToken({ scopes: ['properties.license.value--all:ro'] });
  expect(await all.call('list_license_properties')).toMatchObject({ app: { p: 1 }, other: { q: 2 }, limits: {} });
});
