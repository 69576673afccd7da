// `chatform drift --report`: what a target keeps is no place for a report.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
