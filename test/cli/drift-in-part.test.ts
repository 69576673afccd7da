// `chatform drift` of a license that is managed in part, and of targets that share a manifest.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder } from './chatform.ts';

const LICENSE = {
  agents: ['ann', 'bob', 'eve'].map((name) => ({ id: `${name}@example.com`, name })),
  groups: [{ name: 'Sales' }, { name: 'Others' }],
  bots: [{ name: 'Triage' }],
};

const RULE = (key: string): string =>
  `  - { key: ${key}, access: { groups: [sales] }, conditions: { url: { values: [{ value: /${key} }] } } }\n`;

const MANIFEST = `version: 1
agents:
  ann@example.com: { name: ann }
groups:
  sales: { name: Sales, language_code: en }
auto_access:
${RULE('shop')}${RULE('help')}`;

/** A project of two targets with one manifest; `more`: members of the target that is checked. */
async function applied(more = ''): Promise<string> {
  const cwd = await folder({
    'license.json': JSON.stringify(LICENSE),
    'staging.json': JSON.stringify(LICENSE),
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
default_target: shop
targets:
  shop: { base_url: "emulator:license.json", ledger: shop.ndjson${more} }
  staging: { base_url: "emulator:staging.json", ledger: staging.ndjson }
`,
    'manifest.yaml': MANIFEST,
    'shop.yaml': 'version: 1 # of the shop\n',
  });
  expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

/** A change in the application of the service. */
async function changed(cwd: string, manifest: object): Promise<void> {
  const file = join(cwd, 'elsewhere.yaml');
  await writeFile(file, JSON.stringify({ version: 1, ...manifest }));
  const flags = ['-f', 'elsewhere.yaml', '--base-url', 'emulator:license.json'];
  expect(await chatform(['apply', '--yes', '--quiet', ...flags], { cwd })).toMatchObject({ code: 0 });
}

test('Unmanaged agents and groups are counted, what was not compared is named, and the license is in sync', async () => {
  const cwd = await applied();
  const { code, stdout } = await chatform(['drift'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('Unmanaged: 2 agents, 1 group\n');
  expect(stdout).toContain('Not checked: bots, bot templates, greetings, tags, property definitions');
  expect(stdout).toContain('In sync. Agents, groups and rules match the manifest.\n');
  const details = await chatform(['drift', '--details'], { cwd });
  expect(details.stdout).toContain('agent/eve@example.com  eve, normal');
  const csv = await chatform(['drift', '--csv'], { cwd });
  expect(csv.stdout.split('\r\n').filter((line) => line.startsWith('info,drift,unmanaged,'))).toHaveLength(3);
});

test('An administrator who was none at the last apply is a warning until the next one', async () => {
  const cwd = await applied();
  await changed(cwd, { agents: { 'eve@example.com': { role: 'administrator' } } });
  const { code, stdout } = await chatform(['drift'], { cwd });
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(/Warnings:\n {2}On the license, .*:\n {4}\+ agent\/eve@example\.com {2}/),
  ]);
  expect(stdout).toContain('administers the license, and did not at the last apply');
  expect(stdout).toContain('Unmanaged: 1 agent, 1 group');
  expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  expect(await chatform(['drift', '--quiet'], { cwd })).toMatchObject({ code: 0 });
});

test('A ledger that does not know the administrators of the last apply keeps the warning, and says why', async () => {
  const cwd = await applied();
  const ledger = join(cwd, 'shop.ndjson');
  await changed(cwd, { agents: { 'eve@example.com': { role: 'administrator' } } });
  const older = (await readFile(ledger, 'utf8')).replaceAll(/,"administrators":\[[^\]]*\]/g, '');
  await writeFile(ledger, older);
  const { code, stdout } = await chatform(['drift'], { cwd });
  expect([code, stdout]).toEqual([2, expect.stringContaining('the ledger does not know who did at the last apply')]);
});

test('A value of a manifest that another target shares is not accepted without a word', async () => {
  const cwd = await applied();
  await changed(cwd, { groups: { sales: { id: 1, name: 'Sales', language_code: 'pl' } } });
  const refused = await chatform(['drift', '--accept'], { cwd });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/manifest\.yaml is also the manifest of staging.*--into manifest\.yaml/s);
  expect(await readFile(join(cwd, 'manifest.yaml'), 'utf8')).toBe(MANIFEST);
  const wrong = await chatform(['drift', '--accept', '--into', 'shop.yaml'], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('shop has no such file')]);
  const all = await chatform(['drift', '--accept', '--into', 'manifest.yaml'], { cwd });
  expect([all.code, all.stderr]).toEqual([0, '']);
  expect(await readFile(join(cwd, 'manifest.yaml'), 'utf8')).toBe(MANIFEST.replace('code: en', 'code: pl'));
});

test('What the license has goes into the overlay that only its target has, rules as operations', async () => {
  const cwd = await applied(', overlays: [shop.yaml]');
  const rule = {
    key: 'new',
    description: 'New',
    access: { groups: ['sales'] },
    conditions: { url: { values: [{ value: '/new' }] } },
  };
  await changed(cwd, {
    agents: { 'ann@example.com': { name: 'ann', job_title: 'Lead' } },
    groups: { sales: { id: 1, name: 'Sales', language_code: 'pl' } },
    auto_access: [rule],
  });
  const { code, stderr, stdout } = await chatform(['drift', '--accept'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('written  shop.yaml');
  expect(await readFile(join(cwd, 'manifest.yaml'), 'utf8')).toBe(MANIFEST);
  const overlay = await readFile(join(cwd, 'shop.yaml'), 'utf8');
  expect(overlay).toContain('version: 1 # of the shop\n');
  expect(overlay).toMatch(/language_code: pl/);
  expect(overlay).toMatch(/op: add/);
  const after = await chatform(['drift'], { cwd });
  expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('In sync.')]);
});
