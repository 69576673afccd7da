// `chatform doctor` from the shell: its text, its document, its exit code, and that it changes nothing anywhere.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions, listen } from '../../src/emulator/index.ts';
import { TLS } from '../certificates/tls.ts';
import { chatform, filesIn, folder, project, spawned, start } from './chatform.ts';

const SECRETS = 'secrets: { file: secrets.json }';

async function served(options: Partial<EmulatorOptions> = {}): Promise<{ emulator: Emulator; url: string }> {
  const emulator = createEmulator({ now: Date.now, random: Math.random, ...options });
  const server = await listen(emulator, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  return { emulator, url: server.url };
}

test('0: no problem on an emulator, with one line for each check, and nothing is written', async () => {
  const cwd = await folder(project(SECRETS));
  const before = await filesIn(cwd);
  const { code, stdout, stderr } = await chatform(['doctor'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  for (const name of [
    'project',
    'manifest',
    'ledger',
    'secrets',
    'address',
    'encryption',
    'version',
    'customer version',
    'region',
    'clock',
  ])
    expect(stdout).toMatch(new RegExp(`^ok {9}${name} `, 'm'));
  expect(stdout).toMatch(/^unchecked {2}write scopes /m);
  expect(stdout).toContain(
    '\nNo problem. 14 ok, 0 warnings, 0 problems, 2 unchecked.\n5 requests sent: 1 get_dynamic_configuration, 1 list_agents',
  );
  expect(await filesIn(cwd)).toEqual(before);
});

test('1: a problem, and what to do about it stands below it', async () => {
  const { url } = await served({ seed: { tokens: [] } });
  const cwd = await folder(project());
  const how = { cwd, env: { CHATFORM_TOKEN: 'dal:sesame' } };
  const { code, stdout, stderr } = await chatform(['doctor', '--base-url', url], how);
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(/^problem {4}credential .*\n {29}to do: put a valid token into CHATFORM_TOKEN/m);
  expect(stdout).toContain('There is a problem.');
  expect(stdout).toContain('1 request sent: 1 list_agents');
  expect(stdout).not.toContain('sesame');
});

test('It sends nothing but reads, on every kind there is', async () => {
  const { emulator, url } = await served();
  const manifest = `version: 1
agents: { ann@example.com: { name: Ann, groups: { sales: first } } }
groups: { sales: { name: Sales, properties: { shop: { tier: gold } } } }
bots: { triage: { name: Triage, groups: { sales: first } } }
bot_templates: { partner: { name: Partner, owner_client_id: shop } }
auto_access: [{ key: all, access: { groups: [sales] }, conditions: { url: { values: [{ value: / }] } } }]
properties: { shop: { tier: { type: string, access: { license: { agent: [read, write] }, group: { agent: [read, write] } } } } }
license_properties: { shop: { tier: gold } }
`;
  const cwd = await folder({ ...project(SECRETS), 'manifest.yaml': manifest });
  const how = { cwd, env: { CHATFORM_TOKEN: 'dal:token' } };
  expect(await chatform(['doctor', '--base-url', url], how)).toMatchObject({ code: 0 });
  const looking = emulator.stats();
  expect(Object.keys(looking).filter((action) => !/^(list|get)_/.test(action))).toEqual([]);
  emulator.resetStats();
  await chatform(['plan', '--base-url', url], how);
  expect(looking).toEqual(emulator.stats());
});

test.each([
  ['greetings:ro', 'ok', 'the plan needs greetings:rw: only a write can try that'],
  ['agents--all:ro', 'problem', 'list_greetings refused, missing greetings:ro'],
])('It names the scopes of greetings: a token with %s', async (scope, status, told) => {
  const token = 'dal:greeter-1234567';
  const rules = '[{ type: visit_time_page, operator: greater_or_equal, value: 30 }]';
  const cwd = await folder({
    ...project(),
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets: { shop: { base_url: "emulator:license.json", token_env: TOKEN } }
`,
    'manifest.yaml': `version: 1
greetings: { hello: { name: Hello, group: { external: { id: 0 } }, rules: ${rules} } }
`,
    'license.json': JSON.stringify({
      agents: [{ id: 'ann@example.com', name: 'Ann' }],
      tokens: [{ token, scopes: [scope, 'groups--all:ro'], agent_id: 'ann@example.com' }],
    }),
  });
  const { stdout } = await chatform(['doctor'], { cwd, env: { TOKEN: token } });
  expect(stdout).toMatch(new RegExp(`^${status} +read scopes `, 'm'));
  expect(stdout).toContain(told);
});

test('--json prints one document, whatever the checks come to', async () => {
  const cwd = await folder(project());
  const fine = await chatform(['doctor', '--json'], { cwd });
  expect([fine.code, JSON.parse(fine.stdout)]).toMatchObject([
    0,
    {
      format_version: '1.0',
      errored: false,
      target: 'here',
      api_version: '3.6',
      summary: { problem: 0 },
      diagnostics: [],
    },
  ]);
  const bad = await chatform(['doctor', '--json', '--base-url', 'http://127.0.0.1:1'], { cwd });
  const { errored, checks } = JSON.parse(bad.stdout);
  expect([bad.code, errored]).toEqual([1, true]);
  expect(checks).toContainEqual(expect.objectContaining({ check: 'address', status: 'problem' }));
  const misled = await chatform(['doctor', '--json', '-t', 'there'], { cwd });
  expect([misled.code, JSON.parse(misled.stdout)]).toMatchObject([1, { errored: true, message: expect.any(String) }]);
});

test('Findings in the files stand on stderr, each at its place', async () => {
  const cwd = await folder({ ...project(), 'manifest.yaml': 'version: 1\ngroups: { sales: { nmae: Sales } }\n' });
  const { code, stdout, stderr } = await chatform(['doctor'], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^problem {4}manifest .*1 error/m)]);
  expect(stderr).toMatch(/^manifest\.yaml:2:\d+: error unknown-field/);
});

test('A certificate that this machine was told to trust is right', async () => {
  const emulator = createEmulator({ now: Date.now, random: Math.random });
  const server = await listen(emulator, { port: 0, host: '127.0.0.1', tls: TLS });
  onTestFinished(() => server.close());
  const cwd = await folder(project());
  await writeFile(join(cwd, 'ca.pem'), TLS.cert);
  const env = { CHATFORM_TOKEN: 'dal:token', NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem') };
  const { code, stdout } = await spawned(['doctor', '--base-url', server.url], { cwd, env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok {9}encryption .*trusted/m)]);
});

test('130: interrupted, what is in flight is waited for, and nothing more is sent', async () => {
  const emulator = createEmulator({ now: Date.now, random: Math.random });
  const handle: typeof emulator.handle = async (asked) => {
    running.kill('SIGINT');
    await running.says('stderr', 'Stopping');
    return emulator.handle(asked);
  };
  const server = await listen({ handle }, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  const how = { cwd: await folder(project()), env: { CHATFORM_TOKEN: 'dal:token' } };
  const running = start(['doctor', '--base-url', server.url], how);
  const { code, stdout } = await running.ended;
  expect([code, stdout]).toEqual([130, expect.stringContaining('1 request sent')]);
  expect(emulator.stats()).toEqual({ list_agents: 1 });
});

test('What the license is called cannot command a terminal', async () => {
  const evil = 'Sales\u001b[31m';
  const seed = { groups: [{ name: evil }, { name: evil }] };
  const manifest = 'version: 1\ngroups: { sales: { name: "Sales\\e[31m" } }\n';
  const cwd = await folder({ ...project(), 'manifest.yaml': manifest, 'license.json': JSON.stringify(seed) });
  const { code, stdout, stderr } = await chatform(['doctor'], { cwd });
  expect([code, stdout + stderr]).toEqual([1, expect.not.stringContaining('\u001b')]);
});
