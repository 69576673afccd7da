// What the build leaves in dist, with and without the part that V8 has compiled, in.

import { isAscii } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync } from 'node:fs';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Built, builtIn, scriptOf } from '../../scripts/compiled.ts';
import { folder, spawned } from './chatform.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

function builtBeside(cli: string): Built {
  const digests = readdirSync(cli).flatMap((name) => /^command-line-(\w+)\.cjs$/.exec(name)?.slice(1) ?? []);
  expect(digests).toHaveLength(1);
  return builtIn(cli, digests[0] ?? '');
}

/** A copy of what people start, with something else where the compiled part is. */
async function builtWith(change: (compiled: string) => Promise<void>): Promise<string> {
  const path = await folder({ 'package.json': '{ "type": "module" }' });
  for (const name of ['cli.cjs', 'cli']) cpSync(join(DIST, name), join(path, name), { recursive: true });
  await change(builtBeside(join(path, 'cli')).compiled);
  return join(path, 'cli.cjs');
}

test('The names of the files that are run together have the digest of the script', async () => {
  const { script, compiled } = builtBeside(join(DIST, 'cli'));
  const source = await readFile(script);
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
  expect([script, compiled].every((name) => name.includes(`command-line-${digest}`))).toBe(true);
  expect(await readFile(join(DIST, 'cli.cjs'), 'utf8')).toContain(digest);
});

test('V8 takes what the build has kept for it', () => {
  expect(scriptOf(builtBeside(join(DIST, 'cli'))).cachedDataRejected).toBe(false);
});

test('The script has no character that is read as another one', async () => {
  expect(isAscii(await readFile(builtBeside(join(DIST, 'cli')).script))).toBe(true);
});

test.each([
  ['is missing', (compiled: string) => rm(compiled)],
  ['is cut off', (compiled: string) => truncate(compiled, 10_000)],
  ['is something else', (compiled: string) => writeFile(compiled, 'something else')],
])('the command line works as ever when the compiled part %s', async (_, change) => {
  const cli = await builtWith(change);
  const { stdout } = spawnSync(process.execPath, [cli, 'plan', '--help'], { encoding: 'utf8' });
  const { stdout: expected } = await spawned(['plan', '--help'], { cwd: await folder() });
  expect(stdout).toBe(expected);
  expect(stdout).toContain('Usage: chatform plan');
});
