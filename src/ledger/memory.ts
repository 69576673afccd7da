// A log and a lease in memory, for the library and for tests.

import type { LedgerEvent } from './events.ts';
import { LEASE_TIMES, type Lease, type LeaseRecord } from './lease.ts';
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

export function memoryLease(): Lease {
  let newest: LeaseRecord | null = null;
  return {
    read: async () => newest,
    times: LEASE_TIMES,
    replace: async (record) => {
      if (record.generation !== (newest?.generation ?? 0) + 1) return false;
      newest = record;
      return true;
    },
  };
}
