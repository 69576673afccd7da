// What stands on this machine: chatform.yaml, the manifest, the ledger, the file of secrets; and whether a plan comes of it.

import { expect, test } from 'vitest';
import { checkSecrets } from '../../../src/features/doctor/files.ts';
import { MANIFEST, project } from '../../cli/chatform.ts';
import { looked } from './target.ts';

const BOT = { 'manifest.yaml': 'version: 1\nbots: { triage: { name: Triage } }\n' };
const BROKEN = { 'manifest.yaml': 'version: 1\ngroups: { sales: { nmae: Sales } }\n' };

test('A project in which nothing is wrong', async () => {
  const { line } = await looked();
  expect(line('project')).toMatch(/^ok: target here, http:\/\/127\.0\.0\.1:\d+$/);
  expect(line('manifest')).toBe('ok: 3 resources');
  expect(line('ledger')).toBe('ok: ledger.ndjson: the first apply begins it');
  expect(line('secrets')).toBe('ok: no place for them, and the plan needs none');
  expect(line('plan')).toBe('ok: 3 to add, 0 to change, 0 to destroy, in 3 requests');
});

test('A chatform.yaml with errors is a problem, and nothing is asked', async () => {
  const { line, code, document, emulator, stderr } = await looked({
    files: { ...project(), 'chatform.yaml': 'version: 1\nmanifest: [manifest.yaml]\ntargts: {}\n' },
  });
  expect([line('project'), code]).toEqual([expect.stringMatching(/^problem: the project has \d errors? -> /), 1]);
  expect([document['target'], emulator.stats()]).toEqual([null, {}]);
  expect(stderr).toContain('chatform.yaml:3:1');
});

test('A manifest with errors is a problem, and the line, the token and the limits are looked at with one request', async () => {
  const { line, code, emulator, statuses, stderr, document } = await looked({ files: { ...project(), ...BROKEN } });
  expect([line('manifest'), code]).toEqual([
    'problem: the files have 1 error -> correct what `chatform validate` names',
    1,
  ]);
  expect(emulator.stats()).toEqual({ list_license_properties: 1 });
  expect([statuses.credential, statuses.limits, statuses.ledger, statuses.plan]).toEqual([
    'ok',
    'ok',
    'ok',
    'unchecked',
  ]);
  expect(stderr).toContain('manifest.yaml:2:');
  expect(document['diagnostics']).toHaveLength(1);
});

test('A manifest with warnings is a warning', async () => {
  const { line } = await looked({
    files: { ...project(), 'manifest.yaml': MANIFEST },
    flags: ['--api-version', '3.3'],
  });
  expect(line('manifest')).toMatch(/^warning: 3 resources, 1 warning/);
});

test('A plan that the planner refuses is a problem, with its finding at its place', async () => {
  const seed = { groups: [{ name: 'Sales' }, { name: 'Sales' }] };
  const { line, stderr, document } = await looked({ emulator: { seed } });
  expect(line('plan')).toMatch(/^problem: nothing can be planned: 1 error, first .*Sales/);
  expect(stderr).toMatch(/manifest\.yaml:5.*ambiguous-match/);
  expect(document['diagnostics']).toMatchObject([
    { code: 'ambiguous-match', excerpt: expect.stringContaining('Sales') },
  ]);
});

test('A license that makes no sense is a problem', async () => {
  const rule = (value: string) => ({
    ...{ access: { groups: [0] }, conditions: { url: { values: [{ value }] } } },
  });
  const { line, statuses } = await looked({
    emulator: {
      seed: { auto_access: [rule('/a'), rule('/b')] },
      scenario: { faults: [{ type: 'broken_chain', as: 'cycle' }] },
    },
  });
  expect(line('plan')).toMatch(/^problem: the license cannot be understood: /);
  expect(statuses.read_scopes).toBe('ok');
});

test('A plan that would be withheld is a warning, with what acknowledges it', async () => {
  const bound = (address: string, id: string) =>
    `${JSON.stringify({ v: 1, at: '2025-01-01T00:00:00Z', run: 'r', type: 'bound', address, id, origin: 'created' })}\n`;
  const { line } = await looked({
    files: {
      ...project('max_deletes: 0'),
      'manifest.yaml': 'version: 1\nagents: { ann@example.com: { name: Ann } }\n',
      'ledger.ndjson': bound('bot/old', 'b1'),
    },
    emulator: { seed: { bots: [{ id: 'b1', name: 'Old' }] } },
  });
  expect(line('plan')).toMatch(
    /^warning: 1 to add, 0 to change, 1 to destroy.*withheld: .* -> .*--acknowledge deletes/,
  );
});

test('What was created a moment ago and is not listed yet is a warning, and nobody waits for it', async () => {
  const at = new Date(Date.UTC(2026, 0, 5, 9) - 5_000).toISOString();
  const bound = { v: 1, at, run: 'r', type: 'bound', address: 'group/sales', id: 7, origin: 'created' };
  const { line, emulator, waited, statuses } = await looked({
    files: { ...project(), 'ledger.ndjson': `${JSON.stringify(bound)}\n` },
    emulator: { propagationDelay: 60_000 },
  });
  expect(statuses.write_scopes).toBe('unchecked');
  expect(line('plan')).toBe('warning: written a moment ago, and not shown yet: group/sales -> wait two minutes');
  expect([emulator.stats()['list_groups'], waited]).toEqual([1, 0]);
});

