// A declared approval of agents: pending under an ordinary token, planned and given under one that may.

import { expect, test } from 'vitest';
import { chatform, folder } from './chatform.ts';
import { served } from './served.ts';

const SCOPES = ['accounts--all:rw', 'accounts--all:rc', 'agents--all:rw'];
const SEED = {
  agents: [{ id: 'bob@example.com', name: 'Bob', awaiting_approval: true }],
  tokens: [
    { token: 'plain', scopes: SCOPES },
    { token: 'private', scopes: [...SCOPES, 'subscription.lc:rw'] },
  ],
};

const MANIFEST = `version: 1
agents:
  ann@example.com: { name: Ann, awaiting_approval: false }
  bob@example.com: { name: Bob, awaiting_approval: false }
`;

async function shop(apiVersion: '3.3' | '3.6', ...settings: readonly string[]) {
  const { emulator, url } = await served({ seed: SEED });
  const target = [`base_url: "${url}"`, `api_version: "${apiVersion}"`, 'ledger: ledger.ndjson', ...settings];
  const cwd = await folder({
    'manifest.yaml': MANIFEST,
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  shop: { ${target.join(', ')} }\n`,
  });
  return {
    emulator,
    run: (token: string, ...args: readonly string[]) => chatform(args, { cwd, env: { CHATFORM_TOKEN: token } }),
  };
}

test.each(['3.3', '3.6'] as const)(
  'An ordinary token: pending, no difference, nothing is waited for or sent again (%s)',
  async (version) => {
    const { emulator, run } = await shop(version);
    const first = await run('plain', 'apply', '--yes');
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('1 added')]);
    expect(emulator.stats()['list_agents']).toBeLessThan(4);
    expect(emulator.stats()).not.toHaveProperty('approve_agent');
    expect(emulator.stats()).not.toHaveProperty('batch_approve_agents');
    const planned = await run('plain', 'plan', '--detailed-exitcode');
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('Waiting for approval: 2 agents\n')]);
    const details = await run('plain', 'plan', '--details');
    expect(details.stdout).toMatch(/ann@example.com.*: waiting for approval.*may_approve: true/);
    expect((await run('plain', 'apply', '--yes')).code).toBe(0);
    const drift = JSON.parse((await run('plain', 'drift', '--json')).stdout);
    expect(
      drift.items.map((item: { [name: string]: unknown }) => [item['address'], item['status'], item['kind']]),
    ).toEqual([
      ['agent/ann@example.com', 'pending', 'pending-approval'],
      ['agent/bob@example.com', 'pending', 'pending-approval'],
    ]);
    expect((await run('plain', 'drift')).code).toBe(0);
  },
);

test.each(['3.3', '3.6'] as const)(
  'A token that may approve: the approval is planned, and nothing says that it cannot be given (%s)',
  async (version) => {
    const { emulator, run } = await shop(version, 'may_approve: true');
    const planned = await run('private', 'plan');
    expect(planned.stdout).toContain('agent/bob@example.com');
    expect(planned.stdout).not.toContain('ordinary token');
    expect((await run('private', 'apply', '--yes')).code).toBe(0);
    const waiting = emulator.snapshot().tables.agents.filter((row) => row.at(-1)?.value?.awaiting_approval === true);
    expect(waiting).toEqual([]);
    expect((await run('private', 'plan', '--detailed-exitcode')).code).toBe(0);
  },
);

test('The approval of an agent that an ordinary token made is planned once the token may', async () => {
  const { run } = await shop('3.6', 'may_approve: true');
  expect((await run('plain', 'apply', '--yes', '--only', 'agent/ann@example.com', '--no-verify')).code).toBe(0);
  const planned = await run('private', 'plan', '--only', 'agent/ann@example.com');
  expect(planned.stdout).toContain('awaiting_approval');
  expect((await run('private', 'apply', '--yes')).code).toBe(0);
  expect((await run('private', 'plan', '--detailed-exitcode')).code).toBe(0);
});
