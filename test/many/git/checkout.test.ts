// The files of commits, from repositories of git in folders.

import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/model.ts';
import { commitsHere, type DiskAt } from '../../../src/many/git/checkout.ts';
import { readFiles, readText } from '../../../src/yaml/read.ts';
import { folder } from '../../cli/chatform.ts';
import { change, commit, git, repository } from '../../cli/repository.ts';

const HOME = process.cwd();

afterEach(() => {
  process.chdir(HOME);
});

interface Opened {
  readonly diskAt: DiskAt;
  readonly scratch: string;
  readonly logged: readonly string[];
}

const NEVER: Clock = { now: () => 0, sleep: () => new Promise(() => {}) };

/** As a worker in that folder. */
async function opened(
  cwd: string,
  { clock = NEVER, env = {}, signal = new AbortController().signal }: Partial<Parameters<typeof commitsHere>[2]> = {},
): Promise<Opened> {
  const scratch = join(await folder(), 'commits');
  const logged: string[] = [];
  process.chdir(cwd);
  const settings = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const context = {
    env: { PATH: process.env['PATH'], ...settings, ...env },
    clock,
    signal,
    log: (_: string, message: string) => void logged.push(message),
  };
  return { diskAt: await commitsHere(scratch, 'fleet worker', context), scratch, logged };
}

/** What a person and git see of a repository, but for objects. */
async function seen(cwd: string): Promise<unknown> {
  const own = git(cwd, 'rev-parse', '--absolute-git-dir').trim();
  return {
    refs: git(cwd, 'for-each-ref'),
    head: await readFile(join(own, 'HEAD'), 'utf8'),
    status: git(cwd, 'status', '--porcelain=v2', '--branch'),
    files: (await readdir(own)).sort(),
    worktrees: git(cwd, 'worktree', 'list'),
  };
}

function head(cwd: string): string {
  return git(cwd, 'rev-parse', 'HEAD').trim();
}

async function committed(cwd: string, files: { readonly [name: string]: string | null }): Promise<string> {
  await change(cwd, files);
  commit(cwd);
  return head(cwd);
}

/** A bare repository, a clone of it as a person has it, and a second one as a worker has it. */
async function clones(...flags: readonly string[]): Promise<{ readonly person: string; readonly worker: string }> {
  const person = await repository({ 'eu/a.yaml': 'first\n', 'shared/b.yaml': 'first\n' });
  commit(person);
  const remote = await folder();
  git(remote, 'init', '-q', '--bare', '-b', 'main');
  git(person, 'remote', 'add', 'origin', remote);
  git(person, 'push', '-q', '-u', 'origin', 'main');
  const worker = join(await folder(), 'clone');
  git(person, 'clone', '-q', ...flags, `file://${remote}`, worker);
  return { person, worker };
}

test.each([
  ['a clone', [], true],
  ['a shallow clone', ['--depth=1'], true],
  // Git itself gets it, as it gets everything that such a clone leaves out.
  ['a clone without the content of files', ['--filter=blob:none'], false],
])('%s gets a commit that it has not, and stays as it is', async (_, flags, isFetched) => {
  const { person, worker } = await clones(...flags);
  const first = head(person);
  const next = await committed(person, { 'eu/a.yaml': 'next\n', 'shared/b.yaml': 'next\n' });
  git(person, 'push', '-q');
  await writeFile(join(worker, 'eu/a.yaml'), 'changed by hand\n');
  const before = await seen(worker);
  const { diskAt, logged } = await opened(join(worker, 'eu'));
  const disk = await diskAt(next);
  expect(await readText('a.yaml', disk)).toBe('next\n');
  expect(await readText('../shared/b.yaml', disk)).toBe('next\n');
  expect(await disk.list('.')).toEqual(['a.yaml']);
  expect(await disk.isDirectory('../shared')).toBe(true);
  expect(await readText('a.yaml', await diskAt(first))).toBe('first\n');
  expect(logged).toEqual(isFetched ? [`fetched commit ${next.slice(0, 8)} from origin`] : []);
  expect(await seen(worker)).toEqual(before);
  git(worker, 'checkout', '-q', '--', '.');
  git(worker, 'pull', '-q', '--ff-only');
  expect(head(worker)).toBe(next);
});

