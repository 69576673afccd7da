// `chatform explain`: on the files, on the license, on both; as text and as a document.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { explainedSchema } from '../../src/features/explain/schema.ts';
import { chatform, filesIn, folder, MANIFEST, project } from './chatform.ts';

const PRICING = ['--url', 'https://shop.example/pricing'];

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  explainedSchema,
);

async function explained(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await chatform(['explain', ...args, '--json'], { cwd });
  const shown = JSON.parse(stdout);
  expect([code, stderr, fits(shown) ? [] : fits.errors]).toEqual([0, stderr, []]);
  return shown;
}

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(explainedSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/explain.schema.json');
});

test('The files are enough to explain themselves', async () => {
  const cwd = await folder(project());
  const before = await filesIn(cwd);
  const { code, stdout, stderr } = await chatform(['explain', ...PRICING, '--country', 'Poland'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('auto_access/pricing decides: group/sales  manifest.yaml:7');
  expect(stdout).toMatch(/first +agent\/ann@example\.com {2}Ann +no hours are known/);
  const shown = await explained(cwd, ...PRICING, '--at', '2026-11-23T10:00');
  expect(shown).toMatchObject({
    at: '2026-11-23T10:00:00+00:00',
    differs: null,
    requests_sent: {},
    sides: [{ on: 'files' }],
  });
  expect(await filesIn(cwd)).toEqual(before);
});

test.each(['3.6', '3.3'])(
  'Both sides are compared, for a request each of four kinds and of the statuses of bots, in version %s',
  async (version) => {
    const files = project(`api_version: "${version}"`);
    const cwd = await folder({ ...files, 'manifest.yaml': MANIFEST.replace('first', 'normal') });
    const before = await explained(cwd, ...PRICING, '--on', 'both');
    expect(before).toMatchObject({
      differs: { groups: true, rule: true },
      sides: [
        { on: 'files', decided_by: 'auto_access/pricing' },
        { on: 'live', decided_by: null, groups: [] },
      ],
    });
    expect(Object.values(before.requests_sent as { [action: string]: number })).toEqual([1, 1, 1, 1, 1]);
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const after = await explained(cwd, ...PRICING, '--on', 'both');
    expect(after.differs).toEqual({ groups: false, rule: false });
    const [declared, live] = after.sides;
    expect(live).toMatchObject({ decided_by: 'auto_access/pricing', source: { file: 'manifest.yaml', line: 7 } });
    expect(declared.reached[0].members[0].reference).toBe('agent/ann@example.com');
    expect(live.reached).toMatchObject([
      {
        group: 'group/sales',
        complete: true,
        members: [{ reference: 'agent/ann@example.com', name: 'Ann', priority: 'normal' }],
      },
    ]);
  },
);

test('What nobody declares is named so that a person finds it', async () => {
  const license = {
    agents: [{ id: 'zoe@example.com', name: 'Zoe' }],
    groups: [{ name: 'Night shift', agent_priorities: { 'zoe@example.com': 'last' } }],
    auto_access: [{ access: { groups: [1] }, conditions: { url: { values: [{ value: '/pricing' }] } } }],
  };
  const cwd = await folder({ ...project(), 'license.json': JSON.stringify(license) });
  const { stdout } = await chatform(['explain', ...PRICING, '--on', 'live'], { cwd });
  expect(stdout).toContain('decides: group 1 "Night shift"');
  expect(stdout).toMatch(/last +agent\/zoe@example\.com +Zoe/);
});

describe('What cannot be meant', () => {
  test.each([
    [
      ['--url', 'pricing'],
      /--url pricing: a visitor is on a page: a whole URL such as https:\/\/example\.com\/pricing/,
    ],
    [['--url', 'shop.example/pricing?a=1'], /a whole URL with its scheme: https:\/\/shop\.example\/pricing\?a=1/],
    [['--url', 'shop.example:8443'], /a whole URL with its scheme: https:\/\/shop\.example:8443/],
    [['--url', '/pricing'], /--url \/pricing: no setting, routing test or rule names a domain .*`routing: \{ domain/],
    [
      [...PRICING, '--country', 'Poland', '--country-code', 'DE'],
      /--country-code DE: Poland does not have the country code DE/,
    ],
    [[...PRICING, '--at', 'soon'], /--at soon: write a time such as/],
    [[...PRICING, '--on', 'paper'], /Allowed choices are files, live, both/],
    [[], /required option '--url <url>'/],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await chatform(['explain', ...args], { cwd: await folder(project()) });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
  });
});

test('A rule that leaves its conditions to the license makes the answer uncertain, until the license is asked', async () => {
  const license = {
    auto_access: [{ access: { groups: [0] }, conditions: { url: { values: [{ value: '/pricing' }] } } }],
  };
  const start = await folder({ ...project(), 'license.json': JSON.stringify(license) });
  const { stdout } = await chatform(['show', 'auto_access', '--json'], { cwd: start });
  const id = JSON.parse(stdout).resources[0].id;
  const manifest = `version: 1
groups: { sales: { name: Sales } }
auto_access: [{ key: bound, id: ${id}, access: { groups: [sales] } }]
`;
  const cwd = await folder({ ...(await filesIn(start)), 'manifest.yaml': manifest });
  expect((await explained(cwd, ...PRICING)).sides[0]).toMatchObject({
    decided_by: null,
    depends_on: 'auto_access/bound',
  });
  const { sides } = await explained(cwd, ...PRICING, '--on', 'both');
  expect(sides).toMatchObject([
    { on: 'files', decided_by: 'auto_access/bound', groups: ['group/sales'], depends_on: null },
    { on: 'live', decided_by: 'auto_access/bound', groups: ['group 0 "General"'] },
  ]);
});

test('A path is on the domain of the settings, or on the one that routing tests and rules name most', async () => {
  const tests = 'routes:\n  - { when: { url: "https://shop.example/pricing" }, expect: sales }\n';
  const cwd = await folder({ ...project(), 'manifest.yaml': MANIFEST + tests });
  expect((await explained(cwd, '--url', '/pricing/eu')).visitor.url).toBe('https://shop.example/pricing/eu');
  const set = project('routing: { domain: www.other.example }');
  const other = await folder({ ...set, 'manifest.yaml': MANIFEST + tests });
  expect((await explained(other, '--url', '/pricing')).visitor.url).toBe('https://www.other.example/pricing');
  const wrong = await folder(project('routing: { domain: "https://shop.example/" }'));
  const { code, stderr } = await chatform(['explain', '--url', '/'], { cwd: wrong });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^chatform\.yaml:7:\d+: error bad-format/)]);
});

test('At night, the hour at which the next agent is at work stands for all of them', async () => {
  const hours = (day: string): string =>
    `work_scheduler: { timezone: Europe/Warsaw, schedule: [{ day: ${day}, enabled: true, start: "08:00", end: "16:00" }] }`;
  const manifest = MANIFEST.replace(
    '{ name: Ann }',
    `{ name: Ann, ${hours('monday')} }\n  bob@example.com: { name: Bob, ${hours('tuesday')} }`,
  ).replace('ann@example.com: first }', 'ann@example.com: first, bob@example.com: last }');
  const cwd = await folder({ ...project('routing: { timezone: Europe/Warsaw }'), 'manifest.yaml': manifest });
  const answer = async (at: string) => {
    const { stdout } = await chatform(['explain', ...PRICING, '--at', at], { cwd });
    return /Who gets.*\n((?: .*\n)+)\n/.exec(stdout)?.[1];
  };
  expect(await answer('2026-11-23T03:00')).toBe('  no agent until 08:00\n');
  expect(await answer('2026-11-23T17:00')).toBe('  no agent until Tue 08:00\n');
  expect(await answer('2026-11-23T09:00')).toMatch(/ann@.* at work.*\n.*bob@.* not at work\n$/);
});

test('Of several targets, those with the same answer share it', async () => {
  const cwd = await folder({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets:
  a: { base_url: "emulator:a.json" }
  b: { base_url: "emulator:b.json" }
  c: { base_url: "emulator:c.json", vars: { page: /elsewhere } }
defaults: { vars: { page: /pricing } }
`,
    'manifest.yaml': MANIFEST.replace(/"?\/pricing"?/, '"${var.page}"'),
  });
  const many = ['explain', ...PRICING, '--all', '--at', '2026-11-23T10:00', '-q'];
  const { code, stdout } = await chatform([...many, '--report', 'text=all.txt', '--csv'], { cwd });
  expect(code).toBe(0);
  expect(stdout.split('\r\n').map((row) => row.split(',').slice(0, 5))).toEqual([
    ['target', 'problem', 'visitor', 'side', 'decided_by'],
    ['a', '', 'https://shop.example/pricing', 'files', 'auto_access/pricing'],
    ['b', '', 'https://shop.example/pricing', 'files', 'auto_access/pricing'],
    ['c', '', 'https://shop.example/pricing', 'files', ''],
    [''],
  ]);
  const all = (await filesIn(cwd))['all.txt'];
  expect(all).toContain('2 targets with the same result: a, b:');
  expect(all).toMatch(/^ *a +done: group\/sales by auto_access\/pricing$/m);
  expect(all).toMatch(/^ *c +done: no rule matches$/m);
});

test('Without a page it shows an example of one', async () => {
  const { code, stderr } = await chatform(['explain'], { cwd: await folder({}) });
  expect([code, stderr]).toEqual([1, expect.stringContaining('for example: chatform explain --url /pricing;')]);
});

test.each([
  [['--country', 'Polska'], '--country Polska: there is no country of that name; did you mean `Poland`?'],
  [['--country', 'Grmany'], 'did you mean `Germany`?'],
  [['--country-code', 'UK'], '--country-code UK: no country has that code; write `GB`'],
])('A country that there is not is refused: %j', async (args, says) => {
  const { code, stderr } = await chatform(['explain', ...PRICING, ...args], { cwd: await folder(project()) });
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
});

test('A country that a rule names is one', async () => {
  const manifest = MANIFEST.replace(/conditions: \{/, 'conditions: { geolocation: { values: [{ country: Polska }] },');
  const cwd = await folder({ ...project(), 'manifest.yaml': manifest });
  const { code } = await chatform(['explain', ...PRICING, '--country', 'Polska'], { cwd });
  expect(code).toBe(0);
});
