// The notification of a drift check that a webhook gets, and what is remembered of a channel, as schemas and types.

import {
  flag,
  formatVersion,
  hex,
  list,
  map,
  oneOf,
  orNull,
  published,
  record,
  text,
  typed,
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import { SEVERITIES } from '../../base/model.ts';
import { item as members, summary } from '../../tasks/drift/report.ts';

const { base, live, desired, reach: _, applied_at: __, ignored: ___, ...about } = members;

const change = oneOf('How it changed since this channel was told.', ['new', 'returned', 'worse', 'known']);
export type ItemChange = ValueOf<typeof change>;

const event = oneOf(
  'Why the channel is told. drift: a difference is new, came back or got worse. resolved: no difference is left. failed: the check failed, and the one before did not. recovered: the reverse. unchanged: none of these, for a channel that gets every check.',
  ['drift', 'resolved', 'failed', 'recovered', 'unchanged'],
);
export type NotificationEvent = ValueOf<typeof event>;

const item = record('One difference, as in a report.', {
  change,
  ...about,
  values: orNull(record('Null for values that are too long for a notification.', { base, live, desired })),
});
export type NotifiedItem = ValueOf<typeof item>;

const notification = record('What a webhook gets about a drift check.', {
  format_version: formatVersion,
  event,
  delivery: hex(32, 'The same for each attempt to send the same notification, as in the header X-Chatform-Delivery.'),
  target: text('Name of the target.'),
  at: text('Time of the check, RFC 3339.'),
  in_sync: orNull(flag('No item is as severe as `fail_on`; null when the check failed.')),
  fail_on: orNull(oneOf('The least severity that makes a check fail; null when the check failed.', SEVERITIES)),
  message: orNull(text('Why the check failed; null when it did not.')),
  summary: orNull(summary),
  items: list('The items as severe as `fail_on`, the news first.', item),
  omitted: whole('How many more there are.'),
});
export type Notification = ValueOf<typeof notification>;

export const notificationSchema = published('chatform drift notification', notification);

const known = record('What a channel knows of one item.', {
  severity: oneOf('Severity.', SEVERITIES),
  returned: whole('How often it came back.'),
});
export type KnownItem = ValueOf<typeof known>;

export const channelState = record('What a channel was told when it was last reached.', {
  at: typed<string>({ type: 'string', format: 'instant', description: 'Time of the check that it was told of.' }),
  state: oneOf('What that check found.', ['in-sync', 'drifted', 'failed']),
  items: map('By fingerprint. An item that went away is not in it, so that it is news when it comes back.', known),
});
