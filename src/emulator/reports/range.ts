// The time range of a report, and the clock by which it is divided. Specification: "Parameters for chat reports".

import { DAY, type Interval, MINUTE, offsetAt, type Stretch, stretchesOf } from '../../base/zone.ts';
import { refuse } from '../engine/refusal.ts';
import type { ReportingContext } from './context.ts';
import type { TimePair } from './request.ts';
import type { ReportSettings } from './settings.ts';

/** In whole milliseconds. */
export interface CountedRange extends Interval {
  readonly by: TimePair['by'];
  /** The name of a zone, or an offset as a date-time ends with one. */
  readonly zone: string;
  /** The stretches of one offset of the zone, in their order. */
  readonly stretches: readonly Stretch[];
}

/** Milliseconds; half a millisecond stands for any part of one. */
function momentOf(text: string): number {
  return Date.parse(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 0.5 : 0);
}

/** `+02:00`, `-03:30`, or `Z`. */
const isOffset = (zone: string): boolean => /^(?:Z|[+-]\d\d:\d\d)$/i.test(zone);

function offsetOf(zone: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** The zone of the request, else of the agent whose token it is, else of the first moment that it names. */
function zoneOf(
  { settings, caller }: ReportingContext,
  timezone: string | undefined,
  pair: TimePair | undefined,
): string {
  const agents = caller.agentId === undefined ? undefined : settings.agentTimezone;
  const [offset = 'UTC'] = /(?:Z|[+-]\d\d:\d\d)$/i.exec(pair?.from ?? '') ?? [];
  return timezone ?? settings.requestTimezone ?? agents ?? offset;
}

function stretchesIn(zone: string, from: number, to: number): readonly Stretch[] {
  return isOffset(zone) ? [{ from, to, offset: offsetOf(zone) }] : stretchesOf(zone, { from, to });
}

/** The last seven days, by the clock of a zone or by hours. */
function lastDays({ settings }: ReportingContext, zone: string, now: number): Interval {
  if (settings.defaultRange === 'hours') return { from: now - 7 * DAY, to: now + 1 };
  const offset = (at: number): number => (isOffset(zone) ? offsetOf(zone) : offsetAt(zone, at));
  const midnight = Math.floor((now + offset(now)) / DAY) * DAY - 6 * DAY;
  // The offset of then, which may be another one.
  return { from: midnight - offset(midnight - offset(midnight)), to: now + 1 };
}

/** The time of one pair of filters. Refuses one that ends before it begins. */
export function spanOf({ from, to }: Pick<TimePair, 'from' | 'to'>, { reportRangeEnd }: ReportSettings): Interval {
  const [first, last] = [momentOf(from), momentOf(to)];
  if (first > last) refuse('validation', '`from` of `filters` must not be after `to`');
  const begin = Math.ceil(first);
  return { from: begin, to: reportRangeEnd === 'inclusive' ? Math.floor(last) + 1 : Math.max(begin, Math.ceil(last)) };
}

/** The range that a request names, from its earliest time to its latest, or the last seven days. Refuses one that ends before it begins, and one that is too long. */
export function rangeOf(
  context: ReportingContext,
  timezone: string | undefined,
  pairs: readonly TimePair[],
): CountedRange {
  const { settings, seenAt } = context;
  const [pair] = pairs;
  const zone = zoneOf(context, timezone, pair);
  if (pair === undefined) {
    const { from, to } = lastDays(context, zone, seenAt);
    return { from, to, by: 'chats', zone, stretches: stretchesIn(zone, from, to) };
  }
  const spans = pairs.map((each) => spanOf(each, settings));
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  const { reportDays } = settings.limits;
  if (reportDays !== -1 && to - from > reportDays * DAY)
    refuse('validation', `\`filters\` must span at most ${reportDays} days`);
  return { from, to, by: pair.by, zone, stretches: stretchesIn(zone, from, to) };
}

/** Whether a moment is in a range. */
export const isWithin = ({ from, to }: Interval, at: number): boolean => from <= at && at < to;
