// What changed between two checks of a license.

import { canonicalJson } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { DriftItem, DriftReport } from './report.ts';

/** Differences of the later check that the earlier one did not have, or not so, and those of the earlier one that it no longer has. */
export interface SinceCheck {
  /** RFC 3339: when the earlier check was made. */
  readonly at: string;
  readonly news: readonly DriftItem[];
  readonly ended: readonly DriftItem[];
  /** Those that an ignore rule covers now. */
  readonly ignored: readonly DriftItem[];
}

export function sinceCheck(before: DriftReport, now: DriftReport): SinceCheck {
  const known = new Map(before.items.map((item) => [item.fingerprint, lastingText(item)]));
  const still = new Set(now.items.map(({ fingerprint }) => fingerprint));
  const covered = new Set(now.ignored.map(({ fingerprint }) => fingerprint));
  const gone = before.items.filter(({ fingerprint }) => !still.has(fingerprint));
  return {
    at: before.at,
    news: now.items.filter((item) => known.get(item.fingerprint) !== lastingText(item)),
    ended: gone.filter(({ fingerprint }) => !covered.has(fingerprint)),
    ignored: gone.filter(({ fingerprint }) => covered.has(fingerprint)),
  };
}

/** Everything about a difference that does not change with every check. */
export function lastingText({ first_seen: _, seen_count: __, ...item }: DriftItem): string {
  return canonicalJson(item as unknown as Json);
}
