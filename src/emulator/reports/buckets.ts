// The buckets of a distribution: the key of each moment, and the records of a report by key.
// Specification: "Resources and their fields"; customer-and-reports-notes.md, section 5, "Bucket keys".

import { DAY, HOUR } from '../../base/zone.ts';
import type { CountedRange } from './range.ts';
import type { ReportDistribution } from './request.ts';
import type { ReportSettings } from './settings.ts';

/** How a range is divided. */
export interface ReportBuckets {
  /** Every key of the range, in order. */
  readonly keys: readonly string[];
  /** The key of a moment within the range. */
  readonly keyOf: (at: number) => string;
  /** Parts of a stretch of time within the range, each in one bucket. In ms. */
  readonly split: (from: number, to: number) => readonly { readonly key: string; readonly time: number }[];
  /** Whether hours stand below their dates. */
  readonly isNested: boolean;
}

/** The name of the hour or of the day that begins at a moment of the local clock. */
function labelOf(distribution: ReportDistribution, { reportKeys }: ReportSettings, local: number): string {
  const shown = new Date(local).toISOString();
  const [date, time] = [shown.slice(0, -14), `${shown.slice(-13, -11)}:00`];
  switch (distribution) {
    case 'hour':
      return reportKeys.hour === 'date' ? `${date} ${time}` : time;
    case 'day-hours':
      return reportKeys.dayHours === 'nested' ? `${date} ${time}` : time;
    case 'day':
      return date;
    case 'month':
      return date.slice(0, -3);
    case 'year':
      return date.slice(0, -6);
  }
}

/** The parts of a range as the clock of its zone divides it: where an hour is there twice, both are one bucket. */
export function bucketsOf(
  { stretches }: CountedRange,
  distribution: ReportDistribution,
  settings: ReportSettings,
): ReportBuckets {
  const unit = distribution === 'hour' || distribution === 'day-hours' ? HOUR : DAY;
  const labels = new Map<number, string>();
  const label = (index: number): string => {
    const known = labels.get(index) ?? labelOf(distribution, settings, index * unit);
    labels.set(index, known);
    return known;
  };
  let latest = stretches[0];
  const stretchAt = (at: number): { readonly offset: number; readonly to: number } => {
    if (latest === undefined || at < latest.from || at >= latest.to)
      latest = stretches.find(({ from, to }) => from <= at && at < to) ?? latest;
    return latest ?? { offset: 0, to: Infinity };
  };
  const keyOf = (at: number): string => label(Math.floor((at + stretchAt(at).offset) / unit));
  const keys = new Set<string>();
  for (const { from, to, offset } of stretches)
    for (let index = Math.floor((from + offset) / unit); index * unit < to + offset; index += 1) keys.add(label(index));
  return {
    keys: Array.from(keys).sort(),
    keyOf,
    split: (from, to) => {
      const found: { key: string; time: number }[] = [];
      for (let at = from; at < to; ) {
        const { offset, to: end } = stretchAt(at);
        const index = Math.floor((at + offset) / unit);
        const next = Math.min(to, end, (index + 1) * unit - offset);
        found.push({ key: label(index), time: next - at });
        at = next;
      }
      return found;
    },
    isNested: distribution === 'day-hours' && settings.reportKeys.dayHours === 'nested',
  };
}

/** A number as a reply shows it. */
export function shownNumber({ reportDecimals }: ReportSettings, value: number): number {
  return reportDecimals === null ? value : Number(value.toFixed(reportDecimals));
}

/** Members of a record. */
export type ReportRecord = { readonly [name: string]: unknown };

/** A record without its members that are zero, unless the settings show them. `areSampled`: the published sample of the report shows them. */
export function shownRecord(
  record: ReportRecord,
  { zeroMembers }: ReportSettings,
  areSampled: 'zeros sampled' | 'zeros left out' = 'zeros left out',
): ReportRecord {
  if (zeroMembers === 'shown' || (zeroMembers === 'sampled' && areSampled === 'zeros sampled')) return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== 0));
}

/** `records` of a reply: what each bucket has. `zeros`: a bucket without data in a report whose published sample writes it with zeros. */
export function recordsOf(
  { keys, isNested }: ReportBuckets,
  found: ReadonlyMap<string, ReportRecord>,
  settings: ReportSettings,
  zeros?: ReportRecord,
): ReportRecord {
  const kept = settings.emptyBuckets === 'empty' ? keys : keys.filter((key) => found.has(key));
  const areSampled = zeros === undefined ? 'zeros left out' : 'zeros sampled';
  const records = kept.map((key): [string, ReportRecord] => [
    key,
    shownRecord(found.get(key) ?? zeros ?? {}, settings, areSampled),
  ]);
  if (!isNested) return Object.fromEntries(records);
  const days = new Map<string, [string, ReportRecord][]>();
  for (const [key, record] of records) {
    const [day = '', time = ''] = key.split(' ');
    days.set(day, [...(days.get(day) ?? []), [time, record]]);
  }
  return Object.fromEntries(Array.from(days, ([day, hours]) => [day, Object.fromEntries(hours)]));
}
