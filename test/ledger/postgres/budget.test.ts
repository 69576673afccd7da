// The requests of a token, counted in a real PostgreSQL for all processes. `TRIES=all` lets them race for longer.

import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digest } from '../../../src/base/digest.ts';
import { databaseBudget } from '../../../src/ledger/postgres/budget.ts';
import { type Database, type DatabaseRow, openDatabase } from '../../../src/ledger/postgres/database.ts';
import { type Budget, budgetPerToken } from '../../../src/service/patience/budget.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { leapingClock } from '../../many/names.ts';
import { describeBudget } from '../../service/patience/budget.conformance.ts';
import { NOW } from '../../service/scripted.ts';
import { tries } from '../../tries.ts';
import { virtualClock } from '../../world.ts';
import { postgresBinaries } from './binaries.ts';
import { ask, migratedDatabase } from './migrated.ts';
import { cuttingProxy } from './proxy.ts';
import { type SharedServer, sharedServer } from './server.ts';

const FOUND = await postgresBinaries();
let server: SharedServer;

/** At full length. */
const tell = (line: string): void => void (tries(1, 0) === 1 && process.stdout.write(`${line}\n`));

/** A database whose clock is that of the process that asks, which stands still while something is asked. */
function leaping(database: Database) {
  let under = 0;
  const clock = leapingClock(NOW, () => under > 0);
  const query: Database['query'] = async (sql, values) => {
    under += 1;
    try {
      await database.query('update public.clock set at = to_timestamp($1::float8 / 1000)', [clock.now()]);
      return await database.query(sql, values);
    } finally {
      under -= 1;
    }
  };
  return { clock, database: { ...database, query } };
}

