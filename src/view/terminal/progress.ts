// One line about work that takes long: how much is done, how fast, and what time is left.

import { thousands } from '../../base/text.ts';
import type { WorkNotice } from '../../target/context.ts';

/** Milliseconds before a rate says anything. */
const SOON = 2_000;

/** `elapsed`: milliseconds since the work began. */
export function workText({ verb, done, total, noun }: WorkNotice, elapsed: number): string {
  const things = total === 1 ? noun.replace(/s$/, '') : noun;
  if (done === null) return `${verb} ${thousands(total)} ${things}...`;
  const count = `${verb} ${thousands(done)} of ${thousands(total)} ${things}`;
  if (done === 0 || done >= total || elapsed < SOON) return count;
  const rate = done / elapsed;
  return `${count}, ${rateText(rate)}, ${timeText((total - done) / rate)} left`;
}

function rateText(rate: number): string {
  const second = rate * 1000;
  return second >= 1 ? `${thousands(Math.round(second))} a second` : `${thousands(Math.round(second * 60))} a minute`;
}

const MINUTE = 60_000;

function timeText(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Math.max(1, Math.round(milliseconds / 1000))} s`;
  const minutes = Math.round(milliseconds / MINUTE);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
