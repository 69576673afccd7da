// The time that is played: moments of a description, and the period that it means. Knows no visitor.

import { DAY, type Interval, offsetAt } from '../../base/zone.ts';
import * as s from '../engine/shape.ts';

/** A date (midnight in a zone), or an RFC 3339 date-time, in ms; undefined for what no calendar has. */
export function momentIn(text: string, zone: string): number | undefined {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  try {
    const at = Date.parse(s.dateTime(isDate ? `${text}T00:00:00Z` : text, ''));
    // The offset of the zone is that of its own midnight, which is near the one of UTC.
    return isDate ? at - offsetAt(zone, at - offsetAt(zone, at)) : at;
  } catch {
    return undefined;
  }
}

/** Of `days`, `from` and `to`, two are enough; days alone begin now. */
export function periodOf(
  given: { readonly days?: number; readonly from?: string; readonly to?: string },
  zone: string,
  now: number,
): Interval {
  const { days = 28 } = given;
  const from = given.from === undefined ? undefined : momentIn(given.from, zone);
  const to = given.to === undefined ? undefined : momentIn(given.to, zone);
  if (from === undefined) return to === undefined ? { from: now, to: now + days * DAY } : { from: to - days * DAY, to };
  return { from, to: to ?? from + days * DAY };
}
