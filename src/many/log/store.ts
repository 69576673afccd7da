// What a place that keeps the log of a fleet run must do, and the one in memory.

import type { CancelEvent, FleetEvent } from './events.ts';

/** One conformance suite holds for all of them: test/many/log/store.conformance.ts. */
export interface FleetStore {
  /** Every event, oldest first; none when there is no log yet. @throws UsageError when it cannot be read or is damaged */
  readonly read: () => Promise<readonly FleetEvent[]>;
  /**
   * Resolves once all `events` would survive a crash. Concurrent appends never mix, and keep the order of their calls. Only the driver of the run
   * appends. @throws UsageError when they cannot be written
   */
  readonly append: (events: readonly FleetEvent[]) => Promise<void>;
  /** Asks the driver to begin nothing any more, from any process; null takes that back. */
  readonly cancel: (request: CancelEvent | null) => Promise<void>;
  /** The request; null when there is none. Asked each second. */
  readonly cancelled: () => Promise<CancelEvent | null>;
}

export function memoryStore(): FleetStore {
  let log: readonly FleetEvent[] = [];
  let asked: CancelEvent | null = null;
  return {
    read: async () => log,
    append: async (events) => {
      log = [...log, ...events];
    },
    cancel: async (request) => {
      asked = request;
    },
    cancelled: async () => asked,
  };
}
