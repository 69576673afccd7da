// An apply with its ledger in PostgreSQL next to one with its ledger in a file, on a service that answers in 50 ms: `TRIES=all` measures it.

import { expect, test } from 'vitest';
import { median } from '../../../bench/stats.ts';
import { IS_FULL } from '../../tries.ts';
import { postgresBinaries } from './binaries.ts';
import { site } from './disturbed.ts';
import { migratedDatabase } from './migrated.ts';
import { postgresServer } from './server.ts';

const FOUND = await postgresBinaries();
const ROUNDS = 5;
/** Objects: three agents, groups and rules. */
const HUNDRED = { groups: 77, rules: 20, latency: () => 50, settings: '' };
const MOST = 1.25;

/** Milliseconds of an apply of all of them. */
async function timeOf(url: string | null): Promise<number> {
  const { apply } = await site(url, HUNDRED);
  const start = performance.now();
  expect(await apply().ended).toMatchObject({ code: 0 });
  return performance.now() - start;
}

test.skipIf('missing' in FOUND || !IS_FULL)(
  'takes at most a quarter longer',
  async () => {
    const server = await postgresServer({ durable: true });
    if ('missing' in server) throw new Error(server.missing);
    try {
      const times: { readonly file: number; readonly database: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        times.push({ file: await timeOf(null), database: await timeOf(await migratedDatabase(server)) });
      const ratio = median(times.map(({ file, database }) => database / file));
      const seconds = (of: readonly number[]): string => `${(median(of) / 1000).toFixed(2)} s`;
      process.stdout.write(
        `100 objects: ${seconds(times.map(({ file }) => file))} with a file, ${seconds(times.map(({ database }) => database))} with PostgreSQL; ratio ${ratio.toFixed(2)}\n`,
      );
      expect(ratio).toBeLessThanOrEqual(MOST);
    } finally {
      await server.stop();
    }
  },
  300_000,
);
