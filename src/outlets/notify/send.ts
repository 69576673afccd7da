// Sends to channels. Only this file reads their addresses: no text that leaves it has one, a secret, or a token.

import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/model.ts';
import { noValue } from '../../base/text.ts';
import { parsedUrl } from '../../base/url.ts';
import type { ChannelSettings } from '../../project/notify-settings.ts';
import { createRedactor, redactJson } from '../../service/credential.ts';
import type { RunContext } from '../../target/context.ts';
import {
  type ChannelMessage,
  type ChannelNews,
  type Delivery,
  deliver,
  heartbeat,
  messageTo,
  type NotifyChannel,
} from './message.ts';

/** Removes every address and secret: a license may repeat one, and a message may quote it. */
export type Redacted = <T>(document: T) => T;

export interface ToBeTold {
  readonly channel: ChannelSettings;
  /** Null where there is nothing to tell: a wrong channel is reported anyway. */
  readonly news: ((redacted: Redacted) => ChannelNews) | null;
}

/** Why each of them could not be told, or could not have been; null where that is not so. `tokens`: variables whose values no message has. */
export async function tellChannels(
  all: readonly ToBeTold[],
  tokens: readonly string[],
  context: RunContext,
): Promise<readonly (string | null)[]> {
  const redacted = redactorOf(
    all.map(({ channel }) => channel),
    tokens,
    context.env,
  );
  return overLine(context, (line) =>
    Promise.all(
      all.map(async ({ channel: settings, news }) => {
        const name = channelName(settings);
        const channel = channelOf(settings, context.env);
        if ('wrong' in channel) return `${name}: ${channel.wrong}`;
        if (news === null) return null;
        const { failure } = logged(name, await line(messageTo(channel, news(redacted))), context);
        return failure === null ? null : `${name}: could not be told: ${failure}`;
      }),
    ),
  );
}

/** Sends the heartbeat after a check that succeeded. Its receiver alarms when none arrives, so a failure is only a warning, which is returned. */
export async function beatHeart(variable: string | null, context: RunContext): Promise<string | null> {
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
export function channelName({ type, urlEnv }: ChannelSettings): string {
  return `${type}:${urlEnv}`;
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
  const name = channelName(settings);
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

function redactorOf(channels: readonly ChannelSettings[], tokens: readonly string[], env: RunContext['env']): Redacted {
  const names = channels.flatMap((channel) =>
    channel.type === 'webhook' ? [channel.urlEnv, channel.secretEnv] : [channel.urlEnv],
  );
  const redactors = [...tokens, ...names].flatMap((name) => {
    const token = env[name] ?? '';
    return token === '' ? [] : [createRedactor({ kind: 'bearer', token })];
  });
  const redact = (text: string): string => redactors.reduce((rest, each) => each(rest), text);
  return <T>(document: T) => redactJson(JSON.parse(JSON.stringify(document)) as Json, redact) as T;
}

/** Loads the network only when there is something to send. */
async function overLine<T>(
  context: RunContext,
  task: (line: (message: ChannelMessage) => Promise<Delivery>) => Promise<T>,
): Promise<T> {
  const { clock, random, signal } = context;
  const open = once(async () => {
    const { createLine } = await import('../../service/http.ts');
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
        // A wrong proxy must not fail the run.
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
