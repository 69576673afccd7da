// A notice in; the document that a webhook gets, and the id that it is known by, out. schemas/drift-notification.schema.json describes it. Pure.

import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import { FORMAT_VERSION, type Json, type Severity } from '../../base/model.ts';
import type { DriftItem, DriftReport, Look } from '../../tasks/drift/report.ts';
import type { Change, Notice, NotificationEvent, NotifyMode, Told } from './transition.ts';

/** Items in one notification at most; the report has all. */
const MOST_ITEMS = 100;

/** Characters that the values of one item take at most, as JSON. */
const LONGEST_VALUES = 4_000;

export interface NotifiedItem
  extends Pick<
    DriftItem,
    | 'fingerprint'
    | 'status'
    | 'kind'
    | 'severity'
    | 'address'
    | 'type'
    | 'name'
    | 'id'
    | 'path'
    | 'reason'
    | 'source'
    | 'ways_out'
    | 'first_seen'
    | 'seen_count'
    | 'returned'
    | 'fight'
  > {
  readonly change: Change;
  /** Null for what is too long for a notification. */
  readonly values: { readonly base: Json; readonly live: Json; readonly desired: Json } | null;
}

export interface Notification {
  readonly format_version: string;
  readonly event: NotificationEvent;
  /** The same for each attempt to tell the same. */
  readonly delivery: string;
  readonly target: string;
  /** Of the look, RFC 3339. */
  readonly at: string;
  /** Null when the look failed: then nobody knows. */
  readonly in_sync: boolean | null;
  readonly fail_on: Severity | null;
  /** Why the look failed; null when it did not. */
  readonly message: string | null;
  readonly summary: DriftReport['summary'] | null;
  /** Those that count, the news first. */
  readonly items: readonly NotifiedItem[];
  /** How many more there are. */
  readonly omitted: number;
}

/** What tells one delivery from the next, beside the look. */
export interface Occasion {
  readonly target: string;
  /** Name of the channel; no address of it. */
  readonly channel: string;
  readonly told: Told | null;
  readonly mode: NotifyMode;
}

export function notificationOf({ event, items }: Notice, look: Look, occasion: Occasion): Notification {
  const isNews = ({ change }: Notice['items'][number]): boolean => change !== 'known';
  const newsFirst = [...items.filter(isNews), ...items.filter((item) => !isNews(item))];
  const about = {
    format_version: FORMAT_VERSION,
    event,
    delivery: deliveryOf({ event, items }, look, occasion),
    target: occasion.target,
    items: newsFirst.slice(0, MOST_ITEMS).map(({ item, change }) => notified(item, change)),
    omitted: Math.max(0, items.length - MOST_ITEMS),
  };
  if (look.outcome === 'failed')
    return { ...about, at: look.at, in_sync: null, fail_on: null, message: look.message, summary: null };
  const { at, in_sync, fail_on, summary } = look.report;
  return { ...about, at, in_sync, fail_on, message: null, summary };
}

function notified(item: DriftItem, change: Change): NotifiedItem {
  const { fingerprint, status, kind, severity, address, type, name, id, path, reason, source, ways_out } = item;
  const { first_seen, seen_count, returned, fight, base, live, desired } = item;
  const values = { base, live, desired };
  return {
    change,
    fingerprint,
    status,
    kind,
    severity,
    address,
    type,
    name,
    id,
    path,
    values: JSON.stringify(values).length <= LONGEST_VALUES ? values : null,
    reason,
    source,
    ways_out,
    first_seen,
    seen_count,
    returned,
    fight,
  };
}

/**
 * The same news after the same last word are one delivery, also when a later look tells it because an earlier one could not: whoever got it all the
 * same can tell.
 */
function deliveryOf({ event, items }: Notice, look: Look, { target, channel, told, mode }: Occasion): string {
  const at = look.outcome === 'failed' ? look.at : look.report.at;
  const since = mode === 'always' || told === null ? at : told.at;
  const news = items.map(({ item, change }) => [item.fingerprint, item.severity, item.returned, change]);
  return createHash('sha256')
    .update(canonicalJson([target, channel, since, event, news]))
    .digest('hex')
    .slice(0, 32);
}
