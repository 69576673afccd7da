// Races for one ledger in a real PostgreSQL: who gets the lease, and that a writer that lost it writes nothing more. `TRIES=all` races for a minute.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import type { LeaseRecord } from '../../../src/ledger/lease.ts';
import type { LogKey } from '../../../src/ledger/place.ts';
import { type Database, openDatabase } from '../../../src/ledger/postgres/database.ts';
import { databaseLease } from '../../../src/ledger/postgres/lease.ts';
import { databaseLedger } from '../../../src/ledger/postgres/ledger.ts';
import type { Fence } from '../../../src/ledger/postgres/log.ts';
import { takeLease } from '../../../src/ledger/tenure.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { IS_FULL, tries } from '../../tries.ts';
import { forgotten, intent } from '../conformance.ts';
import { holderOf } from '../lease-conformance.ts';
import { postgresBinaries } from './binaries.ts';
import { expectWhole, site, undisturbed } from './disturbed.ts';
import { ask, holesIn, migratedDatabase } from './migrated.ts';
import { type SharedServer, sharedServer } from './server.ts';

const FOUND = await postgresBinaries();
let server: SharedServer;

/** Applies of a race of commands. */
const ROUNDS = tries(50, 2);
const RACERS = 50;
const WRITERS = 8;
/** Milliseconds. */
const RACE = tries(60_000, 2_000);
const TTL = 30;
/** What a request takes, so that intents near the end of a lease are refused. */
const NEED = 10;

/** At full length. */
const tell = (line: string): void => void (IS_FULL && process.stdout.write(`${line}\n`));

const KEY: LogKey = { variable: 'DATABASE_URL', project: 'chatform', kind: 'ledger', name: 'eu' };

/** Databases of several machines: each has connections of its own. */
async function opened<T>(count: number, work: (machines: readonly Database[], url: string) => Promise<T>): Promise<T> {
  const url = await migratedDatabase(server);
  const given = { variable: 'DATABASE_URL', env: { DATABASE_URL: url }, clock: systemClock, onWait: () => {} };
  const machines = Array.from({ length: count }, () => openDatabase(given));
  try {
    return await work(machines, url);
  } finally {
    await Promise.all(machines.map((machine) => machine.close()));
  }
}

/** What a writer asked for: the names in each batch, by the result of its append. */
interface Sent {
  readonly acknowledged: (readonly string[])[];
  readonly refused: (readonly string[])[];
  takeovers: number;
}

const isOpen = (record: LeaseRecord | null): boolean =>
  record === null || record.until === null || Date.parse(record.until) <= Date.now();

/** Takes the lease whenever it ran out, and then writes until it is refused or does not want to any more, without a look at its clock. */
async function race(database: Database, end: number, sent: Sent): Promise<void> {
  const fence: Fence = { run: null, need: 0 };
  const lease = databaseLease(database, KEY, fence, NEED);
  while (Date.now() < end) {
    const newest = await lease.read();
    const run = randomUUID();
    const [renewed, until] = [Date.now(), Date.now() + TTL].map((time) => new Date(time).toISOString()) as [
      string,
      string,
    ];
    const record = {
      generation: (newest?.generation ?? 0) + 1,
      run,
      holder: holderOf(run),
      since: renewed,
      renewed,
      until,
    };
    if (!isOpen(newest)) await systemClock.sleep(TTL * Math.random());
    if (!isOpen(newest) || !(await lease.replace(record))) continue;
    sent.takeovers += 1;
    const ledger = databaseLedger(database, KEY, fence);
    const patience = Date.now() + 3 * TTL * Math.random();
    let isHeld = true;
    for (let batch = 0; isHeld && Date.now() < patience; batch += 1) {
      const names = Array.from({ length: 1 + Math.floor(3 * Math.random()) }, (_, index) => `${run} ${batch} ${index}`);
      const events = names.map((name): LedgerEvent => forgotten(name));
      const announced = batch % 5 === 4 ? [intent('agent/a', `${run} ${batch} last`)] : [];
      const batched = [...names, ...(announced.length > 0 ? [`${run} ${batch} last`] : [])];
      try {
        await ledger.append([...events, ...announced]);
        sent.acknowledged.push(batched);
      } catch (error) {
        sent.refused.push(batched);
        const isShort = String(error).includes('the lease ends too soon');
        if (!isShort) expect(String(error)).toContain('nothing was written, because the lease is lost');
        isHeld = isShort;
      }
    }
  }
}

/** The names of the test in an event. */
function nameIn(body: string): string {
  const { address, id } = JSON.parse(body) as { readonly address: string; readonly id?: string };
  return id ?? address.slice(address.indexOf('/') + 1);
}

