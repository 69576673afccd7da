// The commit whose files are in this folder, for runs on several machines: each works with the same files, or not at all.

import { UsageError } from '../base/errors.ts';
import { few } from '../base/text.ts';
import { gitIn, namesIn } from './git.ts';
import type { Surroundings } from './surroundings.ts';

/** @throws UsageError without git, outside of a repository, and where files differ from the commit */
export async function commitHere(why: string, surroundings: Pick<Surroundings, 'env'>): Promise<string> {
  const git = gitIn('.', why, surroundings);
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.code !== 0)
    throw new UsageError(`${why}: workers take the files of a commit, and git finds none here: commit them first`);
  const status = await git(['status', '--porcelain', '-z', '--untracked-files=normal', '--', '.']);
  if (status.code !== 0) throw new UsageError(`${why}: git cannot tell what has changed here: ${status.error}`);
  const changed = namesIn(status.bytes).map((line) => line.slice(3));
  if (changed.length > 0)
    throw new UsageError(
      `${why}: workers take the files of a commit, and these differ from it: ${few(changed)}; commit them, or put them into .gitignore`,
    );
  return head.bytes.toString('utf8').trim();
}
