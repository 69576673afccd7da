// The process of a server of tests, which writes into the file `log` of its folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ServerUser } from './server-user.ts';

export interface ServerProgram {
  readonly path: string;
  readonly args: readonly string[];
  readonly user: ServerUser;
  readonly folder: string;
  readonly isReady: (child: ChildProcess) => Promise<boolean>;
}

/** Starts a server and waits until it is ready. Throws the end of its log if it ends before that. */
export async function startedProcess({ path, args, user, folder, isReady }: ServerProgram): Promise<ChildProcess> {
  const log = await open(join(folder, 'log'), 'a');
  const child = spawn(path, args, { ...user, cwd: folder, stdio: ['ignore', log.fd, log.fd] });
  child.unref();
  await log.close();
  while (!(await isReady(child))) {
    if (hasEnded(child)) {
      const lines = (await readFile(join(folder, 'log'), 'utf8')).trim().split('\n');
      throw new Error([`${path} did not start:`, ...lines.slice(-5)].join('\n'));
    }
    await setTimeout(10);
  }
  return child;
}

/** Ends a server, unless it has ended. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.ref();
  child.kill(signal);
  await exit;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
