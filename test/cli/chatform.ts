// Arguments in; what the built command line printed and how it ended out. Runs dist/cli.cjs as a process of its own, in a folder of its own, with an
// environment that has nothing of ours. Must not know what any command does.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

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
}

/** Starts a command; it is killed when the test is over. Nobody sits at its keyboard. */
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

/** Runs a command to its end. */
export function chatform(args: readonly string[], how: How): Promise<Ran> {
  return start(args, how).ended;
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
