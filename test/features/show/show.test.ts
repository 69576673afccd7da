// `chatform show`, against licenses that are managed, half managed and not managed at all.

import { writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, listen, parseSeed } from '../../../src/emulator/index.ts';
import { showSchema } from '../../../src/features/show/schema.ts';
import { chatform, filesIn, folder } from '../../cli/chatform.ts';

const LICENSE = {
  owner: { id: 'zoe@example.com', name: 'Zoe' },
  agents: [{ id: 'carl@example.com', name: 'Carl' }],
  groups: [{ name: 'Support', agent_priorities: { 'carl@example.com': 'first' } }],
  auto_access: [
    {
      description: 'Black friday',
      access: { groups: [1] },
      conditions: { url: { values: [{ value: '/bf' }] } },
    },
  ],
};

const PROJECT = `version: 1
manifest: [manifest.yaml]
clients: { shop: {} }
targets: { production: { base_url: "emulator:license.json", ledger: ledger.ndjson } }
`;

const MANIFEST = `version: 1
agents: { ann@example.com: { name: Ann, max_chats_count: 8 } }
groups: { sales: { name: Sales, agent_priorities: { ann@example.com: first }, properties: { shop: { tier: gold } } } }
properties: { shop: { tier: { type: string, access: { group: { agent: [read, write] } } } } }
`;

const FILES = { 'chatform.yaml': PROJECT, 'manifest.yaml': MANIFEST, 'license.json': JSON.stringify(LICENSE) };

async function applied(): Promise<string> {
  const cwd = await folder(FILES);
  expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
  return cwd;
}

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  showSchema,
);

async function document(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await chatform(['show', ...args, '--json'], { cwd });
  const shown = JSON.parse(stdout);
  expect([code, stderr, fits(shown) ? [] : fits.errors]).toEqual([0, stderr, []]);
  return shown;
}

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(showSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../schemas/show.schema.json');
});

describe('A license that nobody manages yet', () => {
  test('is shown with nothing but a target, and nothing is written', async () => {
    const { 'manifest.yaml': _, ...files } = FILES;
    const cwd = await folder(files);
    const before = await filesIn(cwd);
    const { code, stdout, stderr } = await chatform(['show', 'group/Support'], { cwd });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Target production .*\n\naddress +group\/1\n[\s\S]*Black friday {2}access\n[\s\S]*manifest does not exist/,
      ),
    ]);
    expect(stderr).toBe('');
    expect(await filesIn(cwd)).toEqual(before);
  });

  test('has nothing that is declared or owned', async () => {
    const { kinds, manifest_read: read } = await document(await folder({ ...FILES, 'manifest.yaml': 'groups: 1\n' }));
    expect(read).toBe(false);
    const sum = (member: string): number =>
      kinds.reduce((all: number, kind: { readonly [name: string]: number }) => all + (kind[member] ?? 0), 0);
    expect(['total', 'declared', 'owned', 'unmanaged'].map(sum)).toEqual([6, 0, 0, 6]);
  });
});

describe('A license that is managed in part', () => {
  test('is counted by kind', async () => {
    const { kinds, resources } = await document(await applied());
    expect(resources).toBeNull();
    expect(kinds.find(({ type }: { type: string }) => type === 'group')).toMatchObject({
      ...{ total: 3, declared: 1, owned: 0, unmanaged: 2 },
    });
  });

  test('is listed by kind, with what is ours and no longer declared', async () => {
    const cwd = await applied();
    const of = async (): Promise<readonly string[]> =>
      (await document(cwd, 'group')).resources.map(
        ({ address, ownership }: { address: string; ownership: string }) => `${address} ${ownership}`,
      );
    expect(await of()).toEqual(['group/0 unmanaged', 'group/1 unmanaged', 'group/sales declared']);
    await writeFile(`${cwd}/manifest.yaml`, 'version: 1\nagents: { ann@example.com: { name: Ann } }\n');
    const { resources } = await document(cwd, 'group');
    expect(resources.at(-1)).toMatchObject({ address: 'group/sales', ownership: 'owned', origin: 'created' });
  });

  test('shows one resource with who refers to it, and whose value stands on it', async () => {
    const { resources, refers_to: to, referred_to_by: by } = await document(await applied(), 'group/sales');
    expect(resources).toMatchObject([{ id: 2, origin: 'created', last_applied: expect.any(String) }]);
    expect(to).toEqual([{ field: 'agent_priorities', address: 'agent/ann@example.com', name: 'Ann' }]);
    expect(by).toEqual([
      { field: 'groups', address: 'agent/ann@example.com', name: 'Ann' },
      { field: null, address: 'group_property/sales/shop/tier', name: 'shop/tier' },
    ]);
  });

  test('shows what differs, as drift does', async () => {
    const cwd = await applied();
    await writeFile(`${cwd}/manifest.yaml`, MANIFEST.replace('max_chats_count: 8', 'max_chats_count: 9'));
    const { differences } = await document(cwd, 'agent/ann@example.com');
    const changed = differences.filter(({ kind }: { kind: string }) => kind === 'changed');
    expect(changed).toMatchObject([{ status: 'pending', path: ['max_chats_count'], base: 8, live: 8, desired: 9 }]);
  });
});

