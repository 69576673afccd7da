// The files of commits, from the repository around this folder. Neither its files nor its branches change: a commit that is missing is fetched, and no more.

import { renameSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { fileKey } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import type { RunContext } from '../../target/context.ts';
import { gitIn } from '../../target/git.ts';
import { disk, type FileSystem } from '../../yaml/read.ts';
import { limitedGit } from './limited-git.ts';

/**
 * The disk as it is at a commit, for paths relative to this folder. Absolute paths are those of this machine.
 * @throws UsageError for a commit that is neither here nor can be fetched, which is tried again after a minute
 */
export type DiskAt = (commit: string) => Promise<FileSystem>;

/** Milliseconds for which a commit that could not be fetched is not tried again. */
const MINUTE = 60_000;

/** Commits whose files are kept. Those of another one are written again when a run reads them. */
const KEPT = 8;

const COMMIT = /^[0-9a-f]{40,64}$/;

/** The files of one commit. */
interface Written {
  readonly folder: Promise<string>;
  readonly at: number;
  state: 'begun' | 'done' | 'failed';
}

/**
 * @param scratch - A folder for the files, which the caller removes.
 * @throws UsageError without git, and outside of a repository
 */
export async function commitsHere(
  scratch: string,
  why: string,
  context: Pick<RunContext, 'env' | 'clock' | 'signal' | 'log'>,
): Promise<DiskAt> {
  const { clock, log } = context;
  const ask = gitIn('.', why, context);
  const work = limitedGit(context);
  const alone = pLimit(1);
  const place = await ask(['rev-parse', '--show-prefix']);
  if (place.code !== 0)
    throw new UsageError(
      `${why}: workers take the files of commits, and git finds no repository here (${place.error}): start it in a clone of the project`,
    );
  const prefix = place.bytes.toString('utf8').replace(/\r?\n$/, '');
  /** Least recently used first. */
  const known = new Map<string, Written>();

  async function isHere(commit: string): Promise<boolean> {
    return (await work(['cat-file', '-e', `${commit}^{commit}`])) === null;
  }

  async function fetched(commit: string): Promise<void> {
    const short = commit.slice(0, 8);
    const remotes = (await ask(['remote'])).bytes.toString('utf8').trim().split('\n');
    const remote = remotes.includes('origin') ? 'origin' : (remotes[0] ?? '');
    const remedy = 'push it, or start a worker in a clone that has it';
    if (remote === '')
      throw new UsageError(`this worker does not have commit ${short}, and its repository has no remote: ${remedy}`);
    const reason = await work([
      ...['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', 'fetch', '--quiet', '--no-tags', '--no-prune'],
      ...['--no-recurse-submodules', '--no-write-fetch-head', remote, commit],
    ]);
    if (reason !== null)
      throw new UsageError(
        `this worker does not have commit ${short}, and git cannot fetch it from ${remote}: ${reason}; ${remedy}`,
      );
    log('info', `fetched commit ${short} from ${remote}`);
  }

  async function written(commit: string): Promise<string> {
    if (!(await isHere(commit)))
      await alone(async () => {
        // The fetch before may have brought it.
        if (!(await isHere(commit))) await fetched(commit);
      });
    const folder = join(scratch, commit);
    const files = join(folder, 'files');
    await mkdir(files, { recursive: true });
    // An index of its own: nothing in the repository knows of the folder, and a killed worker leaves nothing there.
    const reason = await work(
      [`--work-tree=${files}`, 'read-tree', '--reset', '-u', '--no-recurse-submodules', commit],
      { GIT_INDEX_FILE: join(folder, 'index') },
    );
    if (reason === null) return files;
    await rm(folder, { recursive: true, force: true });
    throw new UsageError(`git cannot write the files of commit ${commit.slice(0, 8)}: ${reason}`);
  }

  async function forgetOldest(): Promise<void> {
    for (const [commit, { state }] of [...known].slice(0, -KEPT)) {
      if (state === 'begun') continue;
      known.delete(commit);
      if (state === 'failed') continue;
      // From here on, the same commit may be written again.
      const old = join(scratch, `${commit}.old`);
      renameSync(join(scratch, commit), old);
      await rm(old, { recursive: true, force: true });
    }
  }

  function begun(commit: string): Written {
    const entry: Written = { folder: written(commit), at: clock.now(), state: 'begun' };
    entry.folder.then(
      () => {
        entry.state = 'done';
      },
      () => {
        entry.state = 'failed';
      },
    );
    return entry;
  }

  async function folderOf(commit: string): Promise<string> {
    const before = known.get(commit);
    const isDue = before?.state === 'failed' && clock.now() - before.at >= MINUTE;
    const entry = before === undefined || isDue ? begun(commit) : before;
    known.delete(commit);
    known.set(commit, entry);
    return entry.folder;
  }

  return async (commit) => {
    // The name comes from a database, and git would read an option.
    if (!COMMIT.test(commit)) throw new UsageError(`${commit} is not a commit: begin another run`);
    const root = await folderOf(commit);
    await forgetOldest();
    const inside = (path: string): string => resolve(root, prefix, path);
    const system = disk([join(root, 'any')]);
    const { isOutside } = system;
    const there = <T>(read: () => Promise<T>): Promise<T> => folderOf(commit).then(read);
    return {
      keyOf: (path) => fileKey(inside(path)),
      ...(isOutside === undefined ? {} : { isOutside: (path: string) => isOutside(inside(path)) }),
      isDirectory: (path) => there(() => system.isDirectory(inside(path))),
      list: (path) => there(() => system.list(inside(path))),
      read: (path, most) => there(() => system.read(inside(path), most)),
    };
  };
}
