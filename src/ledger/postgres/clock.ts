// The clock of a database: the one that all processes with it share, whatever the clocks of their machines say.

import type { Clock } from '../../base/model.ts';
import { type Database, serverTime } from './database.ts';

export interface ServerClock extends Clock {
  /** Compares both clocks. To be called often: that of the machine may be set. @throws UsageError when the server does not answer */
  readonly compare: () => Promise<void>;
}

/** Milliseconds that a comparison may take: one that waited for a server which was away says little. */
const PROMPT = 1_000;

/** Compared once, before anything asks for the time. */
export async function serverClock(database: Pick<Database, 'query'>, own: Clock): Promise<ServerClock> {
  /** By which our clock is. */
  let ahead: number | null = null;

  async function compare(): Promise<void> {
    const asked = own.now();
    const theirs = await serverTime(database);
    const answered = own.now();
    // It can also be set meanwhile.
    if (ahead === null || Math.abs(answered - asked) < PROMPT) ahead = (asked + answered) / 2 - theirs;
  }

  await compare();
  return { now: () => own.now() - (ahead ?? 0), sleep: own.sleep, compare };
}