describe('What cannot be shown', () => {
  test('names the nearest, and exits 1', async () => {
    const { code, stdout, stderr } = await chatform(['show', 'group/Suport', '--json'], { cwd: await folder(FILES) });
    expect([code, JSON.parse(stdout).errored]).toEqual([1, true]);
    expect(stderr).toMatch(/did you mean group\/1\?/);
  });

  test('says that a version or an owner client is missing, without asking the license', async () => {
    const cwd = await folder({ ...FILES, 'chatform.yaml': PROJECT.replace('clients: { shop: {} }\n', '') });
    const manifestless = await chatform(
      ['show', 'property', '-f', 'none.yaml', '--base-url', 'emulator:license.json'],
      { cwd },
    );
    expect([manifestless.code, manifestless.stderr]).toEqual([
      1,
      expect.stringMatching(/per owner client.*`clients:`/),
    ]);
    const old = await chatform(['show', 'bot_template', '--api-version', '3.3'], { cwd });
    expect([old.code, old.stderr]).toEqual([1, expect.stringMatching(/version 3\.3 .* no bot templates/)]);
  });

  test('is never taken for nothing: what the token may not read is said, and the rest is shown', async () => {
    const scopes = ['agents--all:ro', 'groups--all:ro'];
    const seed = parseSeed({ ...LICENSE, tokens: [{ token: 'dal:reader', scopes }] });
    const emulator = createEmulator({ now: Date.now, random: Math.random, seed });
    const server = await listen(emulator, { port: 0, host: '127.0.0.1' });
    onTestFinished(() => server.close());
    const how = { cwd: await folder(FILES), env: { CHATFORM_TOKEN: 'dal:reader' } };
    const all = await chatform(['show', '--json', '--base-url', server.url], how);
    const { kinds, errored, failures } = JSON.parse(all.stdout);
    expect([all.code, errored]).toEqual([1, true]);
    const read = kinds.filter((kind: { read: boolean }) => kind.read).map(({ type }: { type: string }) => type);
    expect(read).toEqual(['agent', 'group']);
    expect(failures.join('\n')).toMatch(/list_auto_accesses: authorization/);
    const refused = await chatform(['show', 'auto_access', '--base-url', server.url], how);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(Object.keys(emulator.stats()).filter((action) => !/^(list|get)_/.test(action))).toEqual([]);
  });
});

