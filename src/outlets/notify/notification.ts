// The document that a webhook gets, and its id. schemas/drift-notification.schema.json describes it. Pure.

import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import { FORMAT_VERSION, type Json, type Severity } from '../../base/model.ts';
import type { DriftItem, DriftReport, Look } from '../../tasks/drift/report.ts';
import type { ChannelNotice, ChannelState, ItemChange, NotificationEvent, NotifyMode } from './transition.ts';

/** Items in one notification; the report has all. */
const MOST_ITEMS = 100;

/** Characters of the values of one item, as JSON. */
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
  readonly change: ItemChange;
  /** Null for values that are too long for a notification. */
  readonly values: { readonly base: Json; readonly live: Json; readonly desired: Json } | null;
}

export interface Notification {
  readonly format_version: string;
  readonly event: NotificationEvent;
  /** The same for each attempt to send the same notification. */
  readonly delivery: string;
  readonly target: string;
  /** Time of the check, RFC 3339. */
  readonly at: string;
  /** Null when the check failed. */
  readonly in_sync: boolean | null;
  readonly fail_on: Severity | null;
  /** Why the check failed; null when it did not. */
  readonly message: string | null;
  readonly summary: DriftReport['summary'] | null;
  /** Items as severe as `fail_on`, the news first. */
  readonly items: readonly NotifiedItem[];
  /** How many more there are. */
  readonly omitted: number;
}

/** What distinguishes deliveries of the same check. */
export interface NotificationContext {
  readonly target: string;
  /** Name of the channel, without its address. */
  readonly channel: string;
  readonly told: ChannelState | null;
  readonly mode: NotifyMode;
}

export function notificationOf(
  { event, items }: ChannelNotice,
  look: Look,
  context: NotificationContext,
): Notification {
  const isNews = ({ change }: ChannelNotice['items'][number]): boolean => change !== 'known';
  const newsFirst = [...items.filter(isNews), ...items.filter((item) => !isNews(item))];
  const about = {
    format_version: FORMAT_VERSION,
    event,
    delivery: deliveryOf({ event, items }, look, context),
    target: context.target,
    items: newsFirst.slice(0, MOST_ITEMS).map(({ item, change }) => notified(item, change)),
    omitted: Math.max(0, items.length - MOST_ITEMS),
  };
  if (look.outcome === 'failed')
    return { ...about, at: look.at, in_sync: null, fail_on: null, message: look.message, summary: null };
  const { at, in_sync, fail_on, summary } = look.report;
  return { ...about, at, in_sync, fail_on, message: null, summary };
}

function notified(item: DriftItem, change: ItemChange): NotifiedItem {
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
 * The same news after the same last notification are one delivery, also when a later check sends it because an earlier one could not: a receiver can
 * recognise what it already has.
 */
function deliveryOf(
  { event, items }: ChannelNotice,
  look: Look,
  { target, channel, told, mode }: NotificationContext,
): string {
  const at = look.outcome === 'failed' ? look.at : look.report.at;
  const since = mode === 'always' || told === null ? at : told.at;
  const news = items.map(({ item, change }) => [item.fingerprint, item.severity, item.returned, change]);
  return createHash('sha256')
    .update(canonicalJson([target, channel, since, event, news]))
    .digest('hex')
    .slice(0, 32);
}