describe.skipIf('missing' in FOUND)('races for a ledger in PostgreSQL', () => {
  beforeAll(async () => {
    server = await sharedServer();
  });

  test('Of 50 racers for a free lease, one wins, and the others name it', () =>
    opened(RACERS, async (machines, url) => {
      for (let round = 1; round <= tries(20, 2); round += 1) {
        const key = { ...KEY, name: `round ${round}` };
        const taken = await Promise.all(
          machines.map((database, racer) =>
            takeLease({
              lease: databaseLease(database, key, { run: null, need: 0 }, 0),
              run: `racer ${racer}`,
              holder: holderOf(`racer ${racer}`),
              clock: systemClock,
              ttl: 60_000,
            }),
          ),
        );
        const winners = taken.flatMap((each, racer) => ('tenure' in each ? [`racer ${racer}`] : []));
        expect(winners).toHaveLength(1);
        const named = new Set(taken.flatMap((each) => ('lockedBy' in each ? [each.lockedBy.run] : [])));
        expect([...named]).toEqual(winners);
        const rows = await ask(url, 'select run, generation::int as generation from chatform.log where name = $1', [
          key.name,
        ]);
        expect(rows).toEqual([{ run: winners[0], generation: 1 }]);
      }
    }));

  test(
    'Writers that lost their lease and do not know it write nothing more',
    () =>
      opened(WRITERS, async (machines, url) => {
        const all = machines.map((): Sent => ({ acknowledged: [], refused: [], takeovers: 0 }));
        const end = Date.now() + RACE;
        await Promise.all(machines.map((database, writer) => race(database, end, all[writer] as Sent)));
        const rows = (await ask(
          url,
          'select e.seq::int as seq, e.run, e.body::text as body from chatform.event e join chatform.log l on l.id = e.log order by seq',
        )) as readonly { readonly seq: number; readonly run: string; readonly body: string }[];
        const acknowledged = all.flatMap((sent) => sent.acknowledged);
        const refused = all.flatMap((sent) => sent.refused);
        const takeovers = all.reduce((sum, sent) => sum + sent.takeovers, 0);
        const changes = rows.filter(({ run }, index) => run !== rows[index - 1]?.run).map(({ run }) => run);
        tell(
          `${RACE / 1000} s: ${takeovers} take-overs, ${acknowledged.length} appends accepted, ${refused.length} refused, ${changes.length - new Set(changes).size} interleavings, ${(await holesIn(url)).length} holes`,
        );
        expect(await holesIn(url)).toEqual([]);
        expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
        // The events of a run are next to each other, and those of a batch as they were given.
        expect(changes).toHaveLength(new Set(changes).size);
        const names = rows.map(({ body }) => nameIn(body));
        expect(names.every((name, index) => name.startsWith(`${rows[index]?.run} `))).toBe(true);
        expect(new Set(names).size).toBe(names.length);
        expect(names.toSorted()).toEqual(acknowledged.flat().toSorted());
        const places = new Map(names.map((name, index) => [name, index]));
        for (const batch of acknowledged) {
          const first = places.get(batch[0] ?? '') ?? -1;
          expect(batch.map((name) => places.get(name))).toEqual(batch.map((_, index) => first + index));
        }
        // Otherwise the race has shown nothing.
        expect(acknowledged.length).toBeGreaterThan(WRITERS);
        expect(refused.length).toBeGreaterThan(WRITERS);
        expect(takeovers).toBeGreaterThan(WRITERS);
      }),
    RACE + 60_000,
  );

  test(
    'Of two applies of two checkouts, one wins and the other exits 4, or they come one after the other',
    async () => {
      const reference = await undisturbed();
      const outcomes = { locked: 0, inTurn: 0 };
      for (let round = 1; round <= ROUNDS; round += 1) {
        const url = await migratedDatabase(server);
        const project = await site(url);
        const other = await project.applyElsewhere();
        const both = await Promise.all([other.ended, project.apply().ended]);
        const loser = both.find(({ code }) => code !== 0);
        outcomes[loser === undefined ? 'inTurn' : 'locked'] += 1;
        if (loser !== undefined) {
          expect([round, loser.code, loser.stdout]).toEqual([round, 4, '']);
          expect(loser.stderr).toMatch(
            /^Error: target here is locked by \S+@\S+ \(pid \d+, chatform apply\) since 2\S+Z, until 2/,
          );
          expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
        }
        await expectWhole(project, url, reference);
      }
      tell(
        `${ROUNDS} pairs of applies: ${outcomes.locked} times one was locked out, ${outcomes.inTurn} times they took turns`,
      );
    },
    60_000 + ROUNDS * 10_000,
  );
});
