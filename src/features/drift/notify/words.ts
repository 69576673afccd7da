// What a chat is told of a drift check: its title, a line for each difference, and what else is known.

import { assertNever } from '../../../base/errors.ts';
import { counted } from '../../../base/text.ts';
import {
  byWhom,
  type ChannelNews,
  code,
  escaped,
  LONGEST_MESSAGE,
  LONGEST_NAME,
  linkTo,
} from '../../../outlets/notify/message.ts';
import { plain, time } from '../../../view/plain.ts';
import { whoText } from '../../../view/words/who.ts';
import { notCheckedNames, wasSeenBefore } from '../words.ts';
import type { Notification, NotifiedItem } from './schema.ts';

export function newsOf(notification: Notification): ChannelNews {
  const { message, items, omitted, at, kinds, last_run: last, page } = notification;
  const unchecked = kinds === null ? null : notCheckedNames({ kinds });
  const closing = [
    `checked ${at}`,
    ...(unchecked === null ? [] : [`not checked: ${unchecked}`]),
    ...(items.some(isAnonymous) ? ['changes without a name: the service does not say who made them'] : []),
  ].map(escaped);
  return {
    document: notification,
    title: `chatform: ${headline(notification)}`,
    lines: message === null ? items.map((item) => lineOf(item, at)) : [code(message, LONGEST_MESSAGE)],
    omitted,
    closing: [
      ...closing,
      ...(last === null ? [] : [lastText(last)]),
      ...(page === null ? [] : [linkTo(page, 'page of the license')]),
    ],
  };
}

/** Changed on the license, by a person whom the service does not name. */
function isAnonymous({ status, changed_by: changer }: NotifiedItem): boolean {
  return (status === 'drift' || status === 'conflict') && changer === undefined;
}

function lastText({ command, at, by, reason }: NonNullable<Notification['last_run']>): string {
  return `last ${escaped(plain(command))} ${time(at)}${byWhom(by === null ? null : whoText(by), reason)}`;
}

function headline({ event, target, items, omitted, message }: Notification): string {
  const total = items.length + omitted;
  const news = items.filter(({ change }) => change !== 'known').length;
  switch (event) {
    case 'drift':
      return `${target} has drifted: ${news} of ${differences(total)} ${news === 1 ? 'is' : 'are'} new or worse`;
    case 'resolved':
      return `${target} is in sync again`;
    case 'failed':
      return `the check of ${target} failed`;
    case 'recovered':
      return `the check of ${target} works again: ${differences(total)}`;
    case 'unchanged':
      return message === null ? `${target}: ${differences(total)}, as before` : `the check of ${target} failed again`;
    default:
      return assertNever(event);
  }
}

function differences(count: number): string {
  return count === 0 ? 'no differences' : counted(count, 'difference');
}

/** The sentence for people, and below it what the files and commands call it. */
function lineOf(item: NotifiedItem, at: string): string {
  const { sentence, address, path, severity, change } = item;
  const news = change === 'known' ? '' : `*${change}* · `;
  const since = wasSeenBefore(item, at) ? ` · seen since ${time(item.first_seen)}` : '';
  const subject = code([address, ...path].join(' '), LONGEST_NAME);
  return `${news}${code(sentence, LONGEST_MESSAGE)}\n${severity} · ${subject}${since}`;
}
