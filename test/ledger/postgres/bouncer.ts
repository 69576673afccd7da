// pgbouncer in front of a server: clients share its connections, transaction by transaction.

import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { foundOrInstalled, type Machine, programs, thisMachine } from '../../../scripts/packages.ts';
import { freePort } from './port.ts';
import type { PostgresServer } from './server.ts';
import { endProcess, startedProcess } from './server-process.ts';
import { serverFolder, serverUser } from './server-user.ts';

export interface Bouncer {
  /** Address of the database `postgres` of the server; every other database of it has the same port. */
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const FOLDERS = ['/usr/sbin', '/usr/bin', '/opt/homebrew/bin', '/usr/local/bin'];

/** Starts a bouncer, or says why there is none on this machine. */
export async function pgbouncer(
  server: PostgresServer,
  machine: Machine = thisMachine(FOLDERS),
): Promise<Bouncer | { readonly missing: string }> {
  const found = await foundOrInstalled(bouncerOn, { package: { name: 'pgbouncer' }, machine });
  if ('missing' in found) return found;
  const user = serverUser();
  // It has no data to lose.
  const folder = await serverFolder(user, 'kill -KILL "$(cat pid)"');
  try {
    const port = await freePort();
    await writeFile(join(folder.path, 'users'), '"postgres" ""\n');
    await writeFile(join(folder.path, 'settings'), settings(server, port));
    const child = await startedProcess({
      path: found.path,
      args: ['settings'],
      user,
      folder: folder.path,
      isReady: () => listens(port),
    });
    const stop = async (): Promise<void> => {
      await endProcess(child, 'SIGKILL');
      await folder.remove();
    };
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, port, stop };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function bouncerOn(machine: Machine): { readonly path: string } | undefined {
  const [path] = programs(['pgbouncer'], machine);
  return path === undefined ? undefined : { path };
}

function settings(server: PostgresServer, port: number): string {
  return `[databases]
* = host=127.0.0.1 port=${server.port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pidfile = pid
auth_type = trust
auth_file = users
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
`;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
