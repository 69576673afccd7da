// Names of files within their repository, for code hosts. Without a repository the working folder stands for it.

import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { PathInRepository } from '../render/repository-path.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function pathsInRepository(env: Environment, standing: string = process.cwd()): Promise<PathInRepository> {
  const folder = await realpath(standing);
  const root = await rootAround(folder, env);
  return (file) => {
    const path = resolve(folder, file);
    return isWithin(root, path) ? relative(root, path).split(sep).join('/') : null;
  };
}

/** A job may check out several repositories side by side. A submodule, whose `.git` is a file, belongs to the repository around it. */
async function rootAround(folder: string, env: Environment): Promise<string> {
  const workspace = await existing(env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || '');
  if (workspace === null || !isWithin(workspace, folder)) return (await upwards(folder, '/', exists)) ?? folder;
  return (await upwards(folder, workspace, isFolder)) ?? workspace;
}

/** The nearest folder with a `.git` that `has` accepts. */
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
