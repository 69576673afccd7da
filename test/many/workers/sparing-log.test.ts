import { expect, test } from 'vitest';
import { sparingLog } from '../../../src/many/workers/worker.ts';

test('The same message is said once a minute, and others in between', () => {
  let now = 0;
  const said: string[] = [];
  const log = sparingLog(
    (level, message) => void said.push(`${now / 1_000} ${level} ${message}`),
    () => now,
  );
  for (now = 0; now < 150_000; now += 1_000) {
    log('warn', 'no server');
    if (now === 30_000) log('error', 'other');
  }
  expect(said).toEqual(['0 warn no server', '30 error other', '60 warn no server', '120 warn no server']);
});