test('a worktree, and an environment of a hook of another repository, lead to the repository around the folder', async () => {
  const cwd = await repository({ 'a.yaml': 'first\n' });
  const first = head(cwd);
  const next = await committed(cwd, { 'a.yaml': 'next\n' });
  const worktree = join(await folder(), 'tree');
  git(cwd, 'worktree', 'add', '-q', '--detach', worktree, first);
  const other = join(await repository({ 'a.yaml': 'other\n' }), '.git');
  const before = await seen(worktree);
  const { diskAt } = await opened(worktree, { env: { GIT_DIR: other, GIT_INDEX_FILE: join(other, 'index') } });
  expect(await readText('a.yaml', await diskAt(next))).toBe('next\n');
  expect(await seen(worktree)).toEqual(before);
});

test('a file that is ignored, and one that is new, are not of the commit', async () => {
  const cwd = await repository({ 'a.yaml': 'a\n', '.gitignore': 'ignored.yaml\n' });
  await change(cwd, { 'ignored.yaml': 'x\n', 'new.yaml': 'x\n' });
  const { diskAt } = await opened(cwd);
  const disk = await diskAt(head(cwd));
  expect(await disk.list('.')).toEqual(['.gitignore', 'a.yaml']);
  expect(await readText('ignored.yaml', disk)).toMatchObject({ message: 'the file does not exist' });
});

test('a link leads where it leads in the commit, and what it finds outside may not be quoted', async () => {
  const outside = await folder({ 'secret.yaml': 'secret\n' });
  const cwd = await repository({ 'real.yaml': 'real\n' });
  await symlink('real.yaml', join(cwd, 'link.yaml'));
  await symlink(join(outside, 'secret.yaml'), join(cwd, 'out.yaml'));
  commit(cwd);
  const { diskAt } = await opened(cwd);
  const disk = await diskAt(head(cwd));
  await rm(join(cwd, 'real.yaml'));
  expect(await readText('link.yaml', disk)).toBe('real\n');
  expect(['real.yaml', 'link.yaml', 'out.yaml'].map((name) => disk.isOutside?.(name))).toEqual([false, false, true]);
});

test('two files of the commit are both read where one of them is a link here by now', async () => {
  const cwd = await repository({ 'm/a.yaml': 'a: 1\n', 'm/b.yaml': 'b: 1\n' });
  commit(cwd);
  const { diskAt } = await opened(cwd);
  await rm(join(cwd, 'm/b.yaml'));
  await symlink('a.yaml', join(cwd, 'm/b.yaml'));
  const { files } = await readFiles(['m'], await diskAt(head(cwd)));
  expect(files.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 1 }]);
});

test('no hook of the repository runs', async () => {
  const cwd = await repository({ 'a.yaml': 'a\n' });
  const next = await committed(cwd, { 'a.yaml': 'next\n' });
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
    await writeFile(join(cwd, '.git/hooks', hook), `#!/bin/sh\ntouch '${cwd}/ran'\n`, { mode: 0o755 });
  const { diskAt } = await opened(cwd);
  await diskAt(next);
  expect(await readdir(cwd)).not.toContain('ran');
});

const ABSENT = 'a'.repeat(40);

