import { expect, test } from 'vitest';
import { memoryLedger } from '../../src/ledger/memory.ts';
import { describeLedger, forgotten } from './conformance.ts';

describeLedger('The memory', async () => {
  const ledger = memoryLedger();
  return { open: () => ledger };
});

test('A log in memory can start with events, and leaves the list it was given alone', async () => {
  const given = [forgotten('a')];
  const ledger = memoryLedger(given);
  await ledger.append([forgotten('b')]);
  expect(await ledger.read()).toEqual([forgotten('a'), forgotten('b')]);
  expect(given).toEqual([forgotten('a')]);
});
