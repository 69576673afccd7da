import { expect, test } from 'vitest';
import { memoryLease, memoryLedger } from '../../src/ledger/memory.ts';
import { describeLedger, forgotten } from './conformance.ts';
import { describeLease } from './lease-conformance.ts';

describeLedger('The memory', async () => {
  const ledger = memoryLedger();
  return { open: () => ledger };
});

describeLease('The memory', async () => {
  const lease = memoryLease();
  return { open: () => lease };
});

test('A log in memory can start with events, and leaves the list it was given alone', async () => {
  const given = [forgotten('a')];
  const ledger = memoryLedger(given);
  await ledger.append([forgotten('b')]);
  expect(await ledger.read()).toEqual([forgotten('a'), forgotten('b')]);
  expect(given).toEqual([forgotten('a')]);
});
