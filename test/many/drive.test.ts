import { expect, test } from 'vitest';
import { NotBegun } from '../../src/base/errors.ts';
import { type DriveOptions, driveFleet, type FleetWork, type TargetEnd } from '../../src/many/drive.ts';
import type { FleetEvent, FleetSpec } from '../../src/many/log/events.ts';
import { type FleetStore, memoryStore } from '../../src/many/log/store.ts';
import type { NextStep } from '../../src/many/next.ts';
import { ANN, leapingClock, runOf, START, spec, stampAt, wave } from './names.ts';

const DONE: TargetEnd = { state: 'done', code: 0, message: null, requests: 3, summary: { changed: 1 } };
const FAILED: TargetEnd = { ...DONE, state: 'failed', code: 1, message: 'no such group' };

const SECOND = 1_000;

async function storeOf(made: FleetSpec): Promise<FleetStore> {
  const store = memoryStore();
  await store.append([runOf(made)]);
  return store;
}

/** Each target takes ten seconds. */
function rig(store: FleetStore, given: Partial<FleetWork & DriveOptions> = {}) {
  const clock = given.clock ?? leapingClock();
  const begun: string[] = [];
  let underWay = 0;
  let most = 0;
  const work: FleetWork = {
    work: async (target, attempt, mayBegin) => {
      begun.push(target);
      underWay += 1;
      most = Math.max(most, underWay);
      await clock.sleep(10 * SECOND);
      const end = (await given.work?.(target, attempt, mayBegin)) ?? DONE;
      underWay -= 1;
      return end;
    },
    check: given.check ?? (async () => ({ passed: true, message: null })),
    ...(given.halt === undefined ? {} : { halt: given.halt }),
  };
  const { retry, frozen, onEvent, onStep, now } = given;
  const options = {
    clock,
    signal: given.signal ?? new AbortController().signal,
    by: ANN,
    ...(now === undefined ? {} : { now }),
    ...(retry === undefined ? {} : { retry }),
    ...(frozen === undefined ? {} : { frozen }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(onStep === undefined ? {} : { onStep }),
  };
  return { begun, most: () => most, clock, run: () => driveFleet(store, work, options) };
}

const typesOf = (events: readonly FleetEvent[]) =>
  events.map((event) => ('target' in event ? `${event.type} ${event.target}` : event.type));

test('A run begins each target once, as many at a time as its wave says, and records both ends of each', async () => {
  const store = await storeOf(spec([wave('all', ['a', 'b', 'c'])]));
  const { run, begun, most, clock } = rig(store);
  const { stopped, results } = await run();
  expect(stopped).toBeNull();
  expect(results.finished).toBe(true);
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(most()).toBe(2);
  expect(clock.now() - START).toBeLessThan(22 * SECOND);
  expect(typesOf(await store.read())).toEqual([
    'run',
    'started a',
    'started b',
    'ended a',
    'started c',
    'ended b',
    'ended c',
    'done',
  ]);
  const end = (await store.read()).find(({ type }) => type === 'ended');
  expect(end).toMatchObject({ target: 'a', attempt: 1, requests: 3, seconds: 10, summary: { changed: 1 } });
});

test('The start of a target is on disk before its work begins', async () => {
  const store = await storeOf(spec([wave('all', ['a'])]));
  const { run } = rig(store, {
    work: async () => {
      expect(typesOf(await store.read())).toContain('started a');
      return DONE;
    },
  });
  expect((await run()).stopped).toBeNull();
});

test('A wave waits for the hold and the gates of the one before, and says so', async () => {
  const waves = [wave('canary', ['a'], { hold: 600 * SECOND, gates: ['customers', 'tests'] }), wave('rest', ['b'])];
  const store = await storeOf(spec(waves));
  const steps: NextStep[] = [];
  const checked: string[] = [];
  const { run, clock } = rig(store, {
    check: async (gate, target) => {
      checked.push(`${gate} ${target} ${clock.now() - START}`);
      return { passed: true, message: null };
    },
    onStep: (step) => void steps.push(step),
  });
  await run();
  expect(checked).toEqual(['customers a 610000', 'tests a 610000']);
  expect(steps).toContainEqual({
    type: 'hold',
    wave: 'canary',
    until: START + 610 * SECOND,
    because: { type: 'hold' },
  });
  expect(typesOf(await store.read())).toEqual([
    'run',
    'started a',
    'ended a',
    'gate a',
    'gate a',
    'started b',
    'ended b',
    'done',
  ]);
});

test('A gate that does not pass stops the run; checks that were not begun are left out', async () => {
  const waves = [wave('canary', ['a', 'b'], { parallel: 1, gates: ['customers'] }), wave('rest', ['c'])];
  const store = await storeOf(spec(waves));
  let checks = 0;
  const { run, begun } = rig(store, {
    check: async () => {
      checks += 1;
      return { passed: false, message: 'group/sales is offline' };
    },
  });
  expect((await run()).stopped).toEqual({
    kind: 'gate',
    wave: 'canary',
    gate: 'customers',
    target: 'a',
    message: 'group/sales is offline',
  });
  expect(checks).toBe(1);
  expect(begun).toEqual(['a', 'b']);
});

test('A failure beyond the budget lets what is under way end; a resumed run goes on with the rest, and retries what it is told to', async () => {
  const store = await storeOf(spec([wave('all', ['a', 'b', 'c', 'd'])]));
  const isBroken = { value: true };
  const work: FleetWork['work'] = async (target) => (target === 'a' && isBroken.value ? FAILED : DONE);
  const first = rig(store, { work });
  expect((await first.run()).stopped).toEqual({ kind: 'failures', wave: null, count: 1, limit: 0 });
  expect(first.begun).toEqual(['a', 'b']);
  isBroken.value = false;
  const second = rig(store, { work, retry: ['failed'] });
  expect((await second.run()).stopped).toBeNull();
  expect(second.begun).toEqual(['c', 'd', 'a']);
  const { results } = await rig(store, { work }).run();
  expect([...results.targets.values()].map(({ state, attempt }) => `${state} ${attempt}`)).toEqual([
    'done 2',
    'done 1',
    'done 1',
    'done 1',
  ]);
});

test('A signal begins nothing any more, and lets what is under way end', async () => {
  const store = await storeOf(spec([wave('all', ['a', 'b', 'c'])]));
  const stop = new AbortController();
  const { run, begun } = rig(store, {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'started' && event.target === 'b') stop.abort();
    },
  });
  expect((await run()).stopped).toEqual({ kind: 'interrupted' });
  expect(begun).toEqual(['a', 'b']);
  expect(typesOf(await store.read()).slice(-3)).toEqual(['ended a', 'ended b', 'stopped']);
  const { run: again, begun: rest } = rig(store);
  expect((await again()).stopped).toBeNull();
  expect(rest).toEqual(['c']);
});

