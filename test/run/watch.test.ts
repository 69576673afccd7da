// Looks at their times, on a clock that moves when something waits.

import { describe, expect, test } from 'vitest';
import { type Beats, cron, every, watch } from '../../src/run/watch.ts';
import { seededRandom, virtualClock } from '../world.ts';

const START = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

interface Scene {
  readonly beats: Beats;
  /** Minutes that each look takes. */
  readonly takes?: readonly number[];
  readonly random?: () => number;
  readonly looks: number;
}

/** When the looks began, in minutes, until the signal after so many of them. */
async function begun({ beats, takes = [], random = () => 0, looks }: Scene): Promise<readonly number[]> {
  const clock = virtualClock(START);
  const stop = new AbortController();
  const times: number[] = [];
  let under = 0;
  const look = async (): Promise<void> => {
    under += 1;
    expect(under).toBe(1);
    times.push((clock.now() - START) / MINUTE);
    await clock.sleep((takes[times.length - 1] ?? 0) * MINUTE);
    if (times.length === looks) stop.abort();
    under -= 1;
  };
  await watch({ look, beats, clock, random, signal: stop.signal });
  return times;
}

describe('With --every', () => {
  test('the first look is now, and the others come at their times', async () => {
    expect(await begun({ beats: every('15m', START), looks: 4 })).toEqual([0, 15, 30, 45]);
  });

  test('a look that takes longer skips beats, and the next ones come at their times again', async () => {
    expect(await begun({ beats: every('15m', START), takes: [5, 40, 15], looks: 5 })).toEqual([0, 15, 60, 90, 105]);
  });

  test('every look but the first comes a little later than its time, by a tenth of the time between two at most', async () => {
    const times = await begun({ beats: every('15m', START), random: seededRandom(3), looks: 50 });
    const late = times.slice(1).map((time, index) => time - (index + 1) * 15);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThanOrEqual(1.5);
    expect(new Set(late).size).toBeGreaterThan(40);
  });

  test('the delay is five minutes at most, however rarely it looks', async () => {
    expect(await begun({ beats: every('24h', START), random: () => 1, looks: 2 })).toEqual([0, 24 * 60 + 5]);
  });

  test.each([
    ['30s', 'at least 1m'],
    ['0m', 'at least 1m'],
    ['soon', '15m or 1h'],
    ['15', '15m or 1h'],
  ])('%s is refused', (duration, said) => {
    expect(() => every(duration, START)).toThrow(said);
  });
});

describe('With --cron', () => {
  test('looks come at the times of the expression', async () => {
    expect(await begun({ beats: await cron('*/20 * * * *'), looks: 4 })).toEqual([0, 20, 40, 60]);
  });

  test('a time that no timer can count to is waited for', async () => {
    const beats = await cron('0 0 1 1 *');
    const clock = virtualClock(START);
    const stop = new AbortController();
    const sleeps: number[] = [];
    const patient = {
      now: clock.now,
      sleep: async (milliseconds: number) => {
        sleeps.push(milliseconds);
        await clock.sleep(Math.min(milliseconds, 2 ** 31 - 1));
      },
    };
    let looks = 0;
    const look = async (): Promise<void> => {
      looks += 1;
      if (looks === 2) stop.abort();
    };
    await watch({ look, beats, clock: patient, random: () => 0, signal: stop.signal });
    expect(sleeps.length).toBe(2);
    expect(new Date(clock.now())).toEqual(new Date(2027, 0, 1));
  });

  test.each(['* * * * * *', 'every day', '61 * * * *', '', '@never'])('%s is refused', async (expression) => {
    await expect(cron(expression)).rejects.toThrow('five fields');
  });

  test('an expression without any time is refused when it is asked', async () => {
    const beats = await cron('0 0 31 2 *');
    expect(() => beats(START)).toThrow('no such time');
  });
});

describe('A signal', () => {
  test('between two looks ends the watch at once', async () => {
    const stop = new AbortController();
    let looks = 0;
    const clock = {
      now: () => START,
      sleep: async (_: number, signal?: AbortSignal) => {
        stop.abort();
        expect(signal?.aborted).toBe(true);
      },
    };
    const look = async (): Promise<void> => {
      looks += 1;
    };
    await watch({ look, beats: every('15m', START), clock, random: () => 0, signal: stop.signal });
    expect(looks).toBe(1);
  });

  test('before the first look means no look', async () => {
    const look = async (): Promise<void> => expect.unreachable();
    await watch({ look, beats: every('1m', 0), clock: virtualClock(), random: () => 0, signal: AbortSignal.abort() });
  });
});
