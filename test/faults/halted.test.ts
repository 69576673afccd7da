// Runs that are cancelled, or fail, while a worker is killed: no license is begun after that. `TRIES=all` has twenty of each.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { type PostgresServer, postgresServer } from '../ledger/postgres/server.ts';
import { tries } from '../tries.ts';
import type { Fleet } from './fleet.ts';
import { fleetsOn, type Halt, halted, haltedHere } from './halted.ts';

const FOUND = await postgresBinaries();
const TIMES = tries(20, 0);

/** Each kills a worker before and after, the one that drives the run and the other. */
const haltsBy = (by: Halt['by']): readonly Halt[] =>
  Array.from({ length: TIMES }, (_, index) => ({
    by,
    kill: index % 2 === 0 ? 'before' : 'after',
    killed: index % 4 < 2 ? 'other' : 'coordinator',
  }));

const reasonOf = (by: Halt['by']): string => (by === 'cancel' ? 'cancelled' : 'failures');

describe.skipIf('missing' in FOUND || TIMES === 0)('a run over forty licenses, two at a time', () => {
  let server: PostgresServer;
  let fleets: { readonly [by in Halt['by']]: Fleet };

  beforeAll(async () => {
    server = (await postgresServer()) as PostgresServer;
    fleets = await fleetsOn(server);
  });

  afterAll(async () => {
    await Promise.all(Object.values(fleets).map(({ close }) => close()));
    await server.stop();
  });

  test.each([...haltsBy('cancel'), ...haltsBy('failure')])(
    'begins no license after it: $by, $killed killed $kill',
    async (halt) => {
      const found = await halted(fleets[halt.by], halt);
      expect(found).toMatchObject({ late: 0, open: [], stopped: reasonOf(halt.by) });
      expect(found.begun).toBeLessThan(40);
    },
  );

  test.each(['cancel', 'failure'] as const)('begins no license after it in one process: %s', async (by) => {
    const own = await fleetsOn(server, 2);
    try {
      for (let time = 0; time < TIMES; time += 1) {
        const found = await haltedHere(own[by], by);
        expect(found).toMatchObject({ late: 0, stopped: reasonOf(by) });
        expect(found.begun).toBeLessThan(40);
      }
    } finally {
      await Promise.all(Object.values(own).map(({ close }) => close()));
    }
  });
});