describe.skipIf('missing' in FOUND)('budgets in PostgreSQL', () => {
  let url: string;
  let database: Database;
  /** Its clock is set by those who ask. */
  let set: Database;

  const opened = (address: string): Database =>
    openDatabase({ variable: 'DATABASE_URL', env: { DATABASE_URL: address }, clock: systemClock, onWait: () => {} });

  beforeAll(async () => {
    server = await sharedServer();
    url = await migratedDatabase(server);
    database = opened(url);
    const other = await migratedDatabase(server);
    await ask(
      other,
      `create table public.clock (at timestamptz); insert into public.clock values (now());
       create or replace function chatform.now() returns timestamptz language sql volatile as 'select at from public.clock'`,
    );
    set = opened(other);
  });

  afterAll(async () => {
    await database.close();
    await set.close();
  });

  describeBudget(
    'PostgreSQL',
    async (rate) => {
      const { clock, database } = leaping(set);
      const key = randomUUID();
      return { clock, open: () => databaseBudget(database, { key, rate, clock }) };
    },
    tries(100, 10),
  );

  const NEVER = new AbortController().signal;
  setMaxListeners(0, NEVER);

  /** Budgets of one token, of processes with connections of their own. */
  async function processes<T>(
    count: number,
    rate: number | null,
    work: (budgets: readonly Budget[], questions: readonly { readonly count: number }[]) => Promise<T>,
  ): Promise<T> {
    const machines = Array.from({ length: count }, () => opened(url));
    const questions = machines.map(() => ({ count: 0 }));
    const key = digest(randomUUID());
    const budgets = machines.map((machine, index) => {
      const query: Database['query'] = (sql, values) => {
        (questions[index] as { count: number }).count += 1;
        return machine.query(sql, values);
      };
      return databaseBudget({ ...machine, query }, { key, rate, clock: systemClock });
    });
    // Connected before anything is measured.
    await Promise.all(machines.map((machine) => machine.query('select 1', [])));
    try {
      return await work(budgets, questions);
    } finally {
      await Promise.all(machines.map((machine) => machine.close()));
    }
  }

  /** Takes turns, as many at once as `width` says, until the time is up. @returns when each was granted, in milliseconds */
  async function taking(budget: Budget, width: number, until: number): Promise<readonly number[]> {
    const times: number[] = [];
    const stop = AbortSignal.timeout(Math.max(1, until - Date.now()));
    setMaxListeners(0, stop);
    const one = async (): Promise<void> => {
      while (await budget.turn(stop)) times.push(Date.now());
    };
    await Promise.all(Array.from({ length: width }, one));
    return times;
  }

  /** Milliseconds. */
  const RACE = tries(10_000, 1_500);

  test(
    'Many processes of one token together never send more than the rate and a burst, and waste little of it',
    async () => {
      for (const [count, rate] of [
        [20, 10],
        [12, 50],
        [10, 200],
      ] as const)
        await processes(count, rate, async (budgets, questions) => {
          const begun = Date.now();
          const all = await Promise.all(budgets.map((budget) => taking(budget, 8, begun + RACE)));
          const times = all.flat().toSorted((a, b) => a - b);
          const took = (Date.now() - begun) / 1_000;
          const burst = Math.max(1, Math.floor(rate / 5));
          const asked = questions.reduce((sum, each) => sum + each.count, 0);
          tell(`${count} processes, ${rate}/s: ${times.length} in ${took} s, ${asked} questions`);
          expect(times.length).toBeLessThanOrEqual(burst + rate * took);
          expect(times.length).toBeGreaterThan(0.7 * rate * (RACE / 1_000));
          // A grant takes a while to arrive.
          for (const from of times)
            expect(times.filter((time) => time >= from && time < from + 500).length).toBeLessThanOrEqual(
              burst + rate * 0.7,
            );
        });
    },
    60_000 + 3 * RACE,
  );

  test.each([null, 50])('A 429 of one process stops all others within a second, at the rate %s', (rate) =>
    processes(8, rate, async (budgets, questions) => {
      const begun = Date.now();
      const stop = AbortSignal.timeout(3_000);
      setMaxListeners(0, stop);
      const times: number[] = [];
      let refused = Number.POSITIVE_INFINITY;
      const send = async (budget: Budget, index: number): Promise<void> => {
        while (await budget.turn(stop)) {
          times.push(Date.now());
          // As a service answers.
          await systemClock.sleep(10);
          if (index > 0 || refused < Date.now() || Date.now() < begun + 1_200) continue;
          refused = Date.now();
          budget.close(refused + 60_000);
        }
      };
      await Promise.all(budgets.map(send));
      const last = Math.max(...times) - refused;
      const asked = Math.max(...questions.map(({ count }) => count));
      tell(
        `a 429 at the rate ${rate}: another process sends for ${last} ms; a process asked ${asked} times for ${times.length / 8} requests`,
      );
      expect(times.length).toBeGreaterThan(50);
      expect(last).toBeLessThan(1_000);
      if (rate === null) expect(asked).toBeLessThanOrEqual(4);
    }),
  );

  test('Each request counts by the rate of its own process, and processes take turns', async () => {
    const { clock, database: own } = leaping(set);
    const key = digest(randomUUID());
    const stop = new AbortController();
    const take = async (rate: number): Promise<number> => {
      const budget = databaseBudget(own, { key, rate, clock });
      for (let served = 0; ; served += 1) if (!(await budget.turn(stop.signal))) return served;
    };
    const all = [50, 10, 10, 2].map(take);
    await clock.sleep(60_000);
    stop.abort();
    // A round takes 20, 100, 100 and 500 milliseconds.
    for (const served of await Promise.all(all)) expect(Math.abs(served - 60_000 / 720)).toBeLessThan(12);
  });

  test('A closed budget is not opened earlier by another 429, and the database knows no token', async () => {
    const { clock, database: own } = leaping(set);
    const token = `dal:${randomUUID()}`;
    const budgets = [1, 2].map(() =>
      budgetPerToken((key) => databaseBudget(own, { key, rate: null, clock }))({ kind: 'bearer', token }),
    );
    budgets[0]?.close(NOW + 30_000);
    await clock.sleep(1);
    budgets[1]?.close(NOW + 5_000);
    await clock.sleep(1);
    const third = databaseBudget(own, { key: digest(token), rate: null, clock });
    await third.turn(NEVER);
    expect(clock.now() - NOW).toBe(30_000);
    const rows = await set.query<{ key: string }>('select key from chatform.budget', []);
    expect(rows.map(({ key }) => key)).toContain(digest(token));
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });

  test('Budgets are forgotten a day after they are whole again', async () => {
    const { clock, database: own } = leaping(set);
    const [old, idle, next] = ['old', 'idle', 'next'].map((name) => `${name} ${randomUUID()}`) as [
      string,
      string,
      string,
    ];
    const rows = async () => {
      const found = await set.query<{ key: string }>('select key from chatform.budget', []);
      return [old, idle, next].filter((key) => found.some((row) => row.key === key));
    };
    await databaseBudget(own, { key: old, rate: 1, clock }).turn(NEVER);
    databaseBudget(own, { key: idle, rate: null, clock }).close(NOW + 300_000);
    await clock.sleep(86_400_000 + 60_000);
    await databaseBudget(own, { key: next, rate: 1, clock }).turn(NEVER);
    expect(await rows()).toEqual([idle, next]);
    await clock.sleep(300_000);
    databaseBudget(own, { key: next, rate: null, clock }).close(clock.now());
    await clock.sleep(1);
    expect(await rows()).toEqual([next]);
  });

  test('Whoever may only read licenses takes part', async () => {
    await ask(url, 'create role counter login; grant chatform_read to counter');
    const reader = opened(url.replace('postgres@', 'counter@'));
    const key = digest(randomUUID());
    const budget = databaseBudget(reader, { key, rate: 1, clock: systemClock });
    expect(await budget.turn(NEVER)).toBe(true);
    budget.close(Date.now() + 60_000);
    await expect
      .poll(() => ask(url, 'select opens is not null as closed from chatform.budget where key = $1', [key]))
      .toEqual([{ closed: true }]);
    await reader.close();
  });

  test('All that wait in a process ask together, and what is granted to those that gave up meanwhile is not kept', async () => {
    const { clock, database: own } = leaping(set);
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    let asked = 0;
    const query: Database['query'] = <R extends DatabaseRow>(sql: string, values: readonly unknown[]) => {
      asked += 1;
      const answer = own.query<R>(sql, values);
      if (asked === 2) stop.abort();
      return answer;
    };
    const budget = databaseBudget({ ...own, query }, { key: digest(randomUUID()), rate: 100, clock });
    const given = Array.from({ length: 20 }, () => budget.turn(stop.signal));
    expect((await Promise.all(given)).filter(Boolean)).toHaveLength(1);
    expect(asked).toBe(2);
    // The answer, which grants the other 19 that may be sent at once.
    await clock.sleep(1);
    const times = await Promise.all(
      Array.from({ length: 40 }, async () => {
        await budget.turn(NEVER);
        return clock.now() - NOW;
      }),
    );
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeGreaterThanOrEqual(400);
    expect(asked).toBeLessThan(2 + 45);
  });

  test.each(['before', 'after'] as const)(
    'A connection that ends %s a question costs at most the requests that it granted',
    async (where) => {
      const proxy = await cuttingProxy(server.port);
      const machine = opened(proxy.url(url));
      const budget = databaseBudget(machine, { key: digest(randomUUID()), rate: 10, clock: systemClock });
      await machine.query('select 1', []);
      proxy.cutAt('chatform.take_requests', where);
      expect(await budget.turn(NEVER)).toBe(true);
      expect(proxy.cuts()).toBe(1);
      await machine.close();
      await proxy.stop();
    },
  );

  test('A server that does not come back ends all that wait, and says so; those that give up do not wait for it', async () => {
    const proxy = await cuttingProxy(server.port);
    const clock = virtualClock();
    const machine = openDatabase({
      variable: 'DATABASE_URL',
      env: { DATABASE_URL: proxy.url(url) },
      clock,
      onWait: () => {},
    });
    const budget = databaseBudget(machine, { key: digest(randomUUID()), rate: 100, clock });
    expect(await budget.turn(NEVER)).toBe(true);
    await proxy.stop();
    const stop = new AbortController();
    const waiting = [budget.turn(NEVER), budget.turn(stop.signal), budget.turn(NEVER)];
    stop.abort();
    expect(await waiting[1]).toBe(false);
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    await expect(waiting[0]).rejects.toThrow(/the connection to PostgreSQL .* ended, and the server did not come back/);
    await machine.close();
  });
});
