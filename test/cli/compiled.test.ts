// What the build leaves in dist, with and without the part that V8 has compiled, in.

import { isAscii } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { cp, readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { keptIn, scriptIn } from '../../scripts/compiled.ts';
import { chatform, folder } from './chatform.ts';

const DIST = new URL('../../dist/', import.meta.url);
const KEPT = keptIn(new URL('cli/', DIST));

/** A copy of what people start, with something else where the compiled part is; null for nothing. */
async function builtWith(change: ((kept: string) => Promise<void>) | null): Promise<string> {
  const path = await folder({ 'package.json': '{ "type": "module" }' });
  for (const name of ['cli.js', 'cli/command-line.cjs']) await cp(new URL(name, DIST), join(path, name));
  if (change !== null) {
    const kept = fileURLToPath(keptIn(pathToFileURL(join(path, 'cli/'))));
    await cp(KEPT, kept);
    await change(kept);
  }
  return join(path, 'cli.js');
}

test('Nothing that was compiled of another script is run, although it is as long', async () => {
  const cli = await builtWith(async () => {});
  const script = join(dirname(cli), 'cli/command-line.cjs');
  const source = await readFile(script, 'latin1');
  await writeFile(script, source.replace('print the completion script', 'PRINT THE COMPLETION SCRIPT'), 'latin1');
  const { stdout } = spawnSync(process.execPath, [cli, '--help'], { encoding: 'utf8' });
  expect(stdout).toContain('PRINT THE COMPLETION SCRIPT');
});

test('V8 takes what the build has kept for it', () => {
  expect(scriptIn(new URL('cli/', DIST)).cachedDataRejected).toBe(false);
});

test('The script has no character that is read as another one', async () => {
  expect(isAscii(await readFile(new URL('cli/command-line.cjs', DIST)))).toBe(true);
});

test.each([
  ['is missing', null],
  ['is cut off', (kept: string) => truncate(kept, 10_000)],
  ['is something else', (kept: string) => writeFile(kept, 'something else')],
])('the command line works as ever when the compiled part %s', async (_, change) => {
  const cli = await builtWith(change);
  const { stdout } = spawnSync(process.execPath, [cli, 'plan', '--help'], { encoding: 'utf8' });
  const { stdout: expected } = await chatform(['plan', '--help'], { cwd: await folder() });
  expect(stdout).toBe(expected);
  expect(stdout).toContain('Usage: chatform plan');
});