test('a commit that the remote does not have is asked for again after a minute', async () => {
  const { person, worker } = await clones();
  const next = await committed(person, { 'eu/a.yaml': 'next\n' });
  let now = 0;
  const { diskAt, logged } = await opened(worker, { clock: { ...NEVER, now: () => now } });
  const message = new RegExp(
    `^this worker does not have commit ${next.slice(0, 8)}, and git cannot fetch it from origin: .*not our ref ${next}; push it, or start a worker in a clone that has it$`,
  );
  await expect(diskAt(next)).rejects.toThrow(message);
  git(person, 'push', '-q');
  now = 59_999;
  await expect(diskAt(next)).rejects.toThrow(message);
  now = 60_000;
  expect(await readText('eu/a.yaml', await diskAt(next))).toBe('next\n');
  expect(logged).toHaveLength(1);
});

test.each([
  ['no remote', null, 'its repository has no remote: push it'],
  ['a remote with a password', 'http://ann:hush@127.0.0.1:9/x.git', /from origin: fatal: .*http:\/\/127\.0\.0\.1:9/],
  [
    'an ssh that fails',
    'git@host:x.git',
    /from origin: https:\/\/host: not let in\. fatal: Could not read from remote repository\.; push/,
  ],
])('%s: the refusal says why', async (_, url, message) => {
  const cwd = await repository({ 'a.yaml': 'a\n' });
  if (url !== null) git(cwd, 'remote', 'add', 'origin', url);
  const { diskAt } = await opened(cwd, {
    env: { GIT_SSH_COMMAND: "echo 'https://ann:hush@host: not let in.' >&2; exit 255 #" },
  });
  const refusal = await diskAt(ABSENT).catch(String);
  expect(refusal).toMatch(message);
  expect(refusal).not.toContain('hush');
});

test.each([
  ['the time is up', false, 'it did not end in 60 s'],
  ['the worker stops', true, 'the worker stops'],
])('a fetch that hangs ends with all that it started when %s', async (_, stops, message) => {
  const cwd = await repository({ 'a.yaml': 'a\n' });
  git(cwd, 'remote', 'add', 'origin', 'git@host:x.git');
  const stop = new AbortController();
  const place = await folder();
  await mkdir(join(place, 'begun'));
  let elapse = (): void => {};
  const clock: Clock = {
    now: () => 0,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true });
        if (milliseconds === 60_000) elapse = resolve;
      }),
  };
  const { diskAt } = await opened(cwd, {
    clock,
    signal: stop.signal,
    env: { GIT_SSH_COMMAND: `sleep 1000 & echo $! > '${place}/begun/pid'; wait #` },
  });
  const refusal = diskAt(ABSENT).catch(String);
  const pid = (): Promise<string> => readFile(join(place, 'begun/pid'), 'utf8').catch(() => '');
  await expect.poll(pid, { timeout: 10_000 }).toMatch(/\d+\n/);
  if (stops) stop.abort();
  else elapse();
  expect(await refusal).toContain(message);
  await expect.poll(async () => isGone(Number(await pid())), { timeout: 5_000 }).toBe(true);
});

/** A process that ended, also one that its parent has not asked for yet. */
async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return /\) [ZX]/.test(stat);
}

test('the files of eight commits are kept, and those of another one are written again', async () => {
  const cwd = await repository({ 'a.yaml': '0\n' });
  const commits = [head(cwd)];
  for (let next = 1; next < 10; next += 1) commits.push(await committed(cwd, { 'a.yaml': `${next}\n` }));
  const { diskAt, scratch } = await opened(cwd);
  const first = await diskAt(commits[0] ?? '');
  for (const each of commits) await diskAt(each);
  expect((await readdir(scratch)).sort()).toEqual(commits.slice(2).sort());
  expect(await readText('a.yaml', first)).toBe('0\n');
});

test('a name that is no commit does not reach git', async () => {
  const { diskAt } = await opened(await repository({ 'a.yaml': 'a\n' }));
  await expect(diskAt('--upload-pack=touch ran')).rejects.toThrow('is not a commit: begin another run');
});

test('outside of a repository, the worker says what it needs', async () => {
  await expect(opened(await folder())).rejects.toThrow(
    /^fleet worker: workers take the files of commits, and git finds no repository here .*: start it in a clone of the project$/,
  );
});
