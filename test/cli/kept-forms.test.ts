// A service that keeps another form of what was written: an apply says so and ends with 0, and all later commands take it for what it is.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callerOf } from '../emulator/caller.ts';
import { chatform, folder } from './chatform.ts';
import { served } from './served.ts';

const MANIFEST = `version: 1
groups:
  sales:
    name: "Sales  Team "
  cafe: { name: "Cafe\\u0301" }
auto_access:
  - key: pages
    access: { groups: [sales] }
    conditions: { url: { values: [{ value: "/Pricing" }, { value: "https://b\\u00fccher.example/ " }] } }
properties:
  shop-client:
    tier: { type: string, access: { license: { agent: [read, write] } } }
license_properties:
  shop-client: { tier: " Gold" }
`;

async function shop() {
  const { emulator, url } = await served({
    settings: { keptForms: ['nfc', 'trimmed', 'joined-blanks', 'ascii-hosts'] },
  });
  const cwd = await folder({
    'manifest.yaml': MANIFEST,
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  shop: { base_url: "${url}", ledger: ledger.ndjson }\n`,
  });
  const run = (...args: readonly string[]) => chatform(args, { cwd, env: { CHATFORM_TOKEN: 'any' } });
  const edit = async (from: string, to: string): Promise<void> => {
    const file = join(cwd, 'manifest.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
  };
  return { emulator, run, edit };
}

test('An apply ends with 0, and says what is kept and where to write it', async () => {
  const { run } = await shop();
  const { code, stdout } = await run('apply', '--yes');
  expect([code, stdout]).toEqual([0, expect.stringContaining('Apply complete.')]);
  const told = stdout.slice(stdout.indexOf('Kept by the service'), stdout.indexOf('Manual') >>> 0);
  expect(told.split('\n').slice(0, 5)).toEqual([
    'Kept by the service in another form, which is no difference while it stays so:',
    '  auto_access/pages: conditions "https://b\u00fccher.example/ " is kept as "https://xn--bcher-kva.example/"; write "https://xn--bcher-kva.example/" at manifest.yaml:9:17',
    '  group/sales: name "Sales  Team " is kept as "Sales Team"; write "Sales Team" at manifest.yaml:4:11',
    '  license_property/shop-client/tier: value " Gold" is kept as "Gold"; write "Gold" at manifest.yaml:14:24',
    '',
  ]);
});

test('Plans, drift, saved plans, snapshots and undo find no difference in it', async () => {
  const { emulator, run, edit } = await shop();
  expect((await run('plan', '--out', 'first.json')).code).toBe(0);
  expect((await run('apply', '--yes')).code).toBe(0);
  emulator.resetStats();
  const isQuiet = async (): Promise<void> => {
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await run('drift')).stdout).toContain('In sync');
    expect((await run('apply', 'first.json', '--yes')).code).toBe(0);
    expect((await run('ci', 'snapshot', '--out', 'snapshot.json', '--full')).code).toBe(0);
    expect((await run('plan', '--against', 'snapshot.json', '--detailed-exitcode')).code).toBe(0);
  };
  await isQuiet();
  expect(Object.keys(emulator.stats()).filter((action) => !/^(list|get)_/.test(action))).toEqual([]);
  // Another field is written, and the way back is the same.
  await edit('name: "Sales  Team "', 'name: "Sales  Team "\n    language_code: pl');
  expect(await run('apply', '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 changed') });
  const undone = await run('undo', '--yes');
  expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining('1 changed')]);
  await edit('\n    language_code: pl', '');
  await isQuiet();
  const { call } = callerOf(emulator);
  const groups: { id: number; name: string }[] = await call('list_groups');
  await call('update_group', { id: groups.find(({ name }) => name === 'Sales Team')?.id, name: 'Sales team' });
  expect((await run('plan', '--detailed-exitcode')).code).toBe(2);
  const drift = await run('drift', '--json');
  expect(JSON.parse(drift.stdout).items).toMatchObject([
    { address: 'group/sales', status: 'drift', live: 'Sales team', desired: 'Sales  Team ' },
  ]);
}, 60_000);

test('A rule that decides otherwise in the form that is kept fails its routing test', async () => {
  const { url } = await served({ settings: { keptForms: ['small'] } });
  const cwd = await folder({
    'manifest.yaml': `version: 1
groups: { sales: { name: sales } }
auto_access: [{ key: pages, access: { groups: [sales] }, conditions: { url: { values: [{ value: /Pricing }] } } }]
routes: [{ when: { url: "https://example.com/Pricing" }, expect: [sales] }]
`,
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  shop: { base_url: "${url}", ledger: ledger.ndjson }\n`,
  });
  const run = (...args: readonly string[]) => chatform(args, { cwd, env: { CHATFORM_TOKEN: 'any' } });
  expect((await run('apply', '--yes')).code).toBe(0);
  const { code, stdout, stderr } = await run('plan');
  expect([code, stderr]).toEqual([0, expect.stringContaining('it is so before this plan as well')]);
  expect(stdout).toContain('No changes.');
  expect(stdout).not.toContain('routed differently');
}, 60_000);
