// Migrations of a database by several processes, and what earlier ones left there.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../../../src/ledger/postgres/migrate.ts';
import { engineClient } from '../../../src/many/workers/client.ts';
import { MIGRATIONS } from '../../../src/many/workers/connection.ts';
import { loadDbos } from '../../../src/many/workers/dbos.ts';
import { chatform, folder, MANIFEST, spawned } from '../../cli/chatform.ts';
import { postgresBinaries } from '../../ledger/postgres/binaries.ts';
import { ask } from '../../ledger/postgres/migrated.ts';
import { type PostgresServer, postgresServer } from '../../ledger/postgres/server.ts';

const FOUND = await postgresBinaries();

const PROJECT = {
  'chatform.yaml':
    'version: 1\nmanifest: [manifest.yaml]\nledger_store: { postgres_env: DATABASE_URL }\ntargets: { shop: { base_url: "emulator:license.json" } }\n',
  'manifest.yaml': MANIFEST,
};

describe.skipIf('missing' in FOUND)('ledger migrate', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = (await postgresServer()) as PostgresServer;
  });

  afterAll(() => server.stop());

  const run = async (url: string, args = ['ledger', 'migrate']) =>
    chatform(args, { cwd: await folder(PROJECT), env: { DATABASE_URL: url } });
  const versions = (url: string) => ask(url, 'select version::int from dbos.dbos_migrations');

  test('of several processes on a new database: one migrates, and the others find nothing to do', async () => {
    const url = await server.newDatabase();
    const at = { cwd: await folder(PROJECT), env: { DATABASE_URL: url } };
    const all = await Promise.all([1, 2, 3].map(() => spawned(['ledger', 'migrate'], at)));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(all.filter(({ stdout }) => stdout.startsWith('The tables in DATABASE_URL have version'))).toHaveLength(1);
    expect(all.filter(({ stdout }) => stdout.startsWith('The tables in DATABASE_URL are up to date'))).toHaveLength(2);
    expect(await versions(url)).toEqual([{ version: MIGRATIONS }]);
  });

  test('waits for its turn without a statement, and ends when it is interrupted', async () => {
    const url = await server.newDatabase();
    const given = { variable: 'DATABASE_URL', env: { DATABASE_URL: url } };
    const stop = new AbortController();
    const clock = { now: () => 0, sleep: async () => stop.abort(new Error('interrupted')) };
    const waits: string[] = [];
    await migrateDatabase(given, {
      clock,
      further: async () => {
        const second = migrateDatabase(given, { clock, signal: stop.signal, onWait: (name) => waits.push(name) });
        await expect(second).rejects.toThrow('interrupted');
      },
    });
    expect(waits).toEqual([new URL(url).host]);
  });

  test('mends the tables of an engine that migrations at once left half made', async () => {
    const url = await server.newDatabase();
    await ask(url, 'create schema dbos');
    await ask(url, 'create table dbos.dbos_migrations (version bigint not null primary key)');
    await ask(url, 'insert into dbos.dbos_migrations values (1), (2)');
    const mended = await run(url, ['--log-level', 'warn', 'ledger', 'migrate']);
    expect(mended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('left the tables of the fleet engine half made'),
    });
    expect(await versions(url)).toEqual([{ version: MIGRATIONS }]);
    expect(await run(url)).toMatchObject({ code: 0, stderr: '' });
  });

  test('refuses the tables of a newer engine, as whoever works with them does', async () => {
    const url = await server.newDatabase();
    await run(url);
    await ask(url, 'update dbos.dbos_migrations set version = 999');
    const newer = `the tables of the fleet engine have version 999, and @dbos-inc/dbos-sdk 5.3 knows ${MIGRATIONS}: use the chatform`;
    expect(await run(url)).toMatchObject({ code: 1, stderr: expect.stringContaining(newer) });
    const client = await engineClient(url);
    await expect(client.workers()).rejects.toThrow(newer);
    await client.close();
  });
});

test('An engine of another version is refused by name', async () => {
  const load = () => import('@dbos-inc/dbos-sdk');
  await expect(loadDbos(load, () => '6.0.1')).rejects.toThrow(
    '@dbos-inc/dbos-sdk 6.0.1 is installed, and this chatform works with 5.3: `npm install @dbos-inc/dbos-sdk@5.3.0`',
  );
  expect(await loadDbos(load)).toHaveProperty('DBOS');
});
