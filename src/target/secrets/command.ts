// Secrets sink that is a program, which reads one JSON document on its standard input. No shell reads the command. Of what the program prints only
// its errors are shown, without the secrets.

import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import { UsageError } from '../../base/errors.ts';
import { createScrubber } from './scrub.ts';
import type { TokenSink } from './secrets.ts';

export interface SecretsCommand {
  /** The program and its arguments. A program with a slash is found from `folder`, any other in PATH. */
  readonly argv: readonly [string, ...string[]];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds; default: one minute. */
  readonly timeout?: number;
}

const TIMEOUT = 60_000;

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 2_000;

/** Most characters of its errors that are read, and shown. */
const LONGEST_READ = 65_536;
const LONGEST_SHOWN = 500;

export function commandSink(command: SecretsCommand): TokenSink {
  const alone = lockOf(command);
  return {
    probe: () => inspectCommand(command),
    store: async (entries) => {
      const secrets = entries.map(({ address, id, secret }) => ({ address, id, secret }));
      const hidden = entries.map(({ secret }) => secret);
      if (entries.length > 0) await alone(() => tell(command, { secrets }, hidden));
    },
    probeToken: () => inspectCommand(command),
    // Without `secrets`: a program that knows no tokens must not take one for the secret of its bot.
    storeToken: async ({ address, id, token, until }) =>
      alone(() => tell(command, { tokens: [{ address, id, token, expires_at: until }] }, [token])),
  };
}

/** Finds the program without running it. @throws UsageError when it does not exist or is not executable */
export async function inspectCommand({ argv: [program], folder, env }: Omit<SecretsCommand, 'timeout'>): Promise<void> {
  const isPath = program.includes('/');
  const places = isPath
    ? [resolve(folder, program)]
    : (env['PATH'] ?? '').split(delimiter).map((place) => resolve(folder, join(place || '.', program)));
  const found = await Promise.all(places.map(whatIsAt));
  if (found.includes('program')) return;
  const where = isPath ? 'there' : 'in PATH';
  throw refusal(program, found.includes('other') ? 'is not executable' : `is not ${where}`);
}

/** One queue per command: programs that change a file rarely allow for a second instance. */
const locks = new Map<string, LimitFunction>();

function lockOf({ argv, folder }: SecretsCommand): LimitFunction {
  const key = JSON.stringify([argv, resolve(folder)]);
  const lock = locks.get(key) ?? pLimit(1);
  locks.set(key, lock);
  return lock;
}

async function whatIsAt(path: string): Promise<'program' | 'other' | 'nothing'> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 'nothing';
  if (!found.isFile()) return 'other';
  return access(path, constants.X_OK).then(
    () => 'program',
    () => 'other',
  );
}

function refusal(program: string, why: string): UsageError {
  return new UsageError(`the secrets command ${program} ${why}`);
}

/** How a program ended, and the errors that it printed. */
interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly errors: string;
  /** Why it could not be started, or did not read its input; null when it did. */
  readonly trouble: string | null;
  readonly timedOut: boolean;
}

/** Gives the program a document; `hidden` are the secrets in it. */
async function tell(command: SecretsCommand, document: object, hidden: readonly string[]): Promise<void> {
  const [program] = command.argv;
  const { code, signal, errors, trouble, timedOut } = await run(command, `${JSON.stringify(document)}\n`);
  if (code === 0 && trouble === null) return;
  const scrubbed = errors === '' ? '' : createScrubber(hidden)(errors);
  const said = scrubbed.replaceAll(/\s+/g, ' ').trim();
  const words = said.length > LONGEST_SHOWN ? `...${said.slice(-LONGEST_SHOWN)}` : said;
  const how = timedOut
    ? `did not end in ${(command.timeout ?? TIMEOUT) / 1000} s`
    : (trouble ?? (signal === null ? `ended with ${code}` : `was killed by ${signal}`));
  throw refusal(program, words === '' ? how : `${how}: ${words}`);
}

/**
 * Runs the program in a process group of its own: Ctrl-C in the terminal does not reach it halfway, and its children end with it when its time is up.
 * Never rejects.
 */
async function run(
  { argv: [program, ...args], folder, env, timeout = TIMEOUT }: SecretsCommand,
  input: string,
): Promise<ProgramEnd> {
  // Loaded on use: most licenses have no secrets.
  const { spawn } = await import('node:child_process');
  return new Promise((done) => {
    let errors = '';
    let trouble: string | null = null;
    let timedOut = false;
    const child = spawn(program, args, { cwd: folder, env, stdio: ['pipe', 'ignore', 'pipe'], detached: true });
    const kill = (signal: NodeJS.Signals): void => {
      try {
        // Without an id it never started; 0 would be our own group.
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        child.kill(signal);
      }
    };
    const timers = [
      setTimeout(() => {
        timedOut = true;
        kill('SIGTERM');
        timers.push(setTimeout(() => kill('SIGKILL'), GRACE));
      }, timeout),
    ];
    const finish = (code: number | null, signal: string | null): void => {
      for (const timer of timers) clearTimeout(timer);
      child.stderr.destroy();
      done({ code, signal, errors, trouble, timedOut });
    };
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, LONGEST_READ);
    });
    child.stdin.on('error', () => {
      trouble ??= 'did not read what it was given';
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      trouble = `cannot be started: ${error.code ?? 'unknown error'}`;
      finish(null, null);
    });
    // A background process that it started may hold its errors open for any time.
    child.once('exit', (code, signal) => {
      for (const timer of timers) clearTimeout(timer);
      if (timedOut) kill('SIGKILL');
      timers.push(setTimeout(() => finish(code, signal), GRACE));
      child.once('close', () => finish(code, signal));
    });
    child.stdin.end(input);
  });
}
