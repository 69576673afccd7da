// The user that servers of tests run as, and their folders, which go when the test run ends in any way.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How to spawn a program of the server: as another user than root, in a session of its own, without settings of this process. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
  readonly detached: true;
  readonly env: NodeJS.ProcessEnv;
}

/** PostgreSQL and pgbouncer refuse to run as root. Throws on a system that has neither the user postgres nor nobody. */
export function serverUser(): ServerUser {
  const own = { detached: true, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } } as const;
  if (process.getuid?.() !== 0) return own;
  for (const name of ['postgres', 'nobody'])
    try {
      const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
      return { ...own, uid, gid };
    } catch {}
  throw new Error(
    'A server does not run as root, and there is no user postgres or nobody: run the tests as another user',
  );
}

function idOf(option: '-u' | '-g', name: string): number {
  return Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

export interface ServerFolder {
  readonly path: string;
  /** Ends the server, and removes the folder. */
  readonly remove: () => Promise<void>;
}

/**
 * Makes a temporary folder for a server.
 * @param end - Shell command that ends the server, run in the folder. It also runs when this process is killed: a shell waits for the end of its pipe from us.
 *   Unlike PR_SET_PDEATHSIG it does so on every system, whichever thread spawned it, and removes the folder.
 */
export async function serverFolder(user: ServerUser, end: string): Promise<ServerFolder> {
  const path = await mkdtemp(join(tmpdir(), 'chatform-postgres-'));
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid);
  const script = `cd "$0" && cat > /dev/null; ${end}; cd / && rm -rf "$0"`;
  const watcher = spawn('/bin/sh', ['-c', script, path], { ...user, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(watcher, 'exit');
  // A test run that forgets a server ends anyway.
  watcher.unref();
  (watcher.stdin as Socket).unref();
  const remove = async (): Promise<void> => {
    watcher.ref();
    watcher.stdin.end();
    await ended;
    await rm(path, { recursive: true, force: true });
  };
  return { path, remove };
}
