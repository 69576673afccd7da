// A look and what each channel was last told in; whoever has to be told is told, and what each knows then out. The one place that reads the addresses of
// channels: no text that leaves here has one, a secret, or the token.

import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { parsedUrl } from '../../base/url.ts';
import { type Delivery, deliver } from '../../outlets/notify/deliver.ts';
import { type ChannelMessage, heartbeat, messageTo, type NotifyChannel } from '../../outlets/notify/message.ts';
import { type Notification, notificationOf } from '../../outlets/notify/notification.ts';
import { type ChannelState, type NotifyMode, noticeOf, toldOf, unaware } from '../../outlets/notify/transition.ts';
import type { ChannelSettings } from '../../project/notify.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { createRedactor, redactJson } from '../../service/credential.ts';
import type { Look } from '../../tasks/drift/report.ts';
import { showError, showWarning } from '../report.ts';
import type { Terminal } from '../terminal.ts';

export type Notifying = Pick<TargetSettings, 'name' | 'tokenEnv' | 'notify'>;

export interface Notified {
  readonly told: ReadonlyMap<string, ChannelState>;
  /** A channel could not be told, or could not have been. */
  readonly failed: boolean;
}

/** Channels that are not configured any more are forgotten. */
export async function notify(
  look: Look,
  told: ReadonlyMap<string, ChannelState>,
  { name: target, tokenEnv, notify: { channels } }: Notifying,
  mode: NotifyMode,
  terminal: Terminal,
): Promise<Notified> {
  const redact = redactorOf(channels, tokenEnv, terminal.env);
  const ends = await overLine(terminal, (line) =>
    Promise.all(
      channels.map(async (settings) => {
        const name = nameOf(settings);
        const before = told.get(name) ?? null;
        const notice = noticeOf(look, before, mode);
        const channel = channelOf(settings, terminal.env);
        // Whatever is wrong with it is said before there is anything to tell.
        if ('wrong' in channel) return complained(name, channel.wrong, unaware(look, before), terminal);
        if (notice === null) return { name, told: unaware(look, before), failed: false };
        const occasion = { target, channel: name, told: before, mode };
        const notification = redactJson(jsonOf(notificationOf(notice, look, occasion)), redact);
        const message = messageTo(channel, notification as unknown as Notification);
        const { failure } = logged(name, await line(message), terminal);
        if (failure === null) return { name, told: toldOf(look, before), failed: false };
        return complained(name, `could not be told: ${failure}`, unaware(look, before), terminal);
      }),
    ),
  );
  return {
    told: new Map(ends.flatMap(({ name, told: known }) => (known === null ? [] : [[name, known] as const]))),
    failed: ends.some(({ failed }) => failed),
  };
}

/** After a look that succeeded. Whoever does not get it alarms by itself, so that it did not arrive is only said. */
export async function beatHeart({ notify: { heartbeat: variable } }: Notifying, terminal: Terminal): Promise<void> {
  if (variable === null) return;
  const url = urlIn(variable, terminal.env);
  const name = `heartbeat:${variable}`;
  const failure =
    'wrong' in url
      ? url.wrong
      : logged(name, await overLine(terminal, (line) => line(heartbeat(url.url))), terminal).failure;
  if (failure !== null) showWarning(`${name}: ${failure}`, terminal);
}

/** By what it is known in the sightings and to people: the name of a variable, never what is in it. */
function nameOf({ type, urlEnv }: ChannelSettings): string {
  return `${type}:${urlEnv}`;
}

function complained(name: string, reason: string, told: ChannelState | null, terminal: Terminal) {
  showError(`${name}: ${reason}`, terminal);
  return { name, told, failed: true };
}

function logged(name: string, delivery: Delivery, { log }: Terminal): Delivery {
  const { failure, status, attempts } = delivery;
  log(failure === null ? 'info' : 'warn', 'notification', { channel: name, status, attempts, reason: failure });
  return delivery;
}

type Wrong = { readonly wrong: string };

const LEAST_SECRET = 16;

function channelOf(settings: ChannelSettings, env: Terminal['env']): NotifyChannel | Wrong {
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

function urlIn(variable: string, env: Terminal['env']): { readonly url: string } | Wrong {
  const text = env[variable] ?? '';
  if (text === '') return { wrong: `the environment variable ${variable} is not set: it must hold the URL` };
  const url = parsedUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return { wrong: `the environment variable ${variable} must hold an https:// URL without a user name` };
  return { url: text };
}

/** A license may repeat what it should not know, and a message quote it. */
function redactorOf(channels: readonly ChannelSettings[], tokenEnv: string, env: Terminal['env']) {
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

/** Loads the network only for whoever has something to send. */
async function overLine<T>(
  terminal: Terminal,
  task: (line: (message: ChannelMessage) => Promise<Delivery>) => Promise<T>,
): Promise<T> {
  const { clock, random, signal } = terminal;
  const open = once(async () => {
    const { createLine } = await import('../../service/http.ts');
    const { exchange, close } = createLine(terminal.env);
    closers.push(close);
    return exchange;
  });
  const closers: (() => Promise<void>)[] = [];
  try {
    return await task(async (message) => {
      try {
        return await deliver(message, { exchange: await open(), clock, random, signal });
      } catch (error) {
        // A proxy that cannot be one must not cost the look.
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
