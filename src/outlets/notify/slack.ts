// A notification in; a message for Slack, and for chats that understand the same, out. Whoever can name a group can write anything into a name: what comes
// from a license is shown as code, where nothing is a link, a format or a call to everybody.

import { assertNever } from '../../base/errors.ts';
import type { Json } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import { plain } from '../../render/plain.ts';
import type { Notification, NotifiedItem } from './notification.ts';

/** Slack takes 50 blocks, in a header 150 characters. */
const MOST_BLOCKS = 50;
const LONGEST_HEADER = 150;

/** Characters of what a block quotes, which takes 3,000; escaping makes up to five of one. */
const LONGEST_MESSAGE = 500;
const LONGEST_NAME = 200;
const LONGEST_VALUE = 120;

interface Block {
  readonly type: 'header' | 'section' | 'context';
  readonly text?: object;
  readonly elements?: readonly object[];
}

export interface SlackMessage {
  /** For notifications, and for chats that know no blocks. */
  readonly text: string;
  readonly blocks: readonly Block[];
}

export function slackMessage(notification: Notification): SlackMessage {
  const title = `chatform: ${headline(notification)}`;
  const { message, items, omitted, at } = notification;
  const lines = message === null ? items.map(lineOf) : [code(message, LONGEST_MESSAGE)];
  // One block for the title, one for the time.
  const shown = lines.slice(0, MOST_BLOCKS - 2);
  const hidden = lines.length - shown.length + omitted;
  const closing = `${hidden === 0 ? '' : `and ${hidden} more · `}look of ${at}`;
  return {
    text: [`*${escaped(title)}*`, ...lines.slice(0, 3)].join('\n'),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shortened(escaped(title), LONGEST_HEADER), emoji: false } },
      ...shown.map((line): Block => ({ type: 'section', text: markdown(line) })),
      { type: 'context', elements: [markdown(escaped(closing))] },
    ],
  };
}

/** `verbatim`: what looks like a link or a name is neither. */
function markdown(text: string): object {
  return { type: 'mrkdwn', text, verbatim: true };
}

function headline({ event, target, items, omitted, message }: Notification): string {
  const total = items.length + omitted;
  const news = items.filter(({ change }) => change !== 'known').length;
  switch (event) {
    case 'drift':
      return `${target} has drifted: ${news} of ${differences(total)} ${news === 1 ? 'is' : 'are'} new, back or worse`;
    case 'resolved':
      return `${target} is in sync again`;
    case 'failed':
      return `the look at ${target} failed`;
    case 'recovered':
      return `the look at ${target} works again: ${differences(total)}`;
    case 'unchanged':
      return message === null ? `${target}: ${differences(total)}, as before` : `the look at ${target} failed again`;
    default:
      return assertNever(event);
  }
}

function differences(count: number): string {
  return count === 0 ? 'no differences' : counted(count, 'difference');
}

function lineOf(item: NotifiedItem): string {
  const { address, path, status, kind, severity, change, values, fight, returned, seen_count: seen } = item;
  const subject = code([address, ...path].join(' '), LONGEST_NAME);
  const signs = [
    ...(change === 'known' ? [] : [`*${change}*`]),
    ...(fight ? [`*came back after ${returned} applies: somebody else writes it too*`] : []),
  ];
  const words = [severity, status, kind.replaceAll('-', ' ')].join(', ');
  const shown = values === null || kind !== 'changed' ? '' : `: ${sides(values)}`;
  const times = seen === 1 ? '' : ` · seen ${seen} times`;
  return [...signs, `${subject} ${words}${shown}${times}`].join(' · ');
}

function sides({ live, desired }: NonNullable<NotifiedItem['values']>): string {
  return `the license has ${quoted(live)}, the repository ${quoted(desired)}`;
}

function quoted(value: Json): string {
  return code(JSON.stringify(value), LONGEST_VALUE);
}

/** Inside a code span only the backtick has a meaning. */
function code(text: string, longest: number): string {
  return `\`${escaped(shortened(plain(text).replaceAll('`', "'"), longest))}\``;
}

function shortened(text: string, longest: number): string {
  const characters = Array.from(text);
  return text.length <= longest ? text : `${characters.slice(0, longest - 3).join('')}...`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
