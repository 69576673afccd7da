// Files as a command names them, as hosts of code name them: wherever the project lies in its repository, and whatever the job checked out.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathsInRepository } from '../../src/outlets/repository.ts';

/** Folders, and files where a name ends with `!`. */
async function tree(...names: readonly string[]): Promise<(name: string) => string> {
  const top = await mkdtemp(join(tmpdir(), 'repository-'));
  onTestFinished(() => rm(top, { recursive: true }));
  for (const name of names)
    if (name.endsWith('!')) await writeFile(join(top, name.slice(0, -1)), '');
    else await mkdir(join(top, name), { recursive: true });
  return (name) => join(top, name);
}

test('The nearest folder with .git is the root, of a checkout or of a worktree', async () => {
  const at = await tree('repo/.git', 'repo/support/eu', 'tree/support', 'tree/.git!');
  const paths = await pathsInRepository({}, at('repo/support'));
  expect(['manifest.yaml', './eu/a.yaml', '../shared.yaml', at('repo/b.yaml'), '.'].map(paths)).toEqual([
    'support/manifest.yaml',
    'support/eu/a.yaml',
    'shared.yaml',
    'b.yaml',
    'support',
  ]);
  expect((await pathsInRepository({}, at('tree/support')))('a.yaml')).toBe('support/a.yaml');
});

test('What lies beyond the repository has no name there', async () => {
  const at = await tree('repo/.git', 'repo/support', 'repo-two');
  const paths = await pathsInRepository({}, at('repo/support'));
  expect(['../../a.yaml', at('repo-two/a.yaml'), '../..'].map(paths)).toEqual([null, null, null]);
  expect(paths('..a.yaml')).toBe('support/..a.yaml');
});

test.each(['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'])('%s is the root where nothing in it is one', async (name) => {
  const at = await tree('.git', 'work/support', 'work/checked/.git', 'work/checked/in', 'work/sub', 'work/sub/.git!');
  const named = async (folder: string) => (await pathsInRepository({ [name]: at('work') }, at(folder)))('a.yaml');
  expect(await named('work/support')).toBe('support/a.yaml');
  // Several repositories beside each other; and a submodule, which is a part of the repository around it.
  expect(await named('work/checked/in')).toBe('in/a.yaml');
  expect(await named('work/sub')).toBe('sub/a.yaml');
});

test('A workspace that the project is not in says nothing of it, nor does one that is not there', async () => {
  const at = await tree('repo/.git', 'repo/in', 'elsewhere');
  for (const workspace of [at('elsewhere'), at('nowhere'), ''])
    expect((await pathsInRepository({ GITHUB_WORKSPACE: workspace }, at('repo/in')))('a.yaml')).toBe('in/a.yaml');
});
