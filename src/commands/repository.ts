// Where a command stands, and the environment of a job, in; how the repository around it names files out. Without a repository the folder of the project
// stands for it.

import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { PathInRepository } from '../render/reports/findings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function pathsInRepository(env: Environment, standing: string = process.cwd()): Promise<PathInRepository> {
  const folder = await realpath(standing);
  const root = await rootAround(folder, env);
  return (file) => {
    const path = resolve(folder, file);
    return isWithin(root, path) ? relative(root, path).split(sep).join('/') : null;
  };
}

/** A job may check several repositories out beside each other; but a submodule, whose `.git` is a file, is a part of the one that it is in. */
async function rootAround(folder: string, env: Environment): Promise<string> {
  const workspace = await existing(env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || '');
  if (workspace === null || !isWithin(workspace, folder)) return (await upwards(folder, '/', exists)) ?? folder;
  return (await upwards(folder, workspace, isFolder)) ?? workspace;
}

/** The nearest folder that has what is looked for as `.git`. */
async function upwards(from: string, last: string, has: (path: string) => Promise<boolean>): Promise<string | null> {
  if (await has(resolve(from, '.git'))) return from;
  const above = dirname(from);
  return from === last || above === from ? null : upwards(above, last, has);
}

function isWithin(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

async function existing(path: string): Promise<string | null> {
  return path === '' ? null : realpath(path).catch(() => null);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