test('A signal ends a hold at once', async () => {
  const store = await storeOf(spec([wave('canary', ['a'], { hold: 3_600 * SECOND }), wave('rest', ['b'])]));
  const stop = new AbortController();
  const { run, clock } = rig(store, {
    signal: stop.signal,
    onStep: ({ type }) => {
      if (type === 'hold') stop.abort();
    },
  });
  expect((await run()).stopped).toEqual({ kind: 'interrupted' });
  expect(clock.now() - START).toBeLessThan(12 * SECOND);
});

test('A signal during the last target does not undo that all are done', async () => {
  const store = await storeOf(spec([wave('all', ['a'])]));
  const stop = new AbortController();
  const { run } = rig(store, {
    signal: stop.signal,
    work: async () => {
      stop.abort();
      return DONE;
    },
  });
  expect((await run()).stopped).toBeNull();
});

test('A request of another process cancels the run, also in a hold, and a resumed run goes on', async () => {
  const store = await storeOf(spec([wave('canary', ['a'], { hold: 60 * SECOND }), wave('rest', ['b'])]));
  const bob = { ...ANN, user: 'bob' };
  const { run } = rig(store, {
    onStep: ({ type }) => {
      if (type === 'hold') void store.cancel({ ...stampAt(START), type: 'cancel', by: bob });
    },
  });
  expect((await run()).stopped).toEqual({ kind: 'cancelled', by: bob });
  expect(typesOf(await store.read()).slice(-2)).toEqual(['cancel', 'stopped']);
  const { run: again, begun } = rig(store);
  expect((await again()).stopped).toBeNull();
  expect(begun).toEqual(['b']);
});

