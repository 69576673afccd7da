// Terminal of a command: the context of its run, its streams, its log lines, and the person at the keyboard. Injected, so that tests control it.

import { UsageError } from '../base/errors.ts';
import type { JsonObject } from '../base/model.ts';
import { outliveReader } from '../base/streams.ts';
import { LOG_LEVELS, type Log, type LogLevel, type RunContext, silent, systemContext } from '../target/context.ts';
import { coloured, onTerminal, type Paint, uncoloured } from '../view/paint.ts';
import { inert, inertLines, plain, value } from '../view/plain.ts';
import { fitted } from '../view/terminal/narrow.ts';
import { noticeText } from '../view/terminal/notice.ts';
import { progressOn } from './progress.ts';

export interface Terminal extends RunContext {
  /** Standard output: the one document that was asked for. */
  readonly out: (text: string) => void;
  /** Standard error: everything else. */
  readonly err: (text: string) => void;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  /** A command that the runner of the job reads, on standard error, because standard output has the one document that was asked for. */
  readonly tellRunner: (command: string) => void;
  /** The person's answer to a question; null when no person can be asked. */
  readonly ask: (question: string) => Promise<string | null>;
  /** All of standard input. */
  readonly input: () => Promise<string>;
}

/** Whether a person sees the result at once. A pipeline may have a terminal too, and says what it is. */
export function isAtTerminal({ paintOut, env }: Pick<Terminal, 'paintOut' | 'env'>): boolean {
  return paintOut.width !== undefined && ['', 'false', '0'].includes(env['CI'] ?? '');
}

/** Flags of every command about its terminal. */
export interface TerminalFlags {
  /** False never colours. */
  readonly colour: boolean;
  /** Null logs nothing. */
  readonly logLevel: LogLevel | null;
  /** Every line of stderr is a record of the log. */
  readonly logJson: boolean;
  /** No progress. */
  readonly quiet: boolean;
}

type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Columns of a terminal that does not say how many it has. */
const USUAL_WIDTH = 80;

/** `NO_COLOR` and `--no-color` win over a terminal that could show colour; `FORCE_COLOR` over one that could not. Only a terminal has a width. */
function paintFor(stream: Screen, env: Terminal['env'], wanted: boolean): Paint {
  const isForced = stream.isTTY === true || (env['FORCE_COLOR'] ?? '') !== '';
  const paint = wanted && (env['NO_COLOR'] ?? '') === '' && isForced ? coloured : uncoloured;
  return stream.isTTY === true ? onTerminal(paint, stream.columns || USUAL_WIDTH) : paint;
}

/** The first SIGINT or SIGTERM aborts; the second ends the process. */
function abortOnSignals(stop: AbortController, err: (text: string) => void): void {
  const onceMore = { SIGINT: 'Press Ctrl-C again', SIGTERM: 'Send SIGTERM again' };
  const interrupt = (signal: keyof typeof onceMore): void => {
    if (stop.signal.aborted) process.exit(130);
    err(`Stopping: waiting for requests in flight. ${onceMore[signal]} to stop immediately.\n`);
    stop.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupt(name));
}

interface Keyboard {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: Screen;
}

/** Exported for tests. While it asks, Ctrl-C comes as a key and not as a signal. */
export async function askPerson(
  question: string,
  { input, output }: Keyboard,
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
    // The key of an interruption and the end of the input (Ctrl-D) end no line.
    output.write('\n');
    return '';
  } finally {
    lines.close();
  }
}

/** The streams and the keyboard of a terminal, and the context of its runs. */
export interface TerminalStreams extends Omit<RunContext, 'log' | 'notice'> {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly paintOut: Paint;
  readonly paintErr: Paint;
  readonly ask: Terminal['ask'];
  readonly input: Terminal['input'];
  /** Shows a line that whatever comes next replaces; null removes it. Absent where lines stay. */
  readonly status?: (line: string | null) => void;
}

type LogFlags = Omit<TerminalFlags, 'colour'>;

/** Nothing else of a command reaches these streams: a text that forgot to escape what it quotes is escaped here. */
function guarded(streams: TerminalStreams): TerminalStreams {
  const { out, err, ask, status } = streams;
  return {
    ...streams,
    out: (text) => out(inertLines(text)),
    err: (text) => err(inertLines(text)),
    ask: (question) => ask(inertLines(question)),
    ...(status === undefined ? {} : { status: (line) => status(line === null ? null : inertLines(line)) }),
  };
}

/** The terminal of these streams. With `logJson` every line of stderr is a record of the log, including messages for a person. */
export function terminalWith(
  given: TerminalStreams,
  log: Log,
  { logJson, quiet }: Pick<LogFlags, 'logJson' | 'quiet'>,
): Terminal {
  const streams = guarded(given);
  const err = logJson
    ? (text: string): void => {
        if (text.trim() !== '') log(levelOf(text), text.trim());
      }
    : streams.err;
  const { paintErr } = streams;
  const progress = progressOn({ ...streams, err });
  const stages = new Set<string>();
  // Retries are progress; every other notice is said even when quiet. That a version is stable is for a person at a terminal.
  const notice: Terminal['notice'] = (what) => {
    const isStable = what.type === 'version-stage' && what.stage === 'stable';
    if (quiet && (isStable || what.type === 'retry' || what.type === 'working')) return;
    if (isStable && streams.status === undefined) return;
    if (what.type === 'working') return progress(what);
    const text = noticeText(what, paintErr);
    // Of many targets, each tells it.
    if (what.type === 'version-stage' && stages.size === stages.add(text).size) return;
    err(`${fitted(text, paintErr.width)}\n`);
  };
  const tellRunner: Terminal['tellRunner'] = (line) => (logJson ? err : given.err)(`${inert(line)}\n`);
  return { ...streams, err, log, notice, tellRunner };
}

