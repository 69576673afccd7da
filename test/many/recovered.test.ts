import { expect, test } from 'vitest';
import { driveFleet } from '../../src/many/drive.ts';
import type { FleetEvent, StopReason } from '../../src/many/log/events.ts';
import { memoryStore } from '../../src/many/log/store.ts';
import { ANN, ended, leapingClock, runOf, START, spec, stampAt, started, wave } from './names.ts';

const STAMP = stampAt(START);
const RUN = runOf(spec([wave('all', ['a', 'b', 'c'], { parallel: 1 })]));
const FAILURES: StopReason = { kind: 'failures', wave: null, count: 1, limit: 0 };
const stopped = (because: StopReason): FleetEvent => ({ ...STAMP, type: 'stopped', because });
const RESUMED: FleetEvent = { ...STAMP, type: 'resumed', by: ANN };

/** A coordinator that goes on with a log. @returns the targets that it began, and the store */
async function goingOn(events: readonly FleetEvent[], isCancelled = false) {
  const store = memoryStore();
  await store.append([RUN, ...events]);
  if (isCancelled) await store.cancel({ ...STAMP, type: 'cancel', by: ANN });
  const begun: string[] = [];
  const end = await driveFleet(
    store,
    {
      work: async (target) => {
        begun.push(target);
        return { state: 'done', code: 0, message: null, requests: 0, summary: {} };
      },
      check: expect.fail,
    },
    { clock: leapingClock(), signal: new AbortController().signal, by: ANN, isRecovered: true },
  );
  return { begun, end, store };
}

test('A run that stopped because of failures is not forgiven by a second coordinator, and a person can', async () => {
  const failed = [started('a'), ended('a', 'failed'), stopped(FAILURES)];
  const { begun, end, store } = await goingOn(failed);
  expect(begun).toEqual([]);
  expect(end.stopped).toEqual(FAILURES);
  expect(await store.read()).toEqual([RUN, ...failed]);
  expect((await goingOn([...failed, RESUMED])).begun).toEqual(['b', 'c']);
});

test('A run that is done stays so', async () => {
  const { begun, end, store } = await goingOn([
    ...['a', 'b', 'c'].flatMap((target) => [started(target), ended(target)]),
    { ...STAMP, type: 'done' },
  ]);
  expect(begun).toEqual([]);
  expect(end).toMatchObject({ stopped: null, results: { finished: true } });
  expect(await store.read()).toHaveLength(8);
});

test('A run that the stop of a worker interrupted goes on, with what was under way first', async () => {
  const under = [started('a'), ended('a'), started('b')];
  expect((await goingOn([...under, stopped({ kind: 'interrupted' })])).begun).toEqual(['b', 'c']);
  expect((await goingOn(under)).begun).toEqual(['b', 'c']);
});

test('A second coordinator keeps what a person asked for: to cancel the run', async () => {
  const { begun, end, store } = await goingOn([started('a'), ended('a')], true);
  expect(begun).toEqual([]);
  expect(end.stopped).toEqual({ kind: 'cancelled', by: ANN });
  expect(await store.cancelled()).not.toBeNull();
});
