// Questions to a server whose connections end: they are asked again, and anything else is thrown.

import { expect, test } from 'vitest';
import { askedAgain } from '../../../src/many/workers/connection.ts';

function clockOf() {
  let now = 0;
  return {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const LOST = [
  Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('Connection terminated unexpectedly'),
];

test('A question is asked again while its connection is lost', async () => {
  const clock = clockOf();
  const errors = [...LOST];
  const ask = async (): Promise<string> => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'ours';
  };
  expect([await askedAgain(ask, clock), clock.now()]).toEqual(['ours', 3_000]);
});

test('A server that does not come back, and any other error, are thrown', async () => {
  const clock = clockOf();
  await expect(askedAgain(() => Promise.reject(LOST[2]), clock)).rejects.toThrow('Connection terminated unexpectedly');
  expect(clock.now()).toBe(60_000);
  await expect(askedAgain(() => Promise.reject(new Error('no such table')), clock)).rejects.toThrow('no such table');
  expect(clock.now()).toBe(60_000);
});