export async function terminalAt(streams: TerminalStreams, flags: LogFlags): Promise<Terminal> {
  return terminalWith(streams, await logFor(streams, flags), flags);
}

async function logFor({ clock, err }: TerminalStreams, { logLevel, logJson }: LogFlags): Promise<Log> {
  const write = (text: string): void => err(inertLines(text));
  if (logJson) return jsonLog(logLevel ?? 'info', clock.now, write);
  return logLevel === null ? silent : textLog(logLevel, clock.now, write);
}

/** The streams and the environment of a process. */
export interface ProcessStreams {
  readonly stdin: Keyboard['input'];
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly env: Terminal['env'];
}

/** The streams of a process. Aborting `stop` stops the run, as Ctrl-C at a question does: no request is in flight there. */
export function streamsOf(
  { stdin, stdout, stderr, env }: ProcessStreams,
  { colour, logJson }: Pick<TerminalFlags, 'colour' | 'logJson'>,
  stop: AbortController,
): TerminalStreams {
  const { clear, status } = statusOn(stderr);
  return {
    ...systemContext(),
    env,
    signal: stop.signal,
    out: (text) => {
      clear();
      stdout.write(text);
    },
    err: (text) => {
      clear();
      stderr.write(text);
    },
    ...(stderr.isTTY === true && !logJson ? { status } : {}),
    paintOut: paintFor(stdout, env, colour),
    paintErr: paintFor(stderr, env, colour && !logJson),
    ask: (question) => {
      clear();
      return askPerson(question, { input: stdin, output: stderr }, stop.signal, () => stop.abort());
    },
    input: () => textOf(stdin, stop.signal),
  };
}

/** All of a stream, without a byte order mark. @throws UsageError when it is interrupted */
async function textOf(stream: Keyboard['input'], signal: AbortSignal): Promise<string> {
  const [{ addAbortSignal, Readable }, { text }] = await Promise.all([
    import('node:stream'),
    import('node:stream/consumers'),
  ]);
  try {
    const input = stream instanceof Readable ? addAbortSignal(signal, stream) : stream;
    return (await text(input)).replace(/^\ufeff/, '');
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new UsageError('interrupted while standard input was read; nothing was changed');
  }
}

const ERASE_LINE = '\r\u001b[2K';

/** A line at the end of a screen, without a line break. */
function statusOn(screen: Screen): {
  readonly clear: () => void;
  readonly status: NonNullable<TerminalStreams['status']>;
} {
  let isShown = false;
  const clear = (): void => {
    if (isShown) screen.write(ERASE_LINE);
    isShown = false;
  };
  const status = (line: string | null): void => {
    clear();
    if (line === null) return;
    screen.write(line.slice(0, (screen.columns ?? 80) - 1));
    isShown = true;
  };
  return { clear, status };
}

const UNCHECKED = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** The terminal of this process. */
export async function systemTerminal(flags: TerminalFlags): Promise<Terminal> {
  const stop = new AbortController();
  const isOverruled = process.env[UNCHECKED] === '0';
  // Connections overrule it themselves; here Node would warn that they do not.
  if (isOverruled) delete process.env[UNCHECKED];
  const terminal = await terminalAt(streamsOf(process, flags, stop), flags);
  if (isOverruled) terminal.notice({ type: 'certificates-checked', variable: UNCHECKED });
  outliveReader(process.stdout, (reason) => terminal.err(`Error: the output cannot be written: ${reason}\n`));
  abortOnSignals(stop, terminal.err);
  return terminal;
}

/** `2026-01-05T09:00:00.000Z info request action=list_groups status=200`. */
export function textLog(level: LogLevel, now: () => number, write: (text: string) => void): Log {
  return (own, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(own) > LOG_LEVELS.indexOf(level)) return;
    const members = Object.entries(present(fields)).map(
      ([name, member]) =>
        `${name}=${typeof member === 'string' && /^[\w.:/@-]+$/.test(member) ? member : value(member)}`,
    );
    write(`${[new Date(now()).toISOString(), own, plain(message), ...members].join(' ')}\n`);
  };
}

/** One JSON object a line. Loads pino, so call it only when such a log was asked for. */
export async function jsonLog(level: LogLevel, now: () => number, write: (text: string) => void): Promise<Log> {
  const { pino } = await import('pino');
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return (own, message, fields = {}) => logger[own](present(fields), message);
}

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, member]) => member !== null));
}

/** The level of a text for a person, where every line of stderr is a record of the log. */
export function levelOf(text: string): LogLevel {
  if (/^error:|^[^ ]*:\d+:\d+: error /im.test(text)) return 'error';
  return /^(warning|withheld):|^[^ ]*:\d+:\d+: warning /im.test(text) ? 'warn' : 'info';
}
