// Real runs that something harms, a few of those of `npm run test:faults`: `TRIES=all` has them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { tries } from '../tries.ts';
import { type Lane, openLane } from './trial.ts';

const FOUND = await postgresBinaries();

describe.skipIf('missing' in FOUND || tries(1, 0) === 0)('a run over twenty licenses', () => {
  let lane: Lane;

  beforeAll(async () => {
    lane = await openLane();
  });

  afterAll(() => lane.close());

  test.each(['coordinator', 'both', 'suspended', 'server', 'connections', 'full'])(
    'leaves each license as if nothing had harmed it: %s',
    async (part) => {
      for (const share of [0.3, 0.6]) expect(await lane.trial(part, share)).toMatchObject({ wrong: [] });
    },
  );
});
