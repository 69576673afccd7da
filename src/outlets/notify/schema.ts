// The JSON Schema (2020-12) of the notification for webhooks. A test holds notifications against it.

import { formatVersion, list, orNull, record, type Schema } from '../../base/documents.ts';
import { SEVERITIES } from '../../base/model.ts';
import { ITEM, SUMMARY } from '../../tasks/drift/schema.ts';
import { CHANGES, EVENTS } from './transition.ts';

const { base = {}, live = {}, desired = {}, reach: _, applied_at: __, ignored: ___, ...about } = ITEM;

const item = record('One difference, as in a report.', {
  change: { enum: CHANGES, description: 'How it changed since this channel was told.' },
  ...about,
  values: orNull(record('Null when they are too long for a notification.', { base, live, desired })),
});

export function notificationSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform drift notification',
    ...record('What a webhook gets about a drift check.', {
      format_version: formatVersion,
      event: { enum: EVENTS, description: 'Why the notification is sent.' },
      delivery: {
        type: 'string',
        pattern: '^[0-9a-f]{32}$',
        description: 'The same for each attempt to send the same notification, as in the header X-Chatform-Delivery.',
      },
      target: { type: 'string', description: 'Name of the target.' },
      at: { type: 'string', description: 'Time of the check, RFC 3339.' },
      in_sync: orNull({
        type: 'boolean',
        description: 'No item is as severe as `fail_on`; null when the check failed.',
      }),
      fail_on: orNull({
        enum: SEVERITIES,
        description: 'The least severity that makes a check fail; null when the check failed.',
      }),
      message: orNull({ type: 'string', description: 'Why the check failed; null when it did not.' }),
      summary: orNull(SUMMARY),
      items: list('The items as severe as `fail_on`, the news first.', item),
      omitted: { type: 'integer', minimum: 0, description: 'How many more there are.' },
    }),
  };
}
