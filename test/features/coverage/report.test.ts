// `chatform coverage`, on files alone and on licenses of the emulator; its documents, its table and its page.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { coverageSchema } from '../../../src/features/coverage/schema.ts';
import { chatform, filesIn, folder, type Ran, withoutLease } from '../../cli/chatform.ts';

const WEEK = ['--date', '2026-10-25'];

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets:
  production:
    base_url: emulator:license.json
    ledger: ledger.ndjson
    routing: { timezone: Europe/Warsaw }
`;

const LICENSE = {
  owner: { id: 'zoe@example.com', name: 'Zoe' },
  agents: [
    {
      id: 'ann@example.com',
      name: 'Ann',
      max_chats_count: 8,
      work_scheduler: {
        timezone: 'Europe/Warsaw',
        schedule: [{ day: 'sunday', enabled: true, start: '00:00', end: '16:00' }],
      },
    },
    { id: 'bob@example.com', name: 'Bob', max_chats_count: 3, suspended: true },
    { id: 'carl@example.com', name: 'Carl', max_chats_count: 5 },
  ],
  groups: [
    { name: 'Sales', agent_priorities: { 'ann@example.com': 'normal', 'bob@example.com': 'first' } },
    { name: 'Support', agent_priorities: { 'carl@example.com': 'normal' } },
  ],
};

/** Ann works less than the license says; who is in the group is left alone. */
const MANIFEST = `version: 1
agents:
  ann@example.com:
    work_scheduler: { timezone: Europe/Warsaw, schedule: [{ day: sunday, enabled: true, start: "08:00", end: "16:00" }] }
    name: Ann
groups:
  sales: { name: Sales }
`;

async function withLicense(): Promise<string> {
  const license = JSON.stringify(LICENSE);
  return folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': MANIFEST, 'license.json': license });
}

async function coverage(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return chatform(['coverage', ...WEEK, ...args], { cwd });
}

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  coverageSchema,
);

async function document(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await coverage(cwd, ...args, '--json');
  const shown = JSON.parse(stdout);
  expect([code, stderr, fits(shown) ? [] : fits.errors]).toEqual([0, '', []]);
  return shown;
}

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(coverageSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../schemas/coverage.schema.json');
});

describe('The files alone', () => {
  const manifest = `version: 1
agents:
  ann@example.com:
    name: Ann
    max_chats_count: 8
    work_scheduler:
      timezone: Europe/Warsaw
      schedule:
        - { day: monday, enabled: true, start: "08:00", end: "16:00" }
        - { day: sunday, enabled: true, start: "00:00", end: "23:59" }
  bob@example.com:
    name: Bob
    work_scheduler:
      timezone: America/New_York
      schedule: [{ day: monday, enabled: true, start: "08:00", end: "16:00" }, { day: friday, enabled: true, start: "22:00", end: "06:00" }]
  carl@example.com: { name: Carl }
groups:
  sales: { name: 'Sales <b>"&"</b>', agent_priorities: { ann@example.com: first, bob@example.com: normal } }
  support: { name: Support, agent_priorities: { bob@example.com: supervisor, carl@example.com: last } }
  night: { name: Night }
bots:
  triage: { name: Triage, max_chats_count: 50, groups: { night: first } }
