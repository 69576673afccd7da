// What the build leaves in dist, with and without the part that V8 has compiled, in.

import { isAscii } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { builtIn, scriptOf, workOf } from '../../scripts/compiled.ts';
import { folder, spawned } from './chatform.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** By the name of a script, the digest in the name of its file. */
const SCRIPTS = new Map(
  readdirSync(join(DIST, 'cli')).flatMap((file) => {
    const [, name = '', digest = ''] = /^([\w-]+)-(\w{16})\.cjs$/.exec(file) ?? [];
    return name === '' ? [] : [[name, digest] as const];
  }),
);

const [DIGEST = ''] = SCRIPTS.values();
const textOf = (name: string): string => readFileSync(builtIn(join(DIST, 'cli'), name, DIGEST).script, 'latin1');

/** A copy of what people start, with something else where the compiled part is. */
async function builtWith(change: (compiled: string) => Promise<void>): Promise<string> {
  const path = await folder({ 'package.json': '{ "type": "module" }' });
  for (const name of ['cli.cjs', 'cli']) cpSync(join(DIST, name), join(path, name), { recursive: true });
  // A help takes this part.
  await change(builtIn(join(path, 'cli'), 'core', DIGEST, 'brief').compiled);
  return join(path, 'cli.cjs');
}

test('The names of the files that are run together have the digest of all scripts', async () => {
  expect(new Set(SCRIPTS.values())).toEqual(new Set([DIGEST]));
  const texts = [...SCRIPTS.keys()].map((name) => [name, textOf(name)]).sort();
  expect(createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)).toBe(DIGEST);
  expect(await readFile(join(DIST, 'cli.cjs'), 'utf8')).toContain(DIGEST);
});

test.each(['brief', 'all'] as const)('V8 takes what the build has kept for it: %s', (work) => {
  expect(scriptOf(builtIn(join(DIST, 'cli'), 'core', DIGEST, work)).cachedDataRejected).toBe(false);
});

test.each([
  [['--help'], 'brief'],
  [['-C', 'desk', 'validate'], 'brief'],
  [['plan', '--help'], 'brief'],
  [['plan'], 'all'],
  [['apply', '--yes'], 'all'],
] as const)('%j takes what was kept for less work where it does less: %s', (argv, work) => {
  expect(workOf(argv)).toBe(work);
});

test.each([...SCRIPTS.keys()])('The script %s has no character that is read as another one', (name) => {
  expect(isAscii(readFileSync(builtIn(join(DIST, 'cli'), name, DIGEST).script))).toBe(true);
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
