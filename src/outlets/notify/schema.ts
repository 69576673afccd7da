// The JSON Schema (2020-12) of what a webhook gets, for anyone's tools. A test holds notifications against it, with no member to spare.

import { formatVersion, list, orNull, record, type Schema } from '../../base/documents.ts';
import { SEVERITIES } from '../../base/model.ts';
import { ITEM, SUMMARY } from '../../tasks/drift/schema.ts';
import { CHANGES, EVENTS } from './transition.ts';

const { base = {}, live = {}, desired = {}, reach: _, applied_at: __, ignored: ___, ...about } = ITEM;

const item = record('One difference, as in a report.', {
  change: { enum: CHANGES, description: 'What became of it since this channel was told.' },
  ...about,
  values: orNull(record('Null when they are too long for a notification.', { base, live, desired })),
});

export function notificationSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform drift notification',
    ...record('What a webhook is told of a look at a license.', {
      format_version: formatVersion,
      event: { enum: EVENTS, description: 'Why it is told.' },
      delivery: {
        type: 'string',
        pattern: '^[0-9a-f]{32}$',
        description: 'The same for each attempt to tell the same, as in the header X-Chatform-Delivery.',
      },
      target: { type: 'string', description: 'Name of the target.' },
      at: { type: 'string', description: 'When the license was looked at, RFC 3339.' },
      in_sync: orNull({
        type: 'boolean',
        description: 'Nothing is as severe as `fail_on`; null when the look failed, so that nobody knows.',
      }),
      fail_on: orNull({ enum: SEVERITIES, description: 'The least severity that counts; null when the look failed.' }),
      message: orNull({ type: 'string', description: 'Why the look failed; null when it did not.' }),
      summary: orNull(SUMMARY),
      items: list('What counts, the news first.', item),
      omitted: { type: 'integer', minimum: 0, description: 'How many more there are.' },
    }),
  };
}
