// Schemas and types of the notification that a webhook gets, and of what is remembered of a channel.

import * as s from '../../../base/documents.ts';
import { SEVERITIES } from '../../../base/model.ts';
import { runNotification } from '../../../command/news.ts';
import { kinds, whereKnown } from '../../../plan/differences/difference.ts';
import { lastRun, item as members, summary } from '../schema.ts';

const { base, live, desired, reach: _, applied_at: __, ignored: ___, ...about } = members;

const change = s.oneOf('How it changed since this channel was told.', ['new', 'worse', 'known']);
export type ItemChange = s.ValueOf<typeof change>;

const event = s.oneOf(
  'Why the channel is told. drift: a difference is new or got worse. resolved: no difference is left. failed: the check failed, and the one before did not. recovered: the reverse. unchanged: none of these, for a channel that gets every check.',
  ['drift', 'resolved', 'failed', 'recovered', 'unchanged'],
);
export type NotificationEvent = s.ValueOf<typeof event>;

const item = s.record(
  'One difference, as in a report.',
  {
    change,
    sentence: s.text('What differs, in a sentence for people, cut where it is long. Without a full stop.'),
    ...about,
    values: s.orNull(s.record('Null for values that are too long for a notification.', { base, live, desired })),
  },
  { changed_by: whereKnown.changed_by },
);
export type NotifiedItem = s.ValueOf<typeof item>;

const notification = s.record('What a webhook gets about a drift check.', {
  format_version: s.formatVersion,
  about: s.only('drift', { description: 'It is about a drift check.' }),
  event,
  delivery: s.hex(32, 'The same for each attempt to send the same notification, as in the header X-Chatform-Delivery.'),
  target: s.text('Name of the target.'),
  at: s.text('Time of the check, RFC 3339.'),
  in_sync: s.orNull(s.flag('No item is as severe as `fail_on`; null when the check failed.')),
  fail_on: s.orNull(s.oneOf('The least severity that makes a check fail; null when the check failed.', SEVERITIES)),
  message: s.orNull(s.text('Why the check failed; null when it did not.')),
  summary: s.orNull(summary),
  kinds: s.orNull(kinds),
  last_run: s.orNull(lastRun),
  page: s.orNull(s.text('Address of the page of the license, as `page_url` says; null without it.')),
  items: s.list('The items as severe as `fail_on`, the news first.', item),
  omitted: s.whole('How many more there are.'),
});
export type Notification = s.ValueOf<typeof notification>;

export const notificationSchema = s.published(
  'chatform notification',
  s.anyOf('What a webhook gets: about a drift check, or about a plan or a run.', [notification, runNotification]),
);

const known = s.record('What a channel knows of one item.', {
  severity: s.oneOf('Severity.', SEVERITIES),
});
export type KnownItem = s.ValueOf<typeof known>;

export const channelState = s.record('What a channel was told when it was last reached.', {
  at: s.typed<string>({ type: 'string', format: 'instant', description: 'Time of the check that it was told of.' }),
  state: s.oneOf('What that check found.', ['in-sync', 'drifted', 'failed']),
  items: s.map('By fingerprint. An item that went away is not in it, so that it is news when it comes back.', known),
});
