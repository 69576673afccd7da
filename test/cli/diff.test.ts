// `chatform diff`: two targets in their files and live, as every output.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { diffSchema } from '../../src/features/diff/schema.ts';
import { chatform, filesIn, folder } from './chatform.ts';

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  diffSchema,
);

const FILES = {
  'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets:
  staging: { base_url: "emulator:staging.json" }
  production: { base_url: "emulator:production.json", overlays: [production.yaml] }
  broken: { base_url: "emulator:broken.json", overlays: [broken.yaml] }
`,
  'manifest.yaml': `version: 1
agents: { ann@example.com: { name: Ann, max_chats_count: 4 } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: normal } } }
auto_access:
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
`,
  'production.yaml': `version: 1
agents: { ann@example.com: { max_chats_count: 6 } }
groups: { vip: { name: VIP, agent_priorities: { ann@example.com: first } } }
`,
  'broken.yaml': 'version: 1\ngroups: { sales: { nmae: S } }\n',
};

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(diffSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/diff.schema.json');
});

test('Files are compared without a license', async () => {
  const cwd = await folder(FILES);
  const { code, stdout, stderr } = await chatform(['diff', 'staging', 'production'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`~ agent/ann@example.com  Ann
    max_chats_count 4 -> 6
+ group/vip  VIP, Ann (first), only in production

1 different, 1 only in production; 2 objects are alike.
What the files declare.
`);
  expect(await filesIn(cwd)).toEqual(FILES);
  expect((await chatform(['diff', 'staging', 'production', '--detailed-exitcode', '-q'], { cwd })).code).toBe(2);
  const only = await chatform(['diff', 'staging', 'production', '--only', 'auto_access', '--detailed-exitcode'], {
    cwd,
  });
  expect([only.code, only.stdout]).toEqual([
    0,
    expect.stringContaining('No differences: staging and production declare'),
  ]);
});

test('Licenses are compared by names, with what nothing declares', async () => {
  const byHand = (name: string, groups: readonly string[]) => ({
    [name]: JSON.stringify({
      owner: { id: 'zoe@example.com', name: 'Zoe' },
      groups: groups.map((each) => ({ name: each, agent_priorities: { 'zoe@example.com': 'normal' } })),
    }),
  });
  const cwd = await folder({
    ...FILES,
    ...byHand('staging.json', ['Night', 'Old']),
    ...byHand('production.json', ['New', 'Night']),
  });
  await chatform(['apply', '-t', 'staging', '--yes', '-q'], { cwd });
  await chatform(['apply', '-t', 'production', '--yes', '-q'], { cwd });
  const { stdout } = await chatform(['diff', 'staging', 'production', '--on', 'live', '--json'], { cwd });
  const document = JSON.parse(stdout);
  expect(fits(document) ? [] : fits.errors).toEqual([]);
  expect(document.items.map(({ is, address }: { is: string; address: string }) => `${is} ${address}`)).toEqual([
    'different agent/ann@example.com',
    'only_in_target group/Old',
    'only_in_other group/New',
    'only_in_other group/vip',
  ]);
  expect(document.requests_sent.list_agents).toBe(2);
});

test('Every output has it', async () => {
  const cwd = await folder(FILES);
  const reports = ['markdown=d.md', 'html=d.html', 'csv=d.csv', 'json=d.json'].flatMap((each) => ['--report', each]);
  expect((await chatform(['diff', 'staging', 'production', ...reports], { cwd })).code).toBe(0);
  const files = await filesIn(cwd);
  expect(files['d.md']).toContain('| staging | production |');
  expect(files['d.html']).toContain('Difference of');
  expect(files['d.csv']).toBe(
    'is,kind,address,name,field,target,other,file,line\r\n' +
      'different,agent,agent/ann@example.com,Ann,max_chats_count,4,6,manifest.yaml,2\r\n' +
      'only_in_other,group,group/vip,VIP,,,,production.yaml,3\r\n',
  );
  // Its own files are written over.
  expect((await chatform(['diff', 'staging', 'production', ...reports], { cwd })).code).toBe(0);
});

test.each([
  [['staging', 'staging'], 'staging is one target: name another one to compare it with'],
  [['staging', 'nowhere'], 'there is no target nowhere in chatform.yaml'],
  [['staging', 'broken'], 'broken.yaml:2:20'],
  [['staging', 'production', '--only', 'group/none'], '--only group/none covers nothing'],
])('%j is an error that says why', async (args, message) => {
  const cwd = await folder(FILES);
  const { code, stdout, stderr } = await chatform(['diff', ...args], { cwd });
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)]);
});
