// `chatform init --existing`: from the address of a license to its files and an empty plan, at a terminal and without one.

import { expect, onTestFinished, test } from 'vitest';
import { chatform, filesIn, folder } from './chatform.ts';
import { served, writesOf } from './served.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const SEED = {
  owner: { id: 'zoe@example.com', name: 'Zoe' },
  agents: [{ id: 'ann@example.com', name: 'Ann', role: 'administrator', max_chats_count: 8 }],
  groups: [{ name: 'Sales', agent_priorities: { 'ann@example.com': 'first' } }],
  auto_access: [
    {
      description: 'Prices',
      access: { groups: [1] },
      conditions: { url: { values: [{ value: '/pricing' }] } },
    },
  ],
};

test('One command of flags writes the project of a license, imports it, and plans nothing', async () => {
  const cwd = await folder({ 'license.json': JSON.stringify(SEED) });
  const { code, stdout, stderr } = await chatform(['init', '--base-url', 'emulator:license.json', '-t', 'shop'], {
    cwd,
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('+ manifest/agents.yaml  2 agents');
  expect(stdout).toContain('No changes. The license of shop matches the manifest.');
  expect(stdout).toContain('chatform init --ci github');
  const files = await filesIn(cwd);
  expect(Object.keys(files).filter((path) => !path.includes('lease'))).toEqual([
    '.gitignore',
    'chatform.yaml',
    'ledger/shop.ndjson',
    'license.json',
    'manifest/agents.yaml',
    'manifest/auto_access.yaml',
    'manifest/groups.yaml',
  ]);
  expect(files['chatform.yaml']).toContain('base_url: "emulator:license.json"');
  expect(files['.gitignore']).toMatch(/^node_modules\/\n(.+\n)*\*\.lease\.\*\n(.+\n)*\/license\.json\n/);
  expect((await chatform(['plan', '--detailed-exitcode'], { cwd })).code).toBe(0);
});

test('At a terminal it asks for what no flag says, and asks again what does not fit', async () => {
  const { url, emulator } = await served({});
  const cwd = await folder();
  const answers = ['desk.example.com', url, '', 'TOKEN', 'account-1', ''];
  const { terminal, asked, said } = fakeTerminal(answers, { TOKEN: 'secret' });
  const home = process.cwd();
  onTestFinished(() => process.chdir(home));
  expect([await atTerminal(['-C', cwd, 'init', '--existing'], terminal), said()]).toEqual([
    0,
    expect.stringContaining('Error: --base-url "desk.example.com": write an https:// URL, or emulator:FILE'),
  ]);
  expect(asked).toHaveLength(6);
  expect(asked[2]).toContain('3.6]');
  const { 'chatform.yaml': project = '' } = await filesIn(cwd);
  expect(project).toContain(`base_url: "${url}"\n    api_version: "3.6"\n`);
  expect(project).toContain('token_env: TOKEN\n    account_id: "account-1"\n');
  expect(project).not.toContain('secret');
  expect(writesOf(emulator)).toEqual({});
});

test('A token that may not read all is told every scope that it lacks, and nothing is written', async () => {
  const seed = { ...SEED, tokens: [{ token: 'few', scopes: ['agents--all:ro', 'access_rules:ro'] }] };
  const cwd = await folder({ 'license.json': JSON.stringify(seed) });
  const { code, stderr } = await chatform(['init', '--existing', '--base-url', 'emulator:license.json'], {
    cwd,
    env: { CHATFORM_TOKEN: 'few' },
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/need a token with (?=.*groups--all:ro)(?=.*greetings:ro)(?=.*tags--all:ro)/);
  // The run that read the license leaves its lease.
  expect(stderr).toContain(
    'No file of the project was written. Once that is mended: chatform init --existing --base-url emulator:license.json --api-version 3.6 --token-env CHATFORM_TOKEN --target production',
  );
  expect(Object.keys(await filesIn(cwd)).filter((path) => !path.includes('lease'))).toEqual(['license.json']);
});

test.each([
  [[], {}, 'there is no terminal to ask: say --base-url'],
  [
    ['--base-url', 'here', '--token-env', 'a token', '--target', '/'],
    {},
    '--base-url "here": write an https:// URL, or emulator:FILE; --token-env "a token": write the name of a variable, and not the token itself; --target "/": write letters',
  ],
  [
    ['--base-url', 'emulator:x.json'],
    { 'chatform.yaml': 'mine' },
    'chatform.yaml is here already, and nothing is overwritten',
  ],
  [
    ['--base-url', 'emulator:x.json'],
    { 'manifest/a.yaml': 'mine' },
    'manifest is here already, and nothing is overwritten',
  ],
])('With %j it writes nothing', async (flags, files, message) => {
  const cwd = await folder(files);
  const { code, stderr } = await chatform(['init', '--existing', ...flags], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(await filesIn(cwd)).toEqual(files);
});

test('An import into a project that still has the sample of `init` stops', async () => {
  const { url } = await served({});
  const cwd = await folder();
  await chatform(['init'], { cwd });
  const before = await filesIn(cwd);
  const project = `version: 1\nmanifest: [manifest.yaml]\ntargets: { shop: { base_url: "${url}" } }\n`;
  const mixed = await folder({ ...before, 'chatform.yaml': project });
  const { code, stderr } = await chatform(['import'], { cwd: mixed, env: { CHATFORM_TOKEN: 'any' } });
  expect([code, stderr]).toEqual([1, expect.stringContaining('manifest.yaml is still the sample of `chatform init`')]);
  expect((await filesIn(mixed))['manifest.yaml']).toBe(before['manifest.yaml']);
});
