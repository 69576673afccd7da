import { hostname } from 'node:os';
import { Pool } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import type { FleetEvent } from '../../../src/many/log/events.ts';
import { connect } from '../../../src/many/workers/connection.ts';
import { loadDbos } from '../../../src/many/workers/dbos.ts';
import { migrateEngine } from '../../../src/many/workers/migrate.ts';
import { startWorker } from '../../../src/many/workers/worker.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import { IS_FULL, tries } from '../../tries.ts';
import { ANN, runOf, spec, stampAt, wave } from '../names.ts';
import { enqueueRun, liveWorkers, runState } from './asked.ts';
import { counted, eventOf, isOver, rigOn, until } from './rig.ts';
import { driveOf, runStore } from './run-store.ts';
import { describeRuns } from './suite.ts';
import { threeWaves } from './waves.ts';

/** At full length only. */
const atLength = test.skipIf(!IS_FULL);

const typesOf = (events: readonly FleetEvent[]) =>
  events.map((event) => ('target' in event ? `${event.type} ${event.target}` : event.type));

const tell = (line: string): void => void (IS_FULL && process.stdout.write(`${line}\n`));

await describeRuns('Runs on PostgreSQL', {}, (on) => {
  afterEach(() => on.rig.clear());

  test('Two workers carry out a run of 20 targets in three waves: each once, a wave after the gate of the one before', async () => {
    // Work so short that one worker ends it before the other looks would not be shared.
    const settings = { takes: [500, 600], parallel: 2 } as const;
    await Promise.all([on.rig.worker(settings), on.rig.worker(settings)]);
    const store = await on.rig.begin(threeWaves());
    const events = typesOf(await eventOf(store, isOver));
    expect(events.at(-1)).toBe('done');
    expect(events.filter((event) => event.startsWith('ended'))).toHaveLength(20);
    expect(events.indexOf('gate c1')).toBeLessThan(events.indexOf('started t0'));
    expect(events.indexOf('started r0')).toBeGreaterThan(events.findLastIndex((event) => /^ended t/.test(event)));
    expect(await counted(on.rig.pool)).toMatchObject({ calls: 20, effects: 20 });
    expect((await counted(on.rig.pool)).workers).toHaveLength(2);
    await until(async () => (await runState(on.rig.url, 'r1')).state === 'ended');
  });

  test('A second request for a run is none, and a run that is over stays so until a person resumes it', async () => {
    await on.rig.worker();
    const store = await on.rig.begin(threeWaves());
    await store.cancel({ ...stampAt(Date.now()), type: 'cancel', by: ANN });
    const stopped = await eventOf(store, isOver);
    expect(stopped.at(-1)?.type).toBe('stopped');
    await until(async () => (await runState(on.rig.url, 'r1')).state === 'ended');
    await enqueueRun(on.rig.url, { run: 'r1', digest: null, round: 0 });
    expect(await runState(on.rig.url, 'r1')).toEqual({ state: 'ended' });
    // As if its worker had died before that was written.
    await on.rig.pool.query("update dbos.workflow_status set status = 'ENQUEUED' where name = 'chatform.run'");
    await until(async () => (await runState(on.rig.url, 'r1')).state === 'ended');
    expect(await store.read()).toEqual(stopped);
    await store.cancel(null);
    await on.rig.resume(1);
    const events = await eventOf(store, ({ type }) => type === 'done');
    expect(events.filter(({ type }) => type === 'ended')).toHaveLength(20);
    expect((await counted(on.rig.pool)).calls).toBe(20);
  });

  atLength(
    'A worker that stops ends what it has begun, and leaves the run and everything else to another one',
    async () => {
      const settings = { takes: [200, 300], parallel: 2 } as const;
      const first = await on.rig.worker(settings);
      const store = await on.rig.begin(threeWaves());
      await eventOf(store, (event) => event.type === 'ended' && event.target === 't0');
      const second = await on.rig.worker(settings);
      expect(await first.stop()).toMatch(/^stopped .*"working":0,.*"runs":0/);
      expect((await liveWorkers(on.rig.url)).map(({ id }) => id)).toEqual([second.id]);
      const events = await eventOf(store, (event, all) => event.type === 'done' || all.length > 200);
      expect(typesOf(events).at(-1)).toBe('done');
      expect(await counted(on.rig.pool)).toMatchObject({ calls: 20, effects: 20 });
      expect(await second.stop()).toContain('"working":0');
      expect(first.log() + second.log()).not.toMatch(/error/);
    },
  );

  test('A short run that begins when a long one has filled the queue takes at most twice as long as alone', async () => {
    const settings = { takes: [300, 350], parallel: 4 } as const;
    await Promise.all([on.rig.worker(settings), on.rig.worker(settings)]);
    const few = (letter: string) => spec([wave('all', [`${letter}1`, `${letter}2`, `${letter}3`], { parallel: 3 })]);
    const timed = async (run: string): Promise<number> => {
      const begun = Date.now();
      await eventOf(await on.rig.begin(few(run), run), isOver);
      return Date.now() - begun;
    };
    const alone = (await timed('a')) + (await timed('b'));
    const many = Array.from({ length: 120 }, (_, index) => `t${index}`);
    const long = await on.rig.begin(spec([wave('all', many, { parallel: 120 })]));
    await eventOf(long, ({ type }) => type === 'ended');
    const next = (await timed('c')) + (await timed('d'));
    tell(`2 runs of 3 targets: ${alone} ms alone, ${next} ms next to a run of 120`);
    expect(next).toBeLessThan(tries(2, 4) * alone);
    expect((await long.read()).filter(({ type }) => type === 'ended').length).toBeLessThan(110);
  });

  test('Workers that cannot do a run leave it to one that can; while there is none, it waits', async () => {
    const refuses = 'commit 5f1c is not here';
    const [one, two] = await Promise.all([on.rig.worker({ refuses }), on.rig.worker({ refuses })]);
    const store = await on.rig.begin(threeWaves(4));
    await until(async () => (await liveWorkers(on.rig.url)).every(({ refused }) => refused.length === 1));
    expect((await liveWorkers(on.rig.url))[0]?.refused).toEqual([{ run: 'r1', reason: refuses }]);
    expect(await runState(on.rig.url, 'r1')).toEqual({ state: 'waiting', refused: refuses });
    expect((await store.read()).map(({ type }) => type)).toEqual(['run']);
    const able = await on.rig.worker();
    expect((await eventOf(store, isOver)).at(-1)?.type).toBe('done');
    expect(await counted(on.rig.pool)).toMatchObject({ calls: 12, effects: 12, workers: [able.id] });
    expect(one.log() + two.log() + able.log()).toBe('');
  });

  test('A person cancels a run: nothing is begun any more, and what is under way ends', async () => {
    await on.rig.worker({ takes: [200, 300] });
    const targets = Array.from({ length: 60 }, (_, number) => `t${number}`);
    const store = await on.rig.begin(spec([wave('all', targets, { parallel: 2 })]));
    await eventOf(store, (event) => event.type === 'started' && event.target === 't0');
    await store.cancel({ ...stampAt(Date.now()), type: 'cancel', by: ANN });
    const events = await eventOf(store, isOver);
    expect(events.at(-1)).toMatchObject({ type: 'stopped', because: { kind: 'cancelled', by: ANN } });
    const { calls, effects } = await counted(on.rig.pool);
    expect(calls).toBe(effects);
    expect(calls).toBeLessThan(60);
    await until(async () => (await runState(on.rig.url, 'r1')).state === 'ended');
  });

  test('Work that throws ends the run, and a person who resumes it gets another trial', async () => {
    await on.rig.worker();
    const store = await on.rig.begin(spec([wave('all', ['a', 'once', 'b'], { parallel: 1 })]));
    await until(async () => (await runState(on.rig.url, 'r1')).state === 'broken');
    expect(await runState(on.rig.url, 'r1')).toEqual({ state: 'broken', message: 'once is broken' });
    expect(typesOf(await store.read())).toEqual(['run', 'started a', 'ended a', 'started once']);
    await on.rig.resume(1);
    expect(typesOf(await eventOf(store, isOver)).slice(-6)).toEqual([
      'resumed',
      'started once',
      'ended once',
      'started b',
      'ended b',
      'done',
    ]);
  });

  atLength(
    'The tables of the engine may be dropped between two processes of a run: its log knows what is done',
    async () => {
      const first = await on.rig.worker({ takes: [200, 300] });
      const store = await on.rig.begin(threeWaves());
      await eventOf(store, (event) => event.type === 'ended' && event.target === 't0');
      await first.kill();
      await on.rig.pool.query('drop schema dbos cascade');
      await migrateEngine(on.rig.url);
      await on.rig.worker();
      await on.rig.resume(1);
      const events = await eventOf(store, isOver);
      expect(events.at(-1)?.type).toBe('done');
      expect(events.filter(({ type }) => type === 'ended')).toHaveLength(20);
      expect((await counted(on.rig.pool)).effects).toBe(20);
    },
  );

  test('A worker says what is missing, leaves no listener behind, and another one may follow in its process', async () => {
    const settings = {
      parallel: 2,
      holder: { user: 'ann', host: hostname(), pid: process.pid, command: 'fleet worker' },
      clock: systemClock,
      log: () => {},
      work: async (run: string) => ({
        apply: async () => ({ state: 'done', code: 0, message: null, requests: 0, summary: {} }) as const,
        check: async () => ({ passed: true, message: null }),
        drive: driveOf(on.rig.pool, run),
      }),
      project: 'chatform',
      schedule: async () => {},
    };
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const before = listeners();
    const empty = await on.server.newDatabase();
    const unready = startWorker({ ...settings, url: empty, id: 'a' });
    await expect(unready).rejects.toThrow(UsageError);
    await expect(unready).rejects.toThrow('run `chatform ledger migrate`');
    for (const run of ['r1', 'r2']) {
      const worker = await startWorker({ ...settings, url: on.rig.url, id: `worker of ${run}` });
      await expect(startWorker({ ...settings, url: on.rig.url, id: 'b' })).rejects.toThrow(
        'runs in this process already',
      );
      const store = await on.rig.begin(threeWaves(2), run);
      expect((await eventOf(store, isOver)).at(-1)?.type).toBe('done');
      await until(async () => worker.status().runs === 0);
      expect(worker.status()).toMatchObject({ working: 0, waiting: 0, ended: 13, refused: 0, broken: 0 });
      await worker.stop();
    }
    expect(listeners()).toEqual(before);
    expect(await liveWorkers(on.rig.url)).toEqual([]);
  });

  atLength('A claim whose worker never got the reply goes back to the queue, although the worker lives', async () => {
    const worker = await on.rig.worker();
    const store = runStore(on.rig.pool, 'r1', null);
    await store.append([runOf(threeWaves(2))]);
    // The trigger claims the run for the worker before it can, as a claim does whose reply is lost.
    await on.rig.pool.query(`create function claim() returns trigger language plpgsql as $$ begin
      new.status := 'PENDING'; new.executor_id := '${worker.id}'; new.owner_xid := 'lost';
      new.started_at_epoch_ms := 1; return new; end $$;
      create trigger claim before insert on dbos.workflow_status for each row execute function claim()`);
    await enqueueRun(on.rig.url, { run: 'r1', digest: null, round: 0 });
    await on.rig.pool.query('drop function claim cascade');
    expect(await runState(on.rig.url, 'r1')).toEqual({ state: 'driven', worker: worker.id });
    expect((await eventOf(store, isOver)).at(-1)?.type).toBe('done');
    expect((await counted(on.rig.pool)).calls).toBe(10);
  });

  test('A transaction of a process that is suspended ends soon: it would keep its work from everyone', async () => {
    const { pool, close } = await connect(on.rig.url, () => {});
    const { rows } = await pool.query('show idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
    await close();
  });

  test('A worker needs no more than the role of those who apply', async () => {
    const database = await on.server.newDatabase();
    const admin = new Pool({ connectionString: database, max: 1 });
    await admin.query('create role runner login in role chatform_apply');
    const limited = await rigOn(database, on.program.path, 'runner');
    try {
      await limited.worker();
      const store = await limited.begin(threeWaves(2));
      expect((await eventOf(store, isOver)).at(-1)?.type).toBe('done');
      expect(await liveWorkers(limited.url)).toHaveLength(1);
      await expect(limited.pool.query('delete from chatform.worker')).rejects.toThrow('permission denied');
    } finally {
      await limited.close();
      await admin.query('drop owned by runner; drop role runner');
      await admin.end();
    }
  });

  test('A database without the tables of the engine, and a server that is away, are errors at once', async () => {
    const run = { run: 'r1', digest: null, round: 0 };
    const empty = await on.server.newDatabase();
    const nowhere = 'postgres://ann:secret@127.0.0.1:1/chat';
    const questions = [
      (url: string) => enqueueRun(url, run),
      (url: string) => runState(url, 'r1'),
      (url: string) => liveWorkers(url),
    ];
    for (const ask of questions) {
      await expect(ask(empty)).rejects.toThrow('run `chatform ledger migrate`');
      await expect(ask(nowhere)).rejects.toThrow(/^connect ECONNREFUSED 127.0.0.1:1$/);
    }
  });

  atLength('Rows of workflows that ended 14 days ago are deleted, and those of later ones stay', async () => {
    const first = await on.rig.worker();
    const store = await on.rig.begin(threeWaves(2));
    await eventOf(store, isOver);
    await first.stop();
    const long = 14 * 86_400_000 + 60_000;
    await on.rig.pool.query(
      "update dbos.workflow_status set completed_at = completed_at - $1::bigint where name = 'chatform.target'",
      [long],
    );
    await on.rig.worker();
    const left = async () => (await on.rig.pool.query('select workflow_uuid from dbos.workflow_status')).rows;
    await until(async () => (await left()).length === 1);
    expect(await left()).toEqual([{ workflow_uuid: 'run/r1/0/1' }]);
  });
});

test('Without the package of the engine, the error names it and the command that installs it', async () => {
  const absent = async () => {
    throw Object.assign(new Error("Cannot find package '@dbos-inc/dbos-sdk' imported from /x"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
  };
  await expect(loadDbos(absent)).rejects.toThrow(UsageError);
  await expect(loadDbos(absent)).rejects.toThrow('`npm install @dbos-inc/dbos-sdk@5.3.0`');
  const broken = async () => {
    throw new Error("Cannot find package 'superjson' imported from /x/@dbos-inc/dbos-sdk/index.js");
  };
  await expect(loadDbos(broken)).rejects.toThrow('superjson');
});
