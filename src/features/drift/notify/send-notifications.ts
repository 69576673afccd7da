// Notifications about a drift check, to each channel that is concerned.

import { sha256Hex } from '../../../base/digest.ts';
import { canonicalJson } from '../../../base/json.ts';
import { FORMAT_VERSION } from '../../../base/model.ts';
import { LONGEST_MESSAGE, shortened } from '../../../outlets/notify/message.ts';
import { channelName, tellChannels } from '../../../outlets/notify/send.ts';
import type { TargetSettings } from '../../../project/settings.ts';
import type { RunContext } from '../../../target/context.ts';
import { sentenceOf } from '../../../view/words/sentence.ts';
import type { DriftCheck, DriftItem } from '../schema.ts';
import type { ItemChange, Notification, NotifiedItem } from './schema.ts';
import { type ChannelNotice, type ChannelState, knownAfter, type NotifyMode, noticeOf, unaware } from './transition.ts';
import { newsOf } from './words.ts';

export type Notifying = Pick<TargetSettings, 'name' | 'tokenEnv' | 'notify'>;

export interface Notified {
  readonly told: ReadonlyMap<string, ChannelState>;
  /** Why channels could not be told, or could not have been. */
  readonly errors: readonly string[];
}

/** The channels that are told of drift checks. */
export function driftChannels({ notify: { channels } }: Pick<TargetSettings, 'notify'>) {
  return channels.filter(({ about }) => about.includes('drift'));
}

/** Notifies each channel that is concerned. Channels that are no longer configured are forgotten. */
export async function notify(
  check: DriftCheck,
  told: ReadonlyMap<string, ChannelState>,
  settings: Notifying,
  mode: NotifyMode,
  context: RunContext,
): Promise<Notified> {
  const about = { target: settings.name, page: settings.notify.page, mode };
  const all = driftChannels(settings).map((channel) => {
    const name = channelName(channel);
    const before = told.get(name) ?? null;
    return { channel, name, before, notice: noticeOf(check, before, mode) };
  });
  const errors = await tellChannels(
    all.map(({ channel, name, before, notice }) => ({
      channel,
      news:
        notice === null
          ? null
          : (redacted) => newsOf(redacted(notificationOf(notice, check, { ...about, channel: name, told: before }))),
    })),
    [settings.tokenEnv],
    context,
  );
  return {
    told: new Map(
      all.flatMap(({ name, before, notice }, at) => {
        const isTold = notice !== null && errors[at] === null;
        const known = isTold ? knownAfter(check, before) : unaware(check, before);
        return known === null ? [] : [[name, known] as const];
      }),
    ),
    errors: errors.filter((error) => error !== null),
  };
}

/** Items in one notification; the report has all. */
const MOST_ITEMS = 100;

/** Characters of the values of one item, as JSON. */
const LONGEST_VALUES = 4_000;

/** What distinguishes deliveries of the same check. */
export interface NotificationContext {
  readonly target: string;
  /** Address of the page of its license. */
  readonly page: string | null;
  /** Name of the channel, without its address. */
  readonly channel: string;
  readonly told: ChannelState | null;
  readonly mode: NotifyMode;
}

export function notificationOf(
  { event, items }: ChannelNotice,
  check: DriftCheck,
  context: NotificationContext,
): Notification {
  const isNews = ({ change }: ChannelNotice['items'][number]): boolean => change !== 'known';
  const newsFirst = [...items.filter(isNews), ...items.filter((item) => !isNews(item))];
  const about = {
    format_version: FORMAT_VERSION,
    about: 'drift' as const,
    event,
    delivery: deliveryOf({ event, items }, check, context),
    target: context.target,
    page: context.page,
    items: newsFirst.slice(0, MOST_ITEMS).map(({ item, change }) => notified(item, change)),
    omitted: Math.max(0, items.length - MOST_ITEMS),
  };
  if (check.outcome === 'failed')
    return {
      ...{ ...about, at: check.at, in_sync: null, fail_on: null, message: check.message },
      ...{ summary: null, kinds: null, last_run: null },
    };
  const { at, in_sync, fail_on, summary, kinds, last_run = null } = check.report;
  return { ...about, at, in_sync, fail_on, message: null, summary, kinds, last_run };
}

function notified(item: DriftItem, change: ItemChange): NotifiedItem {
  const { base, live, desired, reach: _, applied_at: __, ignored: ___, in_words: ____, ...about } = item;
  const values = { base, live, desired };
  const sentence = shortened(sentenceOf(item), LONGEST_MESSAGE);
  return { change, sentence, ...about, values: JSON.stringify(values).length <= LONGEST_VALUES ? values : null };
}

/**
 * The same news after the same last notification are one delivery, also when a later check sends it because an earlier one could not: a receiver can
 * recognise what it already has.
 */
function deliveryOf(
  { event, items }: ChannelNotice,
  check: DriftCheck,
  { target, channel, told, mode }: NotificationContext,
): string {
  const at = check.outcome === 'failed' ? check.at : check.report.at;
  const since = mode === 'always' || told === null ? at : told.at;
  const news = items.map(({ item, change }) => [item.fingerprint, item.severity, change]);
  return sha256Hex(canonicalJson([target, channel, since, event, news])).slice(0, 32);
}
