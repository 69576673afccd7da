import { afterEach, expect, test } from 'vitest';
import { IS_FULL } from '../../tries.ts';
import { runState } from './asked.ts';
import { coordinatorOf, counted, eventOf, type WorkerProcess } from './rig.ts';
import { describeRuns } from './suite.ts';
import { threeWaves } from './waves.ts';

/** At full length only. */
const atLength = test.skipIf(!IS_FULL);

const SETTINGS = { takes: [150, 300], ttl: 1_500 } as const;

await describeRuns('Faults of a run on PostgreSQL', { durable: true }, (on) => {
  afterEach(() => on.rig.clear());

  /** Two workers in the middle of the last wave. */
  async function underWay() {
    const workers = await Promise.all([on.rig.worker(SETTINGS), on.rig.worker(SETTINGS)]);
    const store = await on.rig.begin(threeWaves());
    await eventOf(store, (event) => event.type === 'ended' && event.target.startsWith('r'));
    const id = await coordinatorOf(on.rig.pool);
    const of = (wanted: boolean): WorkerProcess => {
      const worker = workers.find((each) => (each.id === id) === wanted);
      if (worker === undefined) throw new Error(`no worker for the coordinator on ${id}`);
      return worker;
    };
    return { store, coordinator: of(true), other: of(false) };
  }

  /** @param most - Pairs of calls for one target that may be under way at once: here, no lease keeps them apart. */
  async function endsWell({ store }: Awaited<ReturnType<typeof underWay>>, most = 0): Promise<void> {
    const events = await eventOf(store, ({ type }) => type === 'done', 30);
    const ended = events.flatMap((event) => (event.type === 'ended' ? [event.target] : []));
    expect(new Set(ended).size).toBe(20);
    expect(ended).toHaveLength(20);
    const { effects, overlaps, calls } = await counted(on.rig.pool);
    expect(effects).toBe(20);
    expect(overlaps).toBeLessThanOrEqual(most);
    // Only what was under way is done again.
    expect(calls).toBeLessThanOrEqual(20 + 2 * 4);
  }

  atLength('A worker is killed: another one does its targets', async () => {
    const run = await underWay();
    await run.other.kill();
    await endsWell(run);
    expect((await run.store.read()).some(({ type }) => type === 'resumed')).toBe(false);
  });

  test('The worker of the coordinator is killed: another one goes on with the run', async () => {
    const run = await underWay();
    await run.coordinator.kill();
    await endsWell(run);
    expect((await run.store.read()).filter(({ type }) => type === 'resumed')).toHaveLength(1);
  });

  atLength('All workers are killed: one that is started later goes on with the run', async () => {
    const run = await underWay();
    await Promise.all([run.other.kill(), run.coordinator.kill()]);
    await on.rig.worker(SETTINGS);
    await endsWell(run);
  });

  atLength('The server dies and comes back: no worker ends, and nothing is left over', async () => {
    const run = await underWay();
    await on.server.restart('immediate');
    await endsWell(run);
    expect([run.coordinator.process.exitCode, run.other.process.exitCode]).toEqual([null, null]);
    expect(await runState(on.rig.url, 'r1')).toMatchObject({ state: expect.stringMatching(/^(?:ended|driven)$/) });
  });

  atLength('A worker that is suspended for longer than it counts as alive changes no end of a target', async () => {
    const run = await underWay();
    run.other.process.kill('SIGSTOP');
    await eventOf(run.store, ({ type }) => type === 'done', 30);
    const { calls } = await counted(on.rig.pool);
    run.other.process.kill('SIGCONT');
    await endsWell(run, 2 * 4);
    expect(await run.other.stop()).toContain('"working":0');
    // What it had claimed and not begun was given to others.
    expect(await counted(on.rig.pool)).toMatchObject({ calls });
  });
});
