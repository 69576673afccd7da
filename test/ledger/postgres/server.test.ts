// Servers for tests: what they promise the suites that start one.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { IS_FULL } from '../../tries.ts';
import { postgresBinaries } from './binaries.ts';
import { type PostgresServer, postgresServer, type ServerOptions } from './server.ts';

const FOUND = await postgresBinaries();
if ('missing' in FOUND) console.warn(`Nothing is tested on PostgreSQL: ${FOUND.missing}.`);

/** At full length only. */
const atLength = test.skipIf(!IS_FULL);

async function running(options: ServerOptions = {}): Promise<PostgresServer> {
  const server = await postgresServer(options);
  if ('missing' in server) throw new Error(server.missing);
  onTestFinished(() => server.stop());
  return server;
}

/** The first column of the first row. */
async function answer(url: string, question: string): Promise<unknown> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query({ text: question, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** The process of a server, and the folder that has all it writes. */
async function traces(url: string): Promise<{ readonly pid: number; readonly folder: string }> {
  const [pid] = String(await answer(url, "select pg_read_file('postmaster.pid')")).split('\n');
  return { pid: Number(pid), folder: dirname(String(await answer(url, 'show data_directory'))) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.skipIf('missing' in FOUND)(`PostgreSQL${'missing' in FOUND ? ` (skipped: ${FOUND.missing})` : ''}`, () => {
  test('A server answers, and its databases are apart', async () => {
    const server = await running();
    const [one, other] = [await server.newDatabase(), await server.newDatabase()];
    await answer(one, 'create table chats (id int)');
    const tables = "select count(*)::int from pg_tables where tablename = 'chats'";
    expect([await answer(one, tables), await answer(other, tables), await answer(server.url, tables)]).toEqual([
      1, 0, 0,
    ]);
    expect(await answer(one, 'show server_encoding')).toBe('UTF8');
    expect(await answer(one, 'show max_connections')).toBe('200');
    await expect(answer(one, 'select nonsense')).rejects.toThrow('column "nonsense" does not exist');
    expect(await server.log()).toContain('column "nonsense" does not exist');
  });

  test.each([
    [true, ['on', 'on', 'on']],
    [false, ['off', 'off', 'off']],
  ])('Commits wait for the disk: %s', async (durable, expected) => {
    const server = await running({ durable });
    const settings = ['fsync', 'synchronous_commit', 'full_page_writes'];
    const read = settings.map((name) => answer(server.url, `show ${name}`));
    expect(await Promise.all(read)).toEqual(expected);
  });

  atLength('What is committed is there after a crash, at the same address', async () => {
    const server = await running({ durable: true });
    const database = await server.newDatabase();
    await answer(database, 'create table chats (id int)');
    await answer(database, 'insert into chats values (7)');
    await server.restart('immediate');
    expect(await answer(database, 'select id from chats')).toBe(7);
    expect(await server.log()).toContain('automatic recovery in progress');
    await server.restart('fast');
    expect(await answer(database, 'select id from chats')).toBe(7);
  });

  atLength('A server can be away for a time', async () => {
    const server = await running();
    await server.pause('fast');
    await expect(answer(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await answer(server.url, 'select 1')).toBe(1);
  });

  test('Nothing is left of a server that was stopped, even of one in use', async () => {
    const server = await running();
    const { pid, folder } = await traces(server.url);
    const client = new Client(server.url);
    client.on('error', () => undefined);
    await client.connect();
    expect([isRunning(pid), existsSync(folder)]).toEqual([true, true]);
    await server.stop();
    expect([isRunning(pid), existsSync(folder)]).toEqual([false, false]);
  });

  atLength('Nothing is left of a server whose test run was killed', async () => {
    const module = JSON.stringify(fileURLToPath(new URL('server.ts', import.meta.url)));
    const script = `const { postgresServer } = await import(${module}); console.log((await postgresServer()).url);
      process.stdin.resume();`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { pid, folder } = await traces(line.toString().trim());
    expect([isRunning(pid), existsSync(folder)]).toEqual([true, true]);
    child.kill('SIGKILL');
    await vi.waitFor(() => expect([isRunning(pid), existsSync(folder)]).toEqual([false, false]), 20_000);
  });

  atLength('A server that cannot start says what it logged', async () => {
    const server = await running();
    await answer(server.url, "alter system set shared_buffers = '1TB'");
    await expect(server.restart('fast')).rejects.toThrow(/did not start:\n.*FATAL/s);
  });
});

test('Without PostgreSQL, a server says why it is missing', async () => {
  const machine = { env: { PATH: '' }, folders: [], isRoot: false, root: '/nowhere' };
  expect(await postgresServer({ machine })).toEqual({
    missing: 'postgresql is not on this machine, and only root can install its package',
  });
});
