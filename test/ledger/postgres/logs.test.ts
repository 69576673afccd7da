// Ledgers, leases and sightings in a real PostgreSQL: the suites of their ports, and what only a database can do wrong.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/model.ts';
import type { LogKey } from '../../../src/ledger/place.ts';
import { type Database, openDatabase } from '../../../src/ledger/postgres/database.ts';
import { databaseLease } from '../../../src/ledger/postgres/lease.ts';
import { databaseLedger } from '../../../src/ledger/postgres/ledger.ts';
import type { Fence } from '../../../src/ledger/postgres/log.ts';
import { databaseSightings } from '../../../src/ledger/postgres/sightings.ts';
import { databaseStore } from '../../../src/many/log/postgres.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { describeStore } from '../../many/log/store.conformance.ts';
import { describeLedger, forgotten, intent } from '../conformance.ts';
import { describeLease, recordOf, START, steppedClock } from '../lease-conformance.ts';
import { describeSightings } from '../sightings-conformance.ts';
import { postgresBinaries } from './binaries.ts';
import { ask, holesIn, migratedDatabase } from './migrated.ts';
import { type SharedServer, sharedServer } from './server.ts';

const FOUND = await postgresBinaries();
let server: SharedServer;

/** A migrated database, and who asks it. */
async function migrated(clock: Clock = systemClock): Promise<{ readonly url: string; readonly database: Database }> {
  const url = await migratedDatabase(server);
  const given = { variable: 'DATABASE_URL', env: { DATABASE_URL: url }, clock, onWait: () => {} };
  return { url, database: openDatabase(given) };
}

function newKey(): LogKey {
  return { variable: 'DATABASE_URL', project: 'chatform', kind: 'ledger', name: randomUUID() };
}

describe.skipIf('missing' in FOUND)('PostgreSQL', () => {
  let database: Database;
  let url: string;
  /** Its clock stands still, and is that of who asked last. */
  let stopped: Database;
  let stoppedUrl: string;

  beforeAll(async () => {
    server = await sharedServer();
    ({ database, url } = await migrated());
    ({ database: stopped, url: stoppedUrl } = await migrated({ now: () => START, sleep: systemClock.sleep }));
    await ask(
      stoppedUrl,
      `create table public.clock (at timestamptz); insert into public.clock values (to_timestamp(${START / 1000}));
       create or replace function chatform.now() returns timestamptz language sql volatile as 'select at from public.clock'`,
    );
  });

  afterAll(async () => {
    await database.close();
    await stopped.close();
  });

  describeLedger('PostgreSQL', async () => {
    const key = newKey();
    const fence: Fence = { run: null, need: 0 };
    await databaseLease(database, key, fence, 0).replace(recordOf(1, 'a'));
    return { open: () => databaseLedger(database, key, fence) };
  });

  describeStore('PostgreSQL', async () => {
    const key: LogKey = { ...newKey(), kind: 'run' };
    const fence: Fence = { run: null, need: 0 };
    await databaseLease(database, key, fence, 0).replace(recordOf(1, 'a'));
    return { open: () => databaseStore(database, key, fence) };
  });

  describeLease('PostgreSQL', async () => {
    const key = newKey();
    return {
      open: (clock = steppedClock()) => {
        const lease = databaseLease(stopped, key, { run: null, need: 0 }, 0);
        const set = () => stopped.query('update public.clock set at = to_timestamp($1)', [clock.now() / 1000]);
        return {
          ...lease,
          read: async () => {
            await set();
            return lease.read();
          },
          replace: async (record) => {
            await set();
            return lease.replace(record);
          },
        };
      },
    };
  });

  describeSightings('PostgreSQL', async () => {
    const key = newKey();
    return () => databaseSightings(database, key);
  });

  /** A ledger of a run that holds its lease. */
  async function held(run = 'a', key = newKey(), ttl = 60_000, need = 0) {
    const fence: Fence = { run: null, need: 0 };
    const lease = databaseLease(database, key, fence, need);
    const generation = ((await lease.read())?.generation ?? 0) + 1;
    const now = Date.now();
    const [since, until] = [new Date(now).toISOString(), new Date(now + ttl).toISOString()];
    const record = { ...recordOf(generation, run), since, renewed: since, until };
    expect(await lease.replace(record)).toBe(true);
    return { key, fence, lease, record, ledger: databaseLedger(database, key, fence) };
  }

  test('A run that lost its lease writes nothing more, though it does not know', async () => {
    const { key, ledger } = await held('a');
    await ledger.append([forgotten('a')]);
    const other = await held('b', key);
    await expect(ledger.append([forgotten('b')])).rejects.toThrow(
      /^nothing was written, because the lease is lost: \S+@\S+ \(pid \d+, chatform \w+\) took it over; run the command again once that run has ended$/,
    );
    await expect(ledger.rewrite(() => [])).rejects.toThrow('the lease is lost');
    await other.ledger.append([forgotten('c')]);
    expect(await ledger.read()).toEqual([forgotten('a'), forgotten('c')]);
  });

  test('An intent needs enough of the lease for its request, and an outcome does not', async () => {
    const { ledger } = await held('a', newKey(), 5_000, 30_000);
    await expect(ledger.append([intent('agent/a', 'i1')])).rejects.toThrow(
      /nothing was sent, because the lease ends too soon: it ends at \d{4}-/,
    );
    await ledger.append([forgotten('a')]);
    expect(await ledger.read()).toEqual([forgotten('a')]);
  });

  test('Two writers of one run never mix, and none of their events is lost', async () => {
    const { key, fence, ledger } = await held();
    const other = databaseLedger(database, key, fence);
    const batches = Array.from({ length: 20 }, (_, batch) => [forgotten(`${batch}-a`), forgotten(`${batch}-b`)]);
    await Promise.all(batches.map((events, index) => (index % 2 === 0 ? ledger : other).append(events)));
    const read = (await ledger.read()).map((event) => JSON.stringify(event));
    expect(read).toHaveLength(40);
    for (const [first, second] of batches)
      expect(read.indexOf(JSON.stringify(second))).toBe(read.indexOf(JSON.stringify(first)) + 1);
    expect(await holesIn(url)).toEqual([]);
  });

  test('The clock of the server counts, however wrong those of the machines are', async () => {
    const key = newKey();
    const hourAhead = openDatabase({
      variable: 'DATABASE_URL',
      env: { DATABASE_URL: url },
      clock: { ...systemClock, now: () => Date.now() + 3_600_000 },
      onWait: () => {},
    });
    const lease = databaseLease(hourAhead, key, { run: null, need: 0 }, 0);
    const mine = Date.now() + 3_600_000;
    const [renewed, until] = [new Date(mine).toISOString(), new Date(mine + 60_000).toISOString()];
    await lease.replace({ ...recordOf(1), renewed, until });
    const seenHere = await databaseLease(database, key, { run: null, need: 0 }, 0).read();
    expect(Math.abs(Date.parse(seenHere?.until ?? '') - Date.now() - 60_000)).toBeLessThan(5_000);
    expect(Math.abs(Date.parse((await lease.read())?.until ?? '') - mine - 60_000)).toBeLessThan(5_000);
    await hourAhead.close();
  });
});
