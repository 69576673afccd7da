// Work of git that may need another machine: it asks no person, and ends when its time is up.

import type { ChildProcess } from 'node:child_process';
import type { RunContext } from '../../target/context.ts';
import { gitEnvironment, ownerMistake, QUIET } from '../../target/git.ts';

/** Does work of git in this folder. Null when it is done, otherwise why it is not: in one line, without a password. */
export type GitWork = (args: readonly string[], variables?: RunContext['env']) => Promise<string | null>;

/** Milliseconds. */
const LIMIT = 60_000;

/** Milliseconds after its end in which git is still heard: an ssh that it left behind may keep its output open. */
const GRACE = 500;

/** Characters of its errors that are read, and shown. */
const LONGEST_READ = 65_536;
const LONGEST_SHOWN = 300;

/** Hooks are for the people who work in the repository. */
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

/** In a session of its own, which has no terminal: what git starts, such as ssh, can ask no person, and ends with it. */
export function limitedGit(context: Pick<RunContext, 'env' | 'clock' | 'signal'>): GitWork {
  const { clock, signal } = context;
  return async (args, variables = {}) => {
    const { spawn } = await import('node:child_process');
    const child = spawn('git', [...QUIET, ...NO_HOOKS, ...args], {
      env: { ...gitEnvironment(context), SSH_ASKPASS_REQUIRE: 'never', ...variables },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    const over = new AbortController();
    const ended = endOf(child, clock, over.signal);
    const late = clock.sleep(LIMIT, AbortSignal.any([signal, over.signal])).then(() => 'late' as const);
    const end = await Promise.race([ended, late]);
    if (end === 'late') killGroup(child);
    over.abort();
    if (end !== 'late') return end;
    await ended;
    return signal.aborted ? 'the worker stops' : `it did not end in ${LIMIT / 1000} s`;
  };
}

function endOf(child: ChildProcess, { sleep }: RunContext['clock'], over: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, LONGEST_READ);
    });
    const finish = (code: number | null): void => {
      child.stderr?.destroy();
      resolve(code === 0 ? null : reasonIn(said));
    };
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code) => {
      child.once('close', () => finish(code));
      void sleep(GRACE, over).then(() => finish(code));
    });
  });
}

function killGroup(child: ChildProcess): void {
  try {
    // Without an id it never started; 0 would be our own group.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Advice follows the line that says what is wrong, and before it stands what ssh said. */
function reasonIn(said: string): string {
  const foreign = ownerMistake(said);
  if (foreign !== null) return foreign;
  const lines = said.split('\n').map((line) => line.trim());
  const fatal = lines.findIndex((line) => line.startsWith('fatal:'));
  const reason = (fatal < 0 ? lines : lines.slice(0, fatal + 1)).filter((line) => line !== '').join(' ');
  // An address may have a user and a password.
  return reason.replaceAll(/\/\/[^\s/@]+@/g, '//').slice(-LONGEST_SHOWN) || 'it does not say why';
}
