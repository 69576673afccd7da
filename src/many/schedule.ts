// The runs of a schedule: which run of each rule is due at a time. Pure, so that all who ask in one period name the same run.

import { digest } from '../base/digest.ts';
import { milliseconds } from '../base/duration.ts';
import { canonicalJson } from '../base/json.ts';
import type { DriftRule } from '../project/fleet-settings.ts';

export interface DueRun {
  /** Name of its rule. */
  readonly schedule: string;
  /** Unlike that of any other period of the rule. */
  readonly id: string;
}

const SHARE = 1 / 10;
const LONGEST_DELAY = 300_000;

/** How much later than its time a check begins at most, so that checks do not begin together. Milliseconds, as `gap`: that between two checks. */
export function longestDelay(gap: number): number {
  return Math.min(LONGEST_DELAY, gap * SHARE);
}

/** The run of the current period of each rule, also where it began long ago. `now`: milliseconds since the epoch. */
export function dueRuns(project: string, rules: readonly DriftRule[], now: number): readonly DueRun[] {
  return rules.flatMap((rule) => {
    const gap = milliseconds(rule.every);
    if (gap === null) return [];
    const schedule = scheduleOf(rule);
    const delay = shareOf(digest([project, schedule])) * longestDelay(gap);
    const period = Math.floor((now - delay) / gap);
    return [{ schedule, id: idOf(digest([project, schedule, period])) }];
  });
}

/** The name of a rule: `{"every":"15m","select":["ring=canary"]}`. */
export function scheduleOf({ every, conditions }: DriftRule): string {
  const select = conditions.flatMap(({ label, values }) => [...values].map((value) => `${label}=${value}`));
  return canonicalJson({ every, select: select.sort() });
}

/** From 0 to 1, the same each time. */
function shareOf(hex: string): number {
  return Number.parseInt(hex.slice(0, 8), 16) / 2 ** 32;
}

/** In the form of a UUID, version 8. */
function idOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
