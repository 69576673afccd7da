// A log for the life of a process: for the library, and for tests of what uses a ledger. It must not know what events mean.

import type { LedgerEvent } from './events.ts';
import type { Backend } from './ledger.ts';

export function memoryLedger(events: readonly LedgerEvent[] = []): Backend {
  let log = events;
  return {
    read: async () => log,
    append: async (more) => {
      log = [...log, ...more];
    },
    rewrite: async (change) => {
      log = change(log);
    },
  };
}
