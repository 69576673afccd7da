// Names of files within their repository, for code hosts. Without a repository the working folder stands for it.

import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { isWithin, repositoryAround, slashed } from '../base/repository.ts';
import type { PathInRepository } from '../view/findings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function pathsInRepository(env: Environment, standing: string = process.cwd()): Promise<PathInRepository> {
  const folder = await realpath(standing);
  const root = await rootAround(folder, env);
  return (file) => {
    const path = resolve(folder, file);
    return isWithin(root, path) ? slashed(relative(root, path)) : null;
  };
}

/** A job may check out several repositories side by side. A submodule, whose `.git` is a file, belongs to the repository around it. */
async function rootAround(folder: string, env: Environment): Promise<string> {
  const workspace = await existing(env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || '');
  if (workspace === null || !isWithin(workspace, folder)) return repositoryAround(folder) ?? folder;
  return repositoryAround(folder, workspace, isFolder) ?? workspace;
}

async function existing(path: string): Promise<string | null> {
  return path === '' ? null : realpath(path).catch(() => null);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
