// Applies with their ledger in a PostgreSQL that crashes, goes away, ends connections or has no room, and applies that are killed. `TRIES=all` tries all
// of it often.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/service/patience/clock.ts';
import type { Ran } from '../../cli/chatform.ts';
import { IS_FULL, tries } from '../../tries.ts';
import { postgresBinaries } from './binaries.ts';
import { type Bouncer, pgbouncer } from './bouncer.ts';
import { expectWhole, FEW, site, undisturbed, WRITES } from './disturbed.ts';
import { ask, migratedDatabase } from './migrated.ts';
import { type PostgresServer, postgresServer } from './server.ts';

const FOUND = await postgresBinaries();
const tell = (line: string): void => void (IS_FULL && process.stdout.write(`${line}\n`));

describe.skipIf('missing' in FOUND)('an apply with its ledger in PostgreSQL', () => {
  let server: PostgresServer;
  let reference: Awaited<ReturnType<typeof undisturbed>>;

  beforeAll(async () => {
    server = (await postgresServer({ durable: true })) as PostgresServer;
  });

  afterAll(() => server.stop());

  test('leaves the same ledger as one with a file', async () => {
    reference = await undisturbed();
    const url = await migratedDatabase(server);
    const undisturbedSite = await site(url);
    expect(await undisturbedSite.apply().ended).toMatchObject({ code: 0 });
    await expectWhole(undisturbedSite, url, reference);
  });

  interface Trial {
    /** Done when so many writes were carried out. */
    readonly disturb: (url: string) => Promise<void>;
    /** Done before the next apply, after one that failed. */
    readonly mend?: (url: string) => Promise<void>;
    /** The address at which commands find the database. */
    readonly through?: (url: string) => string;
  }

  /** Disturbs an apply after each of these numbers of writes; a second one ends what it left. Returns the ends of the first ones. */
  async function disturbed(moments: readonly number[], { disturb, mend, through = (url) => url }: Trial) {
    const ends: Ran[] = [];
    for (const moment of moments) {
      const url = await migratedDatabase(server);
      const { apply, written, ...rest } = await site(through(url));
      const running = apply();
      await Promise.race([written(moment), running.ended]);
      await disturb(url);
      const end = await running.ended;
      ends.push(end);
      if (end.code !== 0) {
        await mend?.(url);
        const again = await apply().ended;
        expect({ moment, end, ...again }).toMatchObject({ code: 0 });
      }
      await expectWhole({ apply, written, ...rest }, url, reference);
    }
    tell(`after ${moments.join(', ')} writes: exit codes ${ends.map(({ code }) => code).join(', ')}`);
    return ends;
  }

  const moments = (count: number): readonly number[] =>
    Array.from({ length: count }, () => 1 + Math.floor((WRITES - 1) * Math.random()));

  test(
    'goes on after a crash of the server',
    async () => {
      const ends = await disturbed(moments(tries(20, 1)), { disturb: () => server.restart('immediate') });
      expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
    },
    tries(20, 1) * 60_000,
  );

  test('has what it did not write down found by the next one, when the disk is full for a while', async () => {
    const ends = await disturbed(moments(tries(10, 1)), {
      disturb: async (url) => {
        await ask(
          url,
          `create function public.disk_full() returns trigger language plpgsql as
           $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
        );
        await ask(
          url,
          'create trigger disk_full before insert on chatform.event for each row execute function public.disk_full()',
        );
      },
      mend: async (url) => void (await ask(url, 'drop trigger disk_full on chatform.event')),
    });
    expect(ends.filter(({ code }) => code === 0)).toEqual([]);
    for (const { stdout, stderr } of ends) expect(stdout + stderr).toContain('is full: make room');
  });

  test(
    'that is killed keeps its lease until it ends, and the next one finds what is done',
    async () => {
      for (const moment of moments(tries(10, 1))) {
        const url = await migratedDatabase(server);
        // An intent of which nothing shows is waited for as long as its request can be under way.
        const killed = await site(url, { ...FEW, settings: ', request_timeout: 3s' });
        const running = killed.apply();
        await killed.written(moment);
        running.kill('SIGKILL');
        await running.ended;
        const locked = await killed.apply().ended;
        expect([moment, locked.code, locked.stdout]).toEqual([moment, 4, '']);
        expect(locked.stderr).toMatch(/^Error: target here is locked by \S+ \(pid \d+, chatform apply\) since /);
        // The clock of the server is that of the lease.
        await ask(
          url,
          "create or replace function chatform.now() returns timestamptz language sql volatile as $$ select clock_timestamp() + interval '80 s' $$",
        );
        const { code, stderr } = await killed.apply().ended;
        expect([moment, code, stderr]).toEqual([
          moment,
          0,
          expect.stringMatching(/^Warning: the lease took over from /),
        ]);
        await expectWhole(killed, url, reference);
      }
    },
    tries(10, 1) * 60_000,
  );

  describe.runIf(IS_FULL)('at full length', () => {
    const terminate = async (url: string): Promise<void> => {
      for (let time = 0; time < 5; time += 1) {
        await ask(
          url,
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        await systemClock.sleep(50 + 200 * Math.random());
      }
    };

    test('goes on when all its connections are ended, several times', async () => {
      const ends = await disturbed(moments(10), { disturb: terminate });
      expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
    }, 600_000);

    test('waits for a server that is away for half a minute', async () => {
      const ends = await disturbed(moments(2), {
        disturb: async () => {
          await server.pause('immediate');
          await systemClock.sleep(30_000);
          await server.start();
        },
      });
      for (const { stderr } of ends)
        expect(stderr.match(/does not answer: waiting for it to come back/g)).toHaveLength(1);
      expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
    }, 300_000);

    test('goes on through pgbouncer in transaction mode, when all connections of that are ended', async () => {
      const bouncer = (await pgbouncer(server)) as Bouncer;
      try {
        const through = (url: string): string => url.replace(/:\d+\//, `:${bouncer.port}/`);
        const ends = await disturbed(moments(5), { disturb: terminate, through });
        expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
      } finally {
        await bouncer.stop();
      }
    }, 300_000);
  });
});
