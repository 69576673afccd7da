// Waiting against the tables of textbooks, and the words for hours of a week.

import { describe, expect, test } from 'vitest';
import { atOnce, LONGEST_WAIT, waitingFor } from '../../src/demand/erlang.ts';
import { HOURS_OF_WEEK, hoursText, runsOf } from '../../src/demand/week.ts';

const erlangC = (load: number, slots: number): number => waitingFor(load, slots, 60, null).share;

describe('Erlang C', () => {
  test.each([
    [8, 10, 0.4092],
    [2, 3, 0.4444],
    [1, 2, 0.3333],
    [5, 6, 0.5875],
  ])('of %d erlang and %d servers is %d', (load, slots, share) => {
    expect(erlangC(load, slots)).toBeCloseTo(share, 4);
  });

  test('needs no large numbers: a thousand slots are no trouble', () => {
    expect(erlangC(950, 1000)).toBeGreaterThan(0);
    expect(erlangC(950, 1000)).toBeLessThan(0.2);
  });

  test('is all or nothing at its ends', () => {
    expect([erlangC(0, 0), erlangC(0, 5), erlangC(1, 0), erlangC(3, 3)]).toEqual([0, 0, 1, 1]);
  });
});

// customer-and-reports-notes.md, 6.2: 41 an hour of 660 s each.
test.each([
  [14, 2, 2],
  [11, 18, 34],
  [8, 81, 1107],
])('41 chats an hour of 660 s with %d slots: %d %% wait, %d s on average', (slots, percent, seconds) => {
  const waiting = waitingFor(atOnce(41, 660), slots, 660, null);
  expect(Math.round(waiting.share * 100)).toBe(percent);
  expect(Math.abs(waiting.seconds - seconds)).toBeLessThan(15);
});

test('No wait is longer than the hour', () => {
  expect(waitingFor(8, 8, 660, null)).toEqual({ share: 1, seconds: LONGEST_WAIT, leaves: null });
  expect(waitingFor(7.999, 8, 660, null).seconds).toBe(LONGEST_WAIT);
  expect(waitingFor(20, 8, 660, 1_000_000).seconds).toBe(LONGEST_WAIT);
});

const CASES = [
  [7.5, 8, 660, 180, 0.35881780936685675, 0.15510269230868562],
  [0.3, 1, 300, 60, 0.2397847244321515, 0.20071758522616162],
  [12, 8, 600, 120, 0.6919820980377777, 0.38098718546661453],
  [100, 80, 600, 900, 0.9951304162656016, 0.20018640269055174],
  [1200, 1000, 600, 30, 0.8900315751091221, 0.16718985161020214],
  [400, 500, 300, 600, 8.251100909156981e-7, 3.95716512574909e-9],
  [950, 1000, 480, 3600, 0.06542494119272363, 0.0001597720504637378],
  [50, 2, 600, 36000, 1.0, 0.96],
] as const;

describe('Erlang A', () => {
  // Sums of the closed form with 60 digits.
  test.each(CASES)(
    'of %d erlang and %d slots, chats of %d s and a patience of %d s',
    (load, slots, length, patience, share, leaves) => {
      const waiting = waitingFor(load, slots, length, patience);
      expect(waiting.share / share).toBeCloseTo(1, 9);
      expect((waiting.leaves ?? Number.NaN) / leaves).toBeCloseTo(1, 9);
      expect(waiting.seconds / Math.min(LONGEST_WAIT, leaves * patience)).toBeCloseTo(1, 9);
    },
  );

  test('with a long patience is Erlang C, and with nearly none no chat waits for long', () => {
    const [patient, endless] = [waitingFor(8, 10, 600, 1e9), waitingFor(8, 10, 600, null)];
    expect(patient.share).toBeCloseTo(endless.share, 5);
    expect(patient.seconds).toBeCloseTo(endless.seconds, 2);
    const hasty = waitingFor(8, 10, 600, 1e-6);
    // Erlang B of 8 erlang and 10 slots.
    expect([hasty.share, hasty.leaves]).toEqual([expect.closeTo(0.12166, 5), expect.closeTo(0.12166, 5)]);
  });

  test('is all or nothing at its ends', () => {
    expect(waitingFor(0, 0, 600, 60)).toEqual({ share: 0, seconds: 0, leaves: 0 });
    expect(waitingFor(3, 0, 600, 60)).toEqual({
      share: 1,
      seconds: expect.closeTo(60, 9),
      leaves: expect.closeTo(1, 9),
    });
    expect(waitingFor(1, 500, 600, 60)).toEqual({ share: 0, seconds: 0, leaves: 0 });
  });
});

describe('Hours of a week', () => {
  test.each([
    [0, 1, 'Mon 00:00-01:00'],
    [10, 8, 'Mon 10:00-18:00'],
    [23, 1, 'Mon 23:00-24:00'],
    [4 * 24 + 17, 63, 'Fri 17:00-Mon 08:00'],
    [0, HOURS_OF_WEEK, 'the whole week'],
  ])('%d and %d on: %s', (from, count, text) => {
    expect(hoursText(from, count)).toBe(text);
  });

  test('are joined with their neighbours, also over the end of the week', () => {
    expect(runsOf((index) => index < 2 || index === 5 || index === HOURS_OF_WEEK - 1)).toEqual([
      { from: 5, count: 1 },
      { from: HOURS_OF_WEEK - 1, count: 3 },
    ]);
    expect(runsOf(() => true)).toEqual([{ from: 0, count: HOURS_OF_WEEK }]);
    expect(runsOf(() => false)).toEqual([]);
  });
});
