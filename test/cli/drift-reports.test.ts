// `chatform drift`: its reports, and checks of a license that lost what the manifest looks up.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DriftReport } from '../../src/features/drift/schema.ts';
import { chatform, folder, project } from './chatform.ts';

test('A report into the ledger or the state of the target is refused before the look, whatever the names are', async () => {
  const files = project();
  const yaml = files['chatform.yaml']?.replace('ledger.ndjson', 'history.log') ?? '';
  const cwd = await folder({ ...files, 'chatform.yaml': yaml });
  expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  for (const name of ['history.log', 'license.json']) {
    const before = await readFile(join(cwd, name), 'utf8');
    const { code, stderr } = await chatform(['drift', '--report', `json=${name}`], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('choose another name')]);
    expect(await readFile(join(cwd, name), 'utf8')).toBe(before);
  }
});

test('An external group that is gone is one difference, and the rest of the license is still compared', async () => {
  const manifest = `version: 1
groups:
  sales: { name: Sales, language_code: en }
  partner: { external: { name: Partner } }
auto_access:
  - { key: all, access: { groups: [partner] }, conditions: { url: { values: [{ value: /p }] } } }
`;
  const license = { groups: [{ name: 'Partner' }, { name: 'Walk-ins' }] };
  const target = '  production: { base_url: "emulator:license.json", ledger: ledger.ndjson }\n';
  const cwd = await folder({
    'license.json': JSON.stringify(license),
    'manifest.yaml': manifest,
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n${target}`,
    'other/gone.yaml': 'version: 1\ngroups: { walkins: { id: 2, name: Walk-ins }, sales: { id: 3, name: Shop } }\n',
    'other/chatform.yaml':
      'version: 1\nmanifest: [gone.yaml]\ntargets: { other: { base_url: "emulator:../license.json", ledger: other.ndjson, prune: { group: all } } }\n',
  });
  expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  const calm = await chatform(['drift'], { cwd });
  // Walk-ins was there at the apply, so the license did not change.
  expect(calm).toMatchObject({ code: 0, stdout: expect.stringContaining('Unmanaged: 1 group: group/2') });
  expect(calm.stdout).not.toContain('changed on the license');

  const all = ['--acknowledge', 'deletes', '--acknowledge', 'group/1'];
  const other = await chatform(['apply', '--yes', '--quiet', ...all], { cwd: join(cwd, 'other') });
  expect([other.code, other.stderr]).toEqual([0, '']);
  const { code, stdout } = await chatform(['drift', '--json'], { cwd });
  expect(code).toBe(2);
  const report = JSON.parse(stdout) as DriftReport;
  expect(report.items.map(({ address, kind, status }) => `${status} ${kind} ${address}`)).toEqual(
    expect.arrayContaining(['drift missing group/partner', 'drift changed group/sales', 'drift unmanaged group/2']),
  );
  expect(report.summary).toMatchObject({ unmanaged: 1 });
  expect(await chatform(['plan'], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no group named `Partner` on the license'),
  });
});
