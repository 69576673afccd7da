// A command line in; how long it took as a process of its own, the processor time and the memory that it used, and what it printed, out.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env?: { readonly [name: string]: string };
  /** The exit codes of a success; 0 alone when left out. */
  readonly codes?: readonly number[];
}

/** Milliseconds and MiB; null where the machine has no GNU time, which is told both by the kernel. */
export interface Measured {
  readonly wall: number;
  readonly cpu: number | null;
  readonly memory: number | null;
  /** When it was started, in milliseconds since the epoch. */
  readonly started: number;
  readonly stdout: string;
}

const TIME = '/usr/bin/time';
export const HAS_TIME = existsSync(TIME);

/** A whole environment, so that nobody's own one is measured: NODE_EXTRA_CA_CERTS alone costs a start of node up to 55 ms. */
export const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? tmpdir(),
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
};

function ended(argv: readonly string[], { cwd, env = {} }: Command, out: number, err: number): Promise<number> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...ENVIRONMENT, ...env }, stdio: ['ignore', out, err] });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? -1));
  });
}

/** @throws an Error with what it printed when it fails */
export async function run(command: Command): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  const path = (name: string): string => join(folder, name);
  const [out, err] = [await open(path('out'), 'w'), await open(path('err'), 'w')];
  try {
    const timed = HAS_TIME ? [TIME, '-q', '-o', path('used'), '-f', '%U %S %M', ...command.argv] : command.argv;
    const started = performance.timeOrigin + performance.now();
    const code = await ended(timed, command, out.fd, err.fd);
    const wall = performance.timeOrigin + performance.now() - started;
    const stdout = await readFile(path('out'), 'utf8');
    if (!(command.codes ?? [0]).includes(code)) {
      const said = `${stdout.slice(-2000)}${(await readFile(path('err'), 'utf8')).slice(-2000)}`;
      throw new Error(`${command.argv.join(' ')} ended with ${code}:\n${said}`);
    }
    if (!HAS_TIME) return { wall, cpu: null, memory: null, started, stdout };
    const [user = 0, system = 0, kib = 0] = (await readFile(path('used'), 'utf8')).trim().split(' ').map(Number);
    return { wall, cpu: (user + system) * 1000, memory: kib / 1024, started, stdout };
  } finally {
    await Promise.all([out.close(), err.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}