test('A ledger that is damaged is a problem, and what the token may read is tried all the same', async () => {
  const { line, statuses } = await looked({ files: { ...project(), 'ledger.ndjson': 'garbage\n{"v":1}\n' } });
  expect(line('ledger')).toMatch(/^problem: ledger\.ndjson:1: .*restore/);
  expect([statuses.plan, statuses.read_scopes]).toEqual(['unchecked', 'ok']);
});

test.each([
  ['its folder is a file', { 'ledger.ndjson': '', blocked: '' }, 'ledger: blocked/ledger.ndjson', 'ENOTDIR'],
  ['it is a folder', { 'blocked/file': '' }, 'ledger: blocked', 'is not a file'],
])('A ledger that cannot be written is a problem: %s', async (_, files, setting, code) => {
  const yaml = project()['chatform.yaml']?.replace('ledger: ledger.ndjson', setting) ?? '';
  const { line } = await looked({ files: { ...project(), ...files, 'chatform.yaml': yaml } });
  expect(line('ledger')).toMatch(new RegExp(`^problem: .*${code}`));
});

test('What is ours is counted', async () => {
  const bound = {
    v: 1,
    at: '2025-01-01T00:00:00Z',
    run: 'r',
    type: 'bound',
    address: 'group/sales',
    id: 7,
    origin: 'created',
  };
  const { line } = await looked({ files: { ...project(), 'ledger.ndjson': `${JSON.stringify(bound)}\n` } });
  expect(line('ledger')).toBe('ok: ledger.ndjson: 1 owned object');
});

test('A plan that makes a secret needs a place for it', async () => {
  const { line } = await looked({ files: { ...project(), ...BOT } });
  expect(line('secrets')).toMatch(/^problem: creating bot\/triage returns a secret.* -> add `secrets/);
  expect(line('plan')).toContain('ok: 1 to add');
});

test('Without a plan, a declared bot without a place for its secret is a warning', async () => {
  const { line } = await looked({ files: { ...project(), ...BOT }, env: {} });
  expect(line('secrets')).toMatch(/^warning: there is no place for the secrets of new bots/);
  const none = await looked({ env: {} });
  expect(none.line('secrets')).toBe('ok: no place for them, and nothing declared has one');
});

test.each([
  ['it is not begun yet', {}, 'kept/secrets.json', /^ok: kept\/secrets\.json: the first secret begins it$/],
  ['something else stands there', { 'secrets.json': '[1]' }, 'secrets.json', /^problem: .*not a JSON object/],
  ['its folder is a file', { kept: '' }, 'kept/secrets.json', /^problem: .*ENOTDIR/],
  [
    'everybody can read it',
    { 'secrets.json': '{}' },
    'secrets.json',
    /^warning: .*mode 644\) -> chmod 600 secrets\.json$/,
  ],
])('The file of secrets: %s', async (_, files, file, said) => {
  const { line } = await looked({ files: { ...project(`secrets: { file: ${file} }`), ...BOT, ...files } });
  expect(line('secrets')).toMatch(said);
});

test.each([
  ['env_file: kept/.env', {}, /^ok: kept\/\.env: the first secret begins it$/],
  ['env_file: .env', { '.env': 'KEY="a\nb"\n' }, /^problem: .*line 1 goes on/],
  ['command: [sh, -c, "touch ran"]', {}, /^ok: the command sh is there; it was not run$/],
  ['command: [no-such-program]', {}, /^problem: .*no-such-program is not in PATH -> install it/],
])('Secrets for { %s }', async (place, files, said) => {
  const { line } = await looked({
    files: { ...project(`secrets: { ${place} }`), ...BOT, ...files },
    env: { CHATFORM_TOKEN: 'test-token', PATH: '/bin' },
  });
  expect(line('secrets')).toMatch(said);
});

test('Secrets that an earlier run could not keep are pointed out', async () => {
  const waiting = { 'ledger.ndjson.rescue.2': '{ "bot/triage": { "id": "x", "secret": "hush" } }' };
  const { line } = await looked({ files: { ...project('secrets: { file: secrets.json }'), ...BOT, ...waiting } });
  expect(line('secrets')).toBe(
    'warning: secrets of an earlier run wait in ledger.ndjson.rescue.2 -> `chatform secrets rescue`',
  );
});

test('A file of secrets that only its owner can read is right', () => {
  const seen = (rights: number) =>
    checkSecrets(
      { type: 'file', name: 'secrets.json', refusal: null, rights, waiting: [] },
      {
        subject: { target: 'x', baseUrl: 'x', version: '3.6', tokenEnv: 'X', credential: 'bearer' },
        files: { diagnostics: [], declared: null },
        planned: { status: 'prevented', because: '', guess: null },
        ...{ now: 0, ledger: null, sink: null, service: null, customers: null, reports: null, otherVersions: null },
      },
    ).status;
  expect([seen(0o600), seen(0o400), seen(0o640), seen(0o604)]).toEqual(['ok', 'ok', 'warning', 'warning']);
});
