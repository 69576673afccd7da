// Files that changed since another commit, committed or not, and the disk as it was then. What git ignores counts as unchanged.

import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { isWithin } from '../../base/repository.ts';
import type { RunContext } from '../../target/context.ts';
import { type AskGit, gitIn, namesIn } from '../../target/git.ts';
import type { FileSystem } from '../../yaml/read.ts';

/** What a path was then. `other`: a link or a submodule, whose content git does not have here. */
type Before = { readonly type: 'absent' | 'other' } | { readonly type: 'file'; readonly blob: string };

export interface ChangedFiles {
  /** The commit that both sides have in common. */
  readonly commit: string;
  /** By path in the repository. */
  readonly before: ReadonlyMap<string, Before>;
  /** Paths that are gone. */
  readonly deleted: ReadonlySet<string>;
  /** Paths in the repository by which a file is known: as it was named, and past every link. Empty for a file beyond the repository. */
  readonly pathsOf: (file: string) => readonly string[];
  /** The disk as it was then. */
  readonly io: FileSystem;
}

/** @throws UsageError without a repository or without such a commit */
export async function changedSince(
  ref: string,
  io: FileSystem,
  context: Pick<RunContext, 'env'>,
): Promise<ChangedFiles> {
  const flag = `--changed-since ${ref}`;
  const here = gitIn('.', flag, context);
  const top = await here(['rev-parse', '--show-toplevel']);
  if (top.code !== 0)
    throw new UsageError(`${flag}: git finds no repository here (${top.error}): run the command in a checkout`);
  const root = realpathSync(top.bytes.toString('utf8').replace(/\r?\n$/, ''));
  const git = gitIn(root, flag, context);
  const commit = await commonCommit(ref, flag, git);
  const before = new Map<string, Before>();
  const deleted = new Set<string>();
  const list = async (args: readonly string[]): Promise<readonly string[]> => {
    const { code, bytes, error } = await git(args);
    if (code !== 0) throw new UsageError(`${flag}: git cannot tell what changed: ${error}`);
    return namesIn(bytes);
  };
  const entries = await list([
    ...['diff', '--raw', '-z', '--no-renames', '--no-ext-diff', '--no-relative', '--no-abbrev'],
    ...['--ignore-submodules=none', commit, '--'],
  ]);
  for (let index = 0; index + 1 < entries.length; index += 2) {
    const [entry = '', path = ''] = [entries[index], entries[index + 1]];
    const [mode = '', , blob = '', , status = ''] = entry.slice(1).split(' ');
    before.set(path, beforeOf(mode, blob));
    if (status === 'D') deleted.add(path);
  }
  // A repository in a folder of its own is named with a slash.
  for (const path of await list(['ls-files', '--others', '--exclude-standard', '-z']))
    before.set(path.replace(/\/$/, ''), { type: 'absent' });
  const pathsOf = (file: string) => pathsIn(root, file);
  return { commit, before, deleted, pathsOf, io: diskBefore({ before, pathsOf, git }, io) };
}

function beforeOf(mode: string, blob: string): Before {
  if (mode === '000000') return { type: 'absent' };
  return /^100/.test(mode) && /^[0-9a-f]{40,64}$/.test(blob) ? { type: 'file', blob } : { type: 'other' };
}

async function commonCommit(ref: string, flag: string, git: AskGit): Promise<string> {
  const shallow = async (): Promise<boolean> =>
    (await git(['rev-parse', '--is-shallow-repository'])).bytes.toString('utf8').trim() === 'true';
  const remedy = async (otherwise: string): Promise<string> =>
    (await shallow())
      ? 'this clone has only a part of the history: fetch all of it, on GitHub with `fetch-depth: 0` of actions/checkout, on GitLab with `GIT_DEPTH: 0`'
      : otherwise;
  // No name of a commit begins with a dash, and git would read an option.
  const found = /^[^-]/.test(ref) ? await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]) : null;
  const commit = found?.bytes.toString('utf8').trim() ?? '';
  if (!COMMIT.test(commit))
    throw new UsageError(
      `${flag}: git knows no commit of this name: ${await remedy('name a branch, a tag or a commit, such as origin/main')}`,
    );
  const { bytes } = await git(['merge-base', commit, 'HEAD']);
  const common = bytes.toString('utf8').trim();
  if (COMMIT.test(common)) return common;
  const why = await remedy('name a commit with which this branch shares history');
  throw new UsageError(`${flag}: this commit and ${ref} have no commit in common: ${why}`);
}

const COMMIT = /^[0-9a-f]{40,64}$/;

function pathsIn(root: string, file: string): readonly string[] {
  const named = resolve(realpathSync('.'), file);
  const inside = [named, pastLinks(named)].filter((path) => isWithin(root, path));
  return [...new Set(inside.map((path) => relative(root, path).split(sep).join('/')))];
}

/** The place of a file that may be gone, as may the folders above it. */
function pastLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(pastLinks(dirname(path)), basename(path));
  }
}

function diskBefore(
  { before, pathsOf, git }: Pick<ChangedFiles, 'before' | 'pathsOf'> & { readonly git: AskGit },
  io: FileSystem,
): FileSystem {
  const { isOutside } = io;
  const folders = new Map<string, Set<string>>();
  for (const [path, { type }] of before) {
    if (type === 'absent') continue;
    for (let name = path; name !== ''; name = folderOf(name)) {
      const inside = folders.get(folderOf(name)) ?? new Set();
      folders.set(folderOf(name), inside.add(basename(name)));
    }
  }
  /** What is known of a path; undefined for one that is as it was. */
  const known = (path: string): { readonly found: Before; readonly isItself: boolean } | undefined => {
    for (const own of pathsOf(path))
      for (let name = own; name !== ''; name = folderOf(name)) {
        const found = before.get(name);
        if (found === undefined) continue;
        if (found.type === 'other') throw Object.assign(new Error(`${name} was a link`), { code: 'ELOOP' });
        return { found, isItself: name === own };
      }
    return undefined;
  };
  const absent = (path: string): Error => Object.assign(new Error(`${path} was not there`), { code: 'ENOENT' });
  const namesBefore = (path: string): ReadonlySet<string> =>
    new Set(pathsOf(path).flatMap((own) => [...(folders.get(own) ?? [])]));
  return {
    ...(isOutside === undefined ? {} : { isOutside }),
    isDirectory: async (path) => {
      if (namesBefore(path).size > 0) return true;
      const was = known(path);
      if (was?.found.type === 'absent') throw absent(path);
      return was?.isItself === true ? false : io.isDirectory(path);
    },
    list: async (path) => {
      const added = namesBefore(path);
      const now = await io.list(path).catch((error: unknown) => {
        if (added.size > 0) return [];
        throw error;
      });
      const gone = (name: string): boolean => known(`${path}/${name}`)?.found.type === 'absent';
      return [...new Set([...now.filter((name) => !gone(name)), ...added])];
    },
    read: async (path, most) => {
      const was = known(path);
      if (was === undefined) return io.read(path, most);
      if (was.found.type !== 'file' || !was.isItself) throw absent(path);
      const { code, bytes } = await git(['cat-file', 'blob', was.found.blob]);
      if (code !== 0) throw absent(path);
      return bytes.length > most ? { size: bytes.length } : bytes;
    },
  };
}

/** The folder of a path in the repository; empty for its root. */
function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
