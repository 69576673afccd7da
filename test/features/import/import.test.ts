// Licenses of which a manifest cannot say all, or says something else already; what an import makes of them.

import { expect, test } from 'vitest';
import { VERSIONS } from '../../../src/base/model.ts';
import type { Seed } from '../../../src/emulator/index.ts';
import { foundBy } from '../../../src/features/import/report.ts';
import { type Files, type How, type Imported, importing } from '../../laws/importing.ts';
import { world } from '../../world.ts';

const ACCESS = { license: { agent: ['read', 'write'] } } as const;

async function imported(seed: Seed, files: Files = {}, how: How = {}): Promise<Imported> {
  const made = await importing(world({ seed }), { files, ...how });
  if (made === null) throw new Error('the files cannot be planned');
  return made;
}

function omitted({ draft }: Imported): readonly string[] {
  return draft.imported.entries.flatMap(({ address, omitted }) => omitted.map(({ field }) => `${address} ${field}`));
}

test.each(VERSIONS)('In %s only what is to blame is left out of an object', async (version) => {
  const seed: Seed = {
    groups: [{ name: 'x'.repeat(181), language_code: 'pl' }],
    agents: [{ id: 'ann@example.com', name: 'Ann', max_chats_count: 500, job_title: 'Lead' }],
  };
  const made = await importing(world({ seed, version }), {});
  expect(made?.files['manifest/groups.yaml']).toContain(
    `  # without name: the text has 181 characters\n  ${'x'.repeat(50)}:\n    id: 1\n    language_code: pl\n`,
  );
  expect(made?.files['manifest/agents.yaml']).toContain(
    '  # without max_chats_count: 500 is too large\n  ann@example.com: { name: Ann, job_title: Lead }\n',
  );
});

test('An agent who declares all of its groups decides about a group that nobody declared', async () => {
  const seed: Seed = {
    agents: [{ id: 'ann@example.com', name: 'Ann' }],
    groups: [{ name: 'VIP', agent_priorities: { 'ann@example.com': 'first' } }],
  };
  const files = { 'people.yaml': 'version: 1\nagents:\n  ann@example.com: { groups: {} }\n' };
  const made = await imported(seed, files);
  expect(omitted(made)).toContain('group/vip agent_priorities');
  expect(made.after.steps.map(({ id }) => id)).toEqual(made.before.steps.map(({ id }) => id));
});

test('A preview has each line that a file gets, with its number, and none that it has', async () => {
  const old = 'version: 1\nagents:\n  ann@example.com: { name: Ann }\n';
  const seed: Seed = { agents: ['ann', 'bob'].map((name) => ({ id: `${name}@example.com`, name })) };
  const { draft, before } = await imported(seed, { 'people.yaml': old });
  const also = { zoned: null, notRead: null };
  const filesOf = (preview: boolean) => foundBy(draft, before, { ...also, preview }).files;
  expect(filesOf(true).map(({ path, added }) => [path, added])).toEqual([
    [
      'people.yaml',
      [
        { line: 4, text: '  bob@example.com: { name: bob }' },
        { line: 5, text: '  owner@example.com: { name: Owner }' },
      ],
    ],
    ['manifest/groups.yaml', null],
  ]);
  expect(filesOf(false).map(({ added, text }) => [added, text])).toEqual(filesOf(true).map(() => [null, null]));
});

test('A value that the declared definition does not take is left out', async () => {
  const seed: Seed = {
    properties: { crm: { tier: { type: 'string', access: ACCESS } } },
    license_properties: { crm: { tier: 'bronze' } },
  };
  const definition = `version: 1\nproperties:\n  crm:\n    tier: { type: string, access: ${JSON.stringify(ACCESS)}, domain: [gold] }\n`;
  const made = await imported(seed, { 'properties.yaml': definition });
  expect(made.draft.imported.leftOut).toEqual([
    expect.objectContaining({ type: 'license_property', reason: expect.stringContaining('property/crm/tier') }),
  ]);
});

test('An object that is looked up is left alone, and entries refer to it by its name', async () => {
  const seed: Seed = {
    groups: [{ name: 'VIP' }],
    bots: [{ name: 'Triage', groups: [{ id: 1, priority: 'first' }] }],
  };
  const files = { 'groups.yaml': 'version: 1\ngroups:\n  very-important: { external: { name: VIP } }\n' };
  const made = await imported(seed, files);
  expect(made.files['manifest/bots.yaml']).toContain('groups: { very-important: first }');
  expect(made.draft.imported.leftOut).toEqual([
    expect.objectContaining({ type: 'group', id: 1, reason: expect.stringContaining('external') }),
  ]);
});

