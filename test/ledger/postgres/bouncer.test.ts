// pgbouncer for tests, in full-length runs: it is a package more.

import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { IS_FULL } from '../../tries.ts';
import { pgbouncer } from './bouncer.ts';
import { type PostgresServer, postgresServer } from './server.ts';

async function running(): Promise<PostgresServer | { readonly missing: string }> {
  const server = await postgresServer();
  if (!('missing' in server)) onTestFinished(() => server.stop());
  return server;
}

test.skipIf(!IS_FULL)('A bouncer answers for every database, and clients share a connection', async ({ skip }) => {
  const server = await running();
  if ('missing' in server) return skip(server.missing);
  const bouncer = await pgbouncer(server);
  if ('missing' in bouncer) return skip(bouncer.missing);
  onTestFinished(() => bouncer.stop());
  const database = new URL(await server.newDatabase());
  database.port = String(bouncer.port);
  const backends = new Set<unknown>();
  const clients = [1, 2].map(() => new Client(database.href));
  for (const client of clients) await client.connect();
  for (const client of clients) {
    const { rows } = await client.query('select pg_backend_pid() as pid, current_database() as name');
    expect(rows[0].name).toBe(database.pathname.slice(1));
    backends.add(rows[0].pid);
  }
  for (const client of clients) await client.end();
  expect(backends.size).toBe(1);
  await bouncer.stop();
  await expect(new Client(bouncer.url).connect()).rejects.toThrow('ECONNREFUSED');
});

test('Without pgbouncer, it says why it is missing', async ({ skip }) => {
  const server = await running();
  if ('missing' in server) return skip(server.missing);
  const machine = { env: { PATH: '' }, folders: [], isRoot: false, root: '/nowhere' };
  expect(await pgbouncer(server, machine)).toEqual({
    missing: 'pgbouncer is not on this machine, and only root can install its package',
  });
});
