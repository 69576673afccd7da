// A week as seven days of 24 hours: the parts of days that a time is made of. An hour that a clock change repeats is there twice.

import type { Week } from '../../base/week.ts';
import { DAY, type Interval, MINUTE, type Stretch, wallOf } from '../../base/zone.ts';

/** Part of one day, in minutes of wall-clock time. */
export interface Strip {
  /** 0 is Monday. */
  readonly day: number;
  readonly from: number;
  readonly to: number;
  /** Of a time that the wall clock shows twice, which one. */
  readonly which: 'only' | 'earlier' | 'later';
}

/** Times that the wall clock never shows. */
export function missingStrips({ stretches, days }: Week): readonly Strip[] {
  return changesOf(stretches).flatMap(({ from, to, isTwice }) =>
    isTwice ? [] : cutAtMidnight({ from, to }, days, 'only'),
  );
}

/** The parts of days that a time is made of. */
export function stripsOf({ stretches, days }: Week, time: Interval): readonly Strip[] {
  const twice = changesOf(stretches).filter(({ isTwice }) => isTwice);
  return stretches.flatMap(({ from, to, offset }) => {
    const local = { from: Math.max(from, time.from) + offset, to: Math.min(to, time.to) + offset };
    if (local.from >= local.to) return [];
    const marks = twice.flatMap((change) => [change.from, change.to]).filter((at) => at > local.from && at < local.to);
    const bounds = [local.from, ...marks.sort((a, b) => a - b), local.to];
    return bounds.slice(1).flatMap((end, index) => {
      const part = { from: bounds[index] ?? end, to: end };
      const change = twice.find((each) => part.from >= each.from && part.to <= each.to);
      const which = change === undefined ? 'only' : change.at >= to ? 'earlier' : 'later';
      return cutAtMidnight(part, days, which);
    });
  });
}

/** Wall-clock times that a clock change skips, or shows twice. */
function changesOf(
  stretches: readonly Stretch[],
): readonly (Interval & { readonly at: number; readonly isTwice: boolean })[] {
  return stretches.slice(1).map(({ from: at, offset }, index) => {
    const earlier = stretches[index]?.offset ?? offset;
    const [low, high] = earlier < offset ? [earlier, offset] : [offset, earlier];
    return { at, from: at + low, to: at + high, isTwice: earlier > offset };
  });
}

function cutAtMidnight({ from, to }: Interval, days: Week['days'], which: Strip['which']): readonly Strip[] {
  const strips: Strip[] = [];
  for (let midnight = Math.floor(from / DAY) * DAY; midnight < to; midnight += DAY) {
    const day = days.findIndex(({ date }) => date === wallOf(midnight).date);
    const [first, last] = [Math.max(from, midnight), Math.min(to, midnight + DAY)];
    if (day !== -1) strips.push({ day, from: (first - midnight) / MINUTE, to: (last - midnight) / MINUTE, which });
  }
  return strips;
}
