// Looks that are repeated: until one is enough, the deadline has passed, or someone interrupts.

import { expect, test } from 'vitest';
import { until } from '../../src/base/until.ts';

/** A clock that sleeps at once, and the moments of looks at it. */
function watched(answers: readonly number[]) {
  let now = 1_000;
  const looks: number[] = [];
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const look = async (): Promise<number> => {
    looks.push(now);
    return answers[looks.length - 1] ?? 0;
  };
  return { clock, look, looks };
}

const isEnough = (seen: number): boolean => seen > 9;

test('A look that is enough ends the wait, and pauses go by what was seen and since when', async () => {
  const { clock, look, looks } = watched([1, 2, 10, 11]);
  const waits: (readonly [elapsed: number, seen: number])[] = [];
  const seen = await until(look, {
    clock,
    isEnough,
    pause: (elapsed, last) => 100 * last + elapsed,
    onWait: (elapsed, last) => waits.push([elapsed, last]),
  });
  expect([seen, looks, waits]).toEqual([
    10,
    [1_000, 1_100, 1_400],
    [
      [0, 1],
      [100, 2],
    ],
  ]);
});

test('The last look is at the deadline, and what it saw is returned', async () => {
  const { clock, look, looks } = watched([1, 2, 3, 4]);
  expect(await until(look, { clock, isEnough, deadline: 1_250, pause: () => 100 })).toBe(4);
  expect(looks).toEqual([1_000, 1_100, 1_200, 1_250]);
});

test('A look that ends after the deadline is the last', async () => {
  const { clock, looks } = watched([]);
  const slow = async (): Promise<number> => {
    looks.push(clock.now());
    await clock.sleep(500);
    return 0;
  };
  await until(slow, { clock, isEnough, deadline: 1_200, pause: () => 100 });
  expect(looks).toEqual([1_000]);
});

test('An interruption ends it without another look', async () => {
  const stop = new AbortController();
  const { clock, look, looks } = watched([1, 2]);
  const sleep = async (): Promise<void> => stop.abort();
  const given = { clock: { ...clock, sleep }, signal: stop.signal, isEnough, pause: () => 100 };
  expect(await until(look, given)).toBe(1);
  expect(await until(look, given)).toBe(2);
  expect(looks).toHaveLength(2);
});
