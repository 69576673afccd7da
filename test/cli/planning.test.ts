// Planning is looking: no write is sent, and no file appears.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator, listen } from '../../src/emulator/index.ts';
import { chatform, filesIn, folder, MANIFEST, project, withoutLease } from './chatform.ts';

const EVERYTHING = `version: 1
agents: { ann@example.com: { name: Ann, groups: { sales: first } } }
groups: { sales: { name: Sales, properties: { shop: { tier: gold } } } }
bots: { triage: { name: Triage, groups: { sales: first } } }
bot_templates: { partner: { name: Partner, owner_client_id: shop } }
auto_access: [{ key: all, access: { groups: [sales] }, conditions: { url: { values: [{ value: / }] } } }]
properties: { shop: { tier: { type: string, access: { license: { agent: [read, write] }, group: { agent: [read, write] } } } } }
license_properties: { shop: { tier: gold } }
`;

async function served(): Promise<{ readonly emulator: Emulator; readonly url: string }> {
  const emulator = createEmulator({ now: Date.now, random: Math.random });
  const server = await listen(emulator, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  return { emulator, url: server.url };
}

test('plan asks only reading actions, and needs no ledger and no state file', async () => {
  const { emulator, url } = await served();
  const cwd = await folder({ ...project('secrets: { file: secrets.json }'), 'manifest.yaml': EVERYTHING });
  const before = await filesIn(cwd);
  for (const args of [['plan', '--base-url', url], ['plan']]) {
    const { code, stdout } = await chatform(args, { cwd, env: { CHATFORM_TOKEN: 'dal:token' } });
    expect([args, code, stdout]).toEqual([args, 0, expect.stringContaining('Plan: 8 to add')]);
  }
  const asked = Object.keys(emulator.stats());
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((action) => !/^(list|get)_/.test(action))).toEqual([]);
  expect(await filesIn(cwd)).toEqual(before);
});

test('An apply without a confirmation sends no write either', async () => {
  const { emulator, url } = await served();
  const cwd = await folder(project());
  const { code } = await chatform(['apply', '--base-url', url], { cwd, env: { CHATFORM_TOKEN: 'dal:token' } });
  expect(code).toBe(1);
  expect(Object.keys(emulator.stats()).filter((action) => !/^(list|get)_/.test(action))).toEqual([]);
});

test('An apply sends exactly the requests that the plan announced, and reads to prove them', async () => {
  const { emulator, url } = await served();
  const cwd = await folder({ ...project('secrets: { file: secrets.json }'), 'manifest.yaml': EVERYTHING });
  const how = { cwd, env: { CHATFORM_TOKEN: 'dal:token' } };
  const plan = JSON.parse((await chatform(['plan', '--json', '--base-url', url], how)).stdout);
  emulator.resetStats();
  const { code } = await chatform(['apply', '--yes', '--base-url', url], how);
  expect(code).toBe(0);
  const writes = Object.entries(emulator.stats()).filter(([action]) => !/^(list|get)_/.test(action));
  expect(Object.fromEntries(writes)).toEqual(plan.requests.by_action);
});

test('With --no-verify an apply sends its writes and looks at nothing after them, and says so', async () => {
  const { emulator, url } = await served();
  const cwd = await folder({ ...project('secrets: { file: secrets.json }'), 'manifest.yaml': EVERYTHING });
  const how = { cwd, env: { CHATFORM_TOKEN: 'dal:token' } };
  await chatform(['plan', '--base-url', url], how);
  const planning = emulator.stats();
  const plan = JSON.parse((await chatform(['plan', '--json', '--base-url', url], how)).stdout);
  emulator.resetStats();
  const { code, stdout } = await chatform(['apply', '--yes', '--no-verify', '--base-url', url], how);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Apply complete. Not verified.')]);
  expect(emulator.stats()).toEqual({ ...planning, ...plan.requests.by_action });
  const again = await chatform(['apply', '--yes', '--no-verify', '--json', '--base-url', url], how);
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'done', verified: false });
});

test('A token with no more than the scopes that the plan names can plan, apply and see the result', async () => {
  const files = { ...project('secrets: { file: secrets.json }'), 'manifest.yaml': EVERYTHING };
  for (const version of ['3.3', '3.6']) {
    // 3.3 has no templates, and wants one normal agent in each group.
    const manifest =
      version === '3.3' ? EVERYTHING.replace(/^bot_templates.*\n/m, '').replace('first', 'normal') : EVERYTHING;
    const args = ['--json', '--api-version', version];
    const cwd = await folder({ ...files, 'manifest.yaml': manifest });
    const { scopes } = JSON.parse((await chatform(['plan', ...args], { cwd })).stdout);
    const seed = { tokens: [{ token: 'sesame', client_id: 'shop', scopes }] };
    const held = await folder({ ...files, 'manifest.yaml': manifest, 'license.json': JSON.stringify(seed) });
    const { code, stdout } = await chatform(['apply', '--yes', ...args], {
      cwd: held,
      env: { CHATFORM_TOKEN: 'sesame' },
    });
    expect([version, code, stdout]).toEqual([version, 0, expect.stringContaining('"outcome": "done"')]);
  }
});

