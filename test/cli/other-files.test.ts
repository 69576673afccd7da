// Files that are not chatform's, or have several names, where chatform writes: each is refused before anything is written, and stays as it is.

import { link, mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, filesIn, folder, project } from './chatform.ts';

const KEY = 'sk-live-0123456789';

test.each([
  ['the ledger', ['apply', '--yes'], 'is no ledger of chatform'],
  ['the ledger of a plan', ['plan'], 'is no ledger of chatform'],
  ['the ledger of a repair', ['ledger', 'repair', '--yes'], 'is no ledger of chatform'],
  ['the ledger of a compaction', ['ledger', 'compact'], 'is no ledger of chatform'],
])('as %s', async (_, args, message) => {
  const yaml = project()['chatform.yaml']?.replace('ledger.ndjson', 'key.pem') ?? '';
  const cwd = await folder({ ...project(), 'chatform.yaml': yaml, 'key.pem': KEY });
  const { code, stdout, stderr } = await chatform(args, { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(stdout + stderr).not.toContain(KEY);
  const files = await filesIn(cwd);
  expect(files['key.pem']).toBe(KEY);
  expect(files['license.json']).toBeUndefined();
});

test.each([
  ['of a saved plan', ['plan', '--out', 'key.pem'], KEY],
  ['of a saved plan that is another document', ['plan', '--out', 'key.pem'], '{ "name": "shop" }'],
  ['of a snapshot', ['ci', 'snapshot', '--out', 'key.pem'], KEY],
  ['of events', ['apply', '--yes', '--events', 'key.pem'], KEY],
  ['of secrets', ['apply', '--yes', '--secrets-file', 'key.pem'], KEY],
  ['of secrets that is another document', ['apply', '--yes', '--secrets-file', 'key.pem'], '{ "name": "shop" }'],
])('as the file %s', async (_, args, text) => {
  const manifest = `${project()['manifest.yaml']}bots: { triage: { name: Triage } }\n`;
  const cwd = await folder({ ...project(), 'manifest.yaml': manifest, 'key.pem': text });
  const { code, stderr } = await chatform(args, { cwd });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/chatform did not write it|not written by/)]);
  expect((await filesIn(cwd))['key.pem']).toBe(text);
});

test('A saved plan replaces the one before it', async () => {
  const cwd = await folder(project());
  expect((await chatform(['plan', '--out', 'plan.json'], { cwd })).code).toBe(0);
  expect((await chatform(['plan', '--out', 'plan.json'], { cwd })).code).toBe(0);
});

test.each([
  ['apply', ['apply', '--yes']],
  ['undo', ['undo', '--yes']],
  ['import', ['import']],
  ['ledger compact', ['ledger', 'compact']],
])('A ledger with two hard links is refused before a lease is taken: %s', async (_, args) => {
  const cwd = await folder({ ...project(), 'ledger.ndjson': '' });
  await link(join(cwd, 'ledger.ndjson'), join(cwd, 'other.ndjson'));
  const before = await filesIn(cwd);
  const { code, stderr } = await chatform(args, { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('ledger.ndjson is one file with 2 names (hard links)')]);
  expect(await filesIn(cwd)).toEqual(before);
});

test('A ledger with two hard links is a problem for doctor', async () => {
  const cwd = await folder({ ...project(), 'ledger.ndjson': '' });
  await link(join(cwd, 'ledger.ndjson'), join(cwd, 'other.ndjson'));
  const { code, stdout } = await chatform(['doctor'], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining('2 names (hard links)')]);
});

test('A ledger that is a link to a file that does not exist yet is made there by the first apply, with its lease', async () => {
  const cwd = await folder(project());
  await mkdir(join(cwd, 'volume'));
  await symlink('volume/real.ndjson', join(cwd, 'ledger.ndjson'));
  for (const added of ['3 added', 'No changes']) {
    const { code, stdout, stderr } = await chatform(['apply', '--yes'], { cwd });
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining(added)]);
  }
  const names = Object.keys(await filesIn(cwd));
  expect(names.filter((name) => name.includes('.ndjson'))).toEqual(
    names.filter((name) => name.startsWith('volume/real.ndjson')),
  );
  expect(await readlink(join(cwd, 'ledger.ndjson'))).toBe('volume/real.ndjson');
});

test('A ledger that is a link into a folder that does not exist is refused, and nothing is sent', async () => {
  const cwd = await folder(project());
  await symlink('volume/real.ndjson', join(cwd, 'ledger.ndjson'));
  for (const args of [['plan'], ['apply', '--yes']]) {
    const { code, stderr } = await chatform(args, { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('its folder does not exist: make the folder, or mount'),
    ]);
  }
  expect(await filesIn(cwd)).toEqual(project());
});
