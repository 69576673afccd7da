// A PostgreSQL server for tests of the engine, with the members of test/postgres/server.ts that they use.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

export interface PostgresServer {
  readonly url: string;
  readonly newDatabase: () => Promise<string>;
  readonly pause: (mode: 'fast' | 'immediate') => Promise<void>;
  readonly start: () => Promise<void>;
  readonly restart: (mode: 'fast' | 'immediate') => Promise<void>;
  readonly stop: () => Promise<void>;
}

const run = promisify(execFile);

const VERSIONS = '/usr/lib/postgresql';

export async function postgresServer({ durable = false } = {}): Promise<PostgresServer | { readonly missing: string }> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) return { missing: `no PostgreSQL in ${VERSIONS}` };
  const bin = join(VERSIONS, newest, 'bin');
  const folder = await mkdtemp(join(tmpdir(), 'chatform-engine-pg-'));
  const user = process.getuid?.() === 0 ? await idsOf('postgres') : {};
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    {
      ...user,
      cwd: folder,
    },
  );
  const hasty = durable ? '' : 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n';
  const port = await freePort();
  await appendFile(
    join(data, 'postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\nmax_connections = 200\n${hasty}`,
  );
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const ask = async (sql: string): Promise<void> => {
    const client = new Client(urlOf('postgres'));
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  let child: ChildProcess | null = null;
  async function start(): Promise<void> {
    child = spawn(join(bin, 'postgres'), ['-D', data], { ...user, cwd: folder, stdio: 'ignore' });
    for (let tries = 0; ; tries += 1) {
      try {
        await ask('select');
        return;
      } catch (error) {
        if (tries > 1_200) throw error;
        await pause(50);
      }
    }
  }
  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    child = null;
  }
  await start();
  let databases = 0;
  return {
    url: urlOf('postgres'),
    newDatabase: async () => {
      databases += 1;
      await ask(`create database test_${databases} template template0`);
      return urlOf(`test_${databases}`);
    },
    pause: (mode) => end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    start,
    restart: async (mode) => {
      await end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await start();
    },
    stop: async () => {
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function idsOf(name: string): Promise<{ readonly uid?: number; readonly gid?: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = (line ?? '').split(':');
  return uid === undefined || gid === undefined ? {} : { uid: Number(uid), gid: Number(gid) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
