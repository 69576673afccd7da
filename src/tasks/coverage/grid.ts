// The cover of a group in; where each piece of it stands on a week that is drawn as seven days of 24 hours, out. A day on which the clock is changed
// has an hour that is not there, or one that is there twice: those stand one above the other, the earlier on top.

import type { GroupCover } from '../../staff/coverage.ts';
import { spanText, type Week } from '../../staff/week.ts';
import { DAY, type Interval, MINUTE, type Stretch, wallOf } from '../../staff/zone.ts';

/** Part of one day, by the minutes of its wall. */
export interface Strip {
  /** 0 is Monday. */
  readonly day: number;
  readonly from: number;
  readonly to: number;
  /** Of a time that the wall shows twice, which one. */
  readonly which: 'only' | 'earlier' | 'later';
}

export interface CoverStrip extends Strip {
  readonly people: number;
  readonly slots: number;
  readonly text: string;
}

export interface Grid {
  readonly address: string;
  readonly name: string;
  /** Most slots at any time of the week. */
  readonly most: number;
  /** Somebody may be there at any time, so a time without anybody is not one without cover. */
  readonly anytime: { readonly people: number; readonly slots: number };
  readonly strips: readonly CoverStrip[];
  readonly lost: readonly Strip[];
}

/** What the wall never shows. */
export function missingStrips({ stretches, days }: Week): readonly Strip[] {
  return changesOf(stretches).flatMap(({ from, to, isTwice }) =>
    isTwice ? [] : cutAtMidnight({ from, to }, days, 'only'),
  );
}

export function gridOf(
  week: Week,
  { group, pieces, slots, anytime }: GroupCover,
  address: string,
  lost: readonly Interval[],
): Grid {
  return {
    address,
    name: group.name,
    most: slots.high,
    anytime,
    strips: pieces.flatMap((piece) =>
      stripsOf(week, piece).map((strip) => ({
        ...strip,
        people: piece.people,
        slots: piece.slots,
        text: spanText(week, piece),
      })),
    ),
    lost: lost.flatMap((time) => stripsOf(week, time)),
  };
}

function stripsOf({ stretches, days }: Week, time: Interval): readonly Strip[] {
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

/** Times of the wall that a change of the clock jumps over, or shows twice. */
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
