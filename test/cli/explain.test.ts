// `chatform explain`: on the files, on the license, on both; as text and as a document.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { explainedSchema } from '../../src/tasks/show/routing-schema.ts';
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
  expect(stdout).toMatch(/first {2}agent\/ann@example\.com {2}Ann {2}no hours are known/);
  const shown = await explained(cwd, ...PRICING, '--at', '2026-11-23T10:00');
  expect(shown).toMatchObject({
    at: '2026-11-23T10:00:00+00:00',
    differs: null,
    requests_sent: {},
    sides: [{ on: 'desired' }],
  });
  expect(await filesIn(cwd)).toEqual(before);
});

test.each(['3.6', '3.3'])(
  'Both sides are compared, for a request each of four kinds, in version %s',
  async (version) => {
    const files = project(`api_version: "${version}"`);
    const cwd = await folder({ ...files, 'manifest.yaml': MANIFEST.replace('first', 'normal') });
    const before = await explained(cwd, ...PRICING, '--on', 'both');
    expect(before).toMatchObject({
      differs: { groups: true, rule: true },
      sides: [
        { on: 'desired', decided_by: 'auto_access/pricing' },
        { on: 'live', decided_by: null, groups: [] },
      ],
    });
    expect(Object.values(before.requests_sent as { [action: string]: number })).toEqual([1, 1, 1, 1]);
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
  const { stdout } = await chatform(['explain', ...PRICING, '--on', 'live', '-q'], { cwd });
  expect(stdout).toContain('decides: group 1 "Night shift"');
  expect(stdout).toMatch(/last +agent\/zoe@example\.com +Zoe/);
});

describe('What cannot be meant', () => {
  test.each([
    [['--url', '/pricing'], /--url \/pricing: a visitor is on a page/],
    [
      [...PRICING, '--country', 'Poland', '--country-code', 'DE'],
      /--country-code DE: Poland does not have the country code DE/,
    ],
    [[...PRICING, '--at', 'soon'], /--at soon: write a time such as/],
    [[...PRICING, '--on', 'paper'], /Allowed choices are desired, live, both/],
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
    { on: 'desired', decided_by: 'auto_access/bound', groups: ['group/sales'], depends_on: null },
    { on: 'live', decided_by: 'auto_access/bound', groups: ['group 0 "General"'] },
  ]);
});
