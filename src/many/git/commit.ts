// The commit whose files are in this folder: the workers that carry out a run take its files from there.

import { UsageError } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import type { RunContext } from '../../target/context.ts';
import { gitIn, namesIn } from '../../target/git.ts';

/** The commit of HEAD, also where files differ from it. @throws UsageError without git, and outside of a repository */
export async function headHere(why: string, context: Pick<RunContext, 'env'>): Promise<string> {
  const head = await gitIn('.', why, context)(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.code !== 0)
    throw new UsageError(`${why}: workers take the files of a commit, and git finds none here: commit them first`);
  return head.bytes.toString('utf8').trim();
}

/** @throws UsageError without git, outside of a repository, and where files differ from the commit */
export async function commitHere(context: Pick<RunContext, 'env'>): Promise<string> {
  const head = await headHere('--workers', context);
  const git = gitIn('.', '--workers', context);
  const status = await git(['status', '--porcelain', '-z', '--untracked-files=normal', '--', '.']);
  if (status.code !== 0) throw new UsageError(`--workers: git cannot tell what has changed here: ${status.error}`);
  const changed = namesIn(status.bytes).map((line) => line.slice(3));
  if (changed.length > 0)
    throw new UsageError(
      `--workers: workers take the files of a commit, and these differ from it: ${few(changed)}; commit them, or put what is not of the project into .gitignore`,
    );
  return head;
}
