// Who may act on whom: roles, suspension and approval of the agent whose token it is.

import { expect, test } from 'vitest';
import type { Seed, SettingsInput } from '../../../src/emulator/index.ts';
import { createCaller } from '../caller.ts';

const SCOPES = [
  'agents--all:rw',
  'accounts--all:rw',
  'accounts.roles.lc--all:rw',
  'sessions--all:rw',
  'subscription.lc:rw',
];
const SEED: Seed = {
  agents: [
    { id: 'vice', name: 'V', role: 'viceowner' },
    { id: 'admin', name: 'A', role: 'administrator' },
    { id: 'ann', name: 'Ann' },
    { id: 'sue', name: 'Sue', suspended: true },
    { id: 'new', name: 'New', awaiting_approval: true },
  ],
  tokens: [
    ...['vice', 'admin', 'ann', 'sue', 'new'].map((agent_id) => ({ token: agent_id, agent_id, scopes: SCOPES })),
    { token: 'administrator', role: 'administrator', scopes: SCOPES },
    { token: 'no-agent', scopes: SCOPES },
  ],
};

async function answer(token: string, action: string, body: object, settings: SettingsInput): Promise<string> {
  const { send } = createCaller({ seed: SEED, settings });
  const { status, body: reply } = await send(action, body, { authorization: `Bearer ${token}` });
  return reply?.error?.type ?? reply?.responses?.[0]?.error?.type ?? String(status);
}

test.each([
  ['admin', 'update_agent', { id: 'vice', role: 'normal' }],
  ['admin', 'update_agent', { id: 'ann', role: 'viceowner' }],
  ['admin', 'update_agent', { id: 'admin', role: 'viceowner' }],
  ['admin', 'create_agent', { id: 'x', name: 'X', role: 'viceowner' }],
  ['admin', 'delete_agent', { id: 'vice' }],
  ['admin', 'suspend_agent', { id: 'vice' }],
  ['ann', 'unsuspend_agent', { id: 'admin' }],
  ['ann', 'approve_agent', { id: 'admin' }],
  ['administrator', 'delete_agent', { id: 'vice' }],
])('%s may %s %j by its scopes alone, and not where roles decide as well', async (token, action, body) => {
  expect(await answer(token, action, body, {})).toBe('200');
  expect(await answer(token, action, body, { roleCeiling: 'own' })).toBe('authorization');
});

test.each([
  ['vice', 'update_agent', { id: 'admin', role: 'viceowner' }],
  ['vice', 'suspend_agent', { id: 'vice' }],
  ['admin', 'create_agent', { id: 'x', name: 'X', role: 'administrator' }],
  ['ann', 'update_agent', { id: 'ann', job_title: 'x' }],
  ['administrator', 'delete_agent', { id: 'admin' }],
])('Where roles decide, %s may still %s %j', async (token, action, body) => {
  expect(await answer(token, action, body, { roleCeiling: 'own' })).toBe('200');
});

test.each([['sue'], ['new']])('The token of %s, who is not active, can be set to be refused', async (token) => {
  expect(await answer(token, 'list_agents', {}, {})).toBe('200');
  expect(await answer(token, 'list_agents', {}, { inactiveAgentTokens: 'refused' })).toBe('authorization');
});

test('A suspended agent can always ask to be unsuspended', async () => {
  const settings = { inactiveAgentTokens: 'refused' } as const;
  expect(await answer('sue', 'request_agent_unsuspension', {}, settings)).toBe('200');
  expect(await answer('sue', 'batch_request_agent_unsuspensions', { requests: [{}] }, settings)).toBe('200');
  for (const token of ['ann', 'no-agent'])
    expect(await answer(token, 'request_agent_unsuspension', {}, settings)).toBe('validation');
});
