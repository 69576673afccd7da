import { expect, test } from 'vitest';
import type { FleetEnd } from '../../../src/many/drive.ts';
import { resultsOf } from '../../../src/many/log/log.ts';
import { abilitiesOf, type Drive } from '../../../src/many/workers/abilities.ts';
import type { EngineConnection } from '../../../src/many/workers/connection.ts';
import { coordinate } from '../../../src/many/workers/coordinator.ts';
import { leapingClock, runOf, START, spec, wave } from '../names.ts';

const END: FleetEnd = { stopped: null, results: resultsOf([runOf(spec([wave('all', ['a'])]))]) };

/** A server that answers each question, or none of the first ones. */
function connectionTo(unanswered = 0): EngineConnection {
  let asked = 0;
  const query = async () => {
    asked += 1;
    if (asked <= unanswered) throw new Error('ECONNREFUSED');
    return { rows: [] };
  };
  return { pool: { query }, answering: expect.fail, close: async () => {} } as unknown as EngineConnection;
}

/** @param refused - Why the worker can only end the run; null when it can do it. */
function rig(drive: Drive, connection = connectionTo(), refused: string | null = null) {
  const work = { apply: expect.fail, check: expect.fail, drive };

  const clock = leapingClock();
  const stop = new AbortController();
  const logged: string[] = [];
  return {
    clock,
    stop,
    logged,
    run: () =>
      coordinate(
        connection,
        { run: 'r1', digest: null, round: 0, trial: 1, refusedBy: [] },
        {
          worker: 'w1',
          work: async () => expect.fail(),
          abilities: abilitiesOf(async () => (refused === null ? work : { refused, drive }), clock.now),
          clock,
          log: (level, message) => void logged.push(`${level} ${message}`),
          stop: stop.signal,
        },
      ),
  };
}

test('A coordinator that fails begins again, and a server that is away for long counts as one failure', async () => {
  let begun = 0;
  const drive = async () => {
    begun += 1;
    if (begun === 1) throw new Error('the lease is lost');
    return END;
  };
  const { run, logged, clock } = rig(drive, connectionTo(1_000));
  expect(await run()).toEqual({ type: 'ended' });
  expect(begun).toBe(2);
  expect(clock.now() - START).toBeGreaterThan(15 * 60_000);
  expect(logged).toEqual(['warn the coordinator of run r1 failed, and begins again: the lease is lost']);
});

test('A coordinator that fails again and again leaves the run to a person', async () => {
  let begun = 0;
  const drive = async () => {
    begun += 1;
    throw new Error('the log is damaged');
  };
  const { run, logged } = rig(drive);
  expect(await run()).toEqual({ type: 'broken', message: 'the log is damaged' });
  expect(begun).toBe(8);
  expect(logged.at(-1)).toBe('error the coordinator of run r1 failed 8 times: resume the run once the cause is gone');
});

test('A run that a stopping worker interrupts is for another one; one that ended meanwhile is not', async () => {
  const interrupted = rig(async () => {
    interrupted.stop.abort();
    return { ...END, stopped: { kind: 'interrupted' } };
  });
  expect(await interrupted.run()).toBeNull();
  const failing = rig(async () => {
    failing.stop.abort();
    throw new Error('given up');
  });
  expect(await failing.run()).toBeNull();
  expect(failing.logged).toEqual([]);
  const ending = rig(async () => {
    ending.stop.abort();
    return END;
  });
  expect(await ending.run()).toEqual({ type: 'ended' });
  const stopped = rig(expect.fail);
  stopped.stop.abort();
  expect(await stopped.run()).toBeNull();
});

test('A cancelled run is ended by a worker that cannot do it, and gets no work through that worker', async () => {
  const refused = 'the files are of another commit';
  expect(await rig(async () => END, connectionTo(), refused).run()).toEqual({ type: 'ended' });
  const goesOn: Drive = async ({ work }) => {
    await work('a', 1, async () => {});
    return END;
  };
  expect(await rig(goesOn, connectionTo(), refused).run()).toEqual({
    type: 'broken',
    message: refused,
  });
});
