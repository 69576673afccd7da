// Questions to git about the repository around this folder. Changes nothing in it, and runs no shell.

import { diskErrorCode } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import type { Surroundings } from './surroundings.ts';

/** How git ended. */
interface GitEnd {
  readonly code: number;
  readonly bytes: Buffer;
  /** The last line of what it says on stderr. */
  readonly error: string;
}

/** Asks git in a folder. `why` begins the errors. */
export type AskGit = (args: readonly string[]) => Promise<GitEnd>;

/** No answer of git, not even the list of a large repository, is longer. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The settings of a repository can name programs: this one would run at each question. */
const QUIET = ['-c', 'core.fsmonitor=false'];

/** @throws UsageError where there is no git */
export function gitIn(folder: string, why: string, { env }: Pick<Surroundings, 'env'>): AskGit {
  return async (args) => {
    const { execFile } = await import('node:child_process');
    const own = { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
    return new Promise((resolve, reject) => {
      const options = { cwd: folder, env: own, encoding: 'buffer', maxBuffer: MOST_BYTES } as const;
      execFile('git', [...QUIET, ...args], options, (error, bytes, errors) => {
        if (error !== null && typeof error.code !== 'number') {
          const code = diskErrorCode(error);
          reject(
            new UsageError(
              code === 'ENOENT'
                ? `${why}: git is not installed: install it`
                : `${why}: git did not answer: ${String(code)}`,
            ),
          );
          return;
        }
        const said = errors.toString('utf8').trim().split('\n').at(-1) ?? '';
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, bytes, error: said });
      });
    });
  };
}

/** Names that git divides by a zero byte. */
export function namesIn(bytes: Buffer): readonly string[] {
  const names = bytes.toString('utf8').split('\0');
  return names.at(-1) === '' ? names.slice(0, -1) : names;
}
