// What runs of one process, clocks that jump and unusual texts do to ledgers in a real PostgreSQL.

import { beforeAll, describe, expect, test } from 'vitest';
import { ConnectionLost } from '../../../src/base/errors.ts';
import { type Database, openDatabase } from '../../../src/ledger/postgres/database.ts';
import { databaseLease } from '../../../src/ledger/postgres/lease.ts';
import { databaseLedger } from '../../../src/ledger/postgres/ledger.ts';
import type { Fence } from '../../../src/ledger/postgres/log.ts';
import { takeLease } from '../../../src/ledger/tenure.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { systemContext } from '../../../src/target/context.ts';
import { whileLocked } from '../../../src/target/lock.ts';
import { createDatabases, leaseAt, ledgerAt } from '../../../src/target/stores.ts';
import { forgotten, intent } from '../conformance.ts';
import { holderOf, recordOf } from '../lease-conformance.ts';
import { postgresBinaries } from './binaries.ts';
import { ask, migratedDatabase } from './migrated.ts';
import { type SharedServer, sharedServer } from './server.ts';

const FOUND = await postgresBinaries();

describe.skipIf('missing' in FOUND)('ledgers in PostgreSQL', () => {
  let server: SharedServer;
  let url: string;
  let env: { readonly DATABASE_URL: string };

  beforeAll(async () => {
    server = await sharedServer();
    url = await migratedDatabase(server);
    env = { DATABASE_URL: url };
  });

  test('A run that lost its lease to another run of its process writes nothing more', async () => {
    const around = { databases: createDatabases(systemClock), env, notice: () => {} };
    const ledger = 'postgres:DATABASE_URL/chatform/one-process';
    const take = (run: string, clock: { readonly now: () => number }) =>
      takeLease({ lease: leaseAt(ledger, around), run, holder: holderOf(run), clock, ttl: 60_000 });
    expect(await take('a', systemClock)).toMatchObject({ expired: null });
    const first = ledgerAt(ledger, around);
    await first.append([forgotten('a')]);
    expect(await take('b', { now: () => Date.now() + 80_000 })).toMatchObject({ expired: { run: 'a' } });
    const second = ledgerAt(ledger, around);
    await second.append([forgotten('b')]);
    await expect(first.append([forgotten('late')])).rejects.toThrow(
      /the lease is lost: .* took it over; run the command again/,
    );
    await second.append([forgotten('c')]);
    expect(await second.read()).toEqual([forgotten('a'), forgotten('b'), forgotten('c')]);
    await around.databases.close();
  });

  test('A run whose lease a person ended in its process writes nothing more', async () => {
    const around = { databases: createDatabases(systemClock), env, notice: () => {} };
    const ledger = 'postgres:DATABASE_URL/chatform/ended';
    const lease = leaseAt(ledger, around);
    const taken = await takeLease({ lease, run: 'a', holder: holderOf('a'), clock: systemClock, ttl: 60_000 });
    expect(taken).toHaveProperty('tenure');
    const log = ledgerAt(ledger, around);
    await leaseAt(ledger, around).replace({ ...recordOf(2, 'person'), until: null });
    await expect(log.append([forgotten('late')])).rejects.toThrow(
      /the lease is lost: .* took it over; run the command again/,
    );
    await around.databases.close();
  });

  test('The own lease ends no later because its process was suspended while it was read', async () => {
    let asleep = 0;
    const clock = { ...systemClock, now: () => Date.now() + asleep };
    const database = openDatabase({ variable: 'DATABASE_URL', env, clock, onWait: () => {} });
    const key = { variable: 'DATABASE_URL', project: 'chatform', kind: 'ledger', name: 'suspended' } as const;
    const lease = databaseLease(database, key, { run: null, need: 0 }, 1_000);
    const now = Date.now();
    const [renewed, until] = [new Date(now).toISOString(), new Date(now + 5_000).toISOString()];
    await lease.replace({ ...recordOf(1), renewed, until });
    const [own, asOthersSee] = [lease, databaseLease(database, key, { run: null, need: 0 }, 1_000)];
    const asked = Date.now();
    const readings = [own.read(), asOthersSee.read()];
    asleep = 60_000;
    const [seen, seenByOthers] = (await Promise.all(readings)).map((record) => Date.parse(record?.until ?? ''));
    expect(seen).toBeLessThanOrEqual(asked + 5_000);
    expect(seenByOthers).toBeGreaterThan(asked + 60_000);
    await database.close();
  });

  test('An outcome is kept although an intent that was asked for at the same time is refused', async () => {
    const database = openDatabase({ variable: 'DATABASE_URL', env, clock: systemClock, onWait: () => {} });
    const key = { variable: 'DATABASE_URL', project: 'chatform', kind: 'ledger', name: 'mixed' } as const;
    const fence: Fence = { run: null, need: 0 };
    const now = Date.now();
    const [renewed, until] = [new Date(now).toISOString(), new Date(now + 5_000).toISOString()];
    await databaseLease(database, key, fence, 30_000).replace({ ...recordOf(1), renewed, until });
    const log = databaseLedger(database, key, fence);
    const results = await Promise.allSettled([
      log.append([forgotten('a'), forgotten('b')]),
      log.append([intent('agent/a', 'i1')]),
      log.append([forgotten('c')]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await log.read()).toEqual([forgotten('a'), forgotten('b'), forgotten('c')]);
    await database.close();
  });

  test('A lease that aged while an intent waited for the server is renewed', async () => {
    const database = openDatabase({ variable: 'DATABASE_URL', env, clock: systemClock, onWait: () => {} });
    const key = { variable: 'DATABASE_URL', project: 'chatform', kind: 'ledger', name: 'aged' } as const;
    const fence: Fence = { run: null, need: 0 };
    const lease = databaseLease(database, key, fence, 30_000);
    const renewal = (generation: number, ttl: number) => {
      const now = Date.now();
      const [renewed, until] = [new Date(now).toISOString(), new Date(now + ttl).toISOString()];
      return lease.replace({ ...recordOf(generation), renewed, until });
    };
    await renewal(1, 5_000);
    fence.renew = async () => void (await renewal(2, 60_000));
    const log = databaseLedger(database, key, fence);
    await log.append([intent('agent/a', 'i1')]);
    expect(await log.read()).toEqual([intent('agent/a', 'i1')]);
    await database.close();
  });

  test('A run renews its lease for an intent that arrives late', async () => {
    const context = { ...systemContext(), env };
    const ledger = 'postgres:DATABASE_URL/chatform/late-intent';
    const lock = { subject: 'target here', ledger, requestTimeout: 30_000 };
    await whileLocked(lock, 'apply', context, async () => {
      await ask(url, "update chatform.log set until = chatform.now() + interval '5 s' where name = 'late-intent'");
      await ledgerAt(ledger, context).append([intent('agent/a', 'i1')]);
      return {};
    });
    expect(await ledgerAt(ledger, context).read()).toEqual([intent('agent/a', 'i1')]);
    await context.databases.close();
  });

  test('A swap that takes effect after it was looked for is won', async () => {
    const database = openDatabase({ variable: 'DATABASE_URL', env, clock: systemClock, onWait: () => {} });
    const key = { variable: 'DATABASE_URL', project: 'chatform', kind: 'ledger', name: 'late' } as const;
    const fence: Fence = { run: null, need: 0 };
    let sent = 0;
    const slow: Database = {
      ...database,
      once: async (sql, values) => {
        sent += 1;
        if (sent === 1) throw new ConnectionLost('the reply was lost');
        // The first swap arrives just before the second one.
        if (sent === 2) await database.once(sql, values);
        return database.once(sql, values);
      },
    };
    expect(await databaseLease(slow, key, fence, 0).replace(recordOf(1, 'a'))).toBe(true);
    await databaseLedger(database, key, fence).append([forgotten('a')]);
    await database.close();
  });

  test('A clock that is set while a command runs makes no lease look older', async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const database = openDatabase({ variable: 'DATABASE_URL', env, clock, onWait: () => {} });
    const key = { variable: 'DATABASE_URL', project: 'chatform', kind: 'ledger', name: 'clock' } as const;
    const lease = databaseLease(database, key, { run: null, need: 0 }, 0);
    const now = Date.now();
    const [renewed, until] = [new Date(now).toISOString(), new Date(now + 60_000).toISOString()];
    await lease.replace({ ...recordOf(1), renewed, until });
    ahead = 3_600_000;
    expect(Math.abs(Date.parse((await lease.read())?.until ?? '') - clock.now() - 60_000)).toBeLessThan(5_000);
    await database.close();
  });

  test('People read any event with SQL, whatever text it has', async () => {
    const around = { databases: createDatabases(systemClock), env, notice: () => {} };
    const ledger = 'postgres:DATABASE_URL/chatform/texts';
    await takeLease({
      lease: leaseAt(ledger, around),
      run: 'a',
      holder: holderOf('a'),
      clock: systemClock,
      ttl: 60_000,
    });
    const names = ['a \u0000 character', 'a \\u0000 text', 'a \\\u0000 both', '\u0000\u0000', 'half \ud83d of one'];
    await ledgerAt(ledger, around).append(names.map((name) => forgotten(name)));
    expect((await ledgerAt(ledger, around).read()).length).toBe(names.length);
    const rows = await ask(url, "select address from chatform.history where target = 'texts' order by seq");
    expect(rows).toEqual(
      ['a  character', 'a \\u0000 text', 'a \\ both', '', 'half  of one'].map((name) => ({ address: `agent/${name}` })),
    );
    await around.databases.close();
  });
});
