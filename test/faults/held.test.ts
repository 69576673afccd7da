// Workers whose clocks are from 7 minutes behind to 10 minutes ahead hold a wave for as long as it says. `TRIES=all` has these tests.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { type PostgresServer, postgresServer } from '../ledger/postgres/server.ts';
import { IS_FULL } from '../tries.ts';
import type { Fleet } from './fleet.ts';
import { heldBy, heldFleet } from './held.ts';

const FOUND = await postgresBinaries();

describe.skipIf('missing' in FOUND || !IS_FULL)('a wave that is held', () => {
  let server: PostgresServer;
  let fleet: Fleet;

  beforeAll(async () => {
    server = (await postgresServer()) as PostgresServer;
    fleet = await heldFleet(server);
  });

  afterAll(async () => {
    await fleet.close();
    await server.stop();
  });

  test.each([
    { ahead: [10, -7], kills: false },
    { ahead: [10, -7], kills: true },
    { ahead: [-7, 10], kills: true },
    { ahead: [3, 10], kills: true },
    { ahead: [-7, -2], kills: true },
    { ahead: [0, 10], kills: true },
    { ahead: [10, 0], kills: true },
    { ahead: [-7, 0, 10], kills: true },
  ])('is held by clocks that are $ahead minutes ahead, with its driver killed: $kills', async ({ ahead, kills }) => {
    const late = await heldBy(fleet, ahead, kills);
    expect(late).toBeGreaterThanOrEqual(-0.1);
    expect(late).toBeLessThan(2);
  });
});