`;

  test('are told as a table, and nobody is asked', async () => {
    const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifest });
    const { code, stdout } = await coverage(cwd);
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot('desired.txt');
    expect(Object.keys(await filesIn(cwd))).toEqual(['chatform.yaml', 'manifest.yaml']);
  });

  test('are told as a document that fits its schema', async () => {
    const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifest });
    const shown = await document(cwd, 'sales');
    expect(shown).toMatchObject({
      view: 'files',
      timezone: 'Europe/Warsaw',
      from: '2026-10-19T00:00:00+02:00',
      to: '2026-10-26T00:00:00+01:00',
      requests_sent: {},
      groups: [
        {
          address: 'group/sales',
          before: null,
          lost: [],
          cover: {
            complete: true,
            people: { low: 0, high: 2 },
            slots: { low: 0, high: 14 },
            // 25 hours of Sunday, Monday 8 to 22 and no time of a Friday night that is written the wrong way round.
            uncovered_hours: 169 - 25 - 14,
          },
        },
      ],
      findings: [{ id: 'overnight-shift', level: 'warning', source: { file: 'manifest.yaml' } }],
    });
    const pieces: readonly { readonly from: string; readonly to: string }[] = shown.groups[0].cover.pieces;
    expect(pieces.slice(1).map(({ from }) => from)).toEqual(pieces.slice(0, -1).map(({ to }) => to));
  });

  test('are drawn: a heat map of each group with every name escaped, that says in words what it shows', async () => {
    const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifest });
    expect((await coverage(cwd, '--report', 'html=week.html')).code).toBe(0);
    const page = await readFile(join(cwd, 'week.html'), 'utf8');
    expect(page).not.toMatch(/<script|<b>/i);
    expect(page).toContain('aria-label="Hours of the week, group/night: 0 people, 1 bots, 50 chats at once"');
    expect(page.match(/<svg class="heat"/g)).toHaveLength(3);
    expect(page).toContain('Sales &lt;b&gt;&quot;&amp;&quot;&lt;/b&gt; (group/sales)');
  });

  test('in a zone or of a week or a group that there is not are refused', async () => {
    const cwd = await folder({ 'chatform.yaml': PROJECT, 'manifest.yaml': manifest });
    expect(await coverage(cwd, '--timezone', 'Mars/Base')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Mars/Base'),
    });
    expect(await coverage(cwd, 'sale')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did you mean `sales`'),
    });
    const refused = await chatform(['coverage', '--date', '2026-02-30'], { cwd });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('2026-02-30 is not a day') });
    expect(await coverage(cwd, '--report', 'html=manifest.yaml/week.html')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('week.html'),
    });
  });
});

describe('The license', () => {
  test('is told as it is: who is there by hours, who has none, and who gets no chats', async () => {
    const shown = await document(await withLicense(), '--on', 'live');
    expect(shown).toMatchObject({ view: 'live', requests_sent: { list_agents: 1, list_bots: 1, list_groups: 1 } });
    const sales = shown.groups.find(({ name }: { readonly name: string }) => name === 'Sales');
    expect(sales).toMatchObject({
      address: 'group/sales',
      before: null,
      cover: { complete: true, slots: { low: 0, high: 8 }, anytime: { people: 0 } },
    });
    expect(sales.cover.members).toMatchObject([
      { address: 'agent/bob@example.com', barred: 'suspended' },
      { address: 'agent/ann@example.com', barred: null, slots: 8, hours: 'shifts', weekly_hours: 17 },
    ]);
    const support = shown.groups.find(({ name }: { readonly name: string }) => name === 'Support');
    expect(support).toMatchObject({
      address: 'group/2',
      cover: { people: { low: 0, high: 0 }, anytime: { people: 1, slots: 5 }, uncovered: [] },
    });
  });

  test('is told before and after an apply: what the files leave out stays as it is, and lost cover is found', async () => {
    const cwd = await withLicense();
    const { code, stdout } = await coverage(cwd, '--on', 'both');
    expect(code).toBe(0);
    expect(stdout).toContain('group/sales loses all cover Sun 00:00-08:00 Europe/Warsaw');
    await expect(stdout).toMatchFileSnapshot('both.txt');
    const shown = await document(cwd, '--on', 'both', 'Sales');
    expect(shown.groups).toMatchObject([
      {
        lost: [{ from: '2026-10-25T00:00:00+02:00', to: '2026-10-25T08:00:00+01:00', text: 'Sun 00:00-08:00' }],
        gained: [],
        before: { slots: { low: 0, high: 8 } },
        cover: { slots: { low: 0, high: 8 } },
      },
    ]);
    expect(shown.findings).toMatchObject([{ id: 'lost-cover', level: 'warning', source: { line: 7 } }]);
    expect(withoutLease(await filesIn(cwd))).not.toHaveProperty('ledger.ndjson');
  });

  test('ends with 1 when a finding is an error to the project, and says nothing of one that is off', async () => {
    const raised = await withLevels('{ lost-cover: error }');
    expect(await coverage(raised, '--on', 'both')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('error lost-cover'),
    });
    const silenced = await document(await withLevels('{ lost-cover: off }'), '--on', 'both');
    expect(silenced).toMatchObject({ errored: false, findings: [] });
  });

  test('of version 3.3 keeps no zone of an agent: the declared one is taken, and said to be', async () => {
    const cwd = await withLicense();
    const older = ['--api-version', '3.3'];
    await writeFile(
      join(cwd, 'license.json'),
      JSON.stringify({ ...LICENSE, agents: LICENSE.agents.map(withoutHours) }),
    );
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('08:00', '00:00'));
    expect((await chatform(['apply', '--yes', '-q', ...older], { cwd })).code).toBe(0);
    await writeFile(join(cwd, 'manifest.yaml'), MANIFEST);
    const { stdout, code } = await coverage(cwd, '--on', 'both', ...older, '--timezone', 'UTC');
    expect(code).toBe(0);
    expect(stdout).toContain('group/sales loses all cover Sat 22:00-Sun 07:00 UTC');
    expect(stdout).toMatch(/keeps no time zone for agent\/ann@example\.com/);
  });
});

function withoutHours({ work_scheduler: _, ...agent }: (typeof LICENSE.agents)[number]): object {
  return agent;
}

async function withLevels(lint: string): Promise<string> {
  const cwd = await withLicense();
  const routing = `routing: { timezone: Europe/Warsaw, lint: ${lint} }`;
  await writeFile(join(cwd, 'chatform.yaml'), PROJECT.replace('routing: { timezone: Europe/Warsaw }', routing));
  return cwd;
}
