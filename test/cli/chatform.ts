// Command lines of tests, each in a folder and an environment of its own: in this process, or as a process of dist/cli.cjs. Knows no command.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/base/model.ts';
import { streamsOf, terminalAt } from '../../src/command/terminal.ts';
import { commandLine } from '../../src/command-line.ts';

export const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Resolves with all of a stream as soon as it contains the text; rejects when the process ends without it. */
  readonly says: (stream: 'stdout' | 'stderr', text: string) => Promise<string>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ran>;
}

export interface How {
  readonly cwd: string;
  readonly env?: { readonly [name: string]: string };
  /** Standard input; empty when left out. In this process only. */
  readonly stdin?: string;
  /** Default: that of this machine. In this process only. */
  readonly clock?: Clock;
  /** Aborting it is Ctrl-C. In this process only. */
  readonly stop?: AbortController;
  /** Gets each text as it is written. In this process only. */
  readonly onText?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** Starts the built command line as a process, without a keyboard; it is killed when the test is over. */
export function start(args: readonly string[], { cwd, env = {} }: How): Running {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8');
    child[stream].on('data', (text: string) => {
      printed[stream] += text;
    });
  }
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...printed }));
  });
  return {
    ended,
    kill: (signal) => child.kill(signal),
    says: (stream, text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (printed[stream].includes(text)) resolve(printed[stream]);
        };
        child[stream].on('data', look);
        ended.then(() => reject(new Error(`it ended without ${text}: ${JSON.stringify(printed)}`)), reject);
        look();
      }),
  };
}

/** Runs the built command line to its end as a process: for signals, streams, several at a time, and the bundle itself. */
export function spawned(args: readonly string[], how: How): Promise<Ran> {
  return start(args, how).ended;
}

/** The folder belongs to the whole process, so one command line runs at a time. */
let turn: Promise<unknown> = Promise.resolve();

/** Runs a command line to its end in this process, as in one without a keyboard whose output goes into pipes. */
export function chatform(args: readonly string[], how: How): Promise<Ran> {
  const ran = turn.then(() => inProcess(args, how));
  turn = ran.catch(() => {});
  return ran;
}

async function inProcess(
  args: readonly string[],
  { cwd, env = {}, stdin = '', clock, stop = new AbortController(), onText = () => {} }: How,
): Promise<Ran> {
  const stdout = pipe((text) => onText('stdout', text));
  const stderr = pipe((text) => onText('stderr', text));
  const input = new PassThrough();
  input.end(stdin);
  const streams = { stdin: input, stdout: stdout.stream, stderr: stderr.stream };
  const standing = { ...streams, env: { PATH: process.env['PATH'], ...env } };
  const home = process.cwd();
  process.chdir(cwd);
  try {
    const code = await commandLine(args, {
      out: (text) => void stdout.stream.write(text),
      err: (text) => void stderr.stream.write(text),
      terminal: (flags) => {
        const seat = streamsOf(standing, flags, stop);
        return terminalAt(clock === undefined ? seat : { ...seat, clock }, flags);
      },
    });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.chdir(home);
  }
}

/** A pipe whose reader keeps everything, and passes it on. */
function pipe(pass: (text: string) => void): { readonly stream: Writable; readonly text: () => string } {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      written.push(text);
      pass(text);
      done();
    },
  });
  return { stream, text: () => written.join('') };
}

/** A folder with these files, removed when the test is over. */
export async function folder(files: { readonly [name: string]: string } = {}): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'chatform-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return path;
}

/** Every file below a folder with its content, sorted by name. */
export async function filesIn(path: string): Promise<{ readonly [name: string]: string }> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.sort().map(async (file) => [file.slice(path.length + 1), await readFile(file, 'utf8')]),
  );
  return Object.fromEntries(texts);
}

/** The same files, but for what a lease leaves beside a ledger when it is given back. */
export function withoutLease(files: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !/\.lease\.\d+$/.test(name)));
}

/** Two people in one team and one rule. */
export const MANIFEST = `version: 1
agents:
  ann@example.com: { name: Ann }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
auto_access:
  - key: pricing
    access: { groups: [sales] }
    conditions: { url: { values: [{ value: /pricing }] } }
`;

/** A project with that manifest and one target on the emulator, with these further lines for the target. */
export function project(...settings: readonly string[]): { readonly [name: string]: string } {
  const lines = ['base_url: emulator:license.json', 'ledger: ledger.ndjson', ...settings];
  return {
    'manifest.yaml': MANIFEST,
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here:\n${lines.map((line) => `    ${line}\n`).join('')}`,
  };
}