test('Nothing is begun in a freeze', async () => {
  const store = await storeOf(spec([wave('all', ['a'])]));
  const until = START + 3_600 * SECOND;
  const times: number[] = [];
  const clock = leapingClock();
  const { run } = rig(store, {
    clock,
    frozen: (now) => (now < until ? { until, reason: 'weekend' } : null),
    work: async () => {
      times.push(clock.now() - 10 * SECOND);
      return DONE;
    },
  });
  await run();
  expect(times).toEqual([until]);
});

test('Work that throws ends the run once everything under way has ended; the target is unknown', async () => {
  const store = await storeOf(spec([wave('all', ['a', 'b', 'c'])]));
  const { run, begun } = rig(store, {
    work: async (target) => {
      if (target === 'a') throw new Error('a bug');
      return DONE;
    },
  });
  await expect(run()).rejects.toThrow('a bug');
  expect(begun).toEqual(['a', 'b']);
  expect(typesOf(await store.read())).toEqual(['run', 'started a', 'started b', 'ended b']);
  const { run: again, begun: rest } = rig(store);
  await again();
  expect(rest).toEqual(['a', 'c']);
});

test('A log that cannot be written begins nothing any more', async () => {
  const store = await storeOf(spec([wave('all', ['a', 'b', 'c'])]));
  let appends = 0;
  const full: FleetStore = {
    ...store,
    append: async (events) => {
      appends += 1;
      if (appends === 2) throw new Error('ENOSPC');
      return store.append(events);
    },
  };
  const { run, begun } = rig(full);
  await expect(run()).rejects.toThrow('ENOSPC');
  expect(begun).toEqual(['a']);
  expect(typesOf(await store.read())).toEqual(['run', 'started a', 'ended a']);
});

test('A request to cancel that cannot be read ends the run once everything under way has ended', async () => {
  const store = await storeOf(spec([wave('all', ['a', 'b'], { parallel: 1 })]));
  let asked = 0;
  const broken: FleetStore = {
    ...store,
    cancelled: async () => {
      asked += 1;
      if (asked > 1) throw new Error('EIO');
      return null;
    },
  };
  await expect(rig(broken).run()).rejects.toThrow('EIO');
  expect(typesOf(await store.read())).toEqual(['run', 'started a', 'ended a']);
});

test.each([-420_000, 600_000])(
  'A hold goes by the clock of the run, also where that of the process is %d ms ahead',
  async (ahead) => {
    const store = await storeOf(spec([wave('canary', ['a'], { hold: 100 * SECOND }), wave('rest', ['b'])]));
    const clock = leapingClock();
    const { run } = rig(store, { clock: { ...clock, now: () => clock.now() + ahead }, now: async () => clock.now() });
    await run();
    const at = (type: string, target: string): number =>
      Date.parse(events.find((event) => event.type === type && 'target' in event && event.target === target)?.at ?? '');
    const events = await store.read();
    expect(at('started', 'b') - at('ended', 'a')).toBe(100 * SECOND);
    expect(at('started', 'a')).toBe(START);
  },
);

test('A run that is cancelled while its gates are checked does not wait for those that are queued', async () => {
  const store = await storeOf(spec([wave('all', ['a', 'b'], { gates: ['tests'] })]));
  const clock = leapingClock();
  const halted = new AbortController();
  const { run } = rig(store, {
    clock,
    halt: () => halted.abort(),
    check: async () => {
      await store.cancel({ ...stampAt(START), type: 'cancel', by: ANN });
      await clock.sleep(1_000 * SECOND, halted.signal);
      throw new NotBegun();
    },
  });
  const { stopped } = await run();
  expect(stopped).toEqual({ kind: 'cancelled', by: ANN });
  expect(typesOf(await store.read())).not.toContain('gate a');
  expect(clock.now() - START).toBeLessThan(15 * SECOND);
});