describe('Who is in which group', () => {
  const members = (cwd: string, ...args: readonly string[]) => chatform(['show', 'members', ...args], { cwd });

  test('is asked of agents, bots and groups only, and is told of the license unless asked otherwise', async () => {
    const cwd = await applied();
    const { members: told, requests_sent: sent, kinds, resources } = await document(cwd, 'members');
    expect(sent).toEqual({ list_agents: 1, list_bots: 1, list_groups: 1, list_routing_statuses: 1 });
    expect([kinds, resources, told.view]).toEqual([[], null, 'live']);
    const placed = told.people.map(
      ({ address, ownership, groups }: { address: string; ownership: string; groups: readonly { group: string }[] }) =>
        `${address} ${ownership} ${groups.map(({ group }) => group).join()}`,
    );
    expect(placed).toEqual([
      'agent/ann@example.com declared group/sales',
      'agent/carl@example.com unmanaged group/1',
      'agent/zoe@example.com unmanaged group/0',
    ]);
    const text = (await members(cwd)).stdout;
    expect(text).toContain('Who is in which group, on the license: 3 groups, 3 agents; 1 waiting for approval.\n');
    expect(text).toMatch(/^Address +Name +Note +General +Support +Sales\n/m);
    expect(text).toMatch(/agent\/ann@example\.com +Ann +waiting for approval +first\n/);
  });

  test('is told of the files without a request, and of both sides with what an apply changes', async () => {
    const cwd = await applied();
    const manifest = MANIFEST.replace('ann@example.com: first', 'ann@example.com: normal, carl@example.com: last');
    await writeFile(
      `${cwd}/manifest.yaml`,
      manifest.replace('agents: {', 'agents: { carl@example.com: { name: Carl },'),
    );
    const desired = await document(cwd, 'members', '--on', 'files');
    expect(desired.requests_sent).toEqual({});
    expect(desired.members).toMatchObject({
      view: 'files',
      groups: [{ address: 'group/sales', complete: true }],
      people: [
        { name: 'Ann', groups: [{ priority: 'normal' }] },
        { name: 'Carl', groups: [{ priority: 'last' }] },
      ],
    });
    const both = await members(cwd, '--on', 'both', '--by', 'group');
    expect(both.stdout).toMatch(/~ first -> normal +agent\/ann@example\.com/);
    expect(both.stdout).toMatch(/\+ last +agent\/carl@example\.com/);
  });

  test('is a table of CSV, a list of CSV, and a page', async () => {
    const cwd = await applied();
    expect((await members(cwd, '--csv')).stdout.split('\r\n').slice(0, 2)).toEqual([
      'address,name,ownership,note,group/0,group/1,group/sales',
      'agent/ann@example.com,Ann,declared,waiting for approval,,,first',
    ]);
    const { code } = await members(
      cwd,
      '--by',
      'person',
      '--report',
      'csv=members.csv',
      '--report',
      'html=members.html',
    );
    expect(code).toBe(0);
    const files = await filesIn(cwd);
    expect(files['members.csv']?.split('\r\n')[1]).toBe(
      'agent/ann@example.com,Ann,declared,waiting for approval,group/sales,Sales,first',
    );
    expect(files['members.html']).toContain('<title>Group members of production: read</title>');
  });

  test('is refused where a flag does not fit, before anything is asked', async () => {
    const cwd = await folder(FILES);
    const refusals = [
      [['show', 'groups', '--on', 'both'], '--on is for the members of groups'],
      [['show', 'groups', '--by', 'person'], '--by is for the members of groups'],
      [['show', 'members', '--results', 'x.json'], '--results is for a saved plan'],
      [['show', 'members', '--report', 'svg=x'], 'there is no format svg'],
      [['show', 'members', '--csv', '--json'], "option '--csv' cannot be used with option '--json'"],
    ] as const;
    for (const [args, message] of refusals) {
      const { code, stderr } = await chatform(args, { cwd });
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining(message)]);
    }
    await writeFile(`${cwd}/manifest.yaml`, 'groups: 1\n');
    expect((await members(cwd, '--on', 'files')).stderr).toMatch(/manifest\.yaml:1/);
  });
});

test('A kind has the same table in the singular and the plural, with no name cut in a pipe', async () => {
  const long = 'A group with a name that is longer than any terminal of this century would like to show on one line';
  const license = { ...LICENSE, groups: [{ name: long }, ...LICENSE.groups] };
  const cwd = await folder({ ...FILES, 'license.json': JSON.stringify(license) });
  const one = await chatform(['show', 'group'], { cwd });
  expect(one.stdout).toContain(`${long}  `);
  expect((await chatform(['show', 'groups'], { cwd })).stdout).toBe(one.stdout);
  const csv = await chatform(['show', 'groups', '--csv', '--report', 'html=groups.html'], { cwd });
  expect(csv.stdout).toContain(`group/1,${long},en,,unmanaged\r\n`);
  expect((await filesIn(cwd))['groups.html']).toContain(long);
});
