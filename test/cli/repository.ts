// A repository of git for tests: a folder with these files in its first commit, on the branch `main`.

import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folder } from './chatform.ts';

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];

/** What git prints. It reads no settings of this machine. */
export function git(cwd: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return execFileSync('git', [...IDENTITY, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export async function repository(files: { readonly [name: string]: string }): Promise<string> {
  const cwd = await folder(files);
  git(cwd, 'init', '-q', '-b', 'main');
  commit(cwd);
  return cwd;
}

export function commit(cwd: string): void {
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '-q', '--allow-empty', '-m', 'change');
}

/** Writes these files; null removes one. */
export async function change(cwd: string, files: { readonly [name: string]: string | null }): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await (text === null ? rm(path) : writeFile(path, text));
  }
}
