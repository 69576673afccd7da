// A log that says the same thing once a minute: while a server is away, each poller of DBOS says so several times a second.

import type { EngineLog } from './connection.ts';

/** Milliseconds. */
const MINUTE = 60_000;

export function sparingLog(log: EngineLog, now: () => number): EngineLog {
  const said = new Map<string, number>();
  return (level, message) => {
    for (const [old, at] of said) if (now() - at >= MINUTE) said.delete(old);
    if (said.has(message)) return;
    said.set(message, now());
    log(level, message);
  };
}