test('A personal access token travels as Basic', async () => {
  const emulator = createEmulator({
    now: Date.now,
    random: Math.random,
    seed: {
      tokens: [
        {
          token: 'sesame',
          kind: 'personal',
          account_id: 'ann-account',
          scopes: ['agents--all:ro', 'groups--all:ro', 'access_rules:ro'],
        },
      ],
    },
  });
  const server = await listen(emulator, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  const env = { SHOP_TOKEN: 'sesame' };
  const target = (account: string) =>
    `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  shop: { base_url: "${server.url}", token_env: SHOP_TOKEN${account} }\n`;
  const basic = await folder({ ...project(), 'chatform.yaml': target(', account_id: ann-account') });
  expect(await chatform(['plan'], { cwd: basic, env })).toMatchObject({ code: 0 });
  const bearer = await folder({ ...project(), 'chatform.yaml': target('') });
  const refused = await chatform(['plan'], { cwd: bearer, env });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('authentication')]);
  expect(refused.stderr).not.toContain('sesame');
});

describe('A selection', () => {
  const COMMANDS = [
    ['plan'],
    ['apply', '--yes'],
    ['drift'],
    ['destroy', '--yes'],
    ['undo', '--yes'],
    ['destroy', '--plan'],
  ];
  const EMPTY = [
    ['--except', '*'],
    ['--only', 'group/sales', '--except', 'group/sales'],
    ['--only', 'group/*', '--except', 'group'],
  ];

  test.each(COMMANDS)(
    'that leaves nothing is an error, and not a license without a difference: %s %s',
    async (...command) => {
      const cwd = await folder(project());
      await chatform(['apply', '--yes', '-q'], { cwd });
      const before = withoutLease(await filesIn(cwd));
      for (const flags of EMPTY) {
        const { code, stdout, stderr } = await chatform([...command, ...flags], { cwd });
        expect([flags, code, stdout]).toEqual([flags, 1, '']);
        expect(stderr).toMatch(/selects? nothing/);
        const document = JSON.parse((await chatform([...command, ...flags, '--json'], { cwd })).stdout);
        expect(document).toMatchObject({ errored: true });
      }
      expect(withoutLease(await filesIn(cwd))).toEqual(before);
    },
  );

  test.each([['plan'], ['apply', '--yes'], ['drift']])('is the same for several targets: %s', async (...command) => {
    const cwd = await folder(project());
    await chatform(['apply', '--yes', '-q'], { cwd });
    const { code, stdout, stderr } = await chatform([...command, '--all', '--except', '*'], { cwd });
    expect([code, stdout.includes('in sync')]).toEqual([1, false]);
    expect(stdout + stderr).toContain('--except * selects nothing');
  });

  test('of a part says that it is a part, where the rest differs', async () => {
    const cwd = await folder(project());
    await chatform(['apply', '--yes', '-q'], { cwd });
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('name: Sales', 'name: Sales team'));
    const plan = await chatform(['plan', '--only', 'agent'], { cwd });
    expect([plan.code, plan.stdout]).toEqual([
      0,
      expect.stringContaining('No changes. What was selected of here matches the manifest (1 of 3).'),
    ]);
    const drift = await chatform(['drift', '--except', 'group'], { cwd });
    expect(drift.stdout).toContain('In sync. What was selected of agents and rules (2 of 3) matches the manifest');
    expect((await chatform(['drift'], { cwd })).code).toBe(2);
  });

  test('of an undo that has nothing of the run is an error', async () => {
    const cwd = await folder(project());
    await chatform(['apply', '--yes', '-q'], { cwd });
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('name: Sales', 'name: Sales team'));
    await chatform(['apply', '--yes', '-q'], { cwd });
    const { code, stderr } = await chatform(['undo', '--yes', '--only', 'agent'], { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('nothing that the run changed; it changed group/sales'),
    ]);
  });
});

test('Files that declare nothing are not said to match a license of which nothing was compared', async () => {
  const cwd = await folder({ ...project(), 'manifest.yaml': 'version: 1\n' });
  for (const command of [['plan'], ['apply', '--yes'], ['drift']]) {
    const { code, stdout } = await chatform(command, { cwd });
    expect([command, code]).toEqual([command, 0]);
    expect(stdout).toMatch(/Nothing was compared/);
    expect(stdout).not.toMatch(/matches the manifest|In sync/);
  }
  for (const command of [['plan'], ['drift'], ['apply', '--yes']]) {
    const all = await chatform([...command, '--all', '--json'], { cwd });
    expect([command, all.stdout]).toEqual([command, expect.stringContaining('nothing was compared')]);
  }
  await chatform(['plan', '--report', 'markdown=plan.md'], { cwd });
  await chatform(['drift', '--report', 'html=drift.html'], { cwd });
  expect(await readFile(join(cwd, 'plan.md'), 'utf8')).not.toMatch(/matches/);
  expect(await readFile(join(cwd, 'drift.html'), 'utf8')).not.toMatch(/in sync/);
});
