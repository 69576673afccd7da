// Files that are not chatform's, named by mistake where chatform writes: each stays as it is.

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
  ['of a snapshot', ['snapshot', '--out', 'key.pem'], KEY],
  ['of events', ['apply', '--yes', '--events', 'key.pem'], KEY],
  ['of secrets', ['apply', '--yes', '--secrets-file', 'key.pem'], KEY],
  ['of secrets that is another document', ['apply', '--yes', '--secrets-file', 'key.pem'], '{ "name": "shop" }'],
])('as the file %s', async (_, args, text) => {
  const manifest = `${project()['manifest.yaml']}bots: { triage: { name: Triage } }\n`;
  const cwd = await folder({ ...project(), 'manifest.yaml': manifest, 'key.pem': text });
  const { code, stderr } = await chatform(args, { cwd });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/chatform did not write it|does not hold events|not written by/),
  ]);
  expect((await filesIn(cwd))['key.pem']).toBe(text);
});

test('A saved plan replaces the one before it', async () => {
  const cwd = await folder(project());
  expect((await chatform(['plan', '--out', 'plan.json'], { cwd })).code).toBe(0);
  expect((await chatform(['plan', '--out', 'plan.json'], { cwd })).code).toBe(0);
});
