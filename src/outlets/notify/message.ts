// The request that a channel gets for a notification, and its delivery: signed for a webhook, in blocks for Slack and similar chats. No text about a
// failure has the address of the channel.

import { createHmac } from 'node:crypto';
import { assertNever } from '../../base/errors.ts';
import type { ExchangeFailure } from '../../service/exchange.ts';
import { plain } from '../../view/plain.ts';
import { attempted, type ExchangeEnd, type OutletLine } from '../attempts.ts';

/** `url` and `secret` are secrets: no text may have them. */
export type NotifyChannel =
  | { readonly type: 'webhook'; readonly name: string; readonly url: string; readonly secret: string }
  | { readonly type: 'slack'; readonly name: string; readonly url: string };

/** What channels are told: the document for a webhook, and its parts for a chat, already escaped. */
export interface ChannelNews {
  readonly document: { readonly delivery: string };
  readonly title: string;
  readonly lines: readonly string[];
  /** How many more there are than lines. */
  readonly omitted: number;
  readonly closing: readonly string[];
}

/** A request that can be sent several times; `headers` are those of one attempt at a time (milliseconds since the epoch). */
export interface ChannelMessage {
  readonly method?: 'GET';
  readonly url: string;
  readonly body: string;
  readonly headers: (now: number) => Readonly<Record<string, string>>;
}

const AGENT = { 'user-agent': 'chatform' };

export function messageTo(channel: NotifyChannel, news: ChannelNews): ChannelMessage {
  const { type, url } = channel;
  switch (type) {
    case 'webhook': {
      const body = JSON.stringify(news.document);
      return { url, body, headers: (now) => signed(body, channel.secret, news.document.delivery, now) };
    }
    case 'slack':
      return { url, body: JSON.stringify(slackMessage(news)), headers: () => ({ ...AGENT, ...JSON_BODY }) };
    default:
      return assertNever(type);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Each attempt has its own time, so that the receiver can refuse a recorded request that is sent again. */
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

/** Says that a check succeeded, whatever it found. It has no body. */
export function heartbeat(url: string): ChannelMessage {
  return { method: 'GET', url, body: '', headers: () => AGENT };
}

/** Limits of Slack: blocks of a message, characters of a header. */
const MOST_BLOCKS = 50;
const LONGEST_HEADER = 150;

interface SlackBlock {
  readonly type: 'header' | 'section' | 'context';
  readonly text?: object;
  readonly elements?: readonly object[];
}

export interface SlackMessage {
  /** For notifications, and for chats that know no blocks. */
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

export function slackMessage({ title, lines, omitted, closing }: ChannelNews): SlackMessage {
  // One block for the title, one for the end.
  const shown = lines.slice(0, MOST_BLOCKS - 2);
  const hidden = lines.length - shown.length + omitted;
  const end = [...(hidden === 0 ? [] : [`and ${hidden} more`]), ...closing].join(' · ');
  return {
    text: [`*${escaped(title)}*`, ...lines.slice(0, 3)].join('\n'),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shortened(escaped(title), LONGEST_HEADER), emoji: false } },
      ...shown.map((line): SlackBlock => ({ type: 'section', text: markdown(line) })),
      { type: 'context', elements: [markdown(end)] },
    ],
  };
}

/** `verbatim`: Slack makes no links and no mentions of the text. */
function markdown(text: string): object {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** Characters of quoted texts: a block takes 3,000, and escaping makes up to five of one. */
export const LONGEST_MESSAGE = 500;
export const LONGEST_NAME = 200;

/** A bar would end the address. */
export function linkTo(address: string, text: string): string {
  return `<${escaped(address).replaceAll('|', '%7C')}|${text}>`;
}

/** Names from a license stand in code, where only the backtick has a meaning: no link, no format, no mention of all members. */
export function code(text: string, longest: number): string {
  return `\`${escaped(shortened(plain(text).replaceAll('`', "'"), longest))}\``;
}

/** Reasons are written by people, so they stand in code as names do. */
export function byWhom(who: string | null, reason: string | null): string {
  const by = who === null ? '' : ` by ${code(who, LONGEST_NAME)}`;
  return reason === null ? by : `${by}: ${code(reason, LONGEST_NAME)}`;
}

export function shortened(text: string, longest: number): string {
  const characters = Array.from(text);
  return text.length <= longest ? text : `${characters.slice(0, longest - 3).join('')}...`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export interface Delivery {
  /** Null when it arrived. */
  readonly failure: string | null;
  /** Of the last answer; null when there was none. */
  readonly status: number | null;
  readonly attempts: number;
}

/** Milliseconds for one attempt. */
const ATTEMPT = 10_000;

const PATIENCE = {
  attempts: 5,
  attempt: ATTEMPT,
  isAnswer: ({ status }: { readonly status: number }) => status >= 200 && status < 300,
  isTemporary: ({ status }: { readonly status: number }) => status === 429 || status >= 500,
};

/** A lost answer is sent again as well: a receiver that gets a notification twice knows it by its id. */
export async function deliver({ method, url, body, headers }: ChannelMessage, line: OutletLine): Promise<Delivery> {
  const { end, attempts } = await attempted(line, PATIENCE, (timeout) => ({
    ...(method === undefined ? {} : { method }),
    url,
    body,
    headers: headers(line.clock.now()),
    timeout,
  }));
  return { failure: failureOf(end), status: 'failure' in end ? null : end.status, attempts };
}

/** Null for a success. The system's own message may have the address, so it is left out. */
function failureOf(end: ExchangeEnd): string | null {
  if ('failure' in end) return lossOf(end.failure.kind);
  if (PATIENCE.isAnswer(end)) return null;
  const redirect = end.status >= 300 && end.status < 400;
  return `it answered ${end.status}${redirect ? ', and redirects are not followed' : ''}`;
}

function lossOf(kind: ExchangeFailure['kind']): string {
  switch (kind) {
    case 'timeout':
      return `no answer within ${ATTEMPT / 1000} s`;
    case 'aborted':
      return 'interrupted';
    case 'refused':
      return 'no server listens there';
    case 'unreachable':
      return 'it cannot be reached from here';
    case 'dns':
      return 'its host name cannot be resolved';
    case 'tls':
      return 'its certificate is not trusted here, or it does not speak TLS';
    case 'proxy':
      return 'the proxy does not let it through';
    case 'reset':
      return 'the connection was lost';
    case 'malformed':
      return 'the answer is not HTTP';
    case 'too-large':
      return 'its answer is too large';
    case 'other':
      return 'the request failed';
    default:
      return assertNever(kind);
  }
}
