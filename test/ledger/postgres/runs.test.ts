// Runs over several targets in a real PostgreSQL: how they begin, which is the newest of a rule, and when they are forgotten.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotBegun } from '../../../src/base/errors.ts';
import type { LogKey } from '../../../src/ledger/place.ts';
import { type Database, openDatabase } from '../../../src/ledger/postgres/database.ts';
import { beginJob, failJob, type KnownJob } from '../../../src/ledger/postgres/jobs.ts';
import type { FleetEvent } from '../../../src/many/log/events.ts';
import { beginStoredRun, newestScheduled, storedRuns } from '../../../src/many/log/postgres.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { ANN, runOf, spec, stampAt, wave } from '../../many/names.ts';
import { postgresBinaries } from './binaries.ts';
import { ask, holesIn, migratedDatabase } from './migrated.ts';
import { type SharedServer, sharedServer } from './server.ts';

const FOUND = await postgresBinaries();
const PROJECT = 'chatform';

describe.skipIf('missing' in FOUND)('runs in PostgreSQL', () => {
  let server: SharedServer;
  let url: string;
  let database: Database;

  beforeAll(async () => {
    server = await sharedServer();
    url = await migratedDatabase(server);
    database = openDatabase({
      variable: 'DATABASE_URL',
      env: { DATABASE_URL: url },
      clock: systemClock,
      onWait: () => {},
    });
  });

  afterAll(async () => {
    await database.close();
  });

  const keyOf = (name: string): LogKey => ({ variable: 'DATABASE_URL', project: PROJECT, kind: 'run', name });

  async function begin(name: string, schedule: string | null): Promise<void> {
    const first = { ...runOf(spec([wave('all', ['a'])])), id: name };
    await beginStoredRun(database, keyOf(name), { first, schedule, request: {}, plans: new Map([['a', '{}']]) });
  }

  /** The next event, as if the driver had appended it so many days ago. */
  async function append(name: string, event: FleetEvent, daysAgo = 0): Promise<void> {
    await ask(
      url,
      `with l as (update chatform.log set head = head + 1 where name = $1 returning id, head)
       insert into chatform.event (log, seq, run, body, at)
         select id, head, $1, $2::json, clock_timestamp() - $3 * interval '1 day' from l`,
      [name, JSON.stringify(event), daysAgo],
    );
  }

  const done: FleetEvent = { ...stampAt(0), type: 'done' };
  const cancelled: FleetEvent = { ...stampAt(0), type: 'stopped', because: { kind: 'cancelled', by: ANN } };
  const interrupted: FleetEvent = { ...stampAt(0), type: 'stopped', because: { kind: 'interrupted' } };
  const closed: FleetEvent = {
    ...stampAt(0),
    type: 'stopped',
    because: { kind: 'gate', wave: 'all', gate: 'tests', target: 'a', message: 'a \u0000 zero, half of \ud83d' },
  };

  test('Runs are known with the newest first, whatever their names', async () => {
    for (const name of ['first-b', 'first-c', 'first-a']) await begin(name, null);
    const known = await storedRuns(database, PROJECT);
    expect(known.map(({ id }) => id)).toEqual(['first-a', 'first-c', 'first-b']);
  });

  test('A job whose failure was counted is not begun again, also where the failure is known', async () => {
    await begin('failing', null);
    const job = { run: keyOf('failing'), target: 'a', attempt: 1 };
    const looked: string[] = [];
    const known = (failures: number): KnownJob => ({
      ...job,
      failures: () => failures,
      look: async () => {
        looked.push(`with ${failures}`);
        throw new NotBegun();
      },
    });
    await beginJob(database, known(0));
    await beginJob(database, known(0));
    await failJob(database, job, { state: 'failed', code: 1, message: 'broken', requests: 1, summary: {} });
    await expect(beginJob(database, known(1))).rejects.toThrow(NotBegun);
    await beginJob(database, { ...known(1), attempt: 2 });
    expect(looked).toEqual(['with 1']);
  });

  test('Of a rule, the newest run is known, and whether it is over', async () => {
    expect(await newestScheduled(database, PROJECT, 'every')).toBeNull();
    await begin('one', 'every');
    await begin('of-a-person', null);
    await begin('of-another-rule', 'other');
    expect(await newestScheduled(database, PROJECT, 'every')).toEqual({ id: 'one', isOver: false });
    await append('one', done);
    await begin('one', 'every');
    expect(await newestScheduled(database, PROJECT, 'every')).toEqual({ id: 'one', isOver: true });
    await begin('two', 'every');
    await append('two', interrupted);
    expect(await newestScheduled(database, PROJECT, 'every')).toEqual({ id: 'two', isOver: false });
    await append('two', closed);
    expect(await newestScheduled(database, PROJECT, 'every')).toEqual({ id: 'two', isOver: true });
    expect(await newestScheduled(database, 'other project', 'every')).toBeNull();
  });

  test('Runs that ended are forgotten after 400 days, those of a rule after 14 days but for the newest; no other is', async () => {
    await ask(url, 'truncate chatform.log cascade');
    const ended: readonly (readonly [
      name: string,
      schedule: string | null,
      last: FleetEvent | null,
      daysAgo: number,
    ])[] = [
      ['old', null, done, 401],
      ['old-closed', null, closed, 401],
      ['old-under-way', null, { ...stampAt(0), type: 'started', target: 'a', attempt: 1 }, 500],
      ['old-resumed', null, { ...stampAt(0), type: 'resumed', by: ANN }, 500],
      ['old-interrupted', null, interrupted, 500],
      ['never-begun', null, null, 0],
      ['of-last-year', null, cancelled, 399],
      ['checked-before', 'every', done, 15],
      ['checked-and-cancelled', 'every', cancelled, 15],
      ['check-under-way', 'every', { ...stampAt(0), type: 'started', target: 'a', attempt: 1 }, 15],
      ['checked-lately', 'every', done, 13],
      ['checked-last', 'every', done, 15],
      ['only-check', 'other', done, 300],
      ['only-old-check', 'third', done, 401],
    ];
    for (const [name, schedule, last, daysAgo] of ended) {
      await begin(name, schedule);
      await ask(url, "update chatform.event set at = at - interval '600 days' where run = $1", [name]);
      // What a target said may look like the end of the run.
      const summary = { type: 'done' };
      await append(name, { ...stampAt(0), type: 'ended', target: 'a', attempt: 1, ...ENDED, summary }, 550);
      if (last !== null) await append(name, last, daysAgo);
    }
    await ask(url, "insert into chatform.log (project, kind, name) values ('chatform', 'ledger', 'shop')");
    await ask(url, 'select chatform.forget_runs()');
    expect((await storedRuns(database, PROJECT)).map(({ id }) => id).toSorted()).toEqual([
      'check-under-way',
      'checked-last',
      'checked-lately',
      'never-begun',
      'of-last-year',
      'old-interrupted',
      'old-resumed',
      'old-under-way',
      'only-check',
    ]);
    expect(await ask(url, "select name from chatform.log where kind = 'ledger'")).toEqual([{ name: 'shop' }]);
    expect(await ask(url, 'select count(*)::int from chatform.fleet_plan')).toEqual([{ count: 9 }]);
    expect(await holesIn(url)).toEqual([]);
  });
});

const ENDED = { state: 'done', code: 0, message: null, requests: 1, seconds: 1 } as const;
