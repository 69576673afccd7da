// What a database refuses, in words; and statements whose reply is lost.

import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LogKey } from '../../../src/ledger/place.ts';
import { type Database, openDatabase } from '../../../src/ledger/postgres/database.ts';
import { explainedFailure } from '../../../src/ledger/postgres/failure.ts';
import { databaseLease } from '../../../src/ledger/postgres/lease.ts';
import { databaseLedger, databaseRefusal } from '../../../src/ledger/postgres/ledger.ts';
import type { Fence } from '../../../src/ledger/postgres/log.ts';
import { migrateDatabase } from '../../../src/ledger/postgres/migrate.ts';
import { MIGRATIONS } from '../../../src/ledger/postgres/schema.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { virtualClock } from '../../world.ts';
import { forgotten } from '../conformance.ts';
import { recordOf } from '../lease-conformance.ts';
import { postgresBinaries } from './binaries.ts';
import { type CuttingProxy, cuttingProxy } from './proxy.ts';
import { type SharedServer, sharedServer } from './server.ts';

const FOUND = await postgresBinaries();

const SHOP = { variable: 'DATABASE_URL', server: 'db:5432', user: 'ci', database: 'shop' };

test.each<readonly [code: string, said: string, text: RegExp]>([
  [
    '42501',
    'permission denied for function cancel_run',
    /^the user ci of DATABASE_URL may only read, .* `grant chatform_apply to ci`$/,
  ],
  [
    '42501',
    'permission denied for schema dbos',
    /^the user ci of DATABASE_URL may not use the tables of the workers: .*`grant chatform_read to ci`/,
  ],
  [
    '25006',
    'cannot execute UPDATE in a read-only transaction',
    /only reads now: .*; name the primary server in the address$/,
  ],
  ['53100', 'could not extend file', /^the disk of PostgreSQL at db:5432 \(DATABASE_URL\) is full: make room/],
  [
    '53300',
    'sorry, too many clients already',
    /has no connection left: .*; end other clients or raise max_connections there/,
  ],
  ['40001', 'canceling statement due to conflict with recovery', /refused a statement: .* \(SQLSTATE 40001\)/],
  ['XX002', 'index "event_pkey" is not a btree', /refused a statement: .* \(SQLSTATE XX002\)/],
  [
    '22P05',
    'character with byte sequence 0xe2 has no equivalent in encoding "LATIN1"',
    /make one with the encoding UTF8/,
  ],
])('the SQLSTATE %s in words: %s', (code, said, text) => {
  expect(explainedFailure(Object.assign(new Error(said), { code }), SHOP)).toMatchObject({
    message: expect.stringMatching(text),
  });
});

