// PostgreSQL servers for tests, each with a data folder and a port of its own.

import type { ChildProcess } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Machine } from '../../../scripts/packages.ts';
import { postgresBinaries } from './binaries.ts';
import { newCluster } from './cluster.ts';
import { freePort } from './port.ts';
import { endProcess, type ServerProgram, startedProcess } from './server-process.ts';
import { serverFolder, serverUser } from './server-user.ts';

/** `fast` ends connections and writes everything to disk; `immediate` is a crash. */
export type ShutdownMode = 'fast' | 'immediate';

export interface PostgresServer {
  /** Address of the database `postgres`, as a superuser. */
  readonly url: string;
  readonly port: number;
  /** Folder of the programs of this version: `psql`, `pg_dump`. */
  readonly bin: string;
  /** Makes an empty database, and returns its address. */
  readonly newDatabase: () => Promise<string>;
  /** Ends the server, which keeps its data and its port. */
  readonly pause: (mode: ShutdownMode) => Promise<void>;
  /** Starts it after a pause, and waits until it accepts connections. */
  readonly start: () => Promise<void>;
  readonly restart: (mode: ShutdownMode) => Promise<void>;
  /** Ends the server and removes its data. */
  readonly stop: () => Promise<void>;
  /** What the server logged since it was made. */
  readonly log: () => Promise<string>;
}

export interface ServerOptions {
  /** Whether what is committed survives a crash. Without it, commits are quicker. */
  readonly durable?: boolean;
  /** Where to look for PostgreSQL. */
  readonly machine?: Machine;
}

/** A server that ends with the process: suites make databases in it, and roles whose names no other suite has. */
export type SharedServer = Pick<PostgresServer, 'url' | 'port' | 'bin' | 'newDatabase'>;

const HASTY = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n';

/** Starts a server, or says why there is none on this machine. */
export async function postgresServer({
  durable = false,
  machine,
}: ServerOptions = {}): Promise<PostgresServer | { readonly missing: string }> {
  const found = await postgresBinaries(machine);
  if ('missing' in found) return found;
  const { bin } = found;
  const user = serverUser();
  const folder = await serverFolder(user, `'${join(bin, 'pg_ctl')}' stop --pgdata=data --mode=immediate --timeout=10`);
  const log = (): Promise<string> => readFile(join(folder.path, 'log'), 'utf8');
  try {
    await newCluster(found, user, folder.path);
    const settings = `unix_socket_directories = '${folder.path}'\n${durable ? '' : HASTY}`;
    await appendFile(join(folder.path, 'data/postgresql.conf'), settings);
    const port = await freePort();
    const program: ServerProgram = {
      path: join(bin, 'postgres'),
      args: ['-D', 'data', '-p', String(port)],
      user,
      folder: folder.path,
      isReady: (child) => saysReady(folder.path, child),
    };
    let child = await startedProcess(program);
    const pause = (mode: ShutdownMode): Promise<void> => endProcess(child, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    const start = async (): Promise<void> => {
      child = await startedProcess(program);
    };
    const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
    let databases = 0;
    return {
      url: urlOf('postgres'),
      port,
      bin,
      newDatabase: async () => {
        databases += 1;
        const name = `test_${databases}`;
        await execute(urlOf('postgres'), `create database ${name} template template0`);
        return urlOf(name);
      },
      pause,
      start,
      restart: async (mode) => {
        await pause(mode);
        await start();
      },
      stop: async () => {
        await endProcess(child, 'SIGQUIT');
        await folder.remove();
      },
      log,
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

let shared: Promise<PostgresServer> | null = null;

/** The one server of all suites of this process that do not disturb theirs. Throws on a machine without PostgreSQL. */
export function sharedServer(): Promise<SharedServer> {
  shared ??= postgresServer().then((server) => {
    if ('missing' in server) throw new Error(server.missing);
    return server;
  });
  return shared;
}

/** Whether the server says so in the file of its process id, where pg_ctl also looks. */
async function saysReady(folder: string, child: ChildProcess): Promise<boolean> {
  try {
    const lines = (await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n');
    return lines[0] === String(child.pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
