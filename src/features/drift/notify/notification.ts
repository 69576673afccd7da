// The document that a webhook gets, and its id. schemas/drift-notification.schema.json describes it. Pure.

import { sha256Hex } from '../../../base/digest.ts';
import { canonicalJson } from '../../../base/json.ts';
import { FORMAT_VERSION } from '../../../base/model.ts';
import type { DriftCheck, DriftItem } from '../schema.ts';
import type { ItemChange, Notification, NotifiedItem } from './schema.ts';
import type { ChannelNotice, ChannelState, NotifyMode } from './transition.ts';

/** Items in one notification; the report has all. */
const MOST_ITEMS = 100;

/** Characters of the values of one item, as JSON. */
const LONGEST_VALUES = 4_000;

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
  look: DriftCheck,
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
    return { ...about, at: look.at, in_sync: null, fail_on: null, message: look.message, summary: null, kinds: null };
  const { at, in_sync, fail_on, summary, kinds } = look.report;
  return { ...about, at, in_sync, fail_on, message: null, summary, kinds };
}

function notified(item: DriftItem, change: ItemChange): NotifiedItem {
  const { base, live, desired, reach: _, applied_at: __, ignored: ___, in_words: ____, ...about } = item;
  const values = { base, live, desired };
  return { change, ...about, values: JSON.stringify(values).length <= LONGEST_VALUES ? values : null };
}

/**
 * The same news after the same last notification are one delivery, also when a later check sends it because an earlier one could not: a receiver can
 * recognise what it already has.
 */
function deliveryOf(
  { event, items }: ChannelNotice,
  look: DriftCheck,
  { target, channel, told, mode }: NotificationContext,
): string {
  const at = look.outcome === 'failed' ? look.at : look.report.at;
  const since = mode === 'always' || told === null ? at : told.at;
  const news = items.map(({ item, change }) => [item.fingerprint, item.severity, change]);
  return sha256Hex(canonicalJson([target, channel, since, event, news])).slice(0, 32);
}
