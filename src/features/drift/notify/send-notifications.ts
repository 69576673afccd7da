// Notifications about a drift check, to each channel that is concerned. Only this file reads addresses of channels: no text that leaves it has one,
// a secret, or the token.

import { sha256Hex } from '../../../base/digest.ts';
import { UsageError } from '../../../base/errors.ts';
import { canonicalJson, isObject } from '../../../base/json.ts';
import { FORMAT_VERSION, type Json } from '../../../base/model.ts';
import { noValue } from '../../../base/text.ts';
import { parsedUrl } from '../../../base/url.ts';
import type { ChannelSettings } from '../../../project/drift-settings.ts';
import type { TargetSettings } from '../../../project/settings.ts';
import { createRedactor, redactJson } from '../../../service/credential.ts';
import type { RunContext } from '../../../target/context.ts';
import { sentenceOf } from '../../../view/words/sentence.ts';
import type { DriftCheck, DriftItem } from '../schema.ts';
import {
  type ChannelMessage,
  type Delivery,
  deliver,
  heartbeat,
  messageTo,
  type NotifyChannel,
  shortened,
} from './message.ts';
import type { ItemChange, Notification, NotifiedItem } from './schema.ts';
import { type ChannelNotice, type ChannelState, knownAfter, type NotifyMode, noticeOf, unaware } from './transition.ts';

export type Notifying = Pick<TargetSettings, 'name' | 'tokenEnv' | 'notify'>;

export interface Notified {
  readonly told: ReadonlyMap<string, ChannelState>;
  /** Why channels could not be told, or could not have been. */
  readonly errors: readonly string[];
}

/** Notifies each channel that is concerned. Channels that are no longer configured are forgotten. */
export async function notify(
  check: DriftCheck,
  told: ReadonlyMap<string, ChannelState>,
  { name: target, tokenEnv, notify: { channels, page } }: Notifying,
  mode: NotifyMode,
  context: RunContext,
): Promise<Notified> {
  const redact = redactorOf(channels, tokenEnv, context.env);
  const ends = await overLine(context, (line) =>
    Promise.all(
      channels.map(async (settings) => {
        const name = nameOf(settings);
        const before = told.get(name) ?? null;
        const notice = noticeOf(check, before, mode);
        const channel = channelOf(settings, context.env);
        // A wrong channel is reported before there is anything to tell.
        if ('wrong' in channel) return complained(name, channel.wrong, unaware(check, before));
        if (notice === null) return { name, told: unaware(check, before), error: null };
        const occasion = { target, page, channel: name, told: before, mode };
        const notification = redactJson(jsonOf(notificationOf(notice, check, occasion)), redact);
        const message = messageTo(channel, notification as unknown as Notification);
        const { failure } = logged(name, await line(message), context);
        if (failure === null) return { name, told: knownAfter(check, before), error: null };
        return complained(name, `could not be told: ${failure}`, unaware(check, before));
      }),
    ),
  );
  return {
    told: new Map(ends.flatMap(({ name, told: known }) => (known === null ? [] : [[name, known] as const]))),
    errors: ends.flatMap(({ error }) => (error === null ? [] : [error])),
  };
}

/** Sends the heartbeat after a check that succeeded. Its receiver alarms when none arrives, so a failure is only a warning, which is returned. */
export async function beatHeart(
  { notify: { heartbeat: variable } }: Notifying,
  context: RunContext,
): Promise<string | null> {
  if (variable === null) return null;
  const url = urlIn(variable, context.env);
  const name = `heartbeat:${variable}`;
  const failure =
    'wrong' in url
      ? url.wrong
      : logged(name, await overLine(context, (line) => line(heartbeat(url.url))), context).failure;
  return failure === null ? null : `${name}: ${failure}`;
}

/** Its name in the sightings and for people: the name of a variable, never its value. */
function nameOf({ type, urlEnv }: ChannelSettings): string {
  return `${type}:${urlEnv}`;
}

function complained(name: string, reason: string, told: ChannelState | null) {
  return { name, told, error: `${name}: ${reason}` };
}

function logged(name: string, delivery: Delivery, { log }: RunContext): Delivery {
  const { failure, status, attempts } = delivery;
  log(failure === null ? 'info' : 'warn', 'notification', { channel: name, status, attempts, reason: failure });
  return delivery;
}

type Wrong = { readonly wrong: string };

const LEAST_SECRET = 16;

function channelOf(settings: ChannelSettings, env: RunContext['env']): NotifyChannel | Wrong {
  const url = urlIn(settings.urlEnv, env);
  if ('wrong' in url) return url;
  const name = nameOf(settings);
  if (settings.type === 'slack') return { type: 'slack', name, ...url };
  const secret = env[settings.secretEnv] ?? '';
  if (secret.length < LEAST_SECRET)
    return {
      wrong: `the environment variable ${settings.secretEnv} must hold a secret of at least ${LEAST_SECRET} characters`,
    };
  return { type: 'webhook', name, secret, ...url };
}

function urlIn(variable: string, env: RunContext['env']): { readonly url: string } | Wrong {
  const text = env[variable] ?? '';
  if (text === '') return { wrong: `${noValue(env, variable)}: it must hold the URL` };
  const url = parsedUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return { wrong: `the environment variable ${variable} must hold an https:// URL without a user name` };
  return { url: text };
}

/** Removes every address and secret: a license may repeat one, and a message may quote it. */
function redactorOf(channels: readonly ChannelSettings[], tokenEnv: string, env: RunContext['env']) {
  const names = channels.flatMap((channel) =>
    channel.type === 'webhook' ? [channel.urlEnv, channel.secretEnv] : [channel.urlEnv],
  );
  const redactors = [tokenEnv, ...names].flatMap((name) => {
    const token = env[name] ?? '';
    return token === '' ? [] : [createRedactor({ kind: 'bearer', token })];
  });
  return (text: string): string => redactors.reduce((rest, redact) => redact(rest), text);
}

function jsonOf(notification: Notification): Json {
  const json: Json = JSON.parse(JSON.stringify(notification));
  return isObject(json) ? json : {};
}

/** Loads the network only when there is something to send. */
async function overLine<T>(
  context: RunContext,
  task: (line: (message: ChannelMessage) => Promise<Delivery>) => Promise<T>,
): Promise<T> {
  const { clock, random, signal } = context;
  const open = once(async () => {
    const { createLine } = await import('../../../service/http.ts');
    const { exchange, close } = createLine(context.env);
    closers.push(close);
    return exchange;
  });
  const closers: (() => Promise<void>)[] = [];
  try {
    return await task(async (message) => {
      try {
        return await deliver(message, { exchange: await open(), clock, random, signal });
      } catch (error) {
        // A wrong proxy must not fail the check.
        if (!(error instanceof UsageError)) throw error;
        return { failure: error.message, status: null, attempts: 0 };
      }
    });
  } finally {
    for (const close of closers) await close();
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** Items in one notification; the report has all. */
const MOST_ITEMS = 100;

/** Characters of the values of one item, as JSON. */
const LONGEST_VALUES = 4_000;

/** Characters of a sentence. */
const LONGEST_SENTENCE = 500;

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
  const sentence = shortened(sentenceOf(item), LONGEST_SENTENCE);
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
