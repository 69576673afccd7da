// Repeated checks: when the next one is due, and one after the other until a signal. Knows nothing of a check.

import { UsageError } from '../base/errors.ts';
import type { Clock } from '../base/model.ts';
import { longestDelay } from '../fleet/schedule.ts';
import { milliseconds } from '../project/duration.ts';

/** Milliseconds since the epoch: the first beat after that time. */
export type Beats = (after: number) => number;

/** Least milliseconds between two checks: each check costs requests, and each request costs money. */
const LEAST = 60_000;

/** One beat at `start`, and one after every such time. @throws UsageError for less than a minute, or no duration */
export function every(duration: string, start: number): Beats {
  const gap = milliseconds(duration);
  if (gap === null) throw new UsageError(`--every ${duration}: write it as 15m or 1h`);
  if (gap < LEAST) throw new UsageError(`--every ${duration}: at least 1m, because every check costs requests`);
  return (after) => start + (Math.floor((after - start) / gap) + 1) * gap;
}

/** In the time zone of this machine. Loads croner. @throws UsageError for what is no cron expression, or never comes */
export async function cron(expression: string): Promise<Beats> {
  const { Cron } = await import('croner');
  const pattern = patternOf(expression, Cron);
  return (after) => {
    const next = pattern.nextRun(new Date(after));
    if (next === null) throw new UsageError(`--cron ${expression}: there is no such time`);
    return next.getTime();
  };
}

function patternOf(expression: string, Cron: typeof import('croner').Cron): InstanceType<typeof Cron> {
  try {
    // Five fields: with seconds, a slip of the keyboard would be sixty checks a minute.
    return new Cron(expression, { mode: '5-part', paused: true });
  } catch {
    throw new UsageError(`--cron ${expression}: write it as five fields, such as "*/15 * * * *" or "0 6 * * 1-5"`);
  }
}

/** When the check of `beat` begins: machines that start together must not check together. */
function jittered(beat: number, beats: Beats, random: () => number): number {
  return beat + Math.round(random() * longestDelay(beats(beat) - beat));
}

export interface RepeatedLooks {
  /** Never rejects: a check that failed is a result. */
  readonly look: () => Promise<void>;
  readonly beats: Beats;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Aborting it ends the watch: at once between two checks, otherwise after the check in progress. */
  readonly signal: AbortSignal;
}

/** The first check is now. Beats that pass during a check are skipped: there are never two checks at a time. */
export async function watch({ look, beats, clock, random, signal }: RepeatedLooks): Promise<void> {
  while (!signal.aborted) {
    await look();
    const start = jittered(beats(clock.now()), beats, random);
    // A timer cannot count to next month.
    while (!signal.aborted && clock.now() < start) await clock.sleep(start - clock.now(), signal);
  }
}
