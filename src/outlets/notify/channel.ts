// A channel and a notification in, the request that tells it out: signed for a webhook, in blocks for a chat. Must not know how it is sent.

import { createHmac } from 'node:crypto';
import { assertNever } from '../../base/errors.ts';
import type { Notification } from './notification.ts';
import { slackMessage } from './slack.ts';

/** Who is told. `url` and `secret` are secrets: no text may have them. */
export type Channel =
  | { readonly type: 'webhook'; readonly name: string; readonly url: string; readonly secret: string }
  | { readonly type: 'slack'; readonly name: string; readonly url: string };

/** A request that may leave several times; `headers` are those of one attempt, at that time (milliseconds since the epoch). */
export interface Message {
  readonly method?: 'GET';
  readonly url: string;
  readonly body: string;
  readonly headers: (now: number) => Readonly<Record<string, string>>;
}

const AGENT = { 'user-agent': 'chatform' };

export function messageTo(channel: Channel, notification: Notification): Message {
  const { type, url } = channel;
  switch (type) {
    case 'webhook': {
      const body = JSON.stringify(notification);
      return { url, body, headers: (now) => signed(body, channel.secret, notification.delivery, now) };
    }
    case 'slack':
      return { url, body: JSON.stringify(slackMessage(notification)), headers: () => ({ ...AGENT, ...JSON_BODY }) };
    default:
      return assertNever(type);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Each attempt has its own time, so that whoever checks it can refuse what was recorded and is played again. */
function signed(body: string, secret: string, delivery: string, now: number): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    ...AGENT,
    ...JSON_BODY,
    'x-chatform-delivery': delivery,
    'x-chatform-timestamp': timestamp,
    'x-chatform-signature': `sha256=${signature}`,
  };
}

/** Says that a look succeeded, whatever it found. It has nothing to say, so it takes no body. */
export function heartbeat(url: string): Message {
  return { method: 'GET', url, body: '', headers: () => AGENT };
}
