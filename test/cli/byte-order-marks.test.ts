// Byte order marks, which some editors and shells put before a text: no file that chatform reads differs with one.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder, project } from './chatform.ts';

const MARK = '\ufeff';

test('A byte order mark changes nothing in plans, ledgers, licenses, manifests and seeds', async () => {
  const cwd = await folder(project());
  const mark = async (file: string): Promise<void> => {
    const path = join(cwd, file);
    await writeFile(path, MARK + (await readFile(path, 'utf8')));
  };
  const codeOf = async (...args: readonly string[]) => {
    const { code, stderr } = await chatform(args, { cwd });
    return [code, code === 0 ? '' : stderr];
  };
  expect(await codeOf('plan', '--out', 'plan.json')).toEqual([0, '']);
  for (const file of ['plan.json', 'chatform.yaml', 'manifest.yaml']) await mark(file);
  expect(await codeOf('show', 'plan.json')).toEqual([0, '']);
  expect(await codeOf('apply', 'plan.json', '--yes')).toEqual([0, '']);
  for (const file of ['ledger.ndjson', 'license.json']) await mark(file);
  expect(await codeOf('plan')).toEqual([0, '']);
  await writeFile(join(cwd, 'manifest.yaml'), `${MARK}version: 1\n`);
  await writeFile(join(cwd, 'ledger.ndjson'), '');
  expect(await codeOf('import')).toEqual([0, '']);
  const manifest = await readFile(join(cwd, 'manifest.yaml'), 'utf8');
  expect(manifest).toMatch(/^\ufeffversion: 1\n[\s\S]*agents:/);
  expect(manifest.lastIndexOf(MARK)).toBe(0);
});
