// What a command may touch of the outside: streams, environment, clock, the person at the keyboard. Injected, so that tests see all of it.

import { hostname, userInfo } from 'node:os';
import type { Clock } from '../base/model.ts';
import { coloured, type Paint, uncoloured } from '../render/paint.ts';
import { jsonLog, type Log, type LogLevel, levelOf, silent, textLog } from './log.ts';

/** Exit codes. 0 done, 1 error, 2 differences, 3 withheld, 4 locked, 5 approved plan no longer matches, 6 in part or not settled, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 130;

export interface Terminal {
  /** The one document that was asked for. */
  readonly out: (text: string) => void;
  /** Everything else. */
  readonly err: (text: string) => void;
  /** What only those who asked for it want to know; on stderr. */
  readonly log: Log;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Calls `task` every so many milliseconds, until what it returns is called. */
  readonly every: (milliseconds: number, task: () => void) => () => void;
  readonly random: () => number;
  /** Who runs this process, and where. */
  readonly self: { readonly user: string; readonly host: string; readonly pid: number };
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** The person's answer to a question; null when nobody can be asked. */
  readonly ask: (question: string) => Promise<string | null>;
}

/** What a timer can count; asked for more, it would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, Math.min(milliseconds, LONGEST_TIMER));
      if (signal?.aborted === true) finish();
      else signal?.addEventListener('abort', finish);
    }),
};

/** Does not keep the process alive. */
function every(milliseconds: number, task: () => void): () => void {
  const timer = setInterval(task, milliseconds).unref();
  return () => clearInterval(timer);
}

/** A user id without an account, as in containers, has no name. */
function userName(env: Terminal['env']): string {
  try {
    return userInfo().username;
  } catch {
    return env['USER'] ?? String(process.getuid?.() ?? 'unknown');
  }
}

/** `NO_COLOR` and `--no-color` win over a terminal that could; `FORCE_COLOR` over one that could not. */
function paintFor(stream: NodeJS.WriteStream, env: Terminal['env'], wanted: boolean): Paint {
  if (!wanted || (env['NO_COLOR'] ?? '') !== '') return uncoloured;
  return stream.isTTY === true || (env['FORCE_COLOR'] ?? '') !== '' ? coloured : uncoloured;
}

function interruption(err: (text: string) => void): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    err('Interrupted: what is in flight is finished, and nothing more is begun. Once more to give up at once.\n');
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

interface Seats {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Exported for tests. While it asks, Ctrl-C comes as a key and not as a signal. */
export async function askPerson(
  question: string,
  { input, output }: Seats,
  signal: AbortSignal,
  interrupt: () => void,
): Promise<string | null> {
  if (input.isTTY !== true || output.isTTY !== true) return null;
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input, output });
  lines.on('SIGINT', interrupt);
  try {
    return await lines.question(question, { signal });
  } catch {
    return '';
  } finally {
    lines.close();
  }
}

/**
 * Whoever reads may have seen enough, as in `| head`, and a disk may be full: neither must end a run that is writing to a license. What could not
 * be written is a failure at the end all the same.
 */
function outliveReader(stream: NodeJS.WriteStream, tell: (reason: string) => void): void {
  let failed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || failed) return;
    failed = true;
    tell(error.code ?? error.message);
    process.once('exit', () => {
      process.exitCode ||= 1;
    });
  });
}

/** What is logged: nothing unless a level is given, or lines of JSON are. */
export interface LogFlags {
  readonly level: LogLevel | null;
  readonly json: boolean;
}

/** With JSON every line of stderr is a record of the log, what is said to a person included. */
async function errors({ level, json }: LogFlags): Promise<Pick<Terminal, 'err' | 'log'>> {
  const write = (text: string): void => {
    process.stderr.write(text);
  };
  if (!json) return { err: write, log: level === null ? silent : textLog(level, systemClock.now, write) };
  const log = await jsonLog(level ?? 'info', systemClock.now, write);
  const err = (text: string): void => {
    if (text.trim() !== '') log(levelOf(text), text.trim());
  };
  return { err, log };
}

export async function systemTerminal(colour: boolean, flags: LogFlags): Promise<Terminal> {
  const { err, log } = await errors(flags);
  outliveReader(process.stdout, (reason) => err(`Error: the output cannot be written: ${reason}\n`));
  outliveReader(process.stderr, () => {});
  const signal = interruption(err);
  return {
    out: (text) => {
      process.stdout.write(text);
    },
    err,
    log,
    paintOut: paintFor(process.stdout, process.env, colour),
    paintErr: paintFor(process.stderr, process.env, colour && !flags.json),
    env: process.env,
    clock: systemClock,
    every,
    random: Math.random,
    self: { user: userName(process.env), host: hostname(), pid: process.pid },
    signal,
    ask: (question) =>
      askPerson(question, { input: process.stdin, output: process.stderr }, signal, () => process.emit('SIGINT')),
  };
}
