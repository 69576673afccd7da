// Stretches of time: how long they last together. Knows no chat.

import type { Interval } from '../../base/zone.ts';

/** The same time without overlaps, in order. */
export function unionOf(spans: readonly Interval[]): readonly Interval[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else if (from < to) found.push({ from, to });
  }
  return found;
}

/** In ms. */
export const lengthOf = (spans: readonly Interval[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** The part of a stretch that is within another; undefined where there is none. */
export function clipped({ from, to }: Interval, within: Interval): Interval | undefined {
  const [start, end] = [Math.max(from, within.from), Math.min(to, within.to)];
  return start < end ? { from: start, to: end } : undefined;
}
