// When nothing may be begun: freeze windows of the project, and the time that a run was told to wait for.

import type { Cron } from 'croner';
import { instantOf, offsetAt } from '../base/zone.ts';
import type { FleetSettings, FreezeWindow } from '../project/fleet-settings.ts';
import type { Frozen } from './next.ts';
import type { Operation } from './operation.ts';

/** The window at a time, in milliseconds since the epoch; null outside of all. */
export type FrozenUntil = (now: number) => Frozen | null;

/** Windows hold changes. An undo never waits: what it takes back is under way already. */
export function windowsFor(
  { name, changes }: Pick<Operation<never, unknown>, 'name' | 'changes'>,
  { freeze }: Pick<FleetSettings, 'freeze'>,
): readonly FreezeWindow[] {
  return changes === 'license' && name !== 'undo' ? freeze : [];
}

/** The end of windows that follow each other without a gap is looked for so far ahead, in milliseconds. */
const FAR = 366 * 86_400_000;

/**
 * Loads croner where there is a window. The windows have been checked: see src/project/fleet-check.ts.
 * @param notBefore - Nothing is begun before this time either, in milliseconds since the epoch.
 */
export async function frozenUntil(
  windows: readonly FreezeWindow[],
  notBefore = Number.NEGATIVE_INFINITY,
): Promise<FrozenUntil> {
  const windowAt = windows.length === 0 ? () => null : await windowsUntil(windows);
  return (now) => {
    if (now >= notBefore) return windowAt(now);
    // A window may hold at that time.
    const then = windowAt(notBefore);
    return then ?? { until: notBefore, reason: '--not-before' };
  };
}

async function windowsUntil(windows: readonly FreezeWindow[]): Promise<FrozenUntil> {
  const { Cron } = await import('croner');
  const endsOf = windows.map((window) => endOf(window, new Cron(window.cron, { ...MODE, timezone: window.zone })));
  return (now) => {
    const reason = windows.find((_, index) => (endsOf[index]?.(now) ?? null) !== null)?.reason ?? null;
    let until = now;
    while (until - now < FAR) {
      const last = Math.max(...endsOf.map((end) => end(until) ?? until));
      if (last <= until) break;
      until = last;
    }
    return until === now ? null : { until, reason };
  };
}

const MODE = { mode: '5-part', paused: true } as const;

/** The end of the last of these windows that began; null when it is over. */
function endOf({ duration, zone }: FreezeWindow, cron: Cron): (now: number) => number | null {
  return (now) => {
    // A beginning at `now` is not before it.
    const [start] = cron.previousRuns(1, new Date(now + 1));
    if (start === undefined) return null;
    const began = start.getTime();
    const end = instantOf(zone, began + offsetAt(zone, began) + duration);
    // In an hour that comes twice, the first of the two may lie before the beginning.
    const until = end > began ? end : began + duration;
    return now < until ? until : null;
  };
}