test.each(VERSIONS)('In %s what is looked up becomes an entry in its place, with what hangs on it', async (version) => {
  const seed: Seed = {
    agents: [{ id: 'ann@example.com', name: 'Ann' }],
    groups: [{ name: 'VIP', agent_priorities: { 'ann@example.com': 'first' } }],
    properties: { crm: { tier: { type: 'string', access: { group: { agent: ['read', 'write'] } } } } },
    group_properties: { '1': { crm: { tier: 'gold' } } },
    auto_access: [{ description: 'All', access: { groups: [1] }, conditions: { url: { values: [{ value: '/' }] } } }],
  };
  const groups = 'version: 1\ngroups:\n  # theirs\n  very-important:\n    external: { name: VIP } # so far\n';
  const rule = `auto_access:\n  - { key: all, description: All, access: { groups: [very-important] }, conditions: { url: { values: [{ value: / }] } } }\n`;
  const files = { 'groups.yaml': groups, 'rules.yaml': `version: 1\n${rule}` };
  const made = await importing(world({ seed, version }), { files, clients: ['crm'], externals: 'taken' });
  expect(made?.files['groups.yaml']).toMatch(
    /^version: 1\ngroups:\n {2}# theirs\n {2}very-important:\n {4}name: VIP\n {4}agent_priorities: \{ ann@example.com: first \}\n {4}properties: \{ crm: \{ tier: gold \} \}\n/,
  );
  expect(made?.files['rules.yaml']).toBe(files['rules.yaml']);
  expect([made?.after.steps, made?.forgetful?.steps]).toEqual([[], []]);
});

test('A value of a declared group goes into the entry of that group', async () => {
  const seed: Seed = {
    groups: [{ name: 'Sales' }],
    properties: { crm: { tier: { type: 'string', access: { group: { agent: ['read', 'write'] } } } } },
    group_properties: { '1': { crm: { tier: 'gold' } } },
  };
  const files = { 'groups.yaml': 'version: 1\ngroups:\n  sales:\n    name: Sales # ours\n' };
  const made = await imported(seed, files, { clients: ['crm'] });
  expect(made.files['groups.yaml']).toMatch(
    / {2}sales:\n {4}name: Sales # ours\n {4}properties: { crm: { tier: gold } }\n/,
  );
});

test('A key that is declared, or that the ledger has, is not given away', async () => {
  const seed: Seed = { groups: [{ name: 'Sales' }] };
  const files = { 'groups.yaml': 'version: 1\ngroups:\n  sales: { name: Shop }\n' };
  expect(omitted(await imported(seed, files))).toEqual(['agent/owner@example.com role']);
  expect((await imported(seed, files)).draft.imported.addresses).toContain('group/sales-2');
});

test('The same license gives the same files', async () => {
  const seed: Seed = { groups: [{ name: 'Twins' }, { name: 'Twins' }, { name: 'Other' }] };
  expect((await imported(seed)).files).toEqual((await imported(seed)).files);
});

test('A file that says nothing but its version gets what a new file gets, without its remarks', async () => {
  const schedule = [
    { day: 'monday', enabled: true, start: '09:00', end: '17:00' },
    { day: 'tuesday', enabled: true, start: '09:00', end: '17:00' },
  ] as const;
  const seed: Seed = {
    agents: [
      {
        id: 'ann@example.com',
        name: 'Ann',
        notifications: ['ticket', 'new_visitor'],
        work_scheduler: { timezone: 'Europe/Warsaw', schedule },
      },
    ],
    groups: [{ name: 'Trade', agent_priorities: { 'ann@example.com': 'first' } }],
    auto_access: [
      { description: 'Blog', access: { groups: [1] }, conditions: { url: { values: [{ value: '/bf' }] } } },
      { description: 'Rest', access: { groups: [0, 1] }, conditions: { domain: { values: [{ value: 'x.example' }] } } },
    ],
    properties: { crm: { tier: { type: 'string', access: ACCESS } } },
    license_properties: { crm: { tier: 'gold' } },
  };
  const how: How = { split: 'none', clients: ['crm'] };
  const grown = (await imported(seed, { 'manifest.yaml': 'version: 1\n' }, how)).files['manifest.yaml'] ?? '';
  const fresh = (await imported(seed, {}, how)).files['manifest.yaml'] ?? '';
  expect(grown).toBe(fresh.replaceAll(/^ *#.*\n/gm, ''));
  for (const line of [
    '    notifications: [new_visitor, ticket]',
    '    work_scheduler: { timezone: Europe/Warsaw, schedule: { mon-tue: 09:00-17:00 } }',
    '    conditions: { url: { values: [{ value: /bf }] } }',
  ]) {
    expect(grown.split('\n')).toContain(line);
  }
});