describe.skipIf('missing' in FOUND)('a database', () => {
  let server: SharedServer;
  let url: string;
  const opened: Database[] = [];

  beforeAll(async () => {
    server = await sharedServer();
    url = await migrated();
  });

  afterAll(async () => {
    for (const database of opened) await database.close();
  });

  const given = (address: string) => ({ variable: 'DATABASE_URL', env: { DATABASE_URL: address } });

  async function migrated(): Promise<string> {
    const address = await server.newDatabase();
    await migrateDatabase(given(address), { clock: systemClock });
    return address;
  }

  function at(address: string, clock = systemClock, waits: string[] = []): Database {
    const database = openDatabase({ ...given(address), clock, onWait: ({ server: name }) => waits.push(name) });
    opened.push(database);
    return database;
  }

  async function run(address: string, sql: string): Promise<void> {
    const client = new Client(address);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }

  async function heldLedger(database: Database) {
    const key: LogKey = { variable: 'DATABASE_URL', project: 'chatform', kind: 'ledger', name: randomUUID() };
    const fence: Fence = { run: null, need: 0 };
    const lease = databaseLease(database, key, fence, 0);
    await lease.replace(recordOf(1));
    return { lease, ledger: databaseLedger(database, key, fence) };
  }

  const as = (user: string, address = url): string => address.replace('postgres@', `${user}@`);

  test('that is not there, or refuses the user, is named with its variable', async () => {
    await expect(at(`${url}x`).query('select 1', [])).rejects.toThrow(
      /has no database test_\d+x \(DATABASE_URL\): create it/,
    );
    await expect(at(as('nobody_here')).query('select 1', [])).rejects.toThrow(
      /refused the user nobody_here \(DATABASE_URL\): .*correct the user or the password/,
    );
    await expect(at('postgres://postgres@127.0.0.1:9/x').query('select 1', [])).rejects.toThrow(
      'no PostgreSQL answers at 127.0.0.1:9 (DATABASE_URL): start it, or correct the address',
    );
  });

  test('without tables, with those of an older and of a newer chatform', async () => {
    const bare = await server.newDatabase();
    await expect(at(bare).query('select 1', [])).rejects.toThrow(
      'has no tables of chatform: run `chatform ledger migrate`',
    );
    const other = await migrated();
    await run(other, 'update chatform.migration set number = 0');
    await expect(at(other).query('select 1', [])).rejects.toThrow(
      `the tables in DATABASE_URL have version 0, and this chatform needs ${MIGRATIONS.length}: run \`chatform ledger migrate\``,
    );
    await run(other, 'update chatform.migration set number = 1000');
    const newer = `have version 1000, and this chatform knows ${MIGRATIONS.length}: use the chatform that migrated them`;
    await expect(at(other).query('select 1', [])).rejects.toThrow(newer);
    await expect(migrateDatabase(given(other), { clock: systemClock })).rejects.toThrow(newer);
  });

  test('whose roles are granted: one writes ledgers, one only reads, and another does neither', async () => {
    await run(
      url,
      `create role writer login; create role reader login; create role stranger login;
       grant chatform_apply to writer; grant chatform_read to reader`,
    );
    const { ledger } = await heldLedger(at(as('writer')));
    await ledger.append([forgotten('a')]);
    expect(await databaseRefusal(at(as('writer')))).toBe(null);
    const reader = at(as('reader'));
    expect(await databaseRefusal(reader)).toBe(
      'the user of DATABASE_URL may only read: grant it the role chatform_apply',
    );
    await expect(heldLedger(reader)).rejects.toThrow(
      'the user reader of DATABASE_URL may only read, so nothing was changed: let the owner of the tables run `grant chatform_apply to reader`',
    );
    await expect(reader.query('delete from chatform.event', [])).rejects.toThrow('may not use');
    await expect(at(as('stranger')).query('select 1', [])).rejects.toThrow(
      'the user stranger of DATABASE_URL may not use the tables of chatform: let their owner run `grant chatform_read to stranger`',
    );
  });

  test('that a user migrates who may make no roles says which are missing', async () => {
    const own = await server.newDatabase();
    await run(own, 'create role modest login; alter database ' + new URL(own).pathname.slice(1) + ' owner to modest');
    const migration = await migrateDatabase(given(as('modest', own)), { clock: systemClock });
    expect(migration).toMatchObject({ before: 0, after: MIGRATIONS.length });
    expect(await heldLedger(at(as('modest', own)))).toBeDefined();
  });

  test('whose disk is full, and one that only reads now', async () => {
    const full = await migrated();
    const { ledger } = await heldLedger(at(full));
    await run(
      full,
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
       create trigger full_disk before insert on chatform.event for each row execute function fail()`,
    );
    await expect(ledger.append([forgotten('a')])).rejects.toThrow(/the disk of PostgreSQL at .* is full: make room/);
    await run(full, 'drop trigger full_disk on chatform.event');
    await ledger.append([forgotten('b')]);
    expect(await ledger.read()).toEqual([forgotten('b')]);
    await run(full, `alter database ${new URL(full).pathname.slice(1)} set default_transaction_read_only = on`);
    await expect(heldLedger(at(full))).rejects.toThrow(/only reads now: .*name the primary server/);
  });

  describe('behind a connection that ends', () => {
    let proxy: CuttingProxy;

    beforeAll(async () => {
      proxy = await cuttingProxy(server.port);
    });

    afterAll(() => proxy.stop());

    test.each(['before', 'after'] as const)('%s an append, the events are there once', async (where) => {
      const waits: string[] = [];
      const { ledger } = await heldLedger(at(proxy.url(url), systemClock, waits));
      await ledger.append([forgotten('a')]);
      const before = proxy.cuts();
      proxy.cutAt('chatform.append', where);
      await Promise.all([ledger.append([forgotten('b')]), ledger.append([forgotten('c'), forgotten('d')])]);
      await ledger.append([forgotten('e')]);
      expect(await ledger.read()).toEqual(['a', 'b', 'c', 'd', 'e'].map(forgotten));
      expect(proxy.cuts()).toBe(before + 1);
    });

    test.each(['before', 'after'] as const)('%s a rewriting, it took effect once', async (where) => {
      const { ledger } = await heldLedger(at(proxy.url(url)));
      await ledger.append([forgotten('a'), forgotten('b')]);
      proxy.cutAt('chatform.rewrite', where);
      await ledger.rewrite((events) => [...events.slice(1), forgotten('c')]);
      await ledger.append([forgotten('d')]);
      expect(await ledger.read()).toEqual(['b', 'c', 'd'].map(forgotten));
    });

    test.each(['before', 'after'] as const)('%s the lease is taken, the run has it', async (where) => {
      const { lease } = await heldLedger(at(proxy.url(url)));
      proxy.cutAt('chatform.replace_lease', where);
      expect(await lease.replace(recordOf(2))).toBe(true);
      proxy.cutAt('chatform.replace_lease', where);
      expect(await lease.replace(recordOf(2, 'b'))).toBe(false);
      expect(await lease.read()).toMatchObject({ generation: 2, run: 'a' });
    });

    test('and never comes back, the run is told after a minute', async () => {
      const waits: string[] = [];
      const gone = await cuttingProxy(server.port);
      const database = at(gone.url(url), virtualClock(), waits);
      await database.query('select 1', []);
      await gone.stop();
      await expect(database.query('select 1', [])).rejects.toThrow(
        /the connection to PostgreSQL at 127.0.0.1:\d+ \(DATABASE_URL\) ended, and the server did not come back/,
      );
      expect(waits).toHaveLength(1);
    });
  });
});
