// `chatform import`: what it writes, where, what it leaves alone, and how it ends.

import { linkSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importSchema } from '../../src/features/import/schema.ts';
import { fileLease } from '../../src/ledger/lease-file.ts';
import { takeLease } from '../../src/ledger/tenure.ts';
import { filesIn, folder, withoutLease } from './chatform.ts';
import { served } from './served.ts';
import { atTerminal, fakeTerminal, refusal } from './terminal.ts';

const LICENSE = {
  agents: [
    { id: 'ann@example.com', name: 'Ann', role: 'administrator' },
    { id: 'bob@example.com', name: 'Bob', awaiting_approval: true },
  ],
  groups: [
    { name: 'Sales', agent_priorities: { 'ann@example.com': 'first', 'bob@example.com': 'normal' } },
    { name: 'Support', agent_priorities: { 'bob@example.com': 'normal' } },
  ],
  bots: [{ name: 'Triage', groups: [{ id: 1, priority: 'first' }] }],
  auto_access: [
    { description: 'Prices', access: { groups: [1] }, conditions: { url: { values: [{ value: '/pricing' }] } } },
    { description: 'Help', access: { groups: [2] }, conditions: { url: { values: [{ value: '/help' }] } } },
    { description: 'Rest', access: { groups: [0] }, conditions: { domain: { values: [{ value: 'example.com' }] } } },
  ],
};

const home = process.cwd();

/** A project whose manifest is this, and the license above. */
async function project(manifest: string, files: { readonly [name: string]: string } = {}): Promise<void> {
  const target = '  here: { base_url: "emulator:license.json", ledger: ledger.ndjson }\n';
  process.chdir(
    await folder({
      'license.json': JSON.stringify(LICENSE),
      'chatform.yaml': `version: 1\nmanifest: [${manifest}]\ntargets:\n${target}`,
      ...files,
    }),
  );
}

beforeEach(() => project('manifest'));
afterEach(() => process.chdir(home));

async function imported(...flags: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const { terminal, said } = fakeTerminal(null);
  const code = await atTerminal(['import', ...flags], terminal);
  return { code, said: said() };
}

function refused(...flags: readonly string[]): Promise<string> {
  return refusal(['import', ...flags], fakeTerminal(null));
}

async function planned(...flags: readonly string[]): Promise<string> {
  const { terminal, said } = fakeTerminal(null);
  await atTerminal(['plan', ...flags], terminal);
  return said();
}

const files = async () => withoutLease(await filesIn(process.cwd()));
const events = async (): Promise<
  readonly { readonly type: string; readonly address?: string; readonly origin?: string }[]
