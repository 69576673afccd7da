// Questions to git about the repository around this folder. Changes nothing in it, and runs no shell.

import { diskErrorCode } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import type { RunContext } from './context.ts';

/** How git ended. */
interface GitEnd {
  readonly code: number;
  readonly bytes: Buffer;
  /** What it says on stderr, in one line. */
  readonly error: string;
}

/** Asks git in a folder. `why` begins the errors. `input`: what it reads. */
export type AskGit = (args: readonly string[], input?: string) => Promise<GitEnd>;

/** No answer of git, not even the list of a large repository, is longer. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The settings of a repository can name programs: this one would run at each question. */
export const QUIET: readonly string[] = ['-c', 'core.fsmonitor=false'];

/** Variables of hooks: with them, git answers for the repository of the hook and not for the one around the folder. */
const ELSEWHERE: readonly string[] = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_NAMESPACE',
];

/** The environment of a git that answers in English, asks no person, and finds the repository by its folder. */
export function gitEnvironment({ env }: Pick<RunContext, 'env'>): RunContext['env'] {
  const kept = Object.entries(env).filter(([name]) => !ELSEWHERE.includes(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
}

/** Why git does not read a repository of another user, as in a job in a container; null where it says something else. */
export function ownerMistake(said: string): string | null {
  if (!said.includes('dubious ownership')) return null;
  const [remedy = 'git config --global --add safe.directory DIR'] =
    /git config --global --add safe\.directory .+/.exec(said) ?? [];
  return `git does not read the repository here, because it belongs to another user: if you trust it, run \`${remedy.trim()}\``;
}

/** @throws UsageError where there is no git, and where the repository belongs to another user */
export function gitIn(folder: string, why: string, context: Pick<RunContext, 'env'>): AskGit {
  return async (args, input = '') => {
    const { execFile } = await import('node:child_process');
    return new Promise((resolve, reject) => {
      const env = gitEnvironment(context);
      const options = { cwd: folder, env, encoding: 'buffer', maxBuffer: MOST_BYTES } as const;
      const child = execFile('git', [...QUIET, ...args], options, (error, bytes, errors) => {
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
        const said = errors.toString('utf8');
        const foreign = ownerMistake(said);
        if (error !== null && foreign !== null) reject(new UsageError(`${why}: ${foreign}`));
        const lines = said.trim().split('\n');
        // Advice follows the line that says what is wrong.
        const reason = lines.find((line) => line.startsWith('fatal:')) ?? lines.at(-1) ?? '';
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, bytes, error: reason.trim() });
      });
      // One that ended without reading it has said why.
      child.stdin?.on('error', () => {}).end(input);
    });
  };
}

/** Names that git divides by a zero byte. */
export function namesIn(bytes: Buffer): readonly string[] {
  const names = bytes.toString('utf8').split('\0');
  return names.at(-1) === '' ? names.slice(0, -1) : names;
}
