// `--every` or `--cron` in; when the next look is due, out. Pure but for croner, which knows cron and is loaded for it alone.

import { UsageError } from '../../base/errors.ts';
import { milliseconds } from '../../project/duration.ts';

/** Milliseconds since the epoch: the first beat after that time. */
export type Beats = (after: number) => number;

/** Each look costs requests, and each request money. */
const LEAST = 60_000;

/** A look may begin so much later, as a share of the time between two beats, and at most. */
const JITTER = 1 / 10;
const MOST_JITTER = 300_000;

/** One beat at `start`, and one after every such time. @throws UsageError for what is no duration of a minute at least */
export function every(duration: string, start: number): Beats {
  const gap = milliseconds(duration);
  if (gap === null) throw new UsageError(`--every ${duration}: write it as 15m or 1h`);
  if (gap < LEAST) throw new UsageError(`--every ${duration}: at least 1m, because every look costs requests`);
  return (after) => start + (Math.floor((after - start) / gap) + 1) * gap;
}

/** In the time zone of this machine. @throws UsageError for what is no cron expression, or means no time at all */
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
    // Five fields: with seconds, a slip of the keyboard would be sixty looks a minute.
    return new Cron(expression, { mode: '5-part', paused: true });
  } catch {
    throw new UsageError(`--cron ${expression}: write it as five fields, such as "*/15 * * * *" or "0 6 * * 1-5"`);
  }
}

/** When the look of `beat` begins: machines that were started together must not ask together. */
export function jittered(beat: number, beats: Beats, random: () => number): number {
  return beat + Math.round(random() * Math.min(MOST_JITTER, (beats(beat) - beat) * JITTER));
}