> =>
  (await readFile('ledger.ndjson', 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('A folder gets a file for each kind, the ledger gets the ids and what each object was, and there is nothing to plan', async () => {
  const { code, said } = await imported();
  expect([code, said]).toEqual([0, expect.stringContaining('Imported 3 agents, 3 groups, 1 bot, 3 rules from here.')]);
  expect(Object.keys(await files()).filter((name) => name.startsWith('manifest/'))).toEqual([
    'manifest/agents.yaml',
    'manifest/auto_access.yaml',
    'manifest/bots.yaml',
    'manifest/groups.yaml',
  ]);
  const log = await events();
  expect(log.filter(({ type, origin }) => type === 'bound' && origin === 'imported')).toHaveLength(10);
  expect(log.filter(({ type }) => type === 'applied')).toHaveLength(10);
  expect(log.filter(({ type }) => type === 'order')).toHaveLength(1);
  expect(await planned()).toContain('No changes.');
});

test('The license is only read', async () => {
  await planned();
  const before = await readFile('license.json', 'utf8');
  await imported();
  expect(await readFile('license.json', 'utf8')).toBe(before);
});

test('What is imported already is not imported again, and nothing is written', async () => {
  await imported();
  const before = await files();
  const { code, said } = await imported();
  expect([code, said]).toEqual([0, expect.stringContaining('Nothing to import')]);
  expect(await files()).toEqual(before);
});

test('--plan prints the files and writes nothing, not even a lease', async () => {
  await planned();
  const before = await filesIn(process.cwd());
  const { code, said } = await imported('--plan');
  expect([code, said]).toEqual([0, expect.stringContaining('  ann@example.com: { name: Ann, role: administrator }')]);
  expect(await filesIn(process.cwd())).toEqual(before);
});

test('--json prints what was imported to where, and what was not', async () => {
  const document = JSON.parse((await imported('--json', '--quiet')).said);
  expect(document).toMatchObject({ errored: false, target: 'here', written: true, ids_in: 'ledger', left_out: [] });
  expect(document.imported).toContainEqual({
    address: 'group/sales',
    type: 'group',
    id: 1,
    file: 'manifest/groups.yaml',
  });
  expect(document.omitted).toEqual([expect.objectContaining({ address: 'agent/owner@example.com', field: 'role' })]);
});

test('A part looks up what it refers to', async () => {
  expect((await imported('--only', 'group/sales', '--only', 'auto_access')).code).toBe(0);
  const { 'manifest/agents.yaml': agents = '', 'manifest/auto_access.yaml': rules = '' } = await files();
  expect(agents).toContain('  ann@example.com: { external: { id: ann@example.com } }\n');
  expect(rules).toContain('access: { groups: [{ external: { id: 2 } }] }');
  expect(await planned()).toContain('No changes.');
});

test('A part that is imported already is no mistake: there is nothing to import', async () => {
  await imported('--only', 'group');
  const before = await files();
  expect(await imported('--only', 'group/sales')).toEqual({
    code: 0,
    said: expect.stringContaining('Nothing to import'),
  });
  expect(await files()).toEqual(before);
});

test('What is left out for one and the same reason shares a line, when it is much', async () => {
  const agents = Array.from({ length: 40 }, (_, n) => ({ id: `agent${n}@example.com`, name: `Agent ${n}` }));
  const members = Object.fromEntries(agents.map(({ id }) => [id, 'normal']));
  await writeFile('license.json', JSON.stringify({ agents, groups: [{ name: 'All', agent_priorities: members }] }));
  await imported('--only', 'group/all');
  const { said } = await imported();
  expect(said).toMatch(/agent agent0@example\.com, .*, and 35 more: the manifest looks it up as `external`/);
});

test('A part that is not there is a mistake, and nothing is written', async () => {
  expect(await refused('--only', 'group/nobody')).toContain('covers nothing');
  expect(Object.keys(await files())).not.toContain('manifest/groups.yaml');
});

test('Without a project it says how to begin one', async () => {
  await rm('chatform.yaml');
  expect(await refused()).toContain('chatform init');
});

test('A file gets everything, and no file for each kind', async () => {
  await project('everything.yaml');
  expect((await imported()).code).toBe(0);
  expect((await files())['everything.yaml']).toMatch(
    /version: 1\n\nagents:\n[\s\S]*\n\ngroups:\n[\s\S]*\n\nbots:\n[\s\S]*\n\nauto_access:\n/,
  );
  expect(await refused('--split', 'kind')).toContain('name a folder');
});

test('--split none makes one file in a folder', async () => {
  expect((await imported('--split', 'none')).code).toBe(0);
  expect(Object.keys(await files()).filter((name) => name.startsWith('manifest/'))).toEqual(['manifest/manifest.yaml']);
});

test('--with-ids says every id in the files, and leaves the ledger alone', async () => {
  expect((await imported('--with-ids')).code).toBe(0);
  const { 'manifest/groups.yaml': groups = '', 'ledger.ndjson': ledger } = await files();
  expect(groups).toContain('  sales:\n    id: 1\n');
  expect(ledger).toBeUndefined();
  expect(await planned()).toContain('No changes.');
});

test('Files that are written without the ledger are told as that, and what ends it', async () => {
  await writeFile('ledger.ndjson', '');
  const { terminal, said } = fakeTerminal(null);
  // The lease is held by now, and the ledger gets a second name.
  const every = (milliseconds: number, task: () => void) => {
    linkSync('ledger.ndjson', 'other.ndjson');
    return terminal.every(milliseconds, task);
  };
  expect(await refusal(['import'], { ...fakeTerminal(null), terminal: { ...terminal, every }, said })).toMatch(
    /the files are written, and `chatform apply` adopts .* is one file with 2 names/,
  );
  expect(await files()).toHaveProperty(['manifest/groups.yaml']);
});

test('A .gitignore that cannot be written stops the import before any other file', async () => {
  await project('manifest', { '.gitignore/keep': '' });
  expect(await refused()).toMatch(/\.gitignore cannot be written: /);
  expect(Object.keys(await files())).toEqual(['.gitignore/keep', 'chatform.yaml', 'license.json']);
});

test('An import that was cut off before the ledger was told, or between two files, is ended by the next one', async () => {
  await imported();
  await rm('ledger.ndjson');
  await rm('manifest/auto_access.yaml');
  await rm('manifest/bots.yaml');
  expect((await imported()).said).toContain('Imported 1 bot, 3 rules');
  expect(await planned()).toContain('No changes. The license of here matches the manifest. 6 to adopt.');
  const { terminal } = fakeTerminal(null);
  expect(await atTerminal(['apply', '--yes', '--quiet'], terminal)).toBe(0);
  expect(await planned()).toMatch(/^No changes. The license of here matches the manifest.\n$/m);
});

test('What is ours and in no file any more is taken back under its name, and bound once', async () => {
  await imported();
  const text = await readFile('manifest/bots.yaml', 'utf8');
  await writeFile(
    'manifest/bots.yaml',
    text.replace('  triage:', '  first-contact:').concat('moved:\n  - { from: bot/triage, to: bot/first-contact }\n'),
  );
  await atTerminal(['apply', '--yes', '--quiet'], fakeTerminal(null).terminal);
  await rm('manifest/bots.yaml');
  const { said } = await imported();
  expect(said).toMatch(/Declared again.*\n {2}bot\/first-contact\n/);
  expect((await files())['manifest/bots.yaml']).toContain('  first-contact:');
  expect((await events()).filter(({ type, address }) => type === 'bound' && /^bot\//.test(address ?? ''))).toHaveLength(
    1,
  );
  expect(await planned()).toContain('No changes.');
});

const HALF = `# Ours, by hand.
version: 1   # of the notation

groups:
    support:   # the desk
        name: Support
        agent_priorities:
          'bob@example.com': normal   # until spring

agents: {bob@example.com: {name: "Bob"}}

auto_access:
  # first things first
  - key: help
    access: {groups: [support]}
    conditions:
      url: {values: [{value: /help}]}
`;

test('Into files that are there only what is missing is added, in its place, and every line stays as it is', async () => {
  await mkdir('manifest');
  await writeFile('manifest/all.yaml', HALF);
  const before = await planned();
  const { code, said } = await imported();
  expect([code, said]).toEqual([0, expect.stringContaining('~ manifest/all.yaml  2 agents, 2 groups, 2 rules')]);
  const { 'manifest/all.yaml': text = '', 'manifest/bots.yaml': bots = '' } = await files();
  expect(bots).toContain('  triage:');
  const kept = HALF.split('\n').filter((line) => !/^agents: \{|^ {4,8}(conditions|agent_priorities):$/.test(line));
  expect(text.split('\n').filter((line) => kept.includes(line))).toEqual(kept);
  expect(text.indexOf('key: prices')).toBeLessThan(text.indexOf('key: help'));
  expect(text.indexOf('key: help')).toBeLessThan(text.indexOf('key: rest'));
  expect(before).toContain('3 to adopt');
  expect(await planned()).toContain('No changes. The license of here matches the manifest. 3 to adopt.');
});

test('What a part only looked up stays so until it is asked for, and import says how', async () => {
  await imported('--only', 'group');
  const looked = await readFile('manifest/agents.yaml', 'utf8');
  await writeFile('manifest/agents.yaml', looked.replace('agents:\n', 'agents:\n  # our first one\n'));
  const { said } = await imported();
  expect(said).toMatch(/agent bob@example\.com .*`external`.*--externals/);
  const preview = await imported('--externals', '--plan');
  expect(preview.said).toContain('  bob@example.com: { name: Bob }\n');
  expect((await imported('--externals')).said).toContain('~ manifest/agents.yaml  3 agents');
  const agents = await readFile('manifest/agents.yaml', 'utf8');
  expect(agents).toContain('  # our first one\n  ann@example.com: { name: Ann, role: administrator }\n');
  expect(agents).not.toContain('external');
  expect(
    (await events()).filter(({ type, address }) => type === 'bound' && address === 'agent/bob@example.com'),
  ).toHaveLength(1);
  expect(await planned()).toContain('No changes. The license of here matches the manifest.\n');
});

test('--externals with --only leaves what was not asked for looked up', async () => {
  await imported('--only', 'group');
  await imported('--externals', '--only', 'agent/ann@example.com');
  const agents = await readFile('manifest/agents.yaml', 'utf8');
  expect(agents).toContain('ann@example.com: { name: Ann, role: administrator }');
  expect(agents).toContain('bob@example.com: { external: { id: bob@example.com } }');
  expect(await planned()).toContain('No changes.');
});

test('What was declared before and is still to be done is named, and not called nothing', async () => {
  const wanted = 'version: 1\ngroups:\n  night: { name: Night }\n  support: { name: Support, language_code: pl }\n';
  await project('manifest.yaml', { 'manifest.yaml': wanted });
  const { said } = await imported();
  expect(said).toMatch(/Still pending.*\n {2}create group\/night\n {2}update group\/support\n/);
  expect(said).toContain('finds nothing to do for the imported objects');
  expect(await planned()).toContain('1 to add, 1 to change');
});

test('What is still to be done is in the preview, in the document, and beside nothing to import', async () => {
  await project('manifest.yaml', { 'manifest.yaml': 'version: 1\ngroups:\n  night: { name: Night }\n' });
  expect((await imported('--plan')).said).toMatch(/Still pending.*\n {2}create group\/night\n/);
  const { pending } = JSON.parse((await imported('--json', '--quiet')).said);
  expect(pending).toEqual([{ address: 'group/night', type: 'group', action: 'create' }]);
  const { said } = await imported();
  expect(said).toMatch(/Still pending.*\n {2}create group\/night\n\nNothing to import from here: /);
});

test('An import after which nothing is to be done says so', async () => {
  const { said } = await imported();
  expect(said).not.toContain('Still pending');
  expect(said).toMatch(/which finds nothing to do\.\n/);
});

test('Files with errors are shown, and nothing is written', async () => {
  await mkdir('manifest');
  await writeFile('manifest/all.yaml', 'version: 1\ngroups: { sales: { nme: Sales } }\n');
  const before = await filesIn(process.cwd());
  const { code, said } = await imported();
  expect([code, said]).toEqual([1, expect.stringContaining('unknown-field')]);
  expect(await filesIn(process.cwd())).toEqual(before);
});

test('An overlay that would make something else of it keeps it from being written', async () => {
  await mkdir('manifest');
  await writeFile('manifest/all.yaml', HALF);
  await writeFile('first.yaml', 'auto_access: [{ op: add, path: /0/description, value: First }]\n');
  const text = await readFile('chatform.yaml', 'utf8');
  await writeFile('chatform.yaml', text.replace(' ledger:', ' overlays: [first.yaml], ledger:'));
  const before = await files();
  expect(await refused()).toMatch(/overlays.*nothing was written.*auto_access/);
  expect(await files()).toEqual({ ...before, 'license.json': expect.anything() });
});

test('While another run has the target, nothing is read or written', async () => {
  const { terminal, said } = fakeTerminal(null);
  const holder = { ...terminal.self, command: 'apply' };
  await takeLease({ lease: fileLease('ledger.ndjson'), holder, run: 'other', clock: terminal.clock, ttl: 60_000 });
  expect([await atTerminal(['import'], terminal), said()]).toEqual([4, expect.stringContaining('apply')]);
  expect(Object.keys(await files()).filter((name) => name.startsWith('manifest/'))).toEqual([]);
});

const TEMPLATES = {
  bots: [
    { id: 'own', name: 'Own' },
    { id: 'theirs', name: 'Theirs', owner_client_id: 'crm' },
  ],
  bot_templates: [{ id: 'derived', name: 'Concierge', owner_client_id: 'crm' }],
  installed_clients: ['crm'],
};
const withTemplates = (more: object = {}) =>
  project('bots.yaml', {
    'license.json': JSON.stringify({ ...TEMPLATES, ...more }),
    'bots.yaml': 'version: 1\n',
  });
/** The ledger of a chatform that imported the bot of a template. */
const OWNED = `${JSON.stringify({
  v: 1,
  run: 'r',
  at: '2026-01-01T00:00:00.000Z',
  type: 'bound',
  address: 'bot/concierge',
  id: 'derived',
  origin: 'imported',
})}\n`;

test('A bot that a template made is left out although no file lists the client, and other bots of the client are not', async () => {
  await withTemplates();
  const { said } = await imported('--only', 'bot');
  expect(said).toContain('Imported 2 bots from here.');
  expect(said).toContain('bot derived (Concierge): a bot template makes it');
  expect((await files())['bots.yaml']).not.toContain('Concierge');
  await writeFile('bots.yaml', 'version: 1\n');
  const later = await planned('--details');
  expect(later).toContain('bot "Concierge" (derived), made by a bot template');
  expect(later).toContain('2 to destroy');
});

test('What may be the bot of a template that this token may not list is left out, and never deleted', async () => {
  await withTemplates({ clients: ['emulator-client'] });
  const { said } = await imported('--only', 'bot');
  const why = 'a template may have made it: it belongs to crm, whose templates this token may not list';
  expect(said).toContain('Imported 1 bot from here.');
  for (const bot of ['bot derived (Concierge)', 'bot theirs (Theirs)']) expect(said).toContain(`${bot}: ${why}`);
  await withTemplates({ clients: ['emulator-client'] });
  await writeFile('ledger.ndjson', OWNED);
  const later = await planned();
  expect(later).toContain(`bot/concierge: ${why}`);
  expect(later).not.toContain('destroy');
});

test.each(['3.3', '3.6'])('A bot of a template that was imported before is never deleted, in %s', async (version) => {
  await withTemplates();
  await writeFile('ledger.ndjson', OWNED);
  const text = await readFile('chatform.yaml', 'utf8');
  await writeFile('chatform.yaml', text.replace('ledger:', `api_version: "${version}", ledger:`));
  const why =
    version === '3.3' ? 'version 3.3 does not tell whether a template made it' : 'it is made by a bot template';
  const later = await planned();
  expect(later).toContain(`bot/concierge: ${why}`);
  expect(later).not.toContain('destroy');
  if (version === '3.6') expect((await imported()).said).toContain('bot derived (Concierge): a bot template makes it');
});

test('The own zone of an agent, which is written as an empty one, is imported, declared and kept', async () => {
  const hours = { timezone: '', schedule: [{ day: 'monday', enabled: true, start: '09:00', end: '17:00' }] } as const;
  const agents = [{ id: 'ann@example.com', name: 'Ann', work_scheduler: hours }];
  const settings = { emptyTimezoneReadsAs: 'empty' } as const;
  const { url } = await served({ seed: { agents }, settings });
  await project('agents.yaml', { 'agents.yaml': 'version: 1\n' });
  const text = await readFile('chatform.yaml', 'utf8');
  await writeFile('chatform.yaml', text.replace('emulator:license.json', url));
  const { terminal, said } = fakeTerminal(null, { CHATFORM_TOKEN: 'any' });
  expect([await atTerminal(['import', '--only', 'agent/ann@example.com'], terminal), said()]).toEqual([
    0,
    expect.not.stringContaining('Left out'),
  ]);
  expect((await files())['agents.yaml']).toContain('timezone: ""');
  const { terminal: next, said: planned } = fakeTerminal(null, { CHATFORM_TOKEN: 'any' });
  expect([await atTerminal(['plan', '--detailed-exitcode'], next), planned()]).toEqual([0, expect.anything()]);
});

test('An empty zone is written as one, and the zone that reads back is no difference', async () => {
  const { emulator, url } = await served({ settings: { agentTimezone: 'Asia/Kolkata' } });
  const schedule = '[{ day: monday, enabled: true, start: "09:00", end: "17:00" }]';
  const ann = `version: 1\nagents: { ann@example.com: { name: Ann, work_scheduler: { timezone: "", schedule: ${schedule} } } }\n`;
  await project('agents.yaml', { 'agents.yaml': ann });
  const text = await readFile('chatform.yaml', 'utf8');
  await writeFile('chatform.yaml', text.replace('emulator:license.json', url));
  const run = async (...args: readonly string[]) =>
    atTerminal(args, fakeTerminal(null, { CHATFORM_TOKEN: 'any' }).terminal);
  expect([await run('apply', '--yes'), await run('plan', '--detailed-exitcode')]).toEqual([0, 0]);
  expect(JSON.stringify(emulator.snapshot())).toContain('"timezone":"","schedule":[{');
});

test('A client of another organization is named as the reason, and not a scope', async () => {
  await project('templates.yaml', {
    'license.json': JSON.stringify({ clients: ['mine'] }),
    'templates.yaml': 'version: 1\nbot_templates: { c: { name: C, owner_client_id: theirs } }\n',
  });
  const said = await refusal(['plan'], fakeTerminal(null));
  expect(said).toContain('the owner client must belong to your organization: check `owner_client_id`');
  expect(said).not.toContain('bots.templates:rw');
});

test('What is named `__proto__` gets another key, or is left out alone', async () => {
  const access = { license: { agent: ['read', 'write'] } };
  const definition = { type: 'string', access };
  const license = {
    clients: ['app'],
    agents: [{ id: '__proto__', name: 'Proto' }],
    groups: [{ name: '__proto__', agent_priorities: JSON.parse('{ "__proto__": "first" }') as object }],
    properties: { app: { ...JSON.parse(`{ "__proto__": ${JSON.stringify(definition)} }`), tier: definition } },
  };
  await project('manifest', {
    'license.json': JSON.stringify(license),
    'chatform.yaml':
      'version: 1\nmanifest: [manifest]\nclients: { app: {} }\ntargets: { here: { base_url: "emulator:license.json", ledger: ledger.ndjson } }\n',
  });
  const { code, said } = await imported();
  expect(said).toContain('a manifest cannot have the key `__proto__`');
  expect(code).toBe(0);
  const agents = await readFile('manifest/agents.yaml', 'utf8');
  expect(agents).toContain('  proto: { id: __proto__, name: Proto }\n');
  expect(await readFile('manifest/groups.yaml', 'utf8')).toContain('agent_priorities: { proto: first }');
  expect(await planned()).toContain('No changes');
});

test('A license whose keys are not in NFC is imported: people as the same people, properties not at all', async () => {
  const definition = { type: 'string', access: { license: { agent: ['read', 'write'] } } };
  const license = {
    agents: [{ id: 'jose\u0301@example.com', name: 'Jose\u0301' }],
    groups: [{ name: 'Cafe\u0301', agent_priorities: { 'jose\u0301@example.com': 'first' } }],
    properties: { app: { 're\u0301gion': definition, tier: definition } },
    license_properties: { app: { 're\u0301gion': 'north', tier: 'Cafe\u0301' } },
  };
  await writeFile('license.json', JSON.stringify(license));
  await writeFile('chatform.yaml', `${await readFile('chatform.yaml', 'utf8')}clients: { app: {} }\n`);
  const { code, said } = await imported('--only', 'agent/jos*', '--only', 'group/cafe', '--only', '*property/*');
  expect([code, said]).toEqual([0, expect.stringContaining('not in NFC')]);
  expect(Object.values(await filesIn('manifest')).join()).toContain('  jos\u00e9@example.com: { name: Jos\u00e9 }');
  expect(await planned()).toContain('No changes.');
});

test('The published schema is the one in the code, and its documents fit it', async () => {
  await expect(`${JSON.stringify(importSchema, null, 2)}\n`).toMatchFileSnapshot('../../schemas/import.schema.json');
  const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
    importSchema,
  );
  for (const flags of [['--plan'], []]) {
    const found = JSON.parse((await imported('--json', '--quiet', ...flags)).said);
    expect(fits(found) ? [] : fits.errors).toEqual([]);
  }
});
