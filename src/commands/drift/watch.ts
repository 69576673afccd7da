// `chatform drift --watch`: one look after the other, each at its time, until a signal ends it. What comes out of a look is decided elsewhere; it must
// not know what one is.

import type { Clock } from '../../base/model.ts';
import { type Beats, jittered } from './beats.ts';

export interface Watching {
  /** Looks, and tells whoever has to be told. Never rejects: a look that failed is a look. */
  readonly look: () => Promise<void>;
  readonly beats: Beats;
  readonly clock: Clock;
  /** [0, 1). */
  readonly random: () => number;
  /** Aborting it ends the watch: at once between two looks, and otherwise after the one that is under way. */
  readonly signal: AbortSignal;
}

/** The first look is now. Beats that pass during a look are skipped: there are never two at a time. */
export async function watch({ look, beats, clock, random, signal }: Watching): Promise<void> {
  while (!signal.aborted) {
    await look();
    const start = jittered(beats(clock.now()), beats, random);
    // A timer cannot count to next month.
    while (!signal.aborted && clock.now() < start) await clock.sleep(start - clock.now(), signal);
  }
}
