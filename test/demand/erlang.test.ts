// Waiting against the tables of textbooks, and the words for hours of a week.

import { describe, expect, test } from 'vitest';
import { atOnce, erlangC, LONGEST_WAIT, waitingFor } from '../../src/demand/erlang.ts';
import { HOURS_OF_WEEK, hoursText, runsOf } from '../../src/demand/week.ts';

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
  const waiting = waitingFor(atOnce(41, 660), slots, 660);
  expect(Math.round(waiting.share * 100)).toBe(percent);
  expect(Math.abs(waiting.seconds - seconds)).toBeLessThan(15);
});

test('No wait is longer than the hour', () => {
  expect(waitingFor(8, 8, 660)).toEqual({ share: 1, seconds: LONGEST_WAIT });
  expect(waitingFor(7.999, 8, 660).seconds).toBe(LONGEST_WAIT);
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
